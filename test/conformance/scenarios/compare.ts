/** Throws naming both values when they differ. */
export function same(what: string, found: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what}: expected ${b}, found ${a}`);
}

/** Throws when two numbers differ by more than `tolerance` of the expected one: what order of summing may change. */
export function close(what: string, found: number, expected: number, tolerance = 1e-12): void {
  if (Math.abs(found - expected) <= tolerance * Math.max(1e-9, Math.abs(expected))) return;
  throw new Error(`${what}: expected ${expected}, found ${found}`);
}
