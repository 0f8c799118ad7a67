import { Random } from '../../../core/base/random.ts';

/** Where the sum of changes would lie if they had come otherwise. */
export interface BootstrapResult {
  readonly low: number;
  readonly high: number;
  /** Share of the draws above 0. */
  readonly positive: number;
}

const draws = 2_000;

/**
 * A circular block bootstrap of the sum of `changes`: blocks as long as the root of their number, so that what hangs
 * together in time stays together. Seeded: the same changes give the same interval.
 * Source: Politis, Romano, "A circular block-resampling procedure for stationary data", 1992.
 */
export function bootstrapSum(changes: readonly number[], seed = 'bootstrap'): BootstrapResult {
  const random = new Random(seed);
  const size = changes.length;
  const block = Math.max(1, Math.round(Math.sqrt(size)));
  const sums: number[] = [];
  // Sums from the beginning, twice around, so that a block is one subtraction.
  const around = new Float64Array(2 * size + 1);
  for (let i = 0; i < 2 * size; i++) around[i + 1] = (around[i] as number) + (changes[i % size] as number);
  for (let draw = 0; draw < draws; draw++) {
    let total = 0;
    for (let taken = 0; taken < size; taken += block) {
      const length = Math.min(block, size - taken);
      const from = random.between(0, size - 1);
      total += (around[from + length] as number) - (around[from] as number);
    }
    sums.push(total);
  }
  sums.sort((a, b) => a - b);
  return {
    low: sums[Math.floor(0.025 * draws)] as number,
    high: sums[Math.ceil(0.975 * draws) - 1] as number,
    positive: sums.filter((sum) => sum > 0).length / draws,
  };
}

/** Changes of a timeline over `parts` equal spans of time: the value at the end of each less that at its begin. */
export function changesOf(
  times: readonly number[],
  values: readonly number[],
  parts = Math.min(1_000, times.length - 1),
): readonly number[] {
  const first = times[0];
  const last = times.at(-1);
  if (first === undefined || last === undefined || last <= first) return [];
  const ends = Array.from({ length: parts }, (_, part) => first + ((last - first) * (part + 1)) / parts);
  return changesAt(times, values, ends);
}

/** Changes of a timeline from its begin to the first of `ends`, which ascend, and from each to the next. */
export function changesAt(
  times: readonly number[],
  values: readonly number[],
  ends: readonly number[],
): readonly number[] {
  let at = 0;
  let before = values[0] as number;
  return ends.map((end) => {
    while (at + 1 < times.length && (times[at + 1] as number) <= end) at += 1;
    const now = values[at] as number;
    const change = now - before;
    before = now;
    return change;
  });
}
