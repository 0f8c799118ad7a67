import type { Micros } from '../base/clock.ts';
import type { Config } from '../config/schema.ts';
import type { Recording } from '../feed/recording-contract.ts';
import type { RunReport } from '../report/run-report.ts';
import { runReport } from '../report/run-report.ts';
import { driveBacktest } from './drive-backtest.ts';
import type { EquityLine } from './sweep-figures.ts';
import { equityLineOf } from './sweep-figures.ts';

export interface RecordingTrial {
  readonly config: Config;
  readonly recording: Recording;
  /** Events received from then on are left out. */
  readonly until: Micros | undefined;
  readonly currency: string | undefined;
}

export interface RecordingOutcome {
  readonly report: RunReport;
  readonly line: EquityLine;
  readonly digest: string;
  readonly problems: readonly string[];
}

/** The same run as `runBacktest`, event for event; it may end earlier, and it tells the course of equity. */
export async function runRecordingTrial(trial: RecordingTrial): Promise<RecordingOutcome> {
  const { summary, journal, start, faults, cut } = await driveBacktest(trial);
  return {
    report: runReport(summary, { identity: {} }),
    line: equityLineOf(summary, start, trial.currency),
    digest: journal.digest(),
    problems: [...(cut === undefined ? [] : [cut]), ...faults],
  };
}
