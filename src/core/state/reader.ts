import type { Micros } from '../base/clock.ts';
import { micros } from '../base/clock.ts';
import type { ContractInfo, Event, ModeChanged, OwnTrade, SessionName, TradingMode } from '../model/event.ts';
import type { EvidenceHalt } from '../model/evidence-halt.ts';
import type { InstrumentId, Instruments, InstrumentStatus, Lots, Ticks } from '../model/instrument.ts';
import type {
  MarginAccountKey,
  MarginAccountView,
  MarginMode,
  OpenMarginAccount,
  PendingMarginChange,
  PositionAccount,
  PositionView,
} from '../model/margin.ts';
import { marginKeyOf } from '../model/margin.ts';
import type { Balance, BarSpec, BookView, Candle, MarketTrade, Ticker } from '../model/market.ts';
import type { ChangedParams } from '../model/operator.ts';
import type { ClientOrderId, Order, Side } from '../model/order.ts';
import type { MarginProductName } from '../model/product.ts';
import type { InFlightOrders } from './in-flight.ts';
import type { MovedSums, LedgerEntry, Position, ProfitCourses, WalletsView } from '../ledger/index.ts';
import type { Correction, OpenExecution } from '../model/difference.ts';
import type { DifferenceView } from './differences.ts';
import type { LossView } from './losses.ts';
import type { ModeHold } from './mode.ts';
import type { SeriesView } from './series.ts';
import type { SessionFact } from './sessions.ts';
import type { Stores } from './stores.ts';
import type { StateView } from './view.ts';
import type { CandleSource } from './candles.ts';

/** Reads the stores and changes nothing. */
export class StateReader implements StateView {
  readonly instruments: Instruments;
  readonly #stores: Stores;

  constructor(instruments: Instruments, stores: Stores) {
    this.instruments = instruments;
    this.#stores = stores;
  }

  get time(): Micros {
    return this.#stores.time;
  }

  get mode(): TradingMode {
    return this.#stores.mode.mode;
  }

  get modeWhy(): string {
    return this.#stores.mode.why;
  }

  /** Whether only an operator may clear the mode. */
  get modeLatched(): boolean {
    return this.#stores.mode.latched;
  }

  knowsRun(run: string): boolean {
    return this.#stores.runs.has(run);
  }

  awaits(halt: EvidenceHalt): string | undefined {
    return this.#stores.mode.awaits(halt);
  }

  modeWithout(halt: EvidenceHalt): Pick<ModeChanged, 'mode' | 'why' | 'latched'> {
    return this.#stores.mode.without(halt);
  }

  paused(strategy: string): string | undefined {
    return this.#stores.mode.paused(strategy);
  }

  get differences(): DifferenceView {
    return this.#stores.differences;
  }

  get openExecutions(): readonly OpenExecution[] {
    return this.#stores.ledger.executions.all;
  }

  get withdrawnExecutions(): readonly OpenExecution[] {
    return this.#stores.ledger.executions.withdrawn;
  }

  get corrections(): readonly Correction[] {
    return this.#stores.ledger.executions.corrections;
  }

  get movedMoney(): Pick<MovedSums, 'of' | 'all'> {
    return this.#stores.ledger.moved;
  }

  get courses(): Pick<ProfitCourses, 'of' | 'all'> {
    return this.#stores.ledger.courses;
  }

  get losses(): LossView {
    return this.#stores.losses;
  }

  get entries(): readonly LedgerEntry[] {
    return this.#stores.ledger.entries;
  }

  get booked(): readonly OwnTrade[] {
    return this.#stores.ledger.trades;
  }

  entriesOf(event: Event): readonly LedgerEntry[] {
    return this.#stores.ledger.bookedBy(event).entries;
  }

  tradesOf(event: Event): readonly OwnTrade[] {
    return this.#stores.ledger.bookedBy(event).trades;
  }

  /** Orders with executed lots that no booked fill explains: a trade report was lost, history must be read. */
  missingFills(): readonly Order[] {
    return this.#stores.orders.missingFills();
  }

  missingLots(clientOrderId: ClientOrderId): Lots {
    return this.#stores.orders.missingLots(clientOrderId);
  }

  sessionUp(session: SessionName): boolean {
    return this.#stores.sessions.up(session);
  }

  session(session: SessionName): SessionFact {
    return this.#stores.sessions.fact(session);
  }

  get clockOffset(): Micros | undefined {
    return this.#stores.sessions.clockOffset;
  }

  get marketLag(): Micros | undefined {
    const { delay, sessions } = this.#stores;
    if (sessions.clockOffset === undefined || Number.isNaN(delay)) return undefined;
    return micros(Math.max(0, delay + sessions.clockOffset));
  }

  status(instrument: InstrumentId): InstrumentStatus {
    return this.#stores.sessions.status(instrument);
  }

  statusSince(instrument: InstrumentId): Micros {
    return this.#stores.sessions.statusSince(instrument);
  }

  book(instrument: InstrumentId): BookView {
    return this.#stores.books.of(instrument);
  }

  ticker(instrument: InstrumentId): Ticker | undefined {
    return this.#stores.tickers.of(instrument);
  }

  contract(instrument: InstrumentId): ContractInfo | undefined {
    return this.#stores.contracts.get(instrument);
  }

  get series(): SeriesView {
    return this.#stores.series;
  }

  trades(instrument: InstrumentId): readonly MarketTrade[] {
    return this.#stores.trades.of(instrument);
  }

  lastTrade(instrument: InstrumentId): MarketTrade | undefined {
    return this.#stores.trades.last(instrument);
  }

  candles(instrument: InstrumentId, period: BarSpec): readonly Candle[] {
    return this.#stores.candles.of(instrument, period);
  }

  candle(instrument: InstrumentId, period: BarSpec, back: number): Candle | undefined {
    return this.#stores.candles.at(instrument, period, back);
  }

  closedBars(instrument: InstrumentId, spec: BarSpec): number {
    return this.#stores.candles.closedCount(instrument, spec);
  }

  closedBar(instrument: InstrumentId, spec: BarSpec, back: number): Candle | undefined {
    return this.#stores.candles.closedAt(instrument, spec, back);
  }

  candleSource(instrument: InstrumentId, spec: BarSpec): CandleSource | undefined {
    return this.#stores.candles.sourceOf(instrument, spec);
  }

  get inFlight(): InFlightOrders {
    return this.#stores.orders.inFlight;
  }

  order(clientOrderId: ClientOrderId): Order | undefined {
    return this.#stores.orders.get(clientOrderId);
  }

  orderNamed(strategy: string, alias: string): Order | undefined {
    return this.#stores.orders.named(strategy, alias);
  }

  knows(clientOrderId: ClientOrderId): boolean {
    return this.#stores.orders.knows(clientOrderId);
  }

  openOrders(strategy?: string, instrument?: InstrumentId, most?: number): readonly Order[] {
    return this.#stores.orders.index.list(strategy, instrument, most);
  }

  openCount(): number {
    return this.#stores.orders.index.count;
  }

  openCountOf(instrument: InstrumentId): number {
    return this.#stores.orders.index.countOf(instrument);
  }

  openCountBy(strategy: string): number {
    return this.#stores.orders.index.countBy(strategy);
  }

  unknownCount(): number {
    return this.#stores.orders.index.unknownCount;
  }

  workingLots(
    instrument: InstrumentId,
    side: Side,
    strategy?: string,
    account: PositionAccount = 'spot',
  ): Lots {
    return this.#stores.orders.index.working(instrument, side, strategy, account);
  }

  bestOwnPrice(instrument: InstrumentId, side: Side): Ticks | undefined {
    return this.#stores.orders.index.best(instrument, side);
  }

  ownResting(instrument: InstrumentId, side: Side, price: Ticks | undefined): readonly Order[] {
    return this.#stores.orders.index.resting(instrument, side, price);
  }

  balance(currency: string, wallet?: 'futures'): Balance {
    return (wallet === 'futures' ? this.#stores.futuresBalances : this.#stores.balances).of(currency);
  }

  balances(wallet?: 'futures'): readonly Balance[] {
    return (wallet === 'futures' ? this.#stores.futuresBalances : this.#stores.balances).all();
  }

  position(instrument: InstrumentId, strategy: string, account?: PositionAccount): Position {
    return this.#stores.ledger.of(instrument, strategy, account);
  }

  netPosition(instrument: InstrumentId, account?: PositionAccount): number {
    return this.#stores.ledger.net(instrument, account);
  }

  marginAccount(key: MarginAccountKey): MarginAccountView | undefined {
    return this.#stores.margin.account(key);
  }

  marginAccounts(): readonly OpenMarginAccount[] {
    return this.#stores.margin.accounts();
  }

  hasOrdersOn(key: MarginAccountKey): boolean {
    return this.#stores.hasOrdersOn(key);
  }

  venuePosition(instrument: InstrumentId, mode: MarginMode): PositionView | undefined {
    const key = marginKeyOf(this.instruments.at(instrument), mode);
    return this.#stores.margin.position(key, instrument);
  }

  get marginChanges(): readonly PendingMarginChange[] {
    return this.#stores.margin.changes;
  }

  get wallets(): WalletsView {
    return this.#stores.ledger.wallets;
  }

  positions(): readonly Position[] {
    return this.#stores.ledger.all();
  }

  get holds(): readonly ModeHold[] {
    return this.#stores.mode.holds();
  }

  productHalted(product: MarginProductName): string | undefined {
    return this.#stores.mode.productHalted(product);
  }

  stopped(strategy: string): string | undefined {
    return this.#stores.mode.stopped(strategy);
  }

  off(strategy: string): string | undefined {
    return this.#stores.mode.off(strategy);
  }

  stoppedOrEnding(strategy: string): string | undefined {
    return this.#stores.mode.stopped(strategy) ?? this.#stores.mode.off(strategy);
  }

  changedParams(strategy: string): ChangedParams | undefined {
    return this.#stores.mode.changedParams(strategy);
  }
}
