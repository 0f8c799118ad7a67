import type { Amount } from '../../../core/base/amount.ts';
import { billionthsOf, formatAmount, zero } from '../../../core/base/amount.ts';
import { BadInput } from '../../../core/base/errors.ts';
import type { Instrument, Ticks } from '../../../core/model/instrument.ts';
import { candlePlaces, knownOf, candleUnits } from '../../../core/model/known-candle.ts';
import type { Candle } from '../../../core/model/market.ts';
import type { WaitingOrders } from './orders.ts';

/** The four prices of a bar. */
export type BarPlace = 'open' | 'max' | 'min' | 'close';

/** One instrument at a bar venue: its price now, the bar under way, its resting orders. */
export class BarMarket {
  readonly instrument: Instrument;
  readonly orders: WaitingOrders;
  readonly #tick: Amount;
  readonly #tickNumber: number;
  /** The tick in billionths, NaN when it is finer. */
  readonly #tickUnits: number;
  #price: Amount = zero;
  #ticks = Number.NaN as Ticks;
  /** Whether an order that arrives now can execute at the present price. */
  live = false;
  /** The bar whose path is still to be walked. */
  bar: Candle | undefined;
  /** The bar walked last and not published yet (`open`). */
  closed: Candle | undefined;
  /** The bar published last. */
  last: Candle | undefined;
  /** When the candle begins that was published last as begun; -1 before the first. */
  begunAt = -1;

  constructor(instrument: Instrument, orders: WaitingOrders) {
    this.instrument = instrument;
    this.orders = orders;
    this.#tick = instrument.priceAmount(1 as Ticks);
    this.#tickNumber = Number(this.#tick);
    this.#tickUnits = billionthsOf(this.#tick);
  }

  /** The present price; 0 before the first. */
  get price(): Amount {
    return this.#price;
  }

  /** The present price in ticks, NaN before the first. */
  get ticks(): Ticks {
    return this.#ticks;
  }

  /** Throws `BadInput` when the price is no multiple of the tick size. */
  moveTo(price: Amount): void {
    // Before the first price there are no ticks, and 0 is none.
    if (price === this.#price && this.#ticks > 0) return;
    this.#ticks = this.#ticksOf(price);
    this.#price = price;
  }

  /** The same with the open or the close of a bar. */
  moveToBar(bar: Candle, to: 'open' | 'close'): void {
    const price = to === 'open' ? bar.open : bar.close;
    const place = to === 'open' ? candlePlaces.open : candlePlaces.close;
    const known = knownOf(bar);
    // Whole numbers below 2^53: their quotient is one only if there is no remainder.
    const ticks = known === undefined ? Number.NaN : candleUnits(known, place) / this.#tickUnits;
    if (!(ticks > 0) || Math.floor(ticks) !== ticks) {
      this.moveTo(price);
      return;
    }
    this.#ticks = ticks as Ticks;
    this.#price = price;
  }

  /** A price of a bar in ticks; between two of them where it is not on the grid. */
  ticksIn(bar: Candle, at: BarPlace): number {
    const known = knownOf(bar);
    const ticks = known === undefined ? Number.NaN : candleUnits(known, candlePlaces[at]) / this.#tickUnits;
    if (!Number.isNaN(ticks)) return ticks;
    const below = bar[at] / this.#tick;
    return Number(below) + (below * this.#tick === bar[at] ? 0 : 0.5);
  }

  moveToTicks(ticks: Ticks): void {
    this.#ticks = ticks;
    this.#price = this.instrument.priceAmount(ticks);
  }

  #ticksOf(price: Amount): Ticks {
    // The quotient of doubles is right for all prices but monstrous ones; the product proves it.
    const guess = Math.round(Number(price) / this.#tickNumber);
    if (guess > 0 && BigInt(guess) * this.#tick === price) return guess as Ticks;
    const ticks = price / this.#tick;
    if (ticks * this.#tick !== price || ticks <= 0n) {
      const { symbol, spec } = this.instrument;
      throw new BadInput(
        `${symbol}: expected prices above 0 on a tick size of ${spec.tickSize}, found ${formatAmount(price)}; name a finer tick size, or round to this one by import: { round: tick }`,
      );
    }
    return Number(ticks) as Ticks;
  }
}
