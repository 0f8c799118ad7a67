import type { Config } from '../config/schema.ts';
import type { Recording } from '../../data/recording/contract.ts';
import type { BandResult } from '../../research/report/band.ts';
import { runBacktest } from './backtest.ts';
import { latencyLevels, slowerLevel } from './latency-levels.ts';
import type { BandModel, BandOutcome } from './run-band.ts';
import { runBandPlan } from './run-band.ts';
import type { RunReport } from '../../research/report/run.ts';

type QueueModelName = Config['sim']['queueModel'];

export interface BandSetting {
  readonly config: Config;
  readonly recording: Recording;
  readonly currency: string;
  /** Told before each run. */
  readonly onRun?: ((text: string) => void) | undefined;
}

/** The band of a backtest on a recording: three queue models at the median and the 99th percentile of the latency. */
export async function runBand({
  config,
  recording,
  currency,
  onRun,
}: BandSetting): Promise<BandResult | string> {
  const { entryLatency, reportLatency, queueModel } = config.sim;
  return await runBandPlan({
    currency,
    axis: 'latency',
    beliefs: shadowBeliefs,
    models: beliefs(queueModel),
    levels: latencyLevels(entryLatency, reportLatency),
    worse: slowerLevel,
    onRun,
    run: async (queue, { entry, report }) => {
      const sim = {
        ...config.sim,
        queueModel: queue,
        entryLatency: { kind: 'constant', micros: entry } as const,
        reportLatency: { kind: 'constant', micros: report } as const,
      };
      const result = await runBacktest({ config: { ...config, sim }, recording });
      return { ...outcomeIn(result.report, currency), problem: result.cut ?? result.faults[0] };
    },
  });
}

/** What the beliefs about shadow orders mean. */
export const shadowBeliefs =
  'Pessimistic: cancels come from behind us (conservative). Fitted: the configured queue model. Optimistic: cancels come from ahead of us as likely as the quantities there (proportional).';

/** What a run came to in one currency. */
export function outcomeIn({ results, instruments }: RunReport, currency: string): BandOutcome {
  return {
    profit: Number(results.find((one) => one.currency === currency)?.profit ?? 0),
    fills: instruments.reduce((sum, one) => sum + one.fills, 0),
  };
}

/**
 * The queue model of each belief. Fitted is what is configured; where that is one of the ends it is `log`, which lies
 * between them, because nobody fitted one.
 */
export function beliefs<Name extends QueueModelName>(
  configured: Name,
): readonly BandModel<Name | 'conservative' | 'log' | 'proportional'>[] {
  const isEnd = configured === 'conservative' || configured === 'proportional';
  const fitted = isEnd ? 'log' : configured;
  return [
    { belief: 'pessimistic', text: 'conservative', fills: 'conservative' },
    { belief: 'fitted', text: fitted, fills: fitted },
    { belief: 'optimistic', text: 'proportional', fills: 'proportional' },
  ];
}
