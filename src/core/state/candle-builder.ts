import type { Amount } from '../base/amount.ts';
import { zero } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import type { BarRule } from '../model/bar-spec.ts';
import { barRuleOf } from '../model/bar-spec.ts';
import { periodEnd, periodStart } from '../model/candle-period.ts';
import type { Instrument, Lots, Ticks } from '../model/instrument.ts';
import type { BarSpec, Candle, MarketTrade } from '../model/market.ts';

/**
 * Builds the running candle of one instrument from its trades, in integers, without garbage. A bar by time is over with the first
 * trade behind it. A bar by trades, volume, value or range is over with the trade that brings it to its size: that trade is the last
 * of it, and whole.
 */
export class CandleBuilder {
  readonly #instrument: Instrument;
  readonly #spec: BarSpec;
  readonly #by: BarRule['by'];
  /** Length in microseconds, trades, lots, or ticks of price. */
  readonly #size: number;
  /** Size of a bar by value, in `#quoteUnit`. */
  readonly #quoteSize: bigint;
  /** Quote currency that 1 of `#quote` stands for. */
  readonly #quoteUnit: bigint;
  #start = -1 as Micros;
  #end = 0 as Micros;
  /** Time of the latest trade. */
  #latest = 0 as Micros;
  #open = 0 as Ticks;
  #close = 0 as Ticks;
  #min = 0 as Ticks;
  #max = 0 as Ticks;
  #lots = 0;
  /** Trades in the running candle; 0 behind a bar that ended with a trade. */
  #trades = 0;
  /** Sum of ticks times lots: as far as a double is exact here, the rest in `#quoteBefore`. */
  #quote = 0;
  #quoteBefore = 0n;
  #incomplete = false;
  /** Whether trades before the next one may be unknown. */
  #isBehindGap = true;

  constructor(instrument: Instrument, spec: BarSpec) {
    const rule = barRuleOf(spec);
    this.#instrument = instrument;
    this.#spec = spec;
    this.#by = rule.by;
    this.#quoteUnit = instrument.contract.isInverse ? 1n : instrument.notional(1 as Ticks, 1 as Lots);
    this.#size = sizeOf(rule, instrument);
    this.#quoteSize = rule.by === 'value' ? wholeUnits(rule.size, this.#quoteUnit) : 0n;
  }

  /** Adds a trade and returns the candle that it closed, if any. A trade of an older period counts in the running one. */
  add(trade: MarketTrade): Candle | undefined {
    const { price, time } = trade;
    const closed = this.#by === 'time' ? this.#beginTime(price, time) : undefined;
    if (this.#by !== 'time') this.#beginSize(price, time);
    this.#isBehindGap = false;
    this.#close = price;
    if (price < this.#min) this.#min = price;
    if (price > this.#max) this.#max = price;
    this.#lots += trade.quantity;
    this.#trades += 1;
    this.#addQuote(price, trade.quantity);
    return this.#isFull() ? this.#closeFull() : closed;
  }

  /** Trades behind the last one are lost: the running candle lacks them, and one by time that begins behind them may. */
  loseTrades(): void {
    this.#isBehindGap = true;
    if (this.#trades > 0) this.#incomplete = true;
  }

  /**
   * The running candle, or `undefined` before the first trade. Behind a bar that ended with a trade it is the next one, which stands
   * at that close, and nothing has happened yet.
   */
  running(): Candle | undefined {
    if (this.#start < 0) return undefined;
    if (this.#trades === 0) return this.#begun();
    const instrument = this.#instrument;
    const quote = this.#quoteBefore + BigInt(this.#quote);
    return {
      instrument: instrument.id,
      period: this.#spec,
      time: this.#start,
      open: instrument.priceAmount(this.#open),
      close: instrument.priceAmount(this.#close),
      min: instrument.priceAmount(this.#min),
      max: instrument.priceAmount(this.#max),
      volume: instrument.quantityAmount(this.#lots as Lots),
      volumeQuote: (quote * this.#quoteUnit) as Amount,
      trades: this.#trades,
      ...(this.#incomplete && { incomplete: true }),
    };
  }

  /** Goes on with the candle that another builder of the same bars was building. */
  resume(candle: Candle): void {
    const instrument = this.#instrument;
    const tick = instrument.priceAmount(1 as Ticks);
    const ticksOf = (amount: Amount): Ticks => Number(amount / tick) as Ticks;
    this.#begin(ticksOf(candle.open), candle.time);
    this.#isBehindGap = false;
    this.#close = ticksOf(candle.close);
    this.#latest = candle.time;
    if (this.#by === 'time') this.#end = periodEnd(this.#size, candle.time);
    if (candle.unpriced === 'begun') {
      // The next trade begins it, no earlier than it stands.
      this.#start = (candle.time - 1) as Micros;
      return;
    }
    this.#min = ticksOf(candle.min);
    this.#max = ticksOf(candle.max);
    this.#lots = Number(candle.volume / instrument.quantityAmount(1 as Lots));
    this.#trades = candle.trades ?? 1;
    this.#quoteBefore = candle.volumeQuote / this.#quoteUnit;
    this.#incomplete = candle.incomplete === true;
  }

  #beginTime(price: Ticks, time: Micros): Candle | undefined {
    if (time < this.#end) return undefined;
    const closed = this.running();
    this.#begin(price, periodStart(this.#size, time));
    this.#end = periodEnd(this.#size, this.#start);
    this.#incomplete = this.#isBehindGap;
    return closed;
  }

  /** Two bars never begin together: the time of a bar names it. */
  #beginSize(price: Ticks, time: Micros): void {
    if (time > this.#latest) this.#latest = time;
    if (this.#trades === 0) this.#begin(price, Math.max(this.#latest, this.#start + 1) as Micros);
  }

  #begin(price: Ticks, start: Micros): void {
    this.#start = start;
    this.#open = price;
    this.#min = price;
    this.#max = price;
    this.#lots = 0;
    this.#trades = 0;
    this.#quote = 0;
    this.#quoteBefore = 0n;
    this.#incomplete = false;
  }

  #isFull(): boolean {
    switch (this.#by) {
      case 'time':
        return false;
      case 'tick':
        return this.#trades >= this.#size;
      case 'volume':
        return this.#lots >= this.#size;
      case 'range':
        return this.#max - this.#min >= this.#size;
      case 'value':
        return this.#quote >= this.#size || this.#isWorth();
    }
  }

  /** Whether the exact value reaches the size, where doubles alone do not say so. */
  #isWorth(): boolean {
    return this.#quoteBefore !== 0n && this.#quoteBefore + BigInt(this.#quote) >= this.#quoteSize;
  }

  #closeFull(): Candle {
    // It is over behind its begin, and the next one begins no earlier.
    const end = Math.max(this.#latest, this.#start + 1) as Micros;
    const closed = { ...(this.running() as Candle), end };
    this.#trades = 0;
    this.#latest = end;
    return closed;
  }

  #begun(): Candle {
    const price = this.#instrument.priceAmount(this.#close);
    return {
      instrument: this.#instrument.id,
      period: this.#spec,
      time: Math.max(this.#latest, this.#start + 1) as Micros,
      open: price,
      close: price,
      min: price,
      max: price,
      volume: zero,
      volumeQuote: zero,
      unpriced: 'begun',
    };
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

function sizeOf(rule: BarRule, instrument: Instrument): number {
  switch (rule.by) {
    case 'time':
      return rule.length;
    case 'tick':
    case 'range':
      return rule.size;
    case 'volume':
      return Number(wholeUnits(rule.size, instrument.quantityAmount(1 as Lots)));
    case 'value': {
      if (instrument.contract.isInverse) return Number.POSITIVE_INFINITY;
      const units = wholeUnits(rule.size, instrument.notional(1 as Ticks, 1 as Lots));
      return units <= Number.MAX_SAFE_INTEGER ? Number(units) : Number.POSITIVE_INFINITY;
    }
  }
}

/** The fewest whole units that reach `size`. */
function wholeUnits(size: bigint, unit: bigint): bigint {
  return (size + unit - 1n) / unit;
}
