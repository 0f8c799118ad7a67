/** One number of a report, or why there is none: a statistic without enough behind it is not measured. */
export type Figure = { readonly value: number } | { readonly value: undefined; readonly reason: string };

/** A number that needs `needed` samples. What is not finite is not measured either, with `otherwise` as the reason. */
export function figure(
  gate: { readonly have: number; readonly needed: number; readonly what: string },
  compute: () => number,
  otherwise = 'nothing varied',
): Figure {
  const { have, needed, what } = gate;
  if (have < needed) return { value: undefined, reason: insufficientSample(needed, what, have) };
  const value = compute();
  return Number.isFinite(value) ? { value } : { value: undefined, reason: otherwise };
}

/** Why a figure that needs `needed` of `what`, a noun in the plural, is not measured. */
export function insufficientSample(needed: number, what: string, have: number): string {
  return `needs ${needed} ${needed === 1 ? what.replace(/s( with .*)?$/, '$1') : what}, has ${have}`;
}
