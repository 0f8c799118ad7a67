import { Random } from '../../../core/base/random.ts';

/** One bar of a histogram: how many values were from `from` (included) to `to`. */
export interface HistogramBin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** A fair sample of a stream of numbers in bounded memory: everything up to the capacity, then each value as likely. */
export class Reservoir {
  readonly #kept: number[] = [];
  readonly #capacity: number;
  readonly #random: Random;
  #count = 0;
  #sum = 0;

  /** `name` seeds the choice of what is kept: the same stream always leaves the same sample. */
  constructor(name: string, capacity = 4_096) {
    this.#capacity = capacity;
    this.#random = new Random(`report/${name}`);
  }

  add(value: number): void {
    this.#count += 1;
    this.#sum += value;
    if (this.#kept.length < this.#capacity) {
      this.#kept.push(value);
      return;
    }
    const place = Math.floor(this.#random.float() * this.#count);
    if (place < this.#capacity) this.#kept[place] = value;
  }

  /** How many values came, kept or not. */
  get count(): number {
    return this.#count;
  }

  /** Of all values that came; NaN without any. */
  get mean(): number {
    return this.#sum / this.#count;
  }

  /** The smallest kept value that at least `share` of the kept ones do not exceed (nearest rank); NaN without any. */
  quantile(share: number): number {
    const sorted = this.sorted();
    return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
  }

  /** What was kept, ascending. */
  sorted(): readonly number[] {
    return this.#kept.toSorted((a, b) => a - b);
  }
}

/**
 * Up to `bins` bars of one width from the smallest value to the 99.5th percentile; the last bar also counts what is
 * above. `values` ascending. One bar when nothing varied.
 */
export function histogramOf(values: readonly number[], bins = 24): readonly HistogramBin[] {
  const low = values[0];
  if (low === undefined) return [];
  const high = values[Math.max(0, Math.ceil(0.995 * values.length) - 1)] as number;
  const width = (high - low) / bins;
  // Also where values are so near that no width is left between them.
  if (!(width > 0)) return [{ from: low, to: values.at(-1) as number, count: values.length }];
  const counts = Array.from({ length: bins }, () => 0);
  for (const value of values) {
    const bin = Math.min(bins - 1, Math.floor((value - low) / width));
    counts[bin] = (counts[bin] as number) + 1;
  }
  return counts.map((count, i) => ({ from: low + i * width, to: low + (i + 1) * width, count }));
}
