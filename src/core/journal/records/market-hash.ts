import type { Amount } from '../../base/amount.ts';
import { foldAmount, wordSpread } from '../../base/amount.ts';
import type {
  BookSnapshot,
  BookUpdate,
  CandlesChanged,
  MarketData,
  TickerChanged,
  TradesPrinted,
} from '../../model/event.ts';
import { isBegun, knownOf, wordsAt, candleWords } from '../../model/known-candle.ts';
import type { Candle, MarketTrade } from '../../model/market.ts';

// Odd constants of the murmur and xxhash families: each step spreads one word over its lane.
const spreadA = 0x85ebca6b;
const spreadB = 0xc2b2ae35;
const spreadC = wordSpread;
const int32Max = 0x7fff_ffff;

/** Words of the four prices of a candle, and of all its amounts. */
const priceWords = 8;
const amountWords = 12;

/**
 * A running hash over the numbers of market events: two 32-bit lanes, a few nanoseconds a level, no garbage.
 *
 * It shows that two runs saw the same market; it resists no forger, which is the frame log's business. Prices and
 * sizes are hashed as ticks and lots, amounts by their lowest 128 bits, texts by their UTF-16 units.
 */
export class MarketHash {
  #a = 0x243f6a88;
  #b = 0x0588d313;
  #count = 0;
  readonly #scratch = new Int32Array(amountWords);

  /** How many events were added. */
  get count(): number {
    return this.#count;
  }

  /** The two lanes as unsigned numbers. */
  get laneA(): number {
    return this.#a >>> 0;
  }

  get laneB(): number {
    return this.#b >>> 0;
  }

  /** Goes on from what another hash had reached. */
  resume(count: number, laneA: number, laneB: number): void {
    this.#count = count;
    this.#a = laneA | 0;
    this.#b = laneB | 0;
  }

  add(event: MarketData, sequence: number): void {
    this.#count += 1;
    this.#mix(sequence);
    this.#mix(event.exchangeTime);
    this.#mix(event.receiveTime);
    switch (event.kind) {
      case 'bookUpdate':
        this.#mixWords(event.instrument, 1);
        return this.#addLevels(event);
      case 'bookSnapshot':
        this.#mixWords(event.instrument, 2);
        return this.#addLevels(event);
      case 'trades':
        this.#mixWords(event.instrument, event.snapshot ? 4 : 3);
        return this.#addTrades(event);
      case 'ticker':
        this.#mixWords(event.instrument, 5);
        return this.#addTicker(event);
      case 'candles':
        this.#mixWords(event.instrument, event.snapshot ? 7 : 6);
        return this.#addCandles(event);
    }
  }

  /** Levels are most of the work: each lane takes every other one whole, in registers, and then they meet. */
  #addLevels({ sequence, levels, start, end }: BookSnapshot | BookUpdate): void {
    this.#mix(sequence);
    this.#mix(end - start);
    let a = this.#a;
    let b = this.#b;
    let i = start;
    for (; i + 3 < end; i += 6) {
      a = Math.imul(a ^ wordOf(levels[i + 1] as number) ^ ((levels[i] as number) << 30), spreadA);
      a = ((a << 13) | (a >>> 19)) ^ wordOf(levels[i + 2] as number);
      b = Math.imul(b ^ wordOf(levels[i + 4] as number) ^ ((levels[i + 3] as number) << 30), spreadB);
      b = ((b << 17) | (b >>> 15)) ^ wordOf(levels[i + 5] as number);
    }
    if (i < end) {
      a = Math.imul(a ^ wordOf(levels[i + 1] as number) ^ ((levels[i] as number) << 30), spreadA);
      a = ((a << 13) | (a >>> 19)) ^ wordOf(levels[i + 2] as number);
    }
    // Each step can be undone, so that two states that differ go on to differ.
    a = Math.imul(a ^ ((b << 16) | (b >>> 16)), spreadA);
    this.#a = a;
    this.#b = (Math.imul(b, spreadB) + a) | 0;
  }

  /** Trades are many, and most come alone: their words pass with the lanes in registers. */
  #addTrades({ trades }: TradesPrinted): void {
    let a = this.#a;
    let b = this.#b;
    for (let i = 0; i < trades.length; i++) {
      const { tradeId, price, quantity, side, time } = trades[i] as MarketTrade;
      for (let at = 0; at < tradeId.length; at += 2) {
        a = turnA(a, unitsAt(tradeId, at));
        b = turnB(a, b, unitsAt(tradeId, at));
      }
      a = turnA(a, tradeId.length);
      b = turnB(a, b, tradeId.length);
      a = turnA(a, wordOf(price));
      b = turnB(a, b, wordOf(price));
      a = turnA(a, wordOf(quantity));
      b = turnB(a, b, wordOf(quantity));
      a = turnA(a, side === 'buy' ? 1 : 2);
      b = turnB(a, b, side === 'buy' ? 1 : 2);
      a = turnA(a, wordOf(time));
      b = turnB(a, b, wordOf(time));
    }
    this.#a = turnA(a, trades.length);
    this.#b = turnB(this.#a, b, trades.length);
  }

  #addTicker({ ticker }: TickerChanged): void {
    this.#mix(ticker.time);
    this.#mix(ticker.bid ?? -1);
    this.#mix(ticker.bidQuantity ?? -1);
    this.#mix(ticker.ask ?? -1);
    this.#mix(ticker.askQuantity ?? -1);
    this.#mixAmount(ticker.last);
    this.#mixAmount(ticker.open);
    this.#mixAmount(ticker.high);
    this.#mixAmount(ticker.low);
    this.#mixAmount(ticker.volume);
    this.#mixAmount(ticker.volumeQuote);
  }

  #addCandles({ candles }: CandlesChanged): void {
    for (let i = 0; i < candles.length; i++) this.#addCandle(candles[i] as Candle);
    this.#mix(candles.length);
  }

  #addCandle(candle: Candle): void {
    this.#mixText(candle.period);
    this.#mix(candle.time);
    if (candle.end !== undefined) this.#mix(candle.end);
    const known = knownOf(candle);
    if (known !== undefined && !isBegun(known))
      return this.#mixRun(candleWords(known), wordsAt(known), amountWords);
    const scratch = this.#scratch;
    if (known !== undefined) {
      const words = candleWords(known);
      const at = wordsAt(known);
      const low = words[at] as number;
      const high = words[at + 1] as number;
      for (let i = 0; i < priceWords; i += 2) {
        scratch[i] = low;
        scratch[i + 1] = high;
      }
      for (let i = priceWords; i < amountWords; i++) scratch[i] = 0;
    } else {
      foldAmount(candle.open, scratch, 0);
      foldAmount(candle.close, scratch, 2);
      foldAmount(candle.min, scratch, 4);
      foldAmount(candle.max, scratch, 6);
      foldAmount(candle.volume, scratch, 8);
      foldAmount(candle.volumeQuote, scratch, 10);
    }
    this.#mixRun(scratch, 0, amountWords);
  }

  /** Mixes `count` words, the lanes in registers. */
  #mixRun(words: Int32Array, from: number, count: number): void {
    let a = this.#a;
    let b = this.#b;
    for (let i = from; i < from + count; i++) {
      const word = words[i] as number;
      a = turnA(a, word);
      b = turnB(a, b, word);
    }
    this.#a = a;
    this.#b = b;
  }

  #mixAmount(amount: Amount | undefined): void {
    if (amount === undefined) return this.#mix(-1);
    foldAmount(amount, this.#scratch, 0);
    this.#mixRun(this.#scratch, 0, 2);
  }

  #mixText(text: string): void {
    for (let i = 0; i < text.length; i += 2) this.#mixWords(unitsAt(text, i), 0);
    this.#mix(text.length);
  }

  #mix(value: number): void {
    this.#mixWords(value | 0, value > int32Max ? upperWord(value) : 0);
  }

  #mixWords(low: number, high: number): void {
    const word = low ^ Math.imul(high, spreadC);
    this.#a = turnA(this.#a, word);
    this.#b = turnB(this.#a, this.#b, word);
  }
}

/** First lane after a word. */
function turnA(lane: number, word: number): number {
  const a = Math.imul(lane ^ word, spreadA);
  return (a << 13) | (a >>> 19);
}

/** Second lane after a word; it takes in the first one as it is afterwards. */
function turnB(a: number, lane: number, word: number): number {
  const b = Math.imul(lane ^ word, spreadB);
  return (((b << 17) | (b >>> 15)) + a) | 0;
}

/** Two units of a text as one word. */
function unitsAt(text: string, at: number): number {
  const next = at + 1 < text.length ? text.charCodeAt(at + 1) : 0;
  return text.charCodeAt(at) | (next << 16);
}

/** A safe integer as one word. The upper one is zero for nearly all prices and sizes. */
function wordOf(value: number): number {
  return value > int32Max ? value ^ Math.imul(upperWord(value), spreadC) : value | 0;
}

/** Part of a safe integer that `value | 0` leaves out. The factor is 2^-32, exactly. */
function upperWord(value: number): number {
  return (value * 2.3283064365386963e-10) | 0;
}
