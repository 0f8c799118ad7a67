import type { Amount } from '../base/amount.ts';
import { billionthsOf, foldAmount } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import type { InstrumentId } from './instrument.ts';
import type { Candle, CandlePeriod } from './market.ts';

/** Where the numbers of a candle stand in its row. */
export const candlePlaces = { open: 0, close: 1, min: 2, max: 3, volume: 4, volumeQuote: 5 } as const;

const rowAmounts = 6;
const chunkRows = 1_024;

/** Numbers of many candles, row after row. */
interface CandleRows {
  /** Whole billionths; NaN for an amount that is not whole in billionths, or not a safe integer. */
  readonly units: Float64Array;
  /** Two words an amount: see `foldAmount`. */
  readonly words: Int32Array;
}

/**
 * A candle that caches its prices as numbers, because sweeps replay the same bars and the conversion of big integers is slow. The
 * cache is not enumerable: `{ ...candle }` is a plain candle.
 */
export class KnownCandle implements Candle {
  readonly instrument: InstrumentId;
  readonly period: CandlePeriod;
  readonly time: Micros;
  readonly open: Amount;
  readonly close: Amount;
  readonly min: Amount;
  readonly max: Amount;
  readonly volume: Amount;
  readonly volumeQuote: Amount;
  readonly #rows: CandleRows;
  readonly #at: number;
  /** From one price to the next in the row; 0 where all prices are one and nothing was traded. */
  readonly #step: 0 | 1;
  /** What it is a copy of. */
  #original: Candle | undefined = undefined;

  constructor(candle: Candle, rows: CandleRows, at: number, step: 0 | 1) {
    this.instrument = candle.instrument;
    this.period = candle.period;
    this.time = candle.time;
    this.open = candle.open;
    this.close = candle.close;
    this.min = candle.min;
    this.max = candle.max;
    this.volume = candle.volume;
    this.volumeQuote = candle.volumeQuote;
    this.#rows = rows;
    this.#at = at;
    this.#step = step;
  }

  /** The candle when its numbers are known. */
  static of(candle: Candle): KnownCandle | undefined {
    return candle instanceof KnownCandle ? candle : undefined;
  }

  /** Another of the same, which may be written to: see `isUnchanged`. */
  copy(): KnownCandle {
    const copy = new KnownCandle(this, this.#rows, this.#at, this.#step);
    copy.#original = this;
    return copy;
  }

  /** Whether its amounts are as in the recording, so that its numbers are theirs: a strategy may write to its copy. */
  get isUnchanged(): boolean {
    const original = this.#original;
    return (
      original === undefined ||
      (this.open === original.open &&
        this.close === original.close &&
        this.min === original.min &&
        this.max === original.max &&
        this.volume === original.volume &&
        this.volumeQuote === original.volumeQuote)
    );
  }

  /** An amount in whole billionths; NaN when it is none, or 2^53 and more of them. */
  units(place: number): number {
    if (place >= candlePlaces.volume && this.#step === 0) return 0;
    return this.#rows.units[this.#at + place * this.#step] as number;
  }

  /** Whether nothing has happened in it yet: one price, and nothing was traded. */
  get isBegun(): boolean {
    return this.#step === 0;
  }

  /**
   * From `wordsAt` on, what `foldAmount` writes of all six amounts in their order, two words each; of a candle that
   * has only begun the two words of its price.
   */
  get words(): Int32Array {
    return this.#rows.words;
  }

  get wordsAt(): number {
    return this.#at * 2;
  }

  /** `candle` began with the open or the close of this one, and nothing has happened since. */
  begun(candle: Candle, from: 'open' | 'close'): KnownCandle {
    return new KnownCandle(candle, this.#rows, this.#at + candlePlaces[from] * this.#step, 0);
  }
}

/** Makes known candles, with their numbers in few arrays: a full one is left to its candles. */
export class KnownCandles {
  #rows: CandleRows = rowsOf(chunkRows);
  #used = 0;

  /** The candle with its numbers. */
  know(candle: Candle): KnownCandle {
    if (this.#used === chunkRows) {
      this.#rows = rowsOf(chunkRows);
      this.#used = 0;
    }
    const rows = this.#rows;
    const at = this.#used * rowAmounts;
    this.#used += 1;
    this.#write(candle.open, at);
    this.#write(candle.close, at + candlePlaces.close);
    this.#write(candle.min, at + candlePlaces.min);
    this.#write(candle.max, at + candlePlaces.max);
    this.#write(candle.volume, at + candlePlaces.volume);
    this.#write(candle.volumeQuote, at + candlePlaces.volumeQuote);
    return new KnownCandle(candle, rows, at, 1);
  }

  #write(amount: Amount, at: number): void {
    this.#rows.units[at] = billionthsOf(amount);
    foldAmount(amount, this.#rows.words, at * 2);
  }
}

function rowsOf(count: number): CandleRows {
  return {
    units: new Float64Array(count * rowAmounts),
    words: new Int32Array(count * rowAmounts * 2),
  };
}
