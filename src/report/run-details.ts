import type { Amount } from '../base/amount.ts';
import { add, zero } from '../base/amount.ts';
import type { Event } from '../model/event.ts';
import type { Instrument, InstrumentId, Instruments } from '../model/instrument.ts';
import { isLiquidation } from '../model/liquidation.ts';
import type { BookView } from '../model/market.ts';
import type { ClientOrderId, Fill, Side } from '../model/order.ts';
import { Course } from './course.ts';
import type { BarPrice } from './marks.ts';
import { Markouts } from './markouts.ts';
import type { OrderTally } from './order-tally.ts';
import { OrderWatch } from './order-watch.ts';
import { StrategyNotes } from './strategy-notes.ts';
import { TradeBook } from './trade-book.ts';

export interface DetailsSetting {
  readonly instruments: Instruments;
  readonly book: ((instrument: InstrumentId) => BookView | undefined) | undefined;
  /** How commands have waited at the gate so far; without it waits are not told. */
  readonly waited?: (() => GateWaits) | undefined;
  /** What became of our orders, the event under way taken in. */
  readonly tally: Pick<OrderTally, 'isOpen'>;
  /** Of a run on bars: there is no book then, no queue and no latency. */
  readonly bars?: BarPrice | undefined;
}

/** Commands that were ready to leave the gate and had to wait. Microseconds. */
export interface GateWaits {
  readonly count: number;
  readonly total: number;
  readonly longest: number;
}

/** What one sample knows of an instrument. */
export interface InstrumentSample {
  readonly instrument: Instrument;
  /** What a unit is worth, NaN when nothing is known. */
  readonly price: number;
  /** In base currency, signed. */
  readonly position: number;
}

/** Instruments followed from the start when a run has no more; of larger runs only those that are traded. */
const followedMax = 8;

/** Everything a full report needs beyond totals: the course of a run, what became of its orders, its trades. */
export class RunDetails {
  readonly course = new Course();
  readonly markouts: Markouts;
  readonly orders: OrderWatch;
  readonly trades = new TradeBook();
  /** What strategies logged. */
  readonly notes = new StrategyNotes();
  /** What rounding took besides fees, by quote currency. */
  readonly roundedOff = new Map<string, Amount>();
  /** Whether the market was bars, or trades, alone. */
  readonly onBars: boolean;
  readonly #waited: (() => GateWaits) | undefined;
  readonly #instruments: Instruments;
  readonly #followed = new Set<InstrumentId>();

  constructor({ instruments, book, tally, waited, bars }: DetailsSetting) {
    this.#instruments = instruments;
    this.#waited = waited;
    this.onBars = bars !== undefined;
    this.markouts = new Markouts(instruments, book);
    const mid = bars ?? ((id: InstrumentId) => this.markouts.mid(id));
    this.orders = new OrderWatch({ book: this.onBars ? undefined : book, mid, tally });
    if (instruments.all.length <= followedMax) for (const { id } of instruments.all) this.#followed.add(id);
  }

  /** How commands waited at the gate, where somebody watched. */
  get waits(): GateWaits | undefined {
    return this.#waited?.();
  }

  /** Rounding took so much of a quote currency. */
  roundOff(currency: string, amount: Amount): void {
    this.roundedOff.set(currency, add(this.roundedOff.get(currency) ?? zero, amount));
  }

  /** One market event, after the books took it. */
  observeMarket(event: Event): void {
    if (!this.onBars) this.markouts.observe(event);
  }

  /** One event of our own or of the account; a fill in it was booked before. */
  observe(event: Event): void {
    this.observeMarket(event);
    this.orders.observe(event);
    this.notes.observe(event);
  }

  /** A fill that was booked, told at `time`. */
  filled(fill: Fill, side: Side, of: { instrument: InstrumentId; id: ClientOrderId; time: number }): void {
    const { instrument, id, time } = of;
    const order = this.orders.order(id);
    this.orders.filled(id, fill, time);
    if (!this.onBars) this.markouts.filled(fill, side, instrument, time);
    if (this.#followed.size < followedMax) this.#followed.add(instrument);
    const traded = this.#instruments.at(instrument);
    const liquidates = isLiquidation(id);
    const strategy = (liquidates ? this.trades.holder(traded) : order?.strategy) ?? 'unknown';
    const type = liquidates ? 'liquidation' : order?.type;
    this.trades.book({ fill, side, instrument: traded, strategy, type });
  }

  /** Instruments with columns in the course. */
  get followed(): readonly Instrument[] {
    return [...this.#followed].map((id) => this.#instruments.at(id));
  }

  /** One row of the course. `profits` by quote currency. */
  sample(
    time: number,
    profits: Iterable<readonly [string, number]>,
    of: (id: InstrumentId) => InstrumentSample,
  ): void {
    this.course.begin(time);
    for (const [currency, profit] of profits) this.course.put(`profit ${currency}`, profit);
    const quotes = this.orders.quotes();
    for (const id of this.#followed) {
      const { instrument, price, position } = of(id);
      const { symbol } = instrument;
      const tick = Number(instrument.spec.tickSize);
      const quote = quotes.get(id);
      this.course.put(`price ${symbol}`, price);
      this.course.put(`position ${symbol}`, position);
      this.course.put(`bid ${symbol}`, (quote?.bid ?? Number.NaN) * tick);
      this.course.put(`ask ${symbol}`, (quote?.ask ?? Number.NaN) * tick);
    }
  }
}
