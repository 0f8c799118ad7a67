import type { LatencyOptions } from '../../sim/options.ts';
import type { BandLevel } from './run-band.ts';

/** Both ways of a run of the band, constant, in microseconds. */
export interface LatencyLevel extends BandLevel {
  readonly entry: number;
  readonly report: number;
}

/** A configured latency, or one that was measured. */
export type LatencyTold = LatencyOptions | { readonly kind: 'measured'; readonly micros: readonly number[] };

/** The last step of the search for the latency at which the edge is gone. */
const latencyMax = 2_000_000;

/** The median and the 99th percentile of both ways. */
export function latencyLevels(entryWay: LatencyTold, reportWay: LatencyTold): readonly LatencyLevel[] {
  return ([0.5, 0.99] as const).map((share) => {
    const [entry, report] = [quantileOf(entryWay, share), quantileOf(reportWay, share)];
    const label = share === 0.5 ? 'p50' : 'p99';
    return { value: entry, text: `${label}: ${entry / 1_000} ms, back ${report / 1_000} ms`, entry, report };
  });
}

/** Four times as slow, one millisecond at least, both ways; nothing beyond two seconds. */
export function slowerLevel(micros: number): LatencyLevel | undefined {
  if (micros >= latencyMax) return undefined;
  const value = Math.min(latencyMax, Math.max(1_000, micros) * 4);
  return { value, text: `${value / 1_000} ms, back the same`, entry: value, report: value };
}

/** A quantile of a latency, whole microseconds. A constant has no tail: its 99th percentile is four times it. */
export function quantileOf(way: LatencyTold, share: number): number {
  switch (way.kind) {
    case 'constant':
      return share > 0.5 ? way.micros * 4 : way.micros;
    case 'uniform':
      return Math.round(way.low + share * (way.high - way.low));
    case 'exponential':
      return Math.round(Math.min(way.max, way.base - way.tailMean * Math.log(1 - share)));
    case 'measured': {
      const sorted = way.micros.toSorted((a, b) => a - b);
      return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
    }
  }
}
