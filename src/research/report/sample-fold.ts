import type { InstrumentId } from '../../core/model/instrument.ts';
import { EvenCourse } from './even-course.ts';
import { FallFold } from './fall-fold.ts';
import { LeverageFold } from './leverage-fold.ts';

/** The samples of a run in one quote currency. */
class MoneyFold {
  readonly falls = new FallFold();
  readonly even = new EvenCourse();
  readonly leverage: LeverageFold;
  /** Samples at which a position was held, or before which one had been held since the sample before. */
  exposed = 0;
  profit = 0;
  /** Value of all positions, long and short alike. */
  gross = 0;
  /** Since the latest sample. */
  hasTraded = false;
  /** Before the latest sample. */
  #traded = false;

  constructor(start: () => number) {
    this.leverage = new LeverageFold(start);
  }

  /** A sample is taken; nothing of what is held is counted yet. */
  begin(profit: number): void {
    this.profit = profit;
    this.gross = 0;
    this.#traded ||= this.hasTraded;
    this.hasTraded = false;
  }

  settle(time: number): void {
    const { profit, gross } = this;
    this.falls.add(time, profit);
    this.even.add(time, profit);
    if (gross > 0) this.leverage.add(profit, gross);
    if (gross > 0 || this.#traded) this.exposed += 1;
    this.#traded = false;
  }
}

/** The samples of a run of one instrument. */
class HeldFold {
  /** Of a unit; NaN before one was known. */
  firstPrice = Number.NaN;
  price = Number.NaN;
  /** Signed, at the latest sample. */
  position = 0;
  /** Of the position, long or short: the largest, and the sum over the samples. */
  most = 0;
  sum = 0;
  count = 0;

  settle(): void {
    const size = Math.abs(this.position);
    if (Number.isNaN(this.firstPrice)) this.firstPrice = this.price;
    this.most = Math.max(this.most, size);
    this.sum += size;
    this.count += 1;
  }
}

/**
 * What figures need of the samples of a run: each is taken in when the next one begins, so nothing is lost however long the
 * run, and nothing grows with it. A second sample of one time takes the place of the first.
 */
export class SampleFold {
  readonly #money = new Map<string, MoneyFold>();
  readonly #held = new Map<InstrumentId, HeldFold>();
  readonly #startOf: (currency: string) => number;
  #first = Number.NaN;
  #before = Number.NaN;
  #time = Number.NaN;
  #isOpen = false;
  #count = 0;

  /** `startOf` tells what the account was worth at the start, as far as it is known. */
  constructor(startOf: (currency: string) => number) {
    this.#startOf = startOf;
  }

  /** How many samples were taken. */
  get count(): number {
    return this.#count;
  }

  begin(time: number): void {
    if (this.#isOpen && time === this.#time) return;
    this.close();
    if (this.#count === 0) this.#first = time;
    this.#before = this.#time;
    this.#time = time;
    this.#isOpen = true;
    this.#count += 1;
  }

  /** The profit of a quote currency at this sample. Returns the highest so far. */
  profit(currency: string, profit: number): number {
    const money = this.money(currency);
    money.begin(profit);
    return money.falls.peakWith(profit);
  }

  /** What a unit of an instrument is worth (NaN: not known) and how much is held of it, signed, at this sample. */
  hold(id: InstrumentId, price: number, position: number): void {
    const held = this.held(id);
    held.price = price;
    held.position = position;
  }

  /** The present sample is complete. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    for (const money of this.#money.values()) money.settle(this.#time);
    for (const held of this.#held.values()) held.settle();
  }

  /** Begun when first asked for: until then there was no profit. */
  money(currency: string): MoneyFold {
    const known = this.#money.get(currency);
    if (known !== undefined) return known;
    const money = new MoneyFold(() => this.#startOf(currency));
    this.#money.set(currency, money);
    // Samples that were taken before.
    const earlier = this.#count - (this.#isOpen ? 1 : 0);
    const last = this.#isOpen ? this.#before : this.#time;
    for (const time of new Set(earlier === 0 ? [] : [this.#first, last])) {
      money.falls.add(time, 0);
      money.even.add(time, 0);
    }
    return money;
  }

  /** Begun when first asked for. */
  held(id: InstrumentId): HeldFold {
    const known = this.#held.get(id);
    if (known !== undefined) return known;
    const held = new HeldFold();
    this.#held.set(id, held);
    return held;
  }
}
