import type { Amount } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import { candleLengths, periodEnd, periodStart } from '../model/candle-period.ts';
import type { Instrument, Lots, Ticks } from '../model/instrument.ts';
import type { Candle, CandlePeriod, MarketTrade } from '../model/market.ts';

/** Builds the running candle of one instrument and period from its trades, in integers, without garbage. */
export class CandleBuilder {
  readonly #instrument: Instrument;
  readonly #period: CandlePeriod;
  #start = 0 as Micros;
  #end = 0 as Micros;
  #open = 0 as Ticks;
  #close = 0 as Ticks;
  #min = 0 as Ticks;
  #max = 0 as Ticks;
  #lots = 0;
  /** Sum of ticks times lots: as far as a double is exact here, the rest in `#quoteBefore`. */
  #quote = 0;
  #quoteBefore = 0n;

  constructor(instrument: Instrument, period: CandlePeriod) {
    this.#instrument = instrument;
    this.#period = period;
  }

  /** Adds a trade and returns the candle that it closed, if any. A trade of an older period counts in the running one. */
  add(trade: MarketTrade): Candle | undefined {
    const closed = trade.time >= this.#end ? this.#beginCandle(trade) : undefined;
    const price = trade.price;
    this.#close = price;
    if (price < this.#min) this.#min = price;
    if (price > this.#max) this.#max = price;
    this.#lots += trade.quantity;
    this.#addQuote(price, trade.quantity);
    return closed;
  }

  /** The running candle, or `undefined` before the first trade. */
  running(): Candle | undefined {
    if (this.#end === 0) return undefined;
    const instrument = this.#instrument;
    const unit = instrument.contract.isInverse ? 1n : instrument.notional(1 as Ticks, 1 as Lots);
    return {
      instrument: instrument.id,
      period: this.#period,
      time: this.#start,
      open: instrument.priceAmount(this.#open),
      close: instrument.priceAmount(this.#close),
      min: instrument.priceAmount(this.#min),
      max: instrument.priceAmount(this.#max),
      volume: instrument.quantityAmount(this.#lots as Lots),
      volumeQuote: ((this.#quoteBefore + BigInt(this.#quote)) * unit) as Amount,
    };
  }

  #beginCandle(trade: MarketTrade): Candle | undefined {
    const closed = this.running();
    const length = candleLengths[this.#period];
    this.#start = periodStart(length, trade.time);
    this.#end = periodEnd(length, this.#start);
    this.#open = trade.price;
    this.#min = trade.price;
    this.#max = trade.price;
    this.#lots = 0;
    this.#quote = 0;
    this.#quoteBefore = 0n;
    return closed;
  }

  #addQuote(price: Ticks, lots: Lots): void {
    if (this.#instrument.contract.isInverse) {
      this.#quoteBefore += this.#instrument.notional(price, lots);
      return;
    }
    const product = price * lots;
    if (this.#quote + product <= Number.MAX_SAFE_INTEGER) {
      this.#quote += product;
      return;
    }
    this.#quoteBefore += BigInt(this.#quote) + BigInt(price) * BigInt(lots);
    this.#quote = 0;
  }
}
