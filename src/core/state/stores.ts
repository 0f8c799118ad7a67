import type { Micros } from '../base/clock.ts';
import type { LadderKind } from '../book/book.ts';
import { Book, ringsOfOwner } from '../book/book.ts';
import { ownerOf } from '../model/client-order-id.ts';
import type { CarriedState } from '../model/carried-state.ts';
import type {
  BookSnapshot,
  BookStale,
  BookUpdate,
  ContractInfo,
  TickerChanged,
  TradesPrinted,
} from '../model/event.ts';
import type { InstrumentId, Instruments } from '../model/instrument.ts';
import { isLiquidation } from '../model/liquidation.ts';
import type { MarginAccountKey } from '../model/margin.ts';
import { isPaidBy } from '../model/margin.ts';
import type { BookView, Ticker } from '../model/market.ts';
import { BalanceStore } from './balances.ts';
import { CandleStore } from './candles.ts';
import { DifferenceStore } from './differences.ts';
import { LossStore } from './losses.ts';
import { MarginStore } from './margin.ts';
import { ModeStore } from './mode.ts';
import type { StateOptions } from './options.ts';
import { externalStrategy, Ledger } from '../ledger/index.ts';
import type { ForeignOrder } from './orders.ts';
import { OrderStore } from './orders.ts';
import { SeriesStore } from './series.ts';
import { SessionStore } from './sessions.ts';
import { TradeStore } from './trades.ts';

/** All stores of a run. */
export class Stores {
  readonly books: BookStore;
  readonly tickers: TickerStore;
  /** Figures that contracts showed last, by instrument. */
  readonly contracts = new Map<InstrumentId, ContractInfo>();
  readonly series = new SeriesStore();
  readonly trades: TradeStore;
  readonly candles: CandleStore;
  readonly orders: OrderStore;
  readonly balances = new BalanceStore();
  /** Balances of the wallet of contracts. */
  readonly futuresBalances = new BalanceStore();
  readonly margin: MarginStore;
  readonly ledger: Ledger;
  readonly mode = new ModeStore();
  readonly losses = new LossStore();
  readonly sessions: SessionStore;
  readonly differences = new DifferenceStore();
  readonly runs = new RunStore();
  /** Wall time of the event last applied. */
  time = 0 as Micros;
  /** Arrival of the last book update after its stamp, each by its own clock; NaN before the first one. */
  delay = Number.NaN;
  /** Whether nothing has happened yet but market data. */
  blank = true;
  readonly #instruments: Instruments;
  readonly #options: StateOptions;

  constructor(instruments: Instruments, options: StateOptions) {
    const count = instruments.all.length;
    this.#instruments = instruments;
    this.#options = options;
    this.books = new BookStore(count, options.ladder);
    this.tickers = new TickerStore(count);
    this.trades = new TradeStore(count, options.tradesMax);
    this.candles = new CandleStore(instruments, options);
    this.ledger = new Ledger(instruments, {
      closed: (closing) => this.losses.closed(closing, this.ledger.openFrom),
      recounted: (holding, from, closings) => this.losses.recounted(holding, from, closings),
    });
    this.margin = new MarginStore(this.ledger, (key) => this.hasOrdersOn(key));
    this.sessions = new SessionStore(instruments);
    this.orders = new OrderStore({
      closedOrdersMax: options.closedOrdersMax,
      fillsRememberedMax: options.fillsRememberedMax,
      onFill: (fill, strategy, reportedAt) => {
        this.ledger.book(fill, strategy, reportedAt);
        if (fill.marginMode !== undefined && fill.positionId !== undefined)
          this.margin.noteMode(fill.positionId, fill.marginMode);
      },
      strategyOf: (executed) => this.#holderOf(executed) ?? externalStrategy,
      modeOf: (positionId) => this.margin.modeOf(positionId),
    });
  }

  addTrades(event: TradesPrinted): void {
    const first = this.trades.apply(event);
    this.candles.addTrades(event.instrument, event.trades, first, this.trades.isBehindGap);
  }

  /** Whether orders that a margin account pays for may be live. */
  hasOrdersOn(key: MarginAccountKey): boolean {
    return this.orders.index
      .list(undefined, key.instrument)
      .some((order) => isPaidBy(key, order, this.#instruments.at(order.instrument)));
  }

  carry(): CarriedState {
    const { carriedClosedMax, carriedFillsMax } = this.#options;
    return {
      orders: this.orders.carryOrders(carriedClosedMax),
      fills: this.orders.carryFills(carriedFillsMax),
      positions: this.ledger.carryPositions(),
      ...this.#carriedNetted(),
      balances: this.balances.carry(),
      mode: this.mode.carry(),
      sessions: this.sessions.carry(),
      ...this.#carriedMargin(),
      ...this.#carriedLosses(),
      ...this.#carriedCourses(),
      ...this.#carriedComparison(),
      ...this.#carriedWallets(),
      ...this.runs.carry(),
    };
  }

  /** Takes over what another run's stores carried. Only for stores that are blank. */
  takeState(carried: CarriedState): void {
    this.orders.takeOrders(carried.orders, carried.fills);
    this.ledger.takePositions(carried.positions, carried.netted);
    this.balances.takeBalances(carried.balances);
    if (carried.margin !== undefined) this.margin.takeAccounts(carried.margin);
    this.futuresBalances.takeBalances(carried.futuresBalances ?? []);
    this.mode.takeMode(carried.mode);
    this.sessions.takeSessions(carried.sessions);
    if (carried.losses !== undefined) this.losses.takeLosses(carried.losses);
    if (carried.executions !== undefined) this.ledger.takeExecutions(carried.executions);
    this.differences.takeDifferences(carried.differences ?? []);
    this.ledger.courses.takeCourses(carried.courses ?? []);
    this.ledger.moved.takeMoves(carried.moved ?? []);
    if (carried.wallets !== undefined) this.ledger.wallets.takeWallets(carried.wallets);
    for (const run of carried.runs ?? []) this.runs.began(run);
  }

  /** Holder of what an order that none of ours made has closed: a liquidation, or what somebody did to a margin account. */
  #holderOf({ clientOrderId, instrument, side, marginMode }: ForeignOrder): string | undefined {
    const isForeign =
      marginMode === undefined ? isLiquidation(clientOrderId) : ownerOf(clientOrderId) === undefined;
    return isForeign ? this.ledger.holderAgainst(instrument, side, marginMode) : undefined;
  }

  /** A run that agrees with its venue carries none. */
  #carriedComparison(): Pick<CarriedState, 'differences' | 'executions' | 'moved'> {
    const executions = this.ledger.carryExecutions();
    const differences = this.differences.all;
    const moved = this.ledger.moved.all();
    return {
      ...(differences.length > 0 && { differences }),
      ...(executions !== undefined && { executions }),
      ...(moved.length > 0 && { moved }),
    };
  }

  /** A run of spot alone carries neither. */
  #carriedMargin(): Pick<CarriedState, 'margin' | 'futuresBalances'> {
    const margin = this.margin.carryAccounts();
    const futuresBalances = this.futuresBalances.carry();
    return {
      ...(margin !== undefined && { margin }),
      ...(futuresBalances.length > 0 && { futuresBalances }),
    };
  }

  /** A run that never looked at its account carries none. */
  #carriedWallets(): Pick<CarriedState, 'wallets'> {
    const wallets = this.ledger.wallets.carry();
    return wallets === undefined ? {} : { wallets };
  }

  /** A run in which no two strategies shared a margin account carries none. */
  #carriedNetted(): Pick<CarriedState, 'netted'> {
    const netted = this.ledger.netted();
    return netted.length > 0 ? { netted } : {};
  }

  /** A run that never had a profit or a loss carries none. */
  #carriedCourses(): Pick<CarriedState, 'courses'> {
    const courses = this.ledger.courses.all;
    return courses.length > 0 ? { courses } : {};
  }

  /** A run that never closed a trade and has no limits carries none. */
  #carriedLosses(): Pick<CarriedState, 'losses'> {
    const losses = this.losses.carryLosses();
    const isEmpty = losses.marks.length + losses.latches.length + losses.losing.length === 0;
    return isEmpty ? {} : { losses };
  }
}

/** Runs that are remembered: with a restart a minute those of the last hours. Live orders of older ones are carried with their strategy. */
const runsMax = 300;

/** The runs of the journal, by the part of order ids that names them, the present one last. */
class RunStore {
  readonly #runs = new Set<string>();

  has(run: string): boolean {
    return this.#runs.has(run);
  }

  began(run: string): void {
    this.#runs.delete(run);
    this.#runs.add(run);
    for (const oldest of this.#runs) {
      if (this.#runs.size <= runsMax) return;
      this.#runs.delete(oldest);
    }
  }

  carry(): Pick<CarriedState, 'runs'> {
    return this.#runs.size === 0 ? {} : { runs: [...this.#runs] };
  }
}

/** One book per instrument, made when first needed: most runs touch few of many symbols. */
class BookStore {
  readonly #books: (Book | undefined)[];
  readonly #ladder: LadderKind;
  readonly #takeRing = ringsOfOwner();

  constructor(instrumentCount: number, ladder: LadderKind) {
    this.#books = Array.from({ length: instrumentCount });
    this.#ladder = ladder;
  }

  apply(event: BookSnapshot | BookUpdate | BookStale): void {
    (this.#books[event.instrument] ?? this.#make(event.instrument)).apply(event);
  }

  of(instrument: InstrumentId): BookView {
    return this.#books[instrument] ?? this.#make(instrument);
  }

  #make(instrument: InstrumentId): Book {
    const book = new Book(instrument, { ladder: this.#ladder, takeRing: this.#takeRing });
    this.#books[instrument] = book;
    return book;
  }
}

/** The last ticker of every instrument. */
class TickerStore {
  readonly #tickers: (Ticker | undefined)[];

  constructor(instrumentCount: number) {
    this.#tickers = Array.from({ length: instrumentCount });
  }

  apply(event: TickerChanged): void {
    this.#tickers[event.instrument] = event.ticker;
  }

  of(instrument: InstrumentId): Ticker | undefined {
    return this.#tickers[instrument];
  }
}
