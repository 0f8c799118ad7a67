import type { Amount } from '../base/amount.ts';
import { formatAmount } from '../base/amount.ts';
import { Decimal } from '../base/decimal.ts';
import { tooFew } from './too-few.ts';

/** One figure of a report: its value as text, or why there is none. */
export type Cell = { readonly value: string } | { readonly value: undefined; readonly reason: string };

/** A figure that needs `needed` samples: computed only when there are as many. */
export function gated(have: number, needed: number, what: string, compute: () => string): Cell {
  if (have >= needed) return { value: compute() };
  return { value: undefined, reason: tooFew(needed, what, have) };
}

/** `part / whole` in per cent with two digits. */
export function percent(part: Amount | number, whole: Amount | number): string {
  return `${decimalOf(part).dividedBy(decimalOf(whole)).times(100).toFixed(2)} %`;
}

function decimalOf(value: Amount | number): Decimal {
  return new Decimal(typeof value === 'bigint' ? formatAmount(value) : value);
}
