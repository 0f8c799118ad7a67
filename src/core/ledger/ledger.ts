import type { Amount } from '../base/amount.ts';
import { subtract, zero } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import type { CarriedExecutions, CarriedPosition } from '../model/carried-state.ts';
import type { OpenExecution } from '../model/difference.ts';
import { executionKey } from '../model/difference.ts';
import type { ChargeFound, ExecutionCorrected, MarginFound, MoneyMoved, OwnTrade } from '../model/event.ts';
import type { InstrumentId, Instruments, Ticks } from '../model/instrument.ts';
import { isSettlement } from '../model/liquidation.ts';
import type { Charge, PositionAccount } from '../model/margin.ts';
import { marginNameOf } from '../model/margin.ts';
import type { Side } from '../model/order.ts';
import type { FillEntry, LedgerEntry } from './entry.ts';
import type { Closings } from './holding.ts';
import { Holding } from './holding.ts';
import { MarginRests } from './margin-rests.ts';
import { MovedSums } from './moved-money.ts';
import { OpenExecutions } from './open-executions.ts';
import { externalStrategy } from './position.ts';
import type { Position } from './position.ts';
import { ProfitCourses } from './profit-peak.ts';
import { WalletTotals } from './wallet-totals.ts';

/**
 * Every figure about money of a run: entries by strategy, instrument and account, and what they come to. Exact: nothing is rounded but
 * the average price shown. An event begins with `begin`; `entries` are then what it booked.
 */
export class Ledger {
  readonly #accounts: Readonly<Record<PositionAccount, AccountPositions>>;
  /** What margin accounts should hold. */
  readonly rests: MarginRests;
  /** Executions that a trade history is still to confirm. */
  readonly executions = new OpenExecutions();
  /** Money of wallets that moved without a trade or a charge. */
  readonly moved = new MovedSums();
  /** Peaks of the profit and the largest falls from them. */
  readonly courses = new ProfitCourses();
  /** What wallets should hold. */
  readonly wallets: WalletTotals;
  #entries: LedgerEntry[] = [];
  /** Executions among them: orders are settled by these, so they are not looked for each time. */
  #trades: OwnTrade[] = [];

  /** Number of the last booking of a position. */
  #order = 0;

  constructor(instruments: Instruments, closings?: Closings) {
    const open = (account: PositionAccount): AccountPositions =>
      new AccountPositions(instruments, account, closings);
    this.rests = new MarginRests(instruments);
    this.wallets = new WalletTotals(instruments);
    this.#accounts = { spot: open('spot'), isolated: open('isolated'), cross: open('cross') };
  }

  /** What the last event booked, in the order booked; the list stays as it is when the next one begins. */
  get entries(): readonly LedgerEntry[] {
    return this.#entries;
  }

  get trades(): readonly OwnTrade[] {
    return this.#trades;
  }

  /** An event that may book something begins. */
  begin(): void {
    if (this.#entries.length === 0) return;
    this.#entries = [];
    this.#trades = [];
  }

  /**
   * Books one fill that was not booked before. `reportedAt`: when a report brought it, which no history has confirmed yet; `undefined` of a
   * row of the history itself.
   */
  book(trade: OwnTrade, owner: string, reportedAt?: Micros): void {
    const entry = this.executions.isKept
      ? this.#bookCompared(trade, owner, reportedAt)
      : this.#bookFinal(trade, owner);
    this.#enter(entry);
    this.#trades.push(trade);
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
  move({ moved }: MoneyMoved): void {
    const { entry: kind, ...what } = moved;
    this.moved.book(moved);
    this.#enter({ kind, ...what });
  }

  /** Books what a position at the venue has more than own trades came to, as traded by `external` at its average price. */
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
  settle(): void {
    for (const entry of this.rests.take()) {
      this.#accounts[entry.account].forgive(entry.instrument, entry.strategy, entry.amount);
      this.#enter(entry);
    }
  }

  #enter(entry: LedgerEntry): void {
    this.#entries.push(entry);
    this.wallets.booked(entry);
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
    this.executions.take(carried);
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

  carry(): readonly CarriedPosition[] {
    return this.#holdings().map((holding) => holding.carry());
  }

  take(carried: readonly CarriedPosition[], netted: readonly CarriedPosition[] = []): void {
    for (const one of carried) this.#accounts[one.account ?? 'spot'].take(one);
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

/** Stands for all strategies together. */
const nettedName = '';

/** What one strategy bears of a charge. */
interface ChargeShare {
  readonly strategy: string;
  readonly amount: Amount;
}

/** How an execution is booked. */
interface BookedAs {
  readonly strategy: string;
  /** The key of an execution that may be corrected. */
  readonly open: string | undefined;
  readonly order: number;
}

/** The positions of one account. */
class AccountPositions {
  readonly #instruments: Instruments;
  readonly #account: PositionAccount;
  readonly #byStrategy = new Map<string, Map<InstrumentId, Holding>>();
  readonly #net: number[];
  readonly #netted = new Map<InstrumentId, Holding>();
  readonly #closings: Closings | undefined;
  /** What is shown of a strategy that never had a fill: asked for with every message, so made once. */
  readonly #blank = new Map<string, (Position | undefined)[]>();

  constructor(instruments: Instruments, account: PositionAccount, closings: Closings | undefined) {
    this.#instruments = instruments;
    this.#account = account;
    this.#closings = closings;
    this.#net = Array.from({ length: instruments.all.length }, () => 0);
  }

  /** Returns what it realised, as `FillEntry.realized` says. */
  book(fill: OwnTrade, { strategy, open, order }: BookedAs): Amount {
    const holding = this.#holding(fill.instrument, strategy);
    const before = holding.quantity;
    const net = this.#nettedOf(fill.instrument) ?? holding;
    const realized = net.realized;
    holding.book(fill, open, order);
    if (net !== holding) net.book(fill, open, order);
    this.#addNet(fill.instrument, holding.quantity - before);
    return subtract(net.realized, realized);
  }

  confirm(key: string, instrument: InstrumentId, strategy: string): void {
    this.#holding(instrument, strategy).confirm(key);
    this.#netted.get(instrument)?.confirm(key);
  }

  /** Returns what realised profit changes by, as `FillEntry.realized` says. */
  correct(key: string, booked: OwnTrade, holds: OwnTrade | undefined, strategy: string): Amount {
    const { instrument } = booked;
    const holding = this.#holding(instrument, strategy);
    const before = holding.quantity;
    const net = this.#netted.get(instrument) ?? holding;
    const realized = net.realized;
    holding.correct(key, booked, holds);
    if (net !== holding) net.correct(key, booked, holds);
    this.#addNet(instrument, holding.quantity - before);
    return subtract(net.realized, realized);
  }

  /** Without a price of the venue's it is that of the tick. Returns what it realised. */
  adopt(
    id: InstrumentId,
    { lots, price }: { readonly lots: number; readonly price: Amount | undefined },
    order: number,
  ): Amount {
    const at =
      price === undefined || price <= zero ? this.#instruments.at(id).priceAmount(1 as Ticks) : price;
    const holding = this.#holding(id, externalStrategy);
    const net = this.#nettedOf(id) ?? holding;
    const realized = net.realized;
    holding.adopt(lots, at, order);
    if (net !== holding) net.adopt(lots, at, order);
    this.#addNet(id, lots);
    return subtract(net.realized, realized);
  }

  forgive(instrument: InstrumentId, strategy: string, amount: Amount): void {
    this.#holding(instrument, strategy).forgive(amount);
  }

  /** A short holder bears the opposite of a long one: the shares are those of the position that is left. */
  charge(instrument: InstrumentId, amount: Amount): readonly ChargeShare[] {
    const net = BigInt(this.net(instrument));
    const holders = [...this.#byStrategy].flatMap(([strategy, holdings]) => {
      const lots = holdings.get(instrument)?.position().quantity ?? 0;
      return lots === 0 ? [] : [{ strategy, lots }];
    });
    if (net === 0n || holders.length === 0)
      holders.splice(0, holders.length, { strategy: externalStrategy, lots: 1 });
    let left = amount;
    return holders.map(({ strategy, lots }, index) => {
      const isLast = index === holders.length - 1;
      const share = isLast ? left : (((amount * BigInt(lots)) / net) as Amount);
      left = subtract(left, share);
      this.#holding(instrument, strategy).charge(share);
      return { strategy, amount: share };
    });
  }

  of(instrument: InstrumentId, strategy: string): Position {
    const holding = this.#byStrategy.get(strategy)?.get(instrument);
    return holding?.position() ?? this.#blankOf(instrument, strategy);
  }

  net(instrument: InstrumentId): number {
    return this.#net[instrument] ?? 0;
  }

  holderAgainst(instrument: InstrumentId, side: Side): string | undefined {
    let holder: string | undefined;
    for (const [strategy, holdings] of this.#byStrategy) {
      const quantity = holdings.get(instrument)?.position().quantity ?? 0;
      if (strategy === externalStrategy || quantity === 0 || quantity > 0 !== (side === 'sell')) continue;
      if (holder !== undefined) return undefined;
      holder = strategy;
    }
    return holder;
  }

  holdings(): readonly Holding[] {
    return [...this.#byStrategy.values()].flatMap((holdings) => [...holdings.values()]);
  }

  take(one: CarriedPosition): void {
    const holding = this.#holding(one.instrument, one.strategy);
    holding.take(one);
    this.#addNet(one.instrument, holding.quantity);
  }

  netted(): readonly CarriedPosition[] {
    return [...this.#netted.values()].map((holding) => holding.carry());
  }

  takeNetted(one: CarriedPosition): void {
    const holding = new Holding(this.#instruments.at(one.instrument), this.#account, nettedName);
    holding.take(one);
    this.#netted.set(one.instrument, holding);
  }

  /**
   * The position of a margin account as the venue nets it, once several hold the instrument there; `undefined` while one does, whose
   * holding it is, and on spot. Sums of what each held before are what it begins with.
   */
  #nettedOf(instrument: InstrumentId): Holding | undefined {
    if (this.#account === 'spot') return undefined;
    const known = this.#netted.get(instrument);
    if (known !== undefined) return known;
    const holders = [...this.#byStrategy.values()].flatMap((holdings) => holdings.get(instrument) ?? []);
    if (holders.length < 2) return undefined;
    const parts = holders.map((holding) => holding.carry());
    const quantity = parts.reduce((sum, part) => sum + part.quantity, 0);
    // The one that holds had the position to itself until now, or none is open.
    const cost = parts.reduce((sum, part) => sum + (part.quantity < 0 ? -part.openCost : part.openCost), 0n);
    const [first] = parts as [CarriedPosition];
    const openCost = (quantity < 0 ? -cost : cost) as Amount;
    this.takeNetted({ ...first, strategy: nettedName, quantity, openCost, realized: zero, cash: zero });
    return this.#netted.get(instrument);
  }

  #blankOf(instrument: InstrumentId, strategy: string): Position {
    let blank = this.#blank.get(strategy);
    if (blank === undefined) {
      blank = [];
      this.#blank.set(strategy, blank);
    }
    return (blank[instrument] ??= this.#makeHolding(instrument, strategy).position());
  }

  #holding(instrument: InstrumentId, strategy: string): Holding {
    let holdings = this.#byStrategy.get(strategy);
    if (holdings === undefined) {
      holdings = new Map();
      this.#byStrategy.set(strategy, holdings);
    }
    let holding = holdings.get(instrument);
    if (holding === undefined) {
      holding = this.#makeHolding(instrument, strategy);
      holdings.set(instrument, holding);
    }
    return holding;
  }

  #makeHolding(instrument: InstrumentId, strategy: string): Holding {
    return new Holding(this.#instruments.at(instrument), this.#account, strategy, this.#closings);
  }

  #addNet(instrument: InstrumentId, lots: number): void {
    this.#net[instrument] = (this.#net[instrument] ?? 0) + lots;
  }
}
