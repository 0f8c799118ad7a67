import { BadInput } from '../../base/errors.ts';
import { layoutOf, mark } from './layout.ts';
import type { KeptEvent } from './journal.ts';

/** Deeper values are cut off: no event is half as deep, only what a strategy may have made up. */
const depthMax = 24;

/**
 * The event as canonical JSON: keys in alphabetical order, no spaces, `undefined` as null, bigints and numbers
 * that JSON lacks as `{"#":"..."}`. Equal events give equal text. Never throws: what is no plain value is null.
 */
export function encodeEvent(event: KeptEvent): string {
  return encode(event, 0);
}

/**
 * The event that `text` was made of, each key that was `undefined` there again. Throws `BadInput` when the text is
 * not JSON or no event. The text's origin is proved by the chain, so its fields are not checked one by one.
 */
export function decodeEvent(text: string): KeptEvent {
  let value: unknown;
  try {
    value = revive(JSON.parse(text));
  } catch (error) {
    throw new BadInput(`expected the JSON of an event, found ${JSON.stringify(text.slice(0, 80))}`, {
      cause: error,
    });
  }
  const event = value as Partial<KeptEvent> | null;
  if (typeof event !== 'object' || event === null || typeof event.kind !== 'string') {
    throw new BadInput(`expected an event with a kind, found ${JSON.stringify(text.slice(0, 80))}`);
  }
  return event as KeptEvent;
}

function encode(value: unknown, depth: number): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
      return encodeNumber(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'bigint':
      return `{"${mark}":"${value}n"}`;
    case 'object':
      if (value === null || depth === depthMax) return 'null';
      return Array.isArray(value) ? encodeList(value, depth + 1) : encodeFields(value, depth + 1);
    default:
      return 'null';
  }
}

function encodeNumber(value: number): string {
  if (Number.isFinite(value) && !Object.is(value, -0)) return String(value);
  return `{"${mark}":"${Object.is(value, -0) ? '-0' : value}"}`;
}

function encodeList(list: readonly unknown[], depth: number): string {
  let text = '[';
  for (let i = 0; i < list.length; i++) text += (i === 0 ? '' : ',') + encode(list[i], depth);
  return `${text}]`;
}

function encodeFields(value: object, depth: number): string {
  const fields = value as Readonly<Record<string, unknown>>;
  const { keys, heads } = layoutOf(fields);
  let text = '{';
  for (let i = 0; i < keys.length; i++) text += heads[i] + encode(fields[keys[i] as string], depth);
  return `${text}}`;
}

/** Turns what JSON.parse made into what was encoded, in place. */
function revive(value: unknown): unknown {
  if (value === null) return undefined;
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) value[i] = revive(value[i]);
    return value;
  }
  const fields = value as Record<string, unknown>;
  const marked = fields[mark];
  if (typeof marked === 'string') return unmark(marked);
  for (const key in fields) {
    const field = fields[key];
    if (field === null || typeof field === 'object') fields[key] = revive(field);
  }
  return fields;
}

function unmark(text: string): bigint | number {
  if (text.endsWith('n')) return BigInt(text.slice(0, -1));
  return Number(text);
}
