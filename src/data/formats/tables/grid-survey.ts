import { BadInput } from '../../../core/base/errors.ts';
import type { Instrument, InstrumentSpec, Lots, Ticks } from '../../../core/model/instrument.ts';
import { smallMoneys } from '../../../core/model/pair.ts';
import type { OpenOptions } from '../format.ts';
import { FinerSizes } from '../../recording/index.ts';
import type { RowSource } from '../bars-rows.ts';
import { placeOf } from '../bars-rows.ts';
import { usedDecimals } from './bars-decimal.ts';
import type { SymbolGuess } from './bars-symbol.ts';
import { specOfGuess, stepOf } from './bars-symbol.ts';

/** Venues print up to eight decimals, and so many only where prices are far below 1. */
const overlongDecimals = 9;

/** No coin and no share costs so much. */
const oversizedMin = 10_000_000;

/** Digits a double counts without doubt. */
const exactDigits = 15;

/** Learns the grids of one symbol from the decimals in use. Texts are plain decimals without trailing zeros. */
export class GridSurvey {
  #price = 0;
  #priceMax = 0;
  #priceMin = Number.POSITIVE_INFINITY;
  /** The price with the most decimals, and where the first such stands. */
  #finest: { readonly text: string; readonly source: RowSource; readonly row: number } | undefined;
  #size = 0;
  #sizeWhole = 1;

  price(text: string, source: RowSource, row: number): void {
    const used = usedDecimals(text);
    const value = Number(text);
    if (value < this.#priceMin) this.#priceMin = value;
    if (value > this.#priceMax) this.#priceMax = value;
    if (used <= this.#price) return;
    this.#price = used;
    this.#finest = { text, source, row };
  }

  size(text: string): void {
    const used = usedDecimals(text);
    if (used > this.#size) this.#size = used;
    const whole = text.length - (used === 0 ? 0 : used + 1);
    if (whole > this.#sizeWhole) this.#sizeWhole = whole;
  }

  /** Whether sizes have more digits than can be counted exactly: the increment is then coarser, and they are rounded. */
  get isCoarse(): boolean {
    return this.#size > exactDigits - this.#sizeWhole;
  }

  /** Whether prices have more digits than any venue prints: they were adjusted, or printed from binary fractions. */
  get isOverlong(): boolean {
    return this.#price >= overlongDecimals && this.#priceMax >= 1;
  }

  /**
   * The least price where all are whole numbers, larger than anything costs in the currency: they are likely counts of a part of it,
   * such as 10^-9 or 10^-8. `undefined` where they are not.
   */
  oversizedIn(quote: string): number | undefined {
    const isLarge = this.#price === 0 && this.#priceMin >= oversizedMin && Number.isFinite(this.#priceMin);
    return isLarge && !smallMoneys.has(quote) ? this.#priceMin : undefined;
  }

  /** The step of the decimals in use. Throws `BadInput` with the place when prices are more of them than can be counted. */
  #tick(): string {
    const finest = this.#finest;
    if (finest !== undefined && this.#priceMax * 10 ** this.#price > Number.MAX_SAFE_INTEGER)
      throw new BadInput(
        `${placeOf(finest.source, finest.row)}: expected prices of at most 2^53 steps of their last decimal, found ${finest.text} beside prices up to ${this.#priceMax}: they were adjusted, or printed from binary fractions; name the tick and round to it, by --tick 0.01 --round tick or in a scenario by instrument: { tick: "0.01" } and import: { round: tick }`,
      );
    return stepOf(this.#price);
  }

  spec(guess: SymbolGuess, options: OpenOptions): InstrumentSpec {
    const size = Math.max(0, Math.min(this.#size, exactDigits - this.#sizeWhole));
    return specOfGuess(guess, options, {
      tick: options.tick ?? this.#tick(),
      increment: options.increment ?? stepOf(size),
    });
  }
}

/** A price on the grid. Throws `BadInput` with the place when it is off it. */
export function gridTicks(instrument: Instrument, price: string, place: string): Ticks {
  const ticks = instrument.readTicks(price);
  if (!Number.isNaN(ticks)) return ticks;
  throw new BadInput(
    `${place}: expected a price of ${instrument.symbol} on the tick ${instrument.spec.tickSize}, found ${price}`,
  );
}

/** Treatment of quantities off the grid. */
export interface OffGrid {
  readonly coarse: boolean;
  /** Where the increment is given. */
  readonly finer?: FinerSizes | undefined;
}

/** Takes sizes between the steps of an increment that the options give. */
export function finerOf({ instruments, increment }: OpenOptions): FinerSizes | undefined {
  return instruments === undefined && increment === undefined ? undefined : new FinerSizes();
}

/**
 * A quantity on the grid. Throws `BadInput` with the place when it is off it, unless the grid is coarse because the numbers are
 * longer than any grid: then it is rounded to the nearest step; or was given: then it is rounded down and counted.
 */
export function gridLots(
  instrument: Instrument,
  quantity: string,
  place: string,
  { coarse, finer }: OffGrid,
): Lots {
  if (finer !== undefined) finer.sizes += 1;
  const lots = instrument.readLots(quantity);
  if (!Number.isNaN(lots)) return lots;
  const rounded = finer?.roundedDown(instrument, quantity) ?? Number.NaN;
  if (!Number.isNaN(rounded)) return rounded as Lots;
  const { quantityIncrement } = instrument.spec;
  if (coarse && Number(quantity) / Number(quantityIncrement) < Number.MAX_SAFE_INTEGER)
    return instrument.lots(quantity, 'nearest');
  throw new BadInput(
    `${place}: expected a quantity of ${instrument.symbol} in steps of ${quantityIncrement}, found ${quantity}`,
  );
}
