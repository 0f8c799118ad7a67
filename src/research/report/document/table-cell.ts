import type { Amount } from '../../../core/base/amount.ts';
import { formatAmount } from '../../../core/base/amount.ts';
import { Decimal } from '../../../core/base/decimal.ts';
import { insufficientSample } from '../../statistics/index.ts';

/** One figure of a report: its value as text, or why there is none. */
export type Cell = { readonly value: string } | { readonly value: undefined; readonly reason: string };

/** A figure that needs `needed` samples: computed only when there are as many. */
export function gated(have: number, needed: number, what: string, compute: () => string): Cell {
  if (have >= needed) return { value: compute() };
  return { value: undefined, reason: insufficientSample(needed, what, have) };
}

/** `part / whole` in per cent: two decimals, of less than a tenth three digits that mean something. */
export function percentShare(part: Amount | number, whole: Amount | number): string {
  const share = decimalOf(part).dividedBy(decimalOf(whole)).times(100);
  const isSmall = !share.isZero() && share.abs().lessThan(0.1);
  return `${isSmall ? share.toSignificantDigits(3).toFixed() : share.toFixed(2)} %`;
}

function decimalOf(value: Amount | number): Decimal {
  return new Decimal(typeof value === 'bigint' ? formatAmount(value) : value);
}
