import { createHash } from 'node:crypto';
import type { Micros } from '../../core/base/clock.ts';
import type { Config } from '../config/schema.ts';
import type { Recording } from '../../data/recording/contract.ts';
import type { Event } from '../../core/model/event.ts';
import type { RunReport } from '../../research/report/run.ts';
import { runReport } from '../../research/report/run.ts';
import type { Summary } from '../../research/report/summary.ts';
import { openDrive } from './drive.ts';
import { assumedOnly } from '../run/opening-balances.ts';
import type { OpenRun } from '../run/open.ts';
import { runThrough } from '../run/open.ts';
import type { LoadedStrategy } from '../run/strategy-plans.ts';
import { strategiesText } from '../run/strategy-plans.ts';

export interface BacktestSetting {
  readonly config: Config;
  readonly recording: Recording;
  /** Shows every event of the run, after it was recorded. */
  readonly watch?: ((event: Event) => void) | undefined;
  /** Told now and then how many level changes and trades have passed. */
  readonly onProgress?: ((changes: number, time: Micros) => void) | undefined;
  /** Also collects what a full report shows, and hands it over when the run has ended. */
  readonly details?: ((summary: Summary) => void) | undefined;
}

export interface BacktestResult {
  readonly report: RunReport;
  /** Chain hash over everything that happened: same recording, configuration, seed and code, same digest. */
  readonly digest: string;
  /** Level changes and trades that passed. */
  readonly changes: number;
  /** Why the run ended before the data did, in one sentence. */
  readonly cut: string | undefined;
  /** Why strategies were stopped by a fault, each with the event in which it happened. */
  readonly faults: readonly string[];
}

/**
 * Runs the strategies on a recording: the same trader as live, on a virtual clock and the simulated venue. Data that is
 * damaged on the way, or not in order, cuts the run short: what there is until then is kept, and `cut` says why.
 */
export async function runBacktest(setting: BacktestSetting): Promise<BacktestResult> {
  return await runThrough(
    async () => await openBacktest(setting),
    (result, strays) => ({ ...result, faults: [...result.faults, ...strays] }),
  );
}

/** The run up to its first event. */
export async function openBacktest(setting: BacktestSetting): Promise<OpenRun<BacktestResult>> {
  const open = await openDrive({ ...setting, details: setting.details !== undefined });
  return {
    drive: () => open.drive(),
    finish: async () => {
      const { summary, journal, loaded, faults, changes, cut } = await open.finish();
      setting.details?.(summary);
      const digest = journal.digest();
      const hasBalances = Object.keys(setting.config.backtest.balances).length > 0;
      return {
        report: runReport(summary, {
          identity: identityOf(setting, loaded, digest),
          noShares: hasBalances ? undefined : assumedOnly,
        }),
        digest,
        changes,
        cut,
        faults,
      };
    },
  };
}

function identityOf(
  setting: BacktestSetting,
  loaded: readonly LoadedStrategy[],
  digest: string,
): Record<string, string | number> {
  const { config, recording } = setting;
  const { sim } = config;
  return {
    mode: 'backtest',
    data: recording.paths.map((path) => path.split(/[\\/]/).at(-1)).join(' + '),
    'data format': recording.format,
    'data grade': recording.grade,
    seed: config.run.seed,
    configuration: sha256(JSON.stringify({ ...config, run: { seed: config.run.seed } })),
    strategy: strategiesText(loaded),
    'fill model': `queue ${sim.queueModel}, recorded market as shadow orders`,
    latency: `entry ${wayText(sim.entryLatency)}, report ${wayText(sim.reportLatency)}`,
    decisions: digest,
  };
}

function wayText({ kind, ...parts }: Config['sim']['entryLatency']): string {
  const shown = Object.entries(parts).map(([name, micros]) => {
    const text = `${micros / 1_000} ms`;
    return name === 'micros' ? text : `${name} ${text}`;
  });
  return `${kind} ${shown.join(' ')}`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
