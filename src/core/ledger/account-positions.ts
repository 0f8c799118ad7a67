import type { Amount } from '../base/amount.ts';
import { subtract, zero } from '../base/amount.ts';
import type { CarriedPosition } from '../model/carried-state.ts';
import type { OwnTrade } from '../model/event.ts';
import type { InstrumentId, Instruments, Ticks } from '../model/instrument.ts';
import type { PositionAccount } from '../model/margin.ts';
import type { Side } from '../model/order.ts';
import type { Closings } from './holding.ts';
import { Holding } from './holding.ts';
import { externalStrategy } from './position.ts';
import type { Position } from './position.ts';

/** Stands for all strategies together. */
const nettedName = '';

/** Share of a charge that one strategy bears. */
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

/** Positions of the strategies in one account, and what the venue nets them to. */
export class AccountPositions {
  readonly #instruments: Instruments;
  readonly #account: PositionAccount;
  readonly #byStrategy = new Map<string, Map<InstrumentId, Holding>>();
  readonly #net: number[];
  readonly #netted = new Map<InstrumentId, Holding>();
  readonly #closings: Closings | undefined;
  /** Position that is shown of a strategy that never had a fill: asked for with every message, so made once. */
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

  takePosition(one: CarriedPosition): void {
    const holding = this.#holding(one.instrument, one.strategy);
    holding.takePosition(one);
    this.#addNet(one.instrument, holding.quantity);
  }

  netted(): readonly CarriedPosition[] {
    return [...this.#netted.values()].map((holding) => holding.carryPosition());
  }

  takeNetted(one: CarriedPosition): void {
    const holding = new Holding(this.#instruments.at(one.instrument), this.#account, nettedName);
    holding.takePosition(one);
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
    const parts = holders.map((holding) => holding.carryPosition());
    const quantity = parts.reduce((sum, part) => sum + part.quantity, 0);
    // The one that holds had the position to itself until now, or none is open.
    const cost = parts.reduce((sum, part) => sum + (part.quantity < 0 ? -part.openCost : part.openCost), 0n);
    const holder = parts.find(({ tail }) => tail !== undefined) ?? (parts[0] as CarriedPosition);
    const openCost = (quantity < 0 ? -cost : cost) as Amount;
    const begun = { strategy: nettedName, quantity, openCost, realized: zero, cash: zero };
    this.takeNetted({ ...holder, ...begun, ...tailFromZero(holder) });
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

/** Bookings that may still be corrected, counted so that what they come to is a profit of nothing and no cash. */
function tailFromZero({ tail, realized, cash }: CarriedPosition): Pick<CarriedPosition, 'tail'> {
  if (tail === undefined) return {};
  const { base, bookings } = tail;
  const from = { realized: subtract(base.realized, realized), cash: subtract(base.cash, cash) };
  return { tail: { base: { ...base, ...from }, bookings } };
}
