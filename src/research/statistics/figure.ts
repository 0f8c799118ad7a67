import { tooFew } from './too-few.ts';

/** One number of a report, or why there is none: a statistic without enough behind it is not told. */
export type Figure = { readonly value: number } | { readonly value: undefined; readonly reason: string };

/** A number that needs `needed` samples. What is not finite is not told either, with `otherwise` as the reason. */
export function figure(
  gate: { readonly have: number; readonly needed: number; readonly what: string },
  compute: () => number,
  otherwise = 'nothing varied',
): Figure {
  const { have, needed, what } = gate;
  if (have < needed) return { value: undefined, reason: tooFew(needed, what, have) };
  const value = compute();
  return Number.isFinite(value) ? { value } : { value: undefined, reason: otherwise };
}
