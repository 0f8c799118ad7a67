import type { Micros } from '../base/clock.ts';
import type { CarriedExecutions, CarriedPosition } from '../model/carried-state.ts';
import type { OpenExecution } from '../model/difference.ts';
import { executionKey } from '../model/difference.ts';
import type {
  ChargeFound,
  Event,
  ExecutionCorrected,
  MarginFound,
  MoneyMoved,
  OwnTrade,
} from '../model/event.ts';
import type { InstrumentId, Instruments } from '../model/instrument.ts';
import { isSettlement } from '../model/liquidation.ts';
import type { Charge, PositionAccount } from '../model/margin.ts';
import { marginNameOf } from '../model/margin.ts';
import type { Side } from '../model/order.ts';
import { AccountPositions } from './account-positions.ts';
import type { FillEntry, LedgerEntry } from './entry.ts';
import { entryOfMove } from './entry.ts';
import type { Closings } from './holding.ts';
import type { Holding } from './holding.ts';
import { MarginRests } from './margin-rests.ts';
import { MovedSums } from './moved-money.ts';
import { OpenExecutions } from './open-executions.ts';
import { externalStrategy } from './position.ts';
import type { Position } from './position.ts';
import { ProfitCourses } from './profit-peak.ts';
import { WalletTotals } from './wallet-totals.ts';

/**
 * Every figure about money of a run: entries by strategy, instrument and account, and what they come to. Exact: nothing is rounded but
 * the average price shown. A step begins with `beginStep`, each event of it with `beginEvent`; `entries` are then what it booked.
 */
export class Ledger {
  readonly #accounts: Readonly<Record<PositionAccount, AccountPositions>>;
  /** Amounts that margin accounts should hold. */
  readonly rests: MarginRests;
  /** Executions that a trade history is still to confirm. */
  readonly executions = new OpenExecutions();
  /** Money of wallets that moved without a trade or a charge. */
  readonly moved = new MovedSums();
  /** Peaks of the profit and the largest falls from them. */
  readonly courses = new ProfitCourses();
  /** Amounts that wallets should hold. */
  readonly wallets: WalletTotals;
  #booked: Booked = { entries: [], trades: [] };
  /** Event that booked them, and bookings of the events before it in this step. */
  #event: Event | undefined;
  #earlier: { readonly event: Event; readonly booked: Booked }[] = [];
  /** Number of the last booking of a position. */
  #order = 0;

  constructor(instruments: Instruments, closings?: Closings) {
    const open = (account: PositionAccount): AccountPositions =>
      new AccountPositions(instruments, account, closings);
    this.rests = new MarginRests(instruments);
    this.wallets = new WalletTotals(instruments);
    this.#accounts = { spot: open('spot'), isolated: open('isolated'), cross: open('cross') };
  }

  /** Entries that the last event booked, in the order booked; the list stays as it is when the next one begins. */
  get entries(): readonly LedgerEntry[] {
    return this.#booked.entries;
  }

  get trades(): readonly OwnTrade[] {
    return this.#booked.trades;
  }

  /** Entries that an event of this step booked, whatever its verdicts have booked since. */
  bookedBy(event: Event): Pick<Ledger, 'entries' | 'trades'> {
    if (event === this.#event) return this.#booked;
    return this.#earlier.find((one) => one.event === event)?.booked ?? nothing;
  }

  /** Nobody asks for earlier bookings any more: watchers and strategies see the events of a step before the next one begins. */
  beginStep(): void {
    if (this.#event === undefined) return;
    this.#event = undefined;
    if (this.#earlier.length > 0) this.#earlier = [];
    if (this.#booked.entries.length > 0) this.#booked = { entries: [], trades: [] };
  }

  /** An event that may book something begins. */
  beginEvent(event: Event): void {
    if (this.#booked.entries.length > 0) {
      if (this.#event !== undefined) this.#earlier.push({ event: this.#event, booked: this.#booked });
      this.#booked = { entries: [], trades: [] };
    }
    this.#event = event;
  }

  /**
   * Books one fill that was not booked before. `reportedAt`: when a report brought it, which no history has confirmed yet; `undefined` of a
   * row of the history itself.
   */
  book(trade: OwnTrade, owner: string, reportedAt?: Micros): void {
    const wasWithdrawn = this.executions.isWithdrawn(trade);
    const entry = this.executions.isKept
      ? this.#bookCompared(trade, owner, reportedAt)
      : this.#bookFinal(trade, owner);
    this.#enter(entry, reportedAt === undefined && !wasWithdrawn);
    this.#booked.trades.push(trade);
    if (entry.account !== 'spot') this.rests.filled(entry);
  }

  /** A row of the trade history: it makes an open execution of the same terms final. */
  confirm(row: OwnTrade): void {
    const confirmed = this.executions.confirm(row);
    if (confirmed !== undefined) this.#final(confirmed);
  }

  /** Books an execution as it is in place of what was booked of it. */
  correct({ correction, receiveTime: time }: ExecutionCorrected): void {
    const { cause, strategy, trade, holds } = correction;
    const account = trade.marginMode ?? 'spot';
    const key = executionKey(trade);
    const realized = this.#accounts[account].correct(key, trade, holds, strategy);
    this.executions.close(key, correction);
    if (holds === undefined) this.executions.withdraw(key, { trade, strategy, account, since: time });
    else this.#final({ trade: holds, strategy, account });
    this.#enter({ kind: 'correction', cause, strategy, account, trade, holds, realized, time });
  }

  /** Books what moved without a trade or a charge. */
  bookMove(event: MoneyMoved): void {
    this.moved.book(event.moved);
    this.#enter(entryOfMove(event));
  }

  /** Books what a position at the venue has more than own trades came to, as traded by `external` at the price that was found. */
  adopt({
    position: instrument,
    account: { mode: account },
    lots,
    price,
    exchangeTime: time,
  }: MarginFound): void {
    if (instrument === undefined || lots === 0) return;
    if (this.executions.isKept) this.#order += 1;
    const realized = this.#accounts[account].adopt(instrument, { lots, price }, this.#order);
    const strategy = externalStrategy;
    this.#enter({ kind: 'opening', strategy, account, instrument, lots, realized, time });
  }

  /** Books what funding or interest took of a position: to its holders by their share of it, to `external` where nobody holds it. */
  charge({ amount, ...charge }: Omit<Charge, 'strategy'>): void {
    for (const share of this.#accounts[charge.account].charge(charge.instrument, amount))
      this.#enter({ ...charge, ...share });
  }

  /** Books what looks at the account show of funding or interest that no report told of. */
  findCharge({ charged: kind, account: key, shares, until }: ChargeFound): void {
    const name = marginNameOf(key);
    this.wallets.chargesFound(name, key, until);
    for (const share of shares) this.charge({ kind, account: key.mode, derived: true, ...share });
  }

  /** Books what the venue did not take of losses, as far as that is known now. */
  settleLosses(): void {
    for (const entry of this.rests.takeLiquidations()) {
      this.#accounts[entry.account].forgive(entry.instrument, entry.strategy, entry.amount);
      this.#enter(entry);
    }
  }

  #enter(entry: LedgerEntry, isLate = false): void {
    this.#booked.entries.push(entry);
    this.wallets.booked(entry, isLate);
  }

  of(instrument: InstrumentId, strategy: string, account: PositionAccount = 'spot'): Position {
    return this.#accounts[account].of(instrument, strategy);
  }

  /** Number of the last booking of a position where some may still be corrected; `undefined` where none may. */
  get openUntil(): number | undefined {
    return this.openFrom === Number.POSITIVE_INFINITY ? undefined : this.#order;
  }

  /** Number of the first booking that may still be corrected; infinite where none may. */
  get openFrom(): number {
    if (!this.executions.isKept) return Number.POSITIVE_INFINITY;
    let first = Number.POSITIVE_INFINITY;
    for (const { openFrom } of this.#holdings()) first = Math.min(first, openFrom);
    return first;
  }

  carryExecutions(): CarriedExecutions | undefined {
    const carried = this.executions.carry();
    return carried && { ...carried, bookings: this.#order };
  }

  takeExecutions(carried: CarriedExecutions): void {
    this.executions.takeExecutions(carried);
    this.#order = carried.bookings ?? 0;
  }

  /** Signed lots over all strategies, `external` included. */
  net(instrument: InstrumentId, account: PositionAccount = 'spot'): number {
    return this.#accounts[account].net(instrument);
  }

  /** The strategy that alone holds what an order on `side` would close; `undefined` when none or several do. */
  holderAgainst(instrument: InstrumentId, side: Side, account: PositionAccount = 'spot'): string | undefined {
    return this.#accounts[account].holderAgainst(instrument, side);
  }

  /** Positions of margin accounts that several strategies share, as the venue nets them. */
  netted(): readonly CarriedPosition[] {
    const { isolated, cross } = this.#accounts;
    return [...isolated.netted(), ...cross.netted()];
  }

  /** All that ever had a fill: by account, then by strategy and instrument in order of their first fills. */
  all(): readonly Position[] {
    return this.#holdings().map((holding) => holding.position());
  }

  carryPositions(): readonly CarriedPosition[] {
    return this.#holdings().map((holding) => holding.carryPosition());
  }

  takePositions(carried: readonly CarriedPosition[], netted: readonly CarriedPosition[] = []): void {
    for (const one of carried) this.#accounts[one.account ?? 'spot'].takePosition(one);
    for (const one of netted) this.#accounts[one.account ?? 'spot'].takeNetted(one);
  }

  #bookFinal(trade: OwnTrade, strategy: string, open?: string): FillEntry {
    const account = trade.marginMode ?? 'spot';
    if (this.executions.isKept) this.#order += 1;
    const realized = this.#accounts[account].book(trade, { strategy, open, order: this.#order });
    const kind = account !== 'spot' && isSettlement(trade.clientOrderId) ? 'settlement' : 'fill';
    return { kind, strategy, account, trade, realized };
  }

  #bookCompared(trade: OwnTrade, owner: string, since: Micros | undefined): FillEntry {
    const key = executionKey(trade);
    const strategy = this.executions.restore(key) ?? owner;
    if (since === undefined) return this.#bookFinal(trade, strategy);
    const entry = this.#bookFinal(trade, strategy, key);
    const evicted = this.executions.add(key, { trade, strategy, account: entry.account, since });
    if (evicted !== undefined) this.#final(evicted);
    return { ...entry, open: true };
  }

  #final({ trade, strategy, account }: Pick<OpenExecution, 'trade' | 'strategy' | 'account'>): void {
    this.#accounts[account].confirm(executionKey(trade), trade.instrument, strategy);
  }

  #holdings(): readonly Holding[] {
    const { spot, isolated, cross } = this.#accounts;
    return [...spot.holdings(), ...isolated.holdings(), ...cross.holdings()];
  }
}

/** Entries that one event booked. */
interface Booked {
  readonly entries: LedgerEntry[];
  /** Executions among them: orders are settled by these, so they are not looked for each time. */
  readonly trades: OwnTrade[];
}

const nothing: Booked = { entries: [], trades: [] };
