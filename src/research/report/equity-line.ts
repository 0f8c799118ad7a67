/** Equity in one currency over time: profit since the start of the run, times in microseconds. */
export interface EquityLine {
  readonly times: readonly number[];
  readonly values: readonly number[];
}

/**
 * Numbers that were added up from doubles up to `size`, without their noise: a double holds fifteen digits for sure, and
 * the sums take the last of them.
 */
export function withoutNoise(size: number): (value: number) => number {
  const decimals = Math.max(0, 14 - Math.ceil(Math.log10(Math.max(size, 1))));
  const scale = 10 ** decimals;
  return (value) => Math.round(value * scale) / scale;
}

/** The largest fall of profit from its peak; the start is a peak of 0. */
export function fallOf(profits: readonly number[]): number {
  let peak = 0;
  let fall = 0;
  for (const profit of profits) {
    peak = Math.max(peak, profit);
    fall = Math.max(fall, peak - profit);
  }
  return fall;
}
