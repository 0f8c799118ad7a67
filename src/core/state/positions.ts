import type { Amount } from '../base/amount.ts';
import { add, multiply, subtract, zero } from '../base/amount.ts';
import type { CarriedPosition } from '../model/carried-state.ts';
import type { OwnTrade } from '../model/event.ts';
import type { Instrument, InstrumentId, Instruments, Lots } from '../model/instrument.ts';
import type { Side } from '../model/order.ts';
import { externalStrategy } from './order-entry.ts';
import type { Position } from './view.ts';

/** Positions per strategy and instrument, folded from fills, exact: no rounding but in the average price shown. */
export class PositionStore {
  readonly #instruments: Instruments;
  readonly #byStrategy = new Map<string, Map<InstrumentId, Holding>>();
  readonly #net: number[];
  readonly #closed: Closed;
  /** What is shown of a strategy that never had a fill: asked for with every message, so made once. */
  readonly #blank = new Map<string, (Position | undefined)[]>();

  /** `closed` is called when a position comes back to flat or turns over, with what it brought, fees counted. */
  constructor(instruments: Instruments, closed: Closed = () => {}) {
    this.#instruments = instruments;
    this.#closed = closed;
    this.#net = Array.from({ length: instruments.all.length }, () => 0);
  }

  /** Books one fill that was not booked before. */
  book(fill: OwnTrade, strategy: string): void {
    this.#holding(fill.instrument, strategy).book(fill);
    this.#addNet(fill.instrument, fill.side === 'buy' ? fill.quantity : -fill.quantity);
  }

  of(instrument: InstrumentId, strategy: string): Position {
    const holding = this.#byStrategy.get(strategy)?.get(instrument);
    return holding?.position() ?? this.#blankOf(instrument, strategy);
  }

  /** Signed lots over all strategies, `external` included. */
  net(instrument: InstrumentId): number {
    return this.#net[instrument] ?? 0;
  }

  /** The strategy that alone holds what an order on `side` would close; `undefined` when none or several do. */
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

  /** All that ever had a fill, by strategy and instrument in order of their first fills. */
  all(): readonly Position[] {
    return [...this.#byStrategy.values()].flatMap((holdings) =>
      [...holdings.values()].map((holding) => holding.position()),
    );
  }

  carry(): readonly CarriedPosition[] {
    return [...this.#byStrategy.values()].flatMap((holdings) =>
      [...holdings.values()].map((holding) => holding.carry()),
    );
  }

  take(carried: readonly CarriedPosition[]): void {
    for (const one of carried) {
      this.#holding(one.instrument, one.strategy).take(one);
      this.#addNet(one.instrument, one.quantity);
    }
  }

  #blankOf(instrument: InstrumentId, strategy: string): Position {
    let blank = this.#blank.get(strategy);
    if (blank === undefined) {
      blank = [];
      this.#blank.set(strategy, blank);
    }
    return (blank[instrument] ??= new Holding(
      this.#instruments.at(instrument),
      strategy,
      this.#closed,
    ).position());
  }

  #holding(instrument: InstrumentId, strategy: string): Holding {
    let holdings = this.#byStrategy.get(strategy);
    if (holdings === undefined) {
      holdings = new Map();
      this.#byStrategy.set(strategy, holdings);
    }
    let holding = holdings.get(instrument);
    if (holding === undefined) {
      holding = new Holding(this.#instruments.at(instrument), strategy, this.#closed);
      holdings.set(instrument, holding);
    }
    return holding;
  }

  #addNet(instrument: InstrumentId, lots: number): void {
    this.#net[instrument] = (this.#net[instrument] ?? 0) + lots;
  }
}

type Closed = (strategy: string, currency: string, result: Amount) => void;

class Holding {
  readonly #instrument: Instrument;
  readonly #strategy: string;
  #quantity = 0;
  #cash = zero;
  #fees = zero;
  #fillCount = 0;
  #turnover = zero;
  #realized = zero;
  /** What the open lots, as a number above 0, were worth when they were opened. */
  #openCost = zero;
  #shown: Position | undefined;
  readonly #closed: Closed;
  /** What the trades since the position was last flat brought, fees counted, in quote currency. */
  #result = zero;

  constructor(instrument: Instrument, strategy: string, closed: Closed) {
    this.#closed = closed;
    this.#instrument = instrument;
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
    });
    return this.#shown;
  }

  carry(): CarriedPosition {
    const { instrument, strategy, quantity, cash, fees, fillCount, turnover, realized } = this.position();
    const openCost = this.#openCost;
    const result = this.#result === zero ? {} : { result: this.#result };
    return { instrument, strategy, quantity, cash, fees, fillCount, turnover, realized, openCost, ...result };
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
    const { spec } = this.#instrument;
    return spec.feeCurrency === spec.baseCurrency ? multiply(fee, this.#instrument.priceAmount(price)) : fee;
  }

  #averagePrice(): Amount | undefined {
    if (this.#quantity === 0) return undefined;
    return this.#instrument.contract.priceAt(this.#openCost, Math.abs(this.#quantity) as Lots);
  }
}
