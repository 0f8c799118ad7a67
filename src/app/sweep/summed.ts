import { amountToNumber } from '../../core/base/amount.ts';
import type { Micros } from '../../core/base/clock.ts';
import type { EquityCurve, EquityLine } from '../../research/report/equity-curve.ts';
import type { RunReport } from '../../research/report/run.ts';
import type { Summary } from '../../research/report/summary.ts';
import { equityFigures, reportFigures } from './figures.ts';
import type { TrialParts, TrialTask } from './trial-contract.ts';

/** A trial on books and trades that has ended. */
export interface SummedTrial {
  readonly summary: Summary;
  readonly report: RunReport;
  /** When the clock started. */
  readonly start: Micros;
}

/** What it came to in the currency of the task; in the first that was traded when that names none. */
export function summedParts(
  { summary, report, start }: SummedTrial,
  task: TrialTask,
): Pick<TrialParts, 'figures' | 'currency' | 'line'> {
  const currency = task.currency ?? report.results[0]?.currency;
  const curve = summary.curves().get(currency ?? '');
  const worth = summary.startOf(currency ?? '');
  const basis = {
    drawdown: curve === undefined ? 0 : amountToNumber(curve.drawdownMax),
    days: summary.days.in(currency ?? ''),
    capital: Number.isNaN(worth) ? undefined : worth,
    length: task.length,
  };
  const line = lineOf(curve, start, summary.span?.end ?? start);
  return { currency, line, figures: { ...equityFigures(line, basis), ...reportFigures(report, currency) } };
}

/** Profit from the start of the run to its end; before the first fill there is none. */
function lineOf(curve: EquityCurve | undefined, start: Micros, end: Micros): EquityLine {
  const samples = curve?.samples() ?? [];
  const last = curve === undefined ? 0 : amountToNumber(curve.last);
  return {
    times: [start, ...samples.map(({ time }) => time), end],
    values: [0, ...samples.map(({ equity }) => amountToNumber(equity)), last],
  };
}
