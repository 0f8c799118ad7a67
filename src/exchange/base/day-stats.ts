import type { Amount } from '../../core/base/amount.ts';
import { zero } from '../../core/base/amount.ts';
import type { Micros } from '../../core/base/clock.ts';
import { microsPerSecond } from '../../core/base/clock.ts';
import type { Lots, Ticks } from '../../core/model/instrument.ts';

const minute = 60 * microsPerSecond;
const minutes = 24 * 60;

interface MinuteTotals {
  number: number;
  first: Ticks;
  last: Ticks;
  low: Ticks;
  high: Ticks;
  volume: Lots;
  volumeQuote: Amount;
}

/** Values over the last 24 hours, in whole minutes. Without trades in that time: the last price, no volume. */
interface DayView {
  readonly open: Ticks | undefined;
  readonly low: Ticks | undefined;
  readonly high: Ticks | undefined;
  readonly volume: Lots;
  readonly volumeQuote: Amount;
}

/** Rolling 24-hour figures of one symbol, kept by minute: memory stays the same however many trades come. */
export class DayStats {
  readonly #buckets: MinuteTotals[] = [];
  #last: Ticks | undefined;
  /** The last price before the window: the open of a day that began with a pause. */
  #before: Ticks | undefined;

  get last(): Ticks | undefined {
    return this.#last;
  }

  add(time: Micros, price: Ticks, quantity: Lots, notional: Amount): void {
    const number = Math.floor(time / minute);
    const newest = this.#buckets.at(-1);
    this.#last = price;
    if (newest !== undefined && newest.number >= number) {
      newest.last = price;
      if (price < newest.low) newest.low = price;
      if (price > newest.high) newest.high = price;
      newest.volume = (newest.volume + quantity) as Lots;
      newest.volumeQuote = (newest.volumeQuote + notional) as Amount;
      return;
    }
    this.#drop(number);
    this.#buckets.push({
      number,
      first: price,
      last: price,
      low: price,
      high: price,
      volume: quantity,
      volumeQuote: notional,
    });
  }

  /** The figures at `now`. */
  view(now: Micros): DayView {
    this.#drop(Math.floor(now / minute));
    const first = this.#buckets[0];
    const open = this.#before ?? first?.first;
    if (first === undefined) return { open, low: open, high: open, volume: 0 as Lots, volumeQuote: zero };
    let { low, high } = first;
    let volume = 0;
    let volumeQuote = 0n;
    for (const bucket of this.#buckets) {
      if (bucket.low < low) low = bucket.low;
      if (bucket.high > high) high = bucket.high;
      volume += bucket.volume;
      volumeQuote += bucket.volumeQuote;
    }
    return { open, low, high, volume: volume as Lots, volumeQuote: volumeQuote as Amount };
  }

  #drop(number: number): void {
    let count = 0;
    while (
      count < this.#buckets.length &&
      (this.#buckets[count] as MinuteTotals).number <= number - minutes
    ) {
      this.#before = (this.#buckets[count] as MinuteTotals).last;
      count += 1;
    }
    if (count > 0) this.#buckets.splice(0, count);
  }
}
