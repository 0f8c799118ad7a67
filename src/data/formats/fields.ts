import type { Members } from '../../core/base/members.ts';
import { isMembers } from '../../core/base/members.ts';
import type { Micros } from '../../core/base/clock.ts';
import { BadInput } from '../../core/base/errors.ts';

/** The JSON of some bytes. Throws `BadInput`, beginning with `place`, that shows how they begin. */
export function parseJson(bytes: Uint8Array, place = ''): unknown {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new BadInput(`${place}expected a JSON message, found ${JSON.stringify(text.slice(0, 80))}`, {
      cause: error,
    });
  }
}

/** `value` as an object with named members. Throws `BadInput` naming `what`. */
export function membersOf(value: unknown, what: string): Members {
  if (isMembers(value)) return value;
  throw misfit(what, 'an object', value);
}

/** `value` as a list; absent is an empty one. Throws `BadInput` naming `what`. */
export function listOf(value: unknown, what: string): readonly unknown[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value as readonly unknown[];
  throw misfit(what, 'a list', value);
}

/** `value` as a list of lists. */
export function listRows(value: unknown, what: string): readonly (readonly unknown[])[] {
  const rows = listOf(value, what);
  for (const row of rows) if (!Array.isArray(row)) throw misfit(what, 'a list of lists', row);
  return rows as readonly (readonly unknown[])[];
}

/** `value` as text; a JSON number becomes the plain decimal that names it. Throws `BadInput` naming `what`. */
export function textOf(value: unknown, what: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return plainNumber(value);
  throw misfit(what, 'a text or number', value);
}

/** Like `textOf`, but absent, null and 0 answer `undefined`. */
export function optionalText(value: unknown, what: string): string | undefined {
  if (value === undefined || value === null || value === 0 || value === '') return undefined;
  return textOf(value, what);
}

/** `value` as a whole number; digits in a text count. Throws `BadInput` naming `what`. */
export function integerOf(value: unknown, what: string): number {
  const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
  if (Number.isSafeInteger(number)) return number as number;
  throw misfit(what, 'a whole number', value);
}

/** Milliseconds since the epoch as time. */
export function millisOf(value: unknown, what: string): Micros {
  return (integerOf(value, what) * 1_000) as Micros;
}

/** Seconds with a fraction, as text or number, as time, to the nearest microsecond. */
export function secondsOf(value: unknown, what: string): Micros {
  const match = /^(\d{1,11})(?:\.(\d+))?$/.exec(textOf(value, what));
  if (match === null) throw misfit(what, 'seconds since 1970', value);
  const fraction = (match[2] ?? '').padEnd(7, '0');
  const micros = Number(fraction.slice(0, 6)) + (Number(fraction[6]) >= 5 ? 1 : 0);
  return (Number(match[1]) * 1_000_000 + micros) as Micros;
}

const iso = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|\+00:00)$/;

/** An ISO time in UTC with up to nanoseconds (cut) as time. */
export function isoTimeOf(value: unknown, what: string): Micros {
  const match = typeof value === 'string' ? iso.exec(value) : null;
  const millis = match === null ? Number.NaN : Date.parse(`${match[1]}Z`);
  if (match === null || Number.isNaN(millis))
    throw misfit(what, 'a time such as 2021-04-17T16:43:37.089723Z', value);
  return (millis * 1_000 + Number((match[2] ?? '').padEnd(6, '0').slice(0, 6))) as Micros;
}

/** The side of a taker by the words of most venues. Throws `BadInput` naming `what`. */
export function sideOf(value: unknown, what: string): 'buy' | 'sell' {
  const word = typeof value === 'string' ? value.toLowerCase() : '';
  if (word === 'buy' || word === 'bid' || word === 'b') return 'buy';
  if (word === 'sell' || word === 'ask' || word === 'a' || word === 's') return 'sell';
  throw misfit(what, 'buy or sell', value);
}

/** A double as the plain decimal with the fewest digits that name it. */
export function plainNumber(value: number): string {
  const text = String(value);
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (match === null) return text;
  const [, sign = '', first = '', rest = '', power = '0'] = match;
  const digits = first + rest;
  const point = 1 + Number(power);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return `${sign}${digits.padEnd(point, '0')}`;
}

/** The error for a member that is not what the venue documents. */
export function misfit(what: string, expectation: string, found: unknown): BadInput {
  const shown = found === undefined ? 'none' : JSON.stringify(found).slice(0, 80);
  return new BadInput(`expected ${what} to be ${expectation}, found ${shown}`);
}

/** Rows of another kind than the table was taken for: nothing of it is worth keeping, however many came before. */
export class OtherKind extends BadInput {}
