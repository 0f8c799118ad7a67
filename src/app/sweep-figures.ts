import { amountToNumber } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import type { RunReport } from '../report/run-report.ts';
import type { Summary } from '../report/summary.ts';

/** Equity in one currency over time: profit since the start, times in microseconds. */
export interface EquityLine {
  readonly times: readonly number[];
  readonly values: readonly number[];
}

/** What a trial is ranked, tabled and mapped by. */
export type TrialFigures = Readonly<Record<string, number>>;

/** Every figure a formula may name, with its meaning. */
export const figureMeanings = {
  profit: 'marked to market, fees taken off',
  fees: 'paid, less rebates',
  turnover: 'price times quantity of own fills',
  drawdown: 'largest fall of profit from its peak',
  sharpe: 'mean over deviation of changes of profit, a year of 365 days',
  sharpeStep: 'seconds of one change: a day, an hour, a minute or a second, whatever gives 30 of them',
  calmar: 'profit a year over drawdown',
  profitPerDay: 'profit over the time of the run',
  fills: 'own fills',
  makerShare: 'own fills that made the market, of all',
  placed: 'orders accepted by our controls',
  denied: 'orders denied by our controls',
  rejected: 'orders refused by the venue',
  cancels: 'cancels sent',
  fillRatio: 'orders that ended with a fill, of those that ended',
  seconds: 'length of the run',
  return: 'of runs on bars: profit over starting equity',
} as const;

export const figureNames: readonly string[] = Object.keys(figureMeanings);

const microsPerYear = 365 * 86_400e6;
/** A Sharpe ratio of fewer changes says nothing. */
const changesMin = 30;
export const secondsPerDay = 86_400;
const steps = [secondsPerDay, 3_600, 60, 1];

/** The figures of a report in one currency: the first that was traded when none is named. */
export function reportFigures(
  report: RunReport,
  currency: string | undefined,
): Record<string, number | undefined> {
  const result = report.results.find((one) => currency === undefined || one.currency === currency);
  const { orders } = report;
  const ended = orders.canceled + orders.expired + orders.filled + orders.replaced;
  const fills = report.instruments.reduce((sum, one) => sum + one.fills, 0);
  const makers = report.instruments.reduce((sum, one) => sum + one.fills * partOf(one.makerShare.value), 0);
  return {
    profit: Number(result?.profit ?? 0),
    fees: Number(result?.fees ?? 0),
    turnover: Number(result?.turnover ?? 0),
    drawdown: Number(result?.drawdownMax ?? 0),
    fills,
    makerShare: fills === 0 ? undefined : makers / fills,
    placed: orders.placed,
    denied: orders.denied,
    rejected: orders.rejected,
    cancels: orders.cancels,
    fillRatio: ended === 0 ? undefined : orders.endedWithFill / ended,
    seconds: report.span?.seconds ?? 0,
  };
}

/** Profit from the start of the run to its end; before the first fill there is none. */
export function equityLineOf(summary: Summary, start: Micros, currency: string | undefined): EquityLine {
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

/** What the course of equity says: `values` begin with the run and end with it. */
export function equityFigures({ times, values }: EquityLine): Record<string, number | undefined> {
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const span = last - first;
  const profit = (values.at(-1) ?? 0) - (values[0] ?? 0);
  if (span <= 0) return {};
  const drawdown = fallOf(values);
  const step = steps.find((one) => span / 1e6 / one >= changesMin);
  return {
    drawdown,
    sharpeStep: step,
    sharpe: step === undefined ? undefined : sharpeOf(changesOf({ times, values }, step * 1e6), step * 1e6),
    calmar: drawdown === 0 ? undefined : (profit * (microsPerYear / span)) / drawdown,
    profitPerDay: profit / (span / 86_400e6),
  };
}

/** Only what has a value, in the order given. */
export function told(figures: Readonly<Record<string, number | undefined>>): TrialFigures {
  const kept = Object.entries(figures).filter(([, value]) => value !== undefined && Number.isFinite(value));
  return Object.fromEntries(kept) as TrialFigures;
}

/** At most `countMax` samples of a line, its ends among them. */
export function thinned({ times, values }: EquityLine, countMax: number): EquityLine {
  if (times.length <= countMax) return { times, values };
  const places = Array.from({ length: countMax }, (_, i) =>
    Math.round((i * (times.length - 1)) / (countMax - 1)),
  );
  return { times: places.map((at) => times[at] ?? 0), values: places.map((at) => values[at] ?? 0) };
}

/** `12.50 %` as 0.125. */
function partOf(share: string | undefined): number {
  return share === undefined ? 0 : Number.parseFloat(share) / 100;
}

function fallOf(values: readonly number[]): number {
  let peak = values[0] ?? 0;
  let fall = 0;
  for (const value of values) {
    peak = Math.max(peak, value);
    fall = Math.max(fall, peak - value);
  }
  return fall;
}

/** What equity changed by in each whole step from the start. */
function changesOf({ times, values }: EquityLine, step: number): readonly number[] {
  const changes: number[] = [];
  let before = values[0] ?? 0;
  let latest = before;
  let end = (times[0] ?? 0) + step;
  for (let i = 1; i < times.length; i++) {
    for (; (times[i] ?? 0) > end; end += step) {
      changes.push(latest - before);
      before = latest;
    }
    latest = values[i] ?? 0;
  }
  if ((times.at(-1) ?? 0) >= end) changes.push(latest - before);
  return changes;
}

function sharpeOf(changes: readonly number[], step: number): number | undefined {
  if (changes.length < 2) return undefined;
  const mean = changes.reduce((sum, one) => sum + one, 0) / changes.length;
  const squares = changes.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  const deviation = Math.sqrt(squares / (changes.length - 1));
  return deviation === 0 ? undefined : (mean / deviation) * Math.sqrt(microsPerYear / step);
}
