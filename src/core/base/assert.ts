import { BrokenInvariant } from './errors.ts';

/** Throws `BrokenInvariant`. Details cost nothing until then, because callers test first. */
export function fail(message: string, details: Readonly<Record<string, unknown>> = {}): never {
  throw new BrokenInvariant(message, details);
}

/** Throws `BrokenInvariant` with `message` unless `condition` holds. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) fail(message);
}

/** Ends a switch over a union: the compiler proves that no case is missing, the runtime says which one came. */
export function unreachable(value: never): never {
  fail('a case that cannot occur occurred', { value: JSON.stringify(value) });
}
