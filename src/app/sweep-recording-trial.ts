import { amountToNumber } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import type { Config } from '../config/schema.ts';
import type { Recording } from '../feed/recording-contract.ts';
import type { RunReport } from '../report/run-report.ts';
import { runReport } from '../report/run-report.ts';
import type { Summary } from '../report/summary.ts';
import { driveBacktest } from './drive-backtest.ts';
import type { EquityLine } from './sweep-figures.ts';

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
    line: lineOf(summary, start, trial.currency),
    digest: journal.digest(),
    problems: [...(cut === undefined ? [] : [cut]), ...faults],
  };
}

/** Profit from the start of the run to its end; before the first fill there is none. */
function lineOf(summary: Summary, start: Micros, currency: string | undefined): EquityLine {
  const curves = summary.curves();
  const curve = currency === undefined ? [...curves.values()][0] : curves.get(currency);
  const samples = curve?.samples() ?? [];
  const end = summary.span?.end ?? start;
  return {
    times: [start, ...samples.map(({ time }) => time), end],
    values: [
      0,
      ...samples.map(({ equity }) => amountToNumber(equity)),
      amountToNumber(curve?.last ?? (0n as never)),
    ],
  };
}
