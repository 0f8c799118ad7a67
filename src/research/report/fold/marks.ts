import type { Amount } from '../../../core/base/amount.ts';
import type { TradesPrinted } from '../../../core/model/event.ts';
import type { InstrumentId, Instruments, Ticks } from '../../../core/model/instrument.ts';
import type { BookView } from '../../../core/model/market.ts';

/** Where a mark came from, best first. */
export type MarkSource = 'bar' | 'mid' | 'trade' | 'fill';

/** The price of an instrument in ticks on bars, NaN before the first. */
export type BarPrice = (instrument: InstrumentId) => number;

/** What one unit of an instrument is worth, and how we know. */
export interface Mark {
  readonly price: Amount;
  readonly source: MarkSource;
}

/**
 * Prices to value positions at: the price of the bar in a run on bars; otherwise the mid of a live uncrossed book where the
 * caller has books, else the last public trade, else our own last fill.
 */
export class Marks {
  readonly #instruments: Instruments;
  readonly #book: ((instrument: InstrumentId) => BookView | undefined) | undefined;
  readonly #bars: BarPrice | undefined;
  /** In ticks: few of them are read. */
  readonly #trades: (Ticks | undefined)[];
  readonly #fills: (Amount | undefined)[];

  constructor(
    instruments: Instruments,
    book?: (instrument: InstrumentId) => BookView | undefined,
    bars?: BarPrice,
  ) {
    this.#instruments = instruments;
    this.#book = book;
    this.#bars = bars;
    this.#trades = Array.from({ length: instruments.all.length }, () => undefined);
    this.#fills = Array.from({ length: instruments.all.length }, () => undefined);
  }

  observe({ instrument, trades }: TradesPrinted): void {
    const last = trades.at(-1);
    if (last !== undefined) this.#trades[instrument] = last.price;
  }

  filled(instrument: InstrumentId, price: Amount): void {
    this.#fills[instrument] = price;
  }

  /** `undefined` while nothing has been seen of the instrument. */
  of(instrument: InstrumentId): Mark | undefined {
    const ticks = this.#bars?.(instrument);
    if (ticks !== undefined) {
      if (Number.isNaN(ticks)) return undefined;
      return { price: this.#instruments.at(instrument).priceAmount(ticks as Ticks), source: 'bar' };
    }
    const book = this.#book?.(instrument);
    if (book !== undefined && book.status === 'live' && !book.crossed) {
      const { bestBid, bestAsk } = book;
      if (bestBid !== undefined && bestAsk !== undefined) {
        return { price: this.#instruments.at(instrument).midAmount(bestBid, bestAsk), source: 'mid' };
      }
    }
    const trade = this.#trades[instrument];
    if (trade !== undefined)
      return { price: this.#instruments.at(instrument).priceAmount(trade), source: 'trade' };
    const fill = this.#fills[instrument];
    return fill === undefined ? undefined : { price: fill, source: 'fill' };
  }
}
