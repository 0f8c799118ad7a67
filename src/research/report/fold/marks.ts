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
  readonly #fills: (Ticks | undefined)[];

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

  filled(instrument: InstrumentId, price: Ticks): void {
    this.#fills[instrument] = price;
  }

  /** `undefined` while nothing has been seen of the instrument. */
  of(instrument: InstrumentId): Mark | undefined {
    const source = this.#sourceOf(instrument);
    if (source === undefined) return undefined;
    const one = this.#instruments.at(instrument);
    if (source !== 'mid') return { price: one.priceAmount(this.ticks(instrument) as Ticks), source };
    const book = this.#book?.(instrument);
    return { price: one.midAmount(book?.bestBid as Ticks, book?.bestAsk as Ticks), source };
  }

  /** The price in ticks, in halves where it is a mid; NaN while nothing has been seen of the instrument. */
  ticks(instrument: InstrumentId): number {
    switch (this.#sourceOf(instrument)) {
      case 'bar':
        return this.#bars?.(instrument) as number;
      case 'mid': {
        const book = this.#book?.(instrument);
        return ((book?.bestBid as number) + (book?.bestAsk as number)) / 2;
      }
      case 'trade':
        return this.#trades[instrument] as Ticks;
      case 'fill':
        return this.#fills[instrument] as Ticks;
      case undefined:
        return Number.NaN;
    }
  }

  #sourceOf(instrument: InstrumentId): MarkSource | undefined {
    const ticks = this.#bars?.(instrument);
    if (ticks !== undefined) return Number.isNaN(ticks) ? undefined : 'bar';
    const book = this.#book?.(instrument);
    if (book !== undefined && book.status === 'live' && !book.crossed)
      if (book.bestBid !== undefined && book.bestAsk !== undefined) return 'mid';
    if (this.#trades[instrument] !== undefined) return 'trade';
    return this.#fills[instrument] === undefined ? undefined : 'fill';
  }
}
