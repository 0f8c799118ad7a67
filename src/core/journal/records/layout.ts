/** The keys of an object in canonical order, and what writers need of them. */
export interface Layout {
  readonly keys: readonly string[];
  /** The text before each value: `,"key":`, without the comma for the first. */
  readonly heads: readonly string[];
  /** Place of each key in the object. */
  readonly places: readonly number[];
  /** A whole number of 32 bits that stands for the list of keys. */
  readonly hash: number;
}

/** One step on the way through the keys of an object, in the order in which it was made. */
interface KeyNode {
  readonly next: Map<string, KeyNode>;
  layout: Layout | undefined;
  /** The step taken last from here: nearly always the next one too, and a comparison is cheaper than a look-up. */
  lastKey: string;
  lastNext: KeyNode | undefined;
}

/** Marks what JSON has no notation for: `{"#":"12n"}` is a bigint, `{"#":"NaN"}` a number. */
export const mark = '#';

const nodesMax = 20_000;
const root = newNode();
let nodes = 0;

/** The layout of an object, by a walk over its keys: sorting them again for every event would cost most of all. */
export function layoutOf(fields: object): Layout {
  let node = root;
  for (const key in fields) {
    const last = node.lastNext;
    const next = last !== undefined && node.lastKey === key ? last : stepFrom(node, key);
    // Only a strategy that makes up keys comes here; its objects are sorted one by one.
    if (next === undefined) return sorted(fields);
    node = next;
  }
  node.layout ??= sorted(fields);
  return node.layout;
}

/**
 * As `layoutOf`; `values` gets the fields' values in the order in which the object has them, for `places`. Reading a
 * field on the way over the keys is much cheaper than looking it up by its name.
 */
export function valuesOf(fields: Readonly<Record<string, unknown>>, values: unknown[]): Layout {
  let node: KeyNode | undefined = root;
  let count = 0;
  for (const key in fields) {
    values[count++] = fields[key];
    if (node === undefined) continue;
    const last: KeyNode | undefined = node.lastNext;
    node = last !== undefined && node.lastKey === key ? last : stepFrom(node, key);
  }
  if (node === undefined) return sorted(fields);
  node.layout ??= sorted(fields);
  return node.layout;
}

function stepFrom(node: KeyNode, key: string): KeyNode | undefined {
  let next = node.next.get(key);
  if (next === undefined) {
    if (nodes >= nodesMax) return undefined;
    nodes += 1;
    next = newNode();
    node.next.set(key, next);
  }
  node.lastKey = key;
  node.lastNext = next;
  return next;
}

function newNode(): KeyNode {
  return { next: new Map(), layout: undefined, lastKey: '', lastNext: undefined };
}

function sorted(fields: object): Layout {
  const made: string[] = [];
  for (const key in fields) made.push(key);
  // The text of an event uses this key as its own mark; only a strategy could make it up.
  const keys = made.filter((key) => key !== mark).toSorted();
  return {
    keys,
    places: keys.map((key) => made.indexOf(key)),
    heads: keys.map((key, index) => `${index === 0 ? '' : ','}${JSON.stringify(key)}:`),
    hash: hashText(keys.join(' ')),
  };
}

/** FNV-1a over UTF-16 units. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash | 0;
}
