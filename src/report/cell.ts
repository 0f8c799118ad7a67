import type { Amount } from '../base/amount.ts';
import { formatAmount } from '../base/amount.ts';
import { Decimal } from '../base/decimal.ts';

/** One figure of a report: its value as text, or why there is none. */
export type Cell = { readonly value: string } | { readonly value: undefined; readonly reason: string };

/** A figure that needs `needed` samples: computed only when there are as many. */
export function gated(have: number, needed: number, what: string, compute: () => string): Cell {
  if (have >= needed) return { value: compute() };
  return { value: undefined, reason: `needs ${needed} ${what}, has ${have}` };
}

/** `part / whole` with `decimals` digits, half even. `whole` must not be 0. */
export function ratio(part: Amount | number, whole: Amount | number, decimals = 4): string {
  return decimalOf(part).dividedBy(decimalOf(whole)).toDecimalPlaces(decimals).toString();
}

/** `part / whole` in per cent with two digits. */
export function percent(part: Amount | number, whole: Amount | number): string {
  return `${decimalOf(part).dividedBy(decimalOf(whole)).times(100).toFixed(2)} %`;
}

/** Mean over deviation of daily changes times the root of 365, or `undefined` when nothing varied. */
export function sharpe(days: readonly Amount[]): string | undefined {
  const changes = days.slice(1).map((day, index) => decimalOf(day).minus(decimalOf(days[index] as Amount)));
  const mean = changes.reduce((sum, one) => sum.plus(one), new Decimal(0)).dividedBy(changes.length);
  const squares = changes.reduce((sum, one) => sum.plus(one.minus(mean).pow(2)), new Decimal(0));
  const deviation = squares.dividedBy(changes.length - 1).sqrt();
  if (deviation.isZero()) return undefined;
  return mean.dividedBy(deviation).times(new Decimal(365).sqrt()).toFixed(2);
}

function decimalOf(value: Amount | number): Decimal {
  return new Decimal(typeof value === 'bigint' ? formatAmount(value) : value);
}
