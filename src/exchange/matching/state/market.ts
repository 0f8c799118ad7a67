import type { Amount } from '../../../core/base/amount.ts';
import { zero } from '../../../core/base/amount.ts';
import type { Instrument, InstrumentStatus, Ticks } from '../../../core/model/instrument.ts';
import type { Fills } from '../orders/index.ts';
import type { FeeBox, MarginAccount } from '../accounts/index.ts';
import { OrderBook } from '../book/index.ts';
import type { OrderPool } from '../book/index.ts';
import { Terms } from '../accounts/index.ts';
import { Triggers } from '../orders/index.ts';

/** One instrument inside the exchange: book, suspended orders, last price, status. */
export class ExchangeMarket {
  readonly instrument: Instrument;
  readonly book: OrderBook;
  readonly triggers: Triggers;
  readonly fills: Fills;
  status: InstrumentStatus;
  /** Price of the last trade. */
  last: Ticks | undefined = undefined;
  /** The price positions are valued at instead of the last one, where there is such a price. */
  mark: Ticks | undefined = undefined;
  /** Margin accounts with a position here. */
  readonly exposed = new Set<MarginAccount>();
  /** Where its fees go that are counted in units. */
  fees: FeeBox | undefined = undefined;
  readonly #terms: Terms;

  constructor(
    instrument: Instrument,
    pool: OrderPool,
    windowTicks: number,
    openFills: (market: ExchangeMarket) => Fills,
  ) {
    this.instrument = instrument;
    this.book = new OrderBook(pool, windowTicks);
    this.triggers = new Triggers(pool);
    this.status = instrument.spec.status;
    this.#terms = new Terms(instrument, zero, zero);
    this.fills = openFills(this);
  }

  terms(takeMarkup: Amount, makeMarkup: Amount): Terms {
    if (takeMarkup <= zero && makeMarkup <= zero) return this.#terms;
    return new Terms(this.instrument, takeMarkup, makeMarkup, this.#terms);
  }
}
