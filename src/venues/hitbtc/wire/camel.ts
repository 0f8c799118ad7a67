/** A name from `wire_spelling` in `ourSpelling`. */
export type CamelName<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelName<Tail>>}`
  : Name;
type Plain = string | number | bigint | boolean | null | undefined;

/** An object type with every member renamed from `wire_spelling` to `ourSpelling`, all the way down. */
export type CamelKeys<Value> = Value extends Plain
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly CamelKeys<Item>[]
    : { readonly [Name in keyof Value as CamelName<Name>]: CamelKeys<Value[Name]> };

/** Members whose keys are names of others, not of members. */
const opaque = new Set(['asset_id', 'assetId']);

/** Renames members from `wire_spelling` to `ourSpelling`, all the way down. For resources that are read as they are. */
export function camelKeys<Value>(value: Value): CamelKeys<Value> {
  return renamed(value, camelOf) as CamelKeys<Value>;
}

/** The reverse of `camelKeys`. */
export function snakeKeys(value: object): object {
  return renamed(value, snakeOf) as object;
}

function renamed(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => renamed(item, rename));
  if (typeof value !== 'object' || value === null) return value;
  const result: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) result[rename(name)] = opaque.has(name) ? member : renamed(member, rename);
  }
  return result;
}

/** A name from `wire_spelling` in `ourSpelling`. */
export function camelOf(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function snakeOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
