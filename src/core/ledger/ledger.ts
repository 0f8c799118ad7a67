import type { Amount } from '../base/amount.ts';
import { add, subtract, zero } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import type { CarriedPosition } from '../model/carried-state.ts';
import type { MarginFound, OwnTrade } from '../model/event.ts';
import type { Instrument, InstrumentId, Instruments, Lots, Ticks } from '../model/instrument.ts';
import type { MarginMode, PositionAccount } from '../model/margin.ts';
import type { ClientOrderId, Side } from '../model/order.ts';
import { externalStrategy } from './position.ts';
import type { Position } from './position.ts';

/** Positions per strategy, instrument and account, folded from fills, exact: no rounding but in the average price shown. */
export class Ledger {
  readonly #accounts: Readonly<Record<PositionAccount, AccountPositions>>;

  /** `closed` is called when a position comes back to flat or turns over, with what it brought, fees and charges counted. */
  constructor(instruments: Instruments, closed: Closed = () => {}) {
    const open = (account: PositionAccount): AccountPositions =>
      new AccountPositions(instruments, account, closed);
    this.#accounts = { spot: open('spot'), isolated: open('isolated'), cross: open('cross') };
  }

  /** Books one fill that was not booked before. */
  book(fill: OwnTrade, strategy: string): void {
    this.#accounts[fill.marginMode ?? 'spot'].book(fill, strategy);
  }

  /** Books what a position at the venue has more than own trades came to, as traded by `external` at its average price. */
  adopt({ position, account, lots, price, exchangeTime }: MarginFound): void {
    if (position !== undefined && lots !== 0)
      this.#accounts[account.mode].adopt(position, lots, { price, time: exchangeTime });
  }

  /**
   * Books what funding or interest took of a position: to its holders by their share of it, to `external` where nobody holds it.
   * Returns the shares; they come to `amount`.
   */
  charge(instrument: InstrumentId, account: MarginMode, amount: Amount): readonly ChargeShare[] {
    return this.#accounts[account].charge(instrument, amount);
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
    this.#holding(fill.instrument, strategy).book(fill);
    this.#addNet(fill.instrument, fill.side === 'buy' ? fill.quantity : -fill.quantity);
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
    this.#holding(one.instrument, one.strategy).take(one);
    this.#addNet(one.instrument, one.quantity);
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

type Closed = (strategy: string, currency: string, result: Amount) => void;

class Holding {
  readonly #instrument: Instrument;
  readonly #account: PositionAccount;
  readonly #strategy: string;
  #quantity = 0;
  #cash = zero;
  #fees = zero;
  #fillCount = 0;
  #turnover = zero;
  #realized = zero;
  #charges = zero;
  /** What the open lots, as a number above 0, were worth when they were opened. */
  #openCost = zero;
  #shown: Position | undefined;
  readonly #closed: Closed;
  /** What the trades since the position was last flat brought, fees counted, in quote currency. */
  #result = zero;

  constructor(instrument: Instrument, account: PositionAccount, strategy: string, closed: Closed) {
    this.#closed = closed;
    this.#instrument = instrument;
    this.#account = account;
    this.#strategy = strategy;
  }

  book(fill: OwnTrade): void {
    const buys = fill.side === 'buy';
    const notional = this.#instrument.notional(fill.price, fill.quantity);
    const worth = this.#instrument.contract.worthOf(notional);
    this.#cash = buys ? subtract(this.#cash, worth) : add(this.#cash, worth);
    this.#fees = add(this.#fees, fill.fee);
    this.#fillCount += 1;
    this.#turnover = add(this.#turnover, notional);
    const against = buys ? Math.max(0, -this.#quantity) : Math.max(0, this.#quantity);
    const closing = Math.min(against, fill.quantity);
    if (closing > 0) this.#close(fill, closing, against);
    const opening = (fill.quantity - closing) as Lots;
    if (opening > 0)
      this.#openCost = add(this.#openCost, this.#instrument.contract.worth(fill.price, opening));
    this.#quantity += buys ? fill.quantity : -fill.quantity;
    this.#shown = undefined;
    this.#result = subtract(this.#result, this.#feeOf(fill));
    // Flat, or turned over: what was open is closed.
    if (closing > 0 && closing === against) {
      this.#closed(this.#strategy, this.#instrument.spec.quoteCurrency, this.#result);
      this.#result = zero;
    }
  }

  charge(amount: Amount): void {
    this.#charges = add(this.#charges, amount);
    if (this.#quantity !== 0) this.#result = subtract(this.#result, amount);
    this.#shown = undefined;
  }

  position(): Position {
    // Strategies are handed it.
    this.#shown ??= Object.freeze({
      instrument: this.#instrument.id,
      strategy: this.#strategy,
      quantity: this.#quantity,
      cash: this.#cash,
      fees: this.#fees,
      fillCount: this.#fillCount,
      turnover: this.#turnover,
      averagePrice: this.#averagePrice(),
      realized: this.#realized,
      account: this.#account,
      charges: this.#charges,
    });
    return this.#shown;
  }

  carry(): CarriedPosition {
    const { instrument, strategy, quantity, cash, fees, fillCount, turnover, realized } = this.position();
    const openCost = this.#openCost;
    const result = this.#result === zero ? {} : { result: this.#result };
    const account = this.#account === 'spot' ? {} : { account: this.#account };
    const charges = this.#charges === zero ? {} : { charges: this.#charges };
    return {
      instrument,
      strategy,
      quantity,
      cash,
      fees,
      fillCount,
      turnover,
      realized,
      openCost,
      ...result,
      ...account,
      ...charges,
    };
  }

  take(carried: CarriedPosition): void {
    this.#quantity = carried.quantity;
    this.#cash = carried.cash;
    this.#fees = carried.fees;
    this.#fillCount = carried.fillCount;
    this.#turnover = carried.turnover;
    this.#realized = carried.realized;
    this.#openCost = carried.openCost;
    this.#result = carried.result ?? zero;
    this.#charges = carried.charges ?? zero;
    this.#shown = undefined;
  }

  /** Closing a part takes the same part of the cost; the last part takes all that is left, so nothing is lost. */
  #close(fill: OwnTrade, closing: number, against: number): void {
    const cost = ((this.#openCost * BigInt(closing)) / BigInt(against)) as Amount;
    const value = this.#instrument.contract.worth(fill.price, closing as Lots);
    const profit = fill.side === 'sell' ? subtract(value, cost) : subtract(cost, value);
    this.#realized = add(this.#realized, profit);
    this.#result = add(this.#result, profit);
    this.#openCost = subtract(this.#openCost, cost);
  }

  /** In quote currency. */
  #feeOf({ fee, price }: OwnTrade): Amount {
    return this.#instrument.feeInQuote(fee, price);
  }

  #averagePrice(): Amount | undefined {
    if (this.#quantity === 0) return undefined;
    return this.#instrument.contract.priceAt(this.#openCost, Math.abs(this.#quantity) as Lots);
  }
}
