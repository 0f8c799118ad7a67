import type { Amount } from '../base/amount.ts';
import { subtract, zero } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import type { CarriedPosition } from '../model/carried-state.ts';
import type { MarginFound, OwnTrade } from '../model/event.ts';
import type { InstrumentId, Instruments, Lots, Ticks } from '../model/instrument.ts';
import type { Charge, PositionAccount } from '../model/margin.ts';
import type { ClientOrderId, Side } from '../model/order.ts';
import type { LedgerEntry } from './entry.ts';
import type { Closed } from './holding.ts';
import { Holding } from './holding.ts';
import { externalStrategy } from './position.ts';
import type { Position } from './position.ts';

/**
 * Every figure about money of a run: entries by strategy, instrument and account, and what they come to. Exact: nothing is rounded but
 * the average price shown. An event begins with `begin`; `entries` are then what it booked.
 */
export class Ledger {
  readonly #accounts: Readonly<Record<PositionAccount, AccountPositions>>;
  #entries: LedgerEntry[] = [];

  /** `closed` is called when a position comes back to flat or turns over, with what it brought, fees and charges counted. */
  constructor(instruments: Instruments, closed: Closed = () => {}) {
    const open = (account: PositionAccount): AccountPositions =>
      new AccountPositions(instruments, account, closed);
    this.#accounts = { spot: open('spot'), isolated: open('isolated'), cross: open('cross') };
  }

  /** What the last event booked, in the order booked; the list stays as it is when the next one begins. */
  get entries(): readonly LedgerEntry[] {
    return this.#entries;
  }

  /** An event that may book something begins. */
  begin(): void {
    if (this.#entries.length > 0) this.#entries = [];
  }

  /** Books one fill that was not booked before. */
  book(trade: OwnTrade, strategy: string): void {
    const account = trade.marginMode ?? 'spot';
    this.#accounts[account].book(trade, strategy);
    this.#entries.push({ kind: 'fill', strategy, account, trade });
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
    this.#accounts[account].adopt(instrument, lots, { price, time });
    this.#entries.push({ kind: 'opening', strategy: externalStrategy, account, instrument, lots, time });
  }

  /** Books what funding or interest took of a position: to its holders by their share of it, to `external` where nobody holds it. */
  charge({ amount, ...charge }: Omit<Charge, 'strategy'>): void {
    for (const share of this.#accounts[charge.account].charge(charge.instrument, amount))
      this.#entries.push({ ...charge, ...share });
  }

  of(instrument: InstrumentId, strategy: string, account: PositionAccount = 'spot'): Position {
    return this.#accounts[account].of(instrument, strategy);
  }

  /** Signed lots over all strategies, `external` included. */
  net(instrument: InstrumentId, account: PositionAccount = 'spot'): number {
    return this.#accounts[account].net(instrument);
  }

  /** The strategy that alone holds what an order on `side` would close; `undefined` when none or several do. */
  holderAgainst(instrument: InstrumentId, side: Side, account: PositionAccount = 'spot'): string | undefined {
    return this.#accounts[account].holderAgainst(instrument, side);
  }

  /** All that ever had a fill: by account, then by strategy and instrument in order of their first fills. */
  all(): readonly Position[] {
    return this.#holdings().map((holding) => holding.position());
  }

  carry(): readonly CarriedPosition[] {
    return this.#holdings().map((holding) => holding.carry());
  }

  take(carried: readonly CarriedPosition[]): void {
    for (const one of carried) this.#accounts[one.account ?? 'spot'].take(one);
  }

  #holdings(): readonly Holding[] {
    const { spot, isolated, cross } = this.#accounts;
    return [...spot.holdings(), ...isolated.holdings(), ...cross.holdings()];
  }
}

/** What one strategy bears of a charge. */
interface ChargeShare {
  readonly strategy: string;
  readonly amount: Amount;
}

/** The positions of one account. */
class AccountPositions {
  readonly #instruments: Instruments;
  readonly #account: PositionAccount;
  readonly #byStrategy = new Map<string, Map<InstrumentId, Holding>>();
  readonly #net: number[];
  readonly #closed: Closed;
  /** What is shown of a strategy that never had a fill: asked for with every message, so made once. */
  readonly #blank = new Map<string, (Position | undefined)[]>();

  constructor(instruments: Instruments, account: PositionAccount, closed: Closed) {
    this.#instruments = instruments;
    this.#account = account;
    this.#closed = closed;
    this.#net = Array.from({ length: instruments.all.length }, () => 0);
  }

  book(fill: OwnTrade, strategy: string): void {
    const holding = this.#holding(fill.instrument, strategy);
    const before = holding.quantity;
    holding.book(fill);
    this.#addNet(fill.instrument, holding.quantity - before);
  }

  /** Without a price of the venue's it is that of the tick. */
  adopt(
    id: InstrumentId,
    lots: number,
    { price, time }: { readonly price: Amount | undefined; readonly time: Micros },
  ): void {
    const tick = this.#instruments.at(id).priceAmount(1 as Ticks);
    this.book(
      {
        instrument: id,
        clientOrderId: externalStrategy as ClientOrderId,
        venueOrderId: '',
        tradeId: '',
        side: lots > 0 ? 'buy' : 'sell',
        price: Math.max(1, price === undefined ? 0 : Number(price / tick)) as Ticks,
        quantity: Math.abs(lots) as Lots,
        fee: zero,
        taker: false,
        time,
      },
      externalStrategy,
    );
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
    return new Holding(this.#instruments.at(instrument), this.#account, strategy, this.#closed);
  }

  #addNet(instrument: InstrumentId, lots: number): void {
    this.#net[instrument] = (this.#net[instrument] ?? 0) + lots;
  }
}
