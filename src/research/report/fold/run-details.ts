import type { Amount } from '../../../core/base/amount.ts';
import { add, zero } from '../../../core/base/amount.ts';
import type { CorrectionEntry } from '../../../core/ledger/index.ts';
import { executionKey } from '../../../core/model/difference.ts';
import type { Event } from '../../../core/model/event.ts';
import type { Instrument, InstrumentId, Instruments } from '../../../core/model/instrument.ts';
import { isLiquidation } from '../../../core/model/liquidation.ts';
import type { PositionAccount } from '../../../core/model/margin.ts';
import type { BookView } from '../../../core/model/market.ts';
import type { ClientOrderId, Fill, Side } from '../../../core/model/order.ts';
import { Timeline } from './timeline.ts';
import { SampleFold } from './samples.ts';
import type { BarPrice } from './marks.ts';
import { Markouts } from './markouts.ts';
import type { OrderTally } from './order-tally.ts';
import { OrderStatistics } from './order-statistics.ts';
import type { BookedFill, TripListener } from './trade-book.ts';
import { TradeBook } from './trade-book.ts';
import { timeText } from '../../../core/base/clock.ts';

export interface DetailsDeps {
  readonly instruments: Instruments;
  readonly book?: ((instrument: InstrumentId) => BookView | undefined) | undefined;
  /** How commands have waited at the gate so far; without it waits are absent. */
  readonly waited?: (() => GateWaits) | undefined;
  /** What became of our orders, the event under way taken in. */
  readonly tally: Pick<OrderTally, 'isOpen'>;
  /** Of a run on bars: there is no book then, no queue and no latency. */
  readonly bars?: BarPrice | undefined;
  /** What the account was worth at the start in a quote currency, as far as it is known. */
  readonly startOf: (currency: string) => number;
  /** Hears of every round trip when it is closed. */
  readonly onTrip?: TripListener | undefined;
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

/** Everything a full report needs beyond totals: the timeline of a run, what became of its orders, its trades. */
export class RunDetails {
  /** For charts: of a long run not every sample. */
  readonly timeline = new Timeline();
  /** For figures: of every sample. */
  readonly samples: SampleFold;
  readonly markouts: Markouts;
  readonly orders: OrderStatistics;
  readonly trades: TradeBook;
  /** What strategies logged. */
  readonly notes = new StrategyNotes();
  /** What rounding took besides fees, by quote currency. */
  readonly roundedOff = new Map<string, Amount>();
  /** Fills that were corrected: what is measured at the moment of a fill counts them as they were reported. */
  corrections = 0;
  /** Of these, fills that are in closed trades as they were reported. */
  uncorrectedTrips = 0;
  /** Whether the market was bars, or trades, alone. */
  readonly onBars: boolean;
  readonly #waited: (() => GateWaits) | undefined;
  readonly #instruments: Instruments;
  readonly #followed = new Set<InstrumentId>();
  /** In order of the first fill. */
  readonly #traded = new Set<InstrumentId>();
  /** Names of the columns by currency and by instrument: a text that is made anew for each sample has to be hashed anew. */
  readonly #ofMoney = new Map<string, MoneyColumns>();
  readonly #ofInstrument = new Map<InstrumentId, InstrumentColumns>();

  constructor({ instruments, book, tally, waited, bars, startOf, onTrip }: DetailsDeps) {
    this.trades = new TradeBook(onTrip);
    this.#instruments = instruments;
    this.samples = new SampleFold(startOf);
    this.#waited = waited;
    this.onBars = bars !== undefined;
    this.markouts = new Markouts(instruments, book);
    const mid = bars ?? ((id: InstrumentId) => this.markouts.mid(id));
    this.orders = new OrderStatistics({ book: this.onBars ? undefined : book, mid, tally });
    if (instruments.all.length <= followedMax) for (const { id } of instruments.all) this.#followed.add(id);
  }

  /** How commands waited at the gate, where they were counted. */
  get waits(): GateWaits | undefined {
    return this.#waited?.();
  }

  /** Adds what rounding took of a quote currency. */
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

  /** A fill that was booked, reported at `time`. Returns it with the type of its order. */
  filled(fill: Fill, of: FilledOrder): BookedFill {
    const { instrument, id, side, account, strategy, time, open } = of;
    const order = this.orders.order(id);
    this.orders.filled(id, fill, time);
    if (!this.onBars) this.markouts.filled(fill, side, instrument, time);
    if (this.#followed.size < followedMax) this.#followed.add(instrument);
    this.#traded.add(instrument);
    const traded = this.#instruments.at(instrument);
    this.samples.money(traded.spec.quoteCurrency).hasTraded = true;
    const type = isLiquidation(id) ? 'liquidation' : order?.type;
    const booked: BookedFill = { fill, side, instrument: traded, strategy, account, type };
    this.trades.book(booked, open);
    return booked;
  }

  /** A fill was corrected. */
  corrected({ trade, holds }: CorrectionEntry): void {
    this.corrections += 1;
    if (!this.trades.correct(executionKey(trade), holds)) this.uncorrectedTrips += 1;
  }

  /** Instruments with columns in the timeline. */
  get followed(): readonly Instrument[] {
    return [...this.#followed].map((id) => this.#instruments.at(id));
  }

  /** Instruments whose positions are known: those followed, and all that were traded. */
  get held(): readonly Instrument[] {
    return [...this.#followed.union(this.#traded)].map((id) => this.#instruments.at(id));
  }

  /** One sample: a row of the timeline, and what figures need of it. `profits` by quote currency. */
  sample(
    time: number,
    profits: Iterable<readonly [string, number]>,
    of: (id: InstrumentId) => InstrumentSample,
  ): void {
    const { timeline, samples } = this;
    timeline.beginRow(time);
    samples.beginSample(time);
    for (const [currency, profit] of profits) {
      const peak = samples.profit(currency, profit);
      let columns = this.#ofMoney.get(currency);
      if (columns === undefined) {
        columns = moneyColumns(currency);
        this.#ofMoney.set(currency, columns);
      }
      timeline.putValue(columns.profit, profit);
      timeline.putValue(columns.below, profit - peak);
      timeline.carryValue(columns.peak, peak);
    }
    const quotes = this.orders.quotes();
    for (const id of this.#followed) {
      const one = of(id);
      this.#holdPosition(one);
      this.#followPrice(one, quotes.get(id));
    }
    for (const id of this.#traded) if (!this.#followed.has(id)) this.#holdPosition(of(id));
  }

  #holdPosition({ instrument, price, position }: InstrumentSample): void {
    const { samples } = this;
    samples.holdPosition(instrument.id, price, position);
    if (position === 0) return;
    const value = Math.abs(instrument.contract.worthNear(price, position));
    if (!Number.isNaN(value)) samples.money(instrument.spec.quoteCurrency).gross += value;
  }

  #followPrice(
    { instrument, price, position }: InstrumentSample,
    quote: { bid: number; ask: number } | undefined,
  ) {
    const { timeline } = this;
    let columns = this.#ofInstrument.get(instrument.id);
    if (columns === undefined) {
      columns = instrumentColumns(instrument);
      this.#ofInstrument.set(instrument.id, columns);
    }
    timeline.putValue(columns.price, price);
    timeline.putValue(columns.position, position);
    timeline.carryValue(columns.bid, (quote?.bid ?? Number.NaN) * columns.tick);
    timeline.carryValue(columns.ask, (quote?.ask ?? Number.NaN) * columns.tick);
  }
}

interface MoneyColumns {
  readonly profit: string;
  readonly below: string;
  readonly peak: string;
}

function moneyColumns(currency: string): MoneyColumns {
  return { profit: `profit ${currency}`, below: `below ${currency}`, peak: `peak ${currency}` };
}

interface InstrumentColumns {
  readonly price: string;
  readonly position: string;
  readonly bid: string;
  readonly ask: string;
  /** Worth of a tick. */
  readonly tick: number;
}

function instrumentColumns({ symbol, spec }: Instrument): InstrumentColumns {
  return {
    price: `price ${symbol}`,
    position: `position ${symbol}`,
    bid: `bid ${symbol}`,
    ask: `ask ${symbol}`,
    tick: Number(spec.tickSize),
  };
}

/** The order of a fill, and who holds what it traded. */
interface FilledOrder {
  readonly instrument: InstrumentId;
  readonly id: ClientOrderId;
  readonly side: Side;
  readonly account: PositionAccount;
  readonly strategy: string;
  readonly time: number;
  /** The key of one that may still be corrected. */
  readonly open: string | undefined;
}

const linesMax = 50;
const urgentMax = 10;

/** What strategies said in a run, as lines with time, level and name: what is said again is counted with its first line. */
export class StrategyNotes {
  readonly #all = new NoteList(linesMax);
  readonly #urgent = new NoteList(urgentMax);

  observe(event: Event): void {
    if (event.kind !== 'strategyNoted') return;
    const { receiveTime, strategy, level, text } = event;
    const time = timeText(receiveTime);
    const said = `strategy ${strategy}, ${level}: ${text}`;
    this.#all.add(said, time);
    if (level === 'warn' || level === 'error') this.#urgent.add(said, time);
  }

  /** Fifty different lines, each with how often it came, and how many others there were. */
  get lines(): readonly string[] {
    return this.#all.lines;
  }

  /** Ten different warnings and errors, in the same way. */
  get urgent(): readonly string[] {
    return this.#urgent.lines;
  }
}

/** The first different things that were said. */
class NoteList {
  readonly #most: number;
  /** By what was said: when first, and how often. */
  readonly #said = new Map<string, { readonly time: string; count: number }>();
  #left = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(said: string, time: string): void {
    const known = this.#said.get(said);
    if (known !== undefined) known.count += 1;
    else if (this.#said.size < this.#most) this.#said.set(said, { time, count: 1 });
    else this.#left += 1;
  }

  get lines(): readonly string[] {
    const lines = [...this.#said].map(
      ([said, { time, count }]) => `${time}  ${said}${count === 1 ? '' : ` (${count} times)`}`,
    );
    return this.#left === 0 ? lines : [...lines, `and ${this.#left} more lines of strategies`];
  }
}
