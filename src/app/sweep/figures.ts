import type { EquityLine } from '../../research/report/fold/index.ts';
import { extremeRows } from '../../research/report/fold/index.ts';
import type { RunReport } from '../../research/report/sections/run.ts';
import {
  simpleReturns,
  dailyStatistics,
  daysPerYearOf,
  sharpeRatio,
} from '../../research/statistics/index.ts';
import type { FigureOptions } from '../../research/statistics/index.ts';

/** Figures that a trial is ranked, tabled and mapped by. */
export type TrialFigures = Readonly<Record<string, number>>;

/** Every figure a formula may name, with its meaning. */
export const figureMeanings = {
  profit: 'marked to market, fees taken off',
  fees: 'paid, less rebates',
  turnover: 'price times quantity of own fills',
  drawdown: 'largest fall of profit from its peak',
  sharpe: 'of daily returns as in the report, or of changes of profit in shorter steps, a year of 365 days',
  sharpeDaily: 'of daily returns, not scaled to a year',
  daysPerYear: 'daily returns that a year counts, by the calendar of the data or report.daysPerYear',
  sharpeStep:
    'seconds of one step: a day (UTC), an hour, a minute or a second, the longest that gives 30 of them',
  calmar: 'profit a year over drawdown',
  profitPerDay: 'profit over the length of the window, or of the data',
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

/** A Sharpe ratio of fewer steps says nothing. */
const stepsMin = 30;
export const secondsPerDay = 86_400;
const microsPerDay = 86_400e6;
const shortSteps = [3_600, 60, 1];
/** Days of a year by the clock: shorter steps and profit a day count nights and weekends, too. */
const clockDays = 365;

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

/** Basis of the figures besides the equity curve. */
export interface CourseBasis {
  /** The largest fall of profit from its peak. */
  readonly drawdown: number;
  /** Profit at the end of every UTC day. */
  readonly days: readonly number[];
  /** When each of them ends, in microseconds. */
  readonly ends: readonly number[];
  /** How figures are made. */
  readonly options: FigureOptions;
  /** Worth of the account at the start; `undefined` when it is not known. */
  readonly capital: number | undefined;
  /** Length that a profit a day is of, in microseconds; the length of the equity curve when left out. */
  readonly length?: number | undefined;
}

/** Figures of an equity curve. */
export function equityFigures(line: EquityLine, basis: CourseBasis): Record<string, number | undefined> {
  const { times, values } = line;
  const { days, length, drawdown, options } = basis;
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
  if (span <= 0) return {};
  const perDay = (values.at(-1) ?? 0) / ((length ?? span) / microsPerDay);
  const step = days.length >= options.daysMin ? secondsPerDay : shortStepIn(span);
  return {
    drawdown,
    sharpeStep: step,
    ...(step === secondsPerDay ? dailyFigures(basis) : { sharpe: step && shortSharpe(line, step) }),
    calmar: drawdown === 0 ? undefined : (perDay * clockDays) / drawdown,
    profitPerDay: perDay,
  };
}

/** As the report has them; of changes of profit where the capital is not known. */
function dailyFigures({ days, ends, capital, options }: CourseBasis): Record<string, number | undefined> {
  const daysPerYear = daysPerYearOf(options, () => ends);
  const { sharpe, dailySharpe } = dailyStatistics(dailyChanges(days, capital), {
    options: capital === undefined ? { ...options, riskFree: 0, annualising: 'arithmetic' } : options,
    daysPerYear,
  });
  return { sharpe: sharpe.value, sharpeDaily: dailySharpe.value, daysPerYear };
}

function shortSharpe(line: EquityLine, step: number): number | undefined {
  const ratio = sharpeRatio(changesOf(line, step * 1e6), clockDays * (secondsPerDay / step));
  return Number.isFinite(ratio) ? ratio : undefined;
}

/** Returns of the days, the first from the start on; changes of profit where the capital is not known. */
function dailyChanges(days: readonly number[], capital: number | undefined): readonly number[] {
  if (capital === undefined) return days.map((profit, i) => profit - (days[i - 1] ?? 0));
  return simpleReturns([capital, ...days.map((profit) => capital + profit)]);
}

function shortStepIn(span: number): number | undefined {
  return shortSteps.find((step) => span / (step * 1e6) >= stepsMin);
}

/** Only what has a value, in the order given. */
export function withValues(figures: Readonly<Record<string, number | undefined>>): TrialFigures {
  const kept = Object.entries(figures).filter(([, value]) => value !== undefined && Number.isFinite(value));
  return Object.fromEntries(kept) as TrialFigures;
}

/** `countMax` samples of a line, its ends among them, and those at which it is lowest and highest. */
export function thinned({ times, values }: EquityLine, countMax: number): EquityLine {
  if (times.length <= countMax) return { times, values };
  const even = Array.from({ length: countMax }, (_, i) =>
    Math.round((i * (times.length - 1)) / (countMax - 1)),
  );
  const extremes = extremeRows(values, 0, values.length);
  const places = [...new Set([...even, ...extremes])].toSorted((a, b) => a - b);
  return { times: places.map((at) => times[at] ?? 0), values: places.map((at) => values[at] ?? 0) };
}

/** `12.50 %` as 0.125. */
function partOf(share: string | undefined): number {
  return share === undefined ? 0 : Number.parseFloat(share) / 100;
}

/** Changes of equity in each whole step from the start. */
function changesOf({ times, values }: EquityLine, step: number): readonly number[] {
  const changes: number[] = [];
  let before = 0;
  let latest = values[0] ?? 0;
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
