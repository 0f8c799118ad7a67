import type { LedgerEntry, MovedSums, Position, ProfitCourses, WalletsView } from '../ledger/index.ts';
import type { Micros } from '../base/clock.ts';
import type { Correction, OpenExecution } from '../model/difference.ts';
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
import type { Balance, BarSpec, BookView, Candle, MarketTrade, Ticker } from '../model/market.ts';
import type { ChangedParams } from '../model/operator.ts';
import type { ClientOrderId, Order, Side } from '../model/order.ts';
import type { MarginProductName } from '../model/product.ts';
import type { InFlightOrders } from './in-flight.ts';
import type { CandleSource } from './candles.ts';
import type { DifferenceView } from './differences.ts';
import type { LossView } from './losses.ts';
import type { ModeHold } from './mode.ts';
import type { SeriesView } from './series.ts';
import type { SessionFact } from './sessions.ts';

/** The read-only face of the stores: what strategies, controls and the gate may see. */
export interface StateView {
  readonly instruments: Instruments;
  /** Wall time of the event last applied. */
  readonly time: Micros;
  readonly mode: TradingMode;
  readonly modeWhy: string;
  /** Whether only an operator may clear the mode. */
  readonly modeLatched: boolean;
  /** Whether the journal has that run, by the part of order ids that names it. */
  knowsRun(run: string): boolean;
  /** Why trading waits for evidence; `undefined` while it does not wait for that. */
  awaits(halt: EvidenceHalt): string | undefined;
  /** The mode that holds once that evidence has come. */
  modeWithout(halt: EvidenceHalt): Pick<ModeChanged, 'mode' | 'why' | 'latched'>;
  sessionUp(session: SessionName): boolean;
  /** As `sessionUp`, with since when and why. */
  session(session: SessionName): SessionFact;
  /** How far the venue's clock is ahead of ours; `undefined` until it was measured, and in a backtest. */
  readonly clockOffset: Micros | undefined;
  /** How long after the venue stamped it the last book update came, by the venue's clock; `undefined` if not known. */
  readonly marketLag: Micros | undefined;
  status(instrument: InstrumentId): InstrumentStatus;
  /** Since when, by wall time; 0 where it has not changed in this run. */
  statusSince(instrument: InstrumentId): Micros;
  book(instrument: InstrumentId): BookView;
  ticker(instrument: InstrumentId): Ticker | undefined;
  /** Figures that a contract showed last. */
  contract(instrument: InstrumentId): ContractInfo | undefined;
  /** Series of the user that strategies declare, as they stand. */
  readonly series: SeriesView;
  /** The most recent public trades, oldest first, bounded. */
  trades(instrument: InstrumentId): readonly MarketTrade[];
  lastTrade(instrument: InstrumentId): MarketTrade | undefined;
  /** Closed and running candles, oldest first, bounded; joined or built from trades unless the feed sends that period. */
  candles(instrument: InstrumentId, period: BarSpec): readonly Candle[];
  /** Candle `back` places before the running one (0 is that one itself); makes no list. */
  candle(instrument: InstrumentId, period: BarSpec, back: number): Candle | undefined;
  /** Counts the bars that ended with a trade (by trades, volume, value or range) so far. */
  closedBars(instrument: InstrumentId, spec: BarSpec): number;
  /** The bar that closed last with a trade (0), or the one `back` before it; all that one event closed are there until the next. */
  closedBar(instrument: InstrumentId, spec: BarSpec, back: number): Candle | undefined;
  /** Candles that another state must fold to have this series, and go on with it. */
  candleSource(instrument: InstrumentId, spec: BarSpec): CandleSource | undefined;
  order(clientOrderId: ClientOrderId): Order | undefined;
  /** The latest order to which the program of that name gave that id, while it is known. */
  orderNamed(strategy: string, alias: string): Order | undefined;
  /** New orders and replacements without an answer: strategies propose here, the order manager marks what it sends. */
  readonly inFlight: InFlightOrders;
  /** Whether `order` knows one of that id. Quicker for an id that is new. */
  knows(clientOrderId: ClientOrderId): boolean;
  /** Orders that may be live (pending, new, suspended, partiallyFilled, unknown), in order of creation. */
  openOrders(strategy?: string, instrument?: InstrumentId, most?: number): readonly Order[];
  /** How many orders may be live: in all, on one instrument, of one strategy. O(1). */
  openCount(): number;
  openCountOf(instrument: InstrumentId): number;
  openCountBy(strategy: string): number;
  unknownCount(): number;
  /**
   * Own lots that may still execute on a side, unknown and in-flight included, of one strategy or of all; of spot orders when no
   * account is named. An order that closes a whole position has no lots of its own.
   */
  workingLots(instrument: InstrumentId, side: Side, strategy?: string, account?: PositionAccount): Lots;
  /** The best price of our own orders that may be live on a side, for self-trade prevention. */
  bestOwnPrice(instrument: InstrumentId, side: Side): Ticks | undefined;
  /** Our own orders that may be live on a side and rest at `price` or better, or at any price: an order on the other side would meet them. */
  ownResting(instrument: InstrumentId, side: Side, price: Ticks | undefined): readonly Order[];
  /** Entries that the last event of the account booked: each entry exactly once in the life of the state. */
  readonly entries: readonly LedgerEntry[];
  /** Executions among the entries. */
  readonly booked: readonly OwnTrade[];
  /** Entries that an event of this step booked: for all who see it when the step, in which others may have booked more, is over. */
  entriesOf(event: Event): readonly LedgerEntry[];
  /** Executions among these entries. */
  tradesOf(event: Event): readonly OwnTrade[];
  /** Orders with executed lots that no booked fill explains. */
  missingFills(): readonly Order[];
  /** How many lots of an order that are. */
  missingLots(clientOrderId: ClientOrderId): Lots;
  /** Balance in the wallet of spot and margin trading when left out, or in that of contracts. */
  balance(currency: string, wallet?: 'futures'): Balance;
  balances(wallet?: 'futures'): readonly Balance[];
  /** The own position on spot when no account is named. */
  position(instrument: InstrumentId, strategy: string, account?: PositionAccount): Position;
  /** The position over all strategies, signed lots; that on spot when no account is named. */
  netPosition(instrument: InstrumentId, account?: PositionAccount): number;
  /** Positions of all strategies, instruments and accounts that ever had a fill. */
  positions(): readonly Position[];
  /** Differences that complete looks at the account show beyond what was booked. */
  readonly wallets: WalletsView;
  /** Why an operator paused a strategy, or all of them; `undefined` while it is not paused. */
  paused(strategy: string): string | undefined;
  /** A margin account as the venue last reported it; `undefined` when it is not open. */
  marginAccount(key: MarginAccountKey): MarginAccountView | undefined;
  marginAccounts(): readonly OpenMarginAccount[];
  /** Whether orders that a margin account pays for may be live. */
  hasOrdersOn(key: MarginAccountKey): boolean;
  /** A position as the venue last reported it, that of all strategies together; `undefined` when there is none. */
  venuePosition(instrument: InstrumentId, mode: MarginMode): PositionView | undefined;
  /** Changes of margin accounts that were accepted and are not settled, the oldest first. */
  readonly marginChanges: readonly PendingMarginChange[];
  /** Differences between our books and the venue that are open. */
  readonly differences: DifferenceView;
  /** Executions of reports that no trade history has confirmed yet, the oldest first. */
  readonly openExecutions: readonly OpenExecution[];
  /** Executions that were withdrawn, and may be confirmed late; `since` is when they were. */
  readonly withdrawnExecutions: readonly OpenExecution[];
  /** The last corrections of this run, the oldest first. */
  readonly corrections: readonly Correction[];
  /** Transfers and unexplained money so far, by wallet and currency. */
  readonly movedMoney: Pick<MovedSums, 'of' | 'all'>;
  /** Peak and largest fall of the profit of the run by quote currency, as marked last; of a backtest none. */
  readonly courses: Pick<ProfitCourses, 'of' | 'all'>;
  /** Limits on loss that were reached, and what they count from. */
  readonly losses: LossView;
  /** The mode where it is not active, halted products, and strategies that are paused or stopped. */
  readonly holds: readonly ModeHold[];
  /** Why no new order of a product leaves until an operator clears it, or `undefined`. */
  productHalted(product: MarginProductName): string | undefined;
  /** Whether a strategy has been stopped, and why. */
  stopped(strategy: string): string | undefined;
  /** Why an operator stopped a strategy, which then stays stopped over a restart; `undefined` while none has. */
  off(strategy: string): string | undefined;
  /** Reason for which a strategy is stopped, or about to end because an operator stopped it; `undefined` of one that goes on. */
  stoppedOrEnding(strategy: string): string | undefined;
  /** The parameters that an operator gave a strategy last; `undefined` when none has. */
  changedParams(strategy: string): ChangedParams | undefined;
}
