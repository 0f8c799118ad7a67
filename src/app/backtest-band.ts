import type { Config } from '../config/schema.ts';
import type { Recording } from '../feed/recording.ts';
import type { BandBelief, BandResult, BandRun } from '../report/band.ts';
import { runBacktest } from './backtest.ts';

type Way = Config['sim']['entryLatency'];
type QueueModelName = Config['sim']['queueModel'];

export interface BandSetting {
  readonly config: Config;
  readonly recording: Recording;
  readonly currency: string;
  /** Told before each run. */
  readonly onRun?: ((text: string) => void) | undefined;
}

/** The last step of the search for the latency at which the edge is gone. */
const latencyMax = 2_000_000;

/**
 * Runs the band: pessimistic, fitted and optimistic fills, each at the median and the 99th percentile of the latency;
 * then, where both have a profit, fitted fills at ever four times the latency until it is gone, or two seconds are reached.
 */
export async function runBand(setting: BandSetting): Promise<BandResult> {
  const { config, currency } = setting;
  const { entryLatency, reportLatency } = config.sim;
  const runs: BandRun[] = [];
  for (const share of [0.5, 0.99]) {
    const entry = quantileOf(entryLatency, share);
    const report = quantileOf(reportLatency, share);
    const label = share === 0.5 ? 'p50' : 'p99';
    const latencyText = `${label}: ${entry / 1_000} ms, back ${report / 1_000} ms`;
    for (const [belief, queue] of beliefs(config.sim.queueModel))
      runs.push(await runOne(setting, { belief, queue, entry, report, latencyText }));
  }
  return { currency, runs: [...runs, ...(await searchEdge(setting, runs))] };
}

/** Slower and slower runs of the fitted fills, until one has no profit. */
async function searchEdge(setting: BandSetting, band: readonly BandRun[]): Promise<readonly BandRun[]> {
  const fitted = band.filter(({ belief }) => belief === 'fitted');
  const tail = fitted.at(-1);
  if (tail === undefined || fitted.some(({ profit }) => profit <= 0)) return [];
  const runs: BandRun[] = [];
  const queue = tail.queue as QueueModelName;
  for (let entry = Math.max(1_000, tail.latency); entry < latencyMax && (runs.at(-1) ?? tail).profit > 0;) {
    entry = Math.min(latencyMax, entry * 4);
    const latencyText = `${entry / 1_000} ms, back the same`;
    runs.push(await runOne(setting, { belief: 'fitted', queue, entry, report: entry, latencyText }));
  }
  return runs;
}

interface Variant extends Pick<BandRun, 'belief' | 'latencyText'> {
  readonly queue: QueueModelName;
  readonly entry: number;
  readonly report: number;
}

async function runOne(
  { config, recording, currency, onRun }: BandSetting,
  variant: Variant,
): Promise<BandRun> {
  const { belief, queue, entry, report, latencyText } = variant;
  onRun?.(`band: ${belief} fills (${queue}), ${latencyText}`);
  const sim = {
    ...config.sim,
    queueModel: queue,
    entryLatency: { kind: 'constant', micros: entry } as const,
    reportLatency: { kind: 'constant', micros: report } as const,
  };
  const result = await runBacktest({ config: { ...config, sim }, recording });
  const { results, instruments } = result.report;
  return {
    belief,
    queue,
    latency: entry,
    latencyText,
    profit: Number(results.find((one) => one.currency === currency)?.profit ?? 0),
    fills: instruments.reduce((sum, one) => sum + one.fills, 0),
  };
}

/**
 * The queue model of each belief. Fitted is what is configured; where that is one of the ends it is `log`, which lies
 * between them, because nobody fitted one.
 */
export function beliefs(configured: QueueModelName): readonly (readonly [BandBelief, QueueModelName])[] {
  const isEnd = configured === 'conservative' || configured === 'proportional';
  return [
    ['pessimistic', 'conservative'],
    ['fitted', isEnd ? 'log' : configured],
    ['optimistic', 'proportional'],
  ];
}

/** A quantile of a configured latency, whole microseconds. A constant has no tail: its 99th percentile is four times it. */
export function quantileOf(way: Way, share: number): number {
  switch (way.kind) {
    case 'constant':
      return share > 0.5 ? way.micros * 4 : way.micros;
    case 'uniform':
      return Math.round(way.low + share * (way.high - way.low));
    case 'exponential':
      return Math.round(Math.min(way.max, way.base - way.tailMean * Math.log(1 - share)));
  }
}
