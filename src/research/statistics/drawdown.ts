import type { Micros } from '../../core/base/clock.ts';

/** A fall from a peak until equity was back, or until the end. */
export interface Drawdown {
  /** When equity stood at the peak, was deepest, and was back (`undefined`: not before the end). */
  readonly from: Micros;
  readonly deepestAt: Micros;
  readonly to: Micros | undefined;
  /** Share of the peak, positive. */
  readonly depth: number;
  /** From the peak to the recovery or the end, in microseconds. */
  readonly span: number;
}

/** Every drawdown of an equity series, oldest first. Touching the old peak ends one. */
export function drawdownsOf(times: ArrayLike<number>, equity: ArrayLike<number>): readonly Drawdown[] {
  const found: Drawdown[] = [];
  let peak = Number.NEGATIVE_INFINITY;
  let peakAt = 0;
  let deepest = 0;
  let deepestAt = 0;
  let lowest = Number.POSITIVE_INFINITY;
  const close = (to: number | undefined): void => {
    if (deepest === 0) return;
    found.push({
      from: peakAt as Micros,
      deepestAt: deepestAt as Micros,
      to: to as Micros | undefined,
      depth: deepest,
      span: (to ?? times[times.length - 1] ?? peakAt) - peakAt,
    });
    deepest = 0;
  };
  for (let i = 0; i < equity.length; i++) {
    const value = equity[i] as number;
    const time = times[i] as number;
    if (value >= peak) {
      close(time);
      peak = value;
      peakAt = time;
      lowest = Number.POSITIVE_INFINITY;
    } else if (!(value >= lowest && peak > 0)) {
      // What is not below the lowest value since the peak cannot be deeper.
      const depth = 1 - value / peak;
      if (!(depth > deepest)) continue;
      deepest = depth;
      deepestAt = time;
      lowest = value;
    }
  }
  close(undefined);
  return found;
}

/** The deepest fall from a peak, as a share of it. */
export function deepest(equity: ArrayLike<number>): number {
  let peak = Number.NEGATIVE_INFINITY;
  let lowest = Number.POSITIVE_INFINITY;
  let fall = 0;
  for (let i = 0; i < equity.length; i++) {
    const value = equity[i] as number;
    // Between the lowest value so far and its peak nothing falls deeper.
    if (value <= peak && value >= lowest && peak > 0) continue;
    if (!(value <= peak)) lowest = Number.POSITIVE_INFINITY;
    peak = Math.max(peak, value);
    lowest = Math.min(lowest, value);
    fall = Math.max(fall, 1 - value / peak);
  }
  return fall;
}
