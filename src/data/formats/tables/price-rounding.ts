import { decimalsOf, printDecimal, scanDecimal } from '../../../core/base/scan.ts';
import { toGrid } from '../../../core/model/grid.ts';
import { counted } from '../grade-anomaly.ts';
import type { AnomalyCounts } from '../grade-anomaly.ts';
import { plainNumber } from '../fields.ts';
import type { OpenOptions } from '../format.ts';
import { plainDecimal } from './bars-decimal.ts';

/** Rounds prices to the nearest tick, halves up, because that was asked for. Counts those that were not on it. */
export class PriceRounding {
  readonly #tick: string;
  readonly #decimals: number;
  readonly #units: number;

  constructor(tick: string) {
    this.#tick = tick;
    this.#decimals = decimalsOf(tick);
    this.#units = scanDecimal(tick, this.#decimals);
  }

  /** A plain decimal on the tick; `undefined` where it is too large to be counted. */
  round(price: string): string | undefined {
    const units = scanDecimal(price, this.#decimals);
    if (units % this.#units === 0) return price;
    if (!(Number(price) / Number(this.#tick) < Number.MAX_SAFE_INTEGER / 10)) return undefined;
    const ticks = toGrid(price, this.#tick, 'nearest', 'price');
    return plainDecimal(printDecimal(ticks * this.#units, this.#decimals));
  }
}

/** Answer of tables to the option: the tick that their prices are rounded to. */
export function roundingOf({ round, tick }: OpenOptions): { readonly round?: string } {
  return round === undefined || tick === undefined ? {} : { round: tick };
}

/** Notes that prices are rounded, where they are. */
export function roundingNote({ round, tick }: OpenOptions): readonly string[] {
  return round === undefined ? [] : [`prices are rounded to the tick ${tick}, as asked`];
}

/** Adds what was rounded in one table to what was in others. */
export function addRounded(sum: Rounded, { count, furthest }: Rounded): void {
  sum.count += count;
  sum.furthest = Math.max(sum.furthest, furthest);
}

/** How many prices were rounded, and the largest difference. */
export interface Rounded {
  count: number;
  furthest: number;
}

/** Counts the prices that were rounded in the grade. */
export function countRounded(counts: AnomalyCounts, rounded: Readonly<Rounded>): void {
  const { count: sum, furthest } = rounded;
  const words = (count: number): string =>
    `${counted(count, 'price')} rounded to the tick, by ${plainNumber(Number(furthest.toPrecision(2)))} at most`;
  counts.add('roundedPrices', sum, words);
}
