import { changesAt, changesOf } from './bootstrap.ts';

const rowsMax = 20_000;
const partsMax = 1_000;

/**
 * What a profit changed by over equal times, folded from every sample. Up to 20,000 samples are all kept; of more the last of
 * each of up to so many equal times, a power of two of microseconds long, so that two of them are one of the next size. What
 * is kept is the profit at the end of each, whatever was left out.
 */
export class EvenCourse {
  #times: number[] = [];
  #values: number[] = [];
  #width = 0;
  /** Up to which time the latest row is replaced by the next sample. */
  #end = Number.NEGATIVE_INFINITY;

  add(time: number, value: number): void {
    if (time <= this.#end) {
      const last = this.#times.length - 1;
      this.#times[last] = time;
      this.#values[last] = value;
      return;
    }
    this.#times.push(time);
    this.#values.push(value);
    if (this.#times.length > rowsMax) this.#widen();
    else if (this.#width > 0) this.#end = this.#endOf(time);
  }

  /** Over up to 1,000 equal times, of which the last may be shorter. `samples`: how many the run had. */
  changes(samples: number): readonly number[] {
    const [times, values, width] = [this.#times, this.#values, this.#width];
    if (width === 0) return changesOf(times, values, Math.min(partsMax, samples - 1));
    const span = (times.at(-1) as number) - (times[0] as number);
    const long = width * Math.ceil(span / width / partsMax);
    const ends = Array.from(
      { length: Math.ceil(span / long) },
      (_, i) => (times[0] as number) + (i + 1) * long,
    );
    return changesAt(times, values, ends);
  }

  /** When the equal time ends that a time lies in; the beginning is one of its own. */
  #endOf(time: number): number {
    const first = this.#times[0] as number;
    return first + Math.ceil((time - first) / this.#width) * this.#width;
  }

  #widen(): void {
    const times = this.#times;
    const span = (times.at(-1) as number) - (times[0] as number);
    this.#width = Math.max(this.#width * 2, 2 ** Math.ceil(Math.log2((2 * span) / rowsMax)));
    const ends = times.map((time) => this.#endOf(time));
    const isLast = (_: number, i: number): boolean => ends[i] !== ends[i + 1];
    this.#times = times.filter(isLast);
    this.#values = this.#values.filter(isLast);
    this.#end = ends.at(-1) as number;
  }
}
