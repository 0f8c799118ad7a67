import { max, mean, min } from 'simple-statistics';
import { calendarOf } from './calendar.ts';
import { deepest, drawdownsOf } from './drawdown.ts';
import { dailyValues, dayEnds, simpleReturns } from './equity.ts';
import type { Figure } from './figure.ts';
import { figure } from './figure.ts';
import { alphaBetaOfGrowth, geometricFigures } from './geometric.ts';
import type { FigureOptions } from './options.ts';
import { defaultFigures } from './options.ts';
import type { Returns } from './returns.ts';
import {
  alphaBeta,
  annualReturn,
  annualVolatility,
  calmarRatio,
  conditionalValueAtRisk,
  omegaRatio,
  sharpeRatio,
  sortinoRatio,
} from './returns.ts';
import type { RoundTrip } from './round-trips.ts';
import { deflatedSharpe, probabilisticSharpe, sharpeEvidence, sharpeInterval } from './sharpe.ts';
import type { TradeStatistics } from './trades.ts';
import { tradeStatistics } from './trades.ts';

/** Series that statistics are made of. Times in microseconds, ascending; columns of one length. */
export interface RunSeries {
  readonly times: ArrayLike<number>;
  /** In one currency, open positions at their market value. */
  readonly equity: ArrayLike<number>;
  /** Equity before the first of them: what became of it by the end of the first day is a return too, where it is measured. */
  readonly opening?: number | undefined;
  readonly trips: readonly RoundTrip[];
  /** The price of what is compared with, at the same times: what holding it had brought. */
  readonly benchmark?: ArrayLike<number> | undefined;
  /** From which sample on holding is measured: the first at which the strategy could act; 0 when left out. */
  readonly holdFrom?: number | undefined;
  /** 1 where a position was held, 0 elsewhere. */
  readonly exposed?: ArrayLike<number> | undefined;
}

/** Number of tried strategies of which a run is the best, how many have a daily Sharpe ratio, and how those varied. */
export interface TrialSpread {
  readonly count: number;
  readonly rated: number;
  readonly variance: number;
}

/** How daily returns become figures. */
export interface DailySetting {
  readonly options: FigureOptions;
  readonly daysPerYear: number;
  readonly trials?: TrialSpread | undefined;
  /** The deepest fall of equity: the geometric Calmar ratio is of it. */
  readonly fall?: (() => number) | undefined;
}

/** Everything a run's series says. Ratios and shares are fractions, not per cent; spans in microseconds. */
export interface Statistics {
  readonly days: number;
  /** Returns that a year counts. */
  readonly daysPerYear: number;
  readonly start: Figure;
  readonly end: Figure;
  readonly peak: Figure;
  readonly totalReturn: Figure;
  readonly holdReturn: Figure;
  readonly exposure: Figure;
  /** Compounded over a year of daily returns. */
  readonly annualReturn: Figure;
  /** Compounded over a calendar year. */
  readonly cagr: Figure;
  readonly volatility: Figure;
  readonly sharpe: Figure;
  readonly sortino: Figure;
  readonly calmar: Figure;
  readonly omega: Figure;
  readonly conditionalValueAtRisk: Figure;
  readonly worstDay: Figure;
  /** Against the benchmark: yearly alpha and beta of daily returns; `geometric`: of the whole run. */
  readonly alpha: Figure;
  readonly beta: Figure;
  readonly drawdownMax: Figure;
  readonly drawdownAverage: Figure;
  readonly drawdownSpanMax: Figure;
  readonly drawdownSpanAverage: Figure;
  readonly dailySharpe: Figure;
  readonly probabilisticSharpe: Figure;
  readonly deflatedSharpe: Figure;
  /** Annualised bounds between which the Sharpe ratio lies with 95 %. */
  readonly sharpeLow: Figure;
  readonly sharpeHigh: Figure;
  readonly trades: TradeStatistics;
}

const yearMicros = 365.25 * 86_400_000_000;

/** Every statistic of a run; what has too little behind it says why instead. */
export function statisticsOf(
  series: RunSeries,
  options: FigureOptions = defaultFigures,
  trials?: TrialSpread,
): Statistics {
  const { times, equity, opening } = series;
  const days = dailyValues(times, equity);
  const returns = simpleReturns(opening === undefined ? days : [opening, ...days]);
  const daysPerYear = daysPerYearOf(options, () => dayEnds(times));
  return {
    ...growthOf(series),
    ...dailyStatistics(returns, { options, daysPerYear, trials, fall: () => deepest(equity) }),
    ...againstHold(series, simpleReturns(days), { options, daysPerYear }),
    ...fallsOf(series),
    trades: tradeStatistics(series.trips, options.tradesMin),
  };
}

/** Days of a year: what the user named, else by the calendar of the data, whose days end at `ends`. */
export function daysPerYearOf(
  { daysPerYear }: Pick<FigureOptions, 'daysPerYear'>,
  ends: () => ArrayLike<number>,
): number {
  return daysPerYear === 'calendar' ? calendarOf(ends()).daysPerYear : daysPerYear;
}

/** Statistics of daily returns. */
export function dailyStatistics(returns: readonly number[], setting: DailySetting) {
  return { ...ratiosOf(returns, setting), ...certaintyOf(returns, setting) };
}

/** A yearly rate as one of a day. */
export function perDay(yearly: number, daysPerYear: number): number {
  return yearly === 0 ? 0 : (1 + yearly) ** (1 / daysPerYear) - 1;
}

function growthOf({ times, equity, opening, benchmark, exposed, holdFrom }: RunSeries) {
  const gate = { have: equity.length, needed: 1, what: 'equity samples' };
  const first = opening ?? equity[0] ?? Number.NaN;
  const last = equity[equity.length - 1] ?? Number.NaN;
  const span = (times[times.length - 1] ?? 0) - (times[0] ?? 0);
  return {
    start: figure(gate, () => first),
    end: figure(gate, () => last),
    peak: figure(gate, () => highest(equity)),
    totalReturn: figure(gate, () => last / first - 1),
    holdReturn:
      benchmark === undefined
        ? ({ value: undefined, reason: 'nothing to compare with' } as const)
        : figure(gate, () => growth(benchmark, holdFrom)),
    exposure:
      exposed === undefined
        ? ({ value: undefined, reason: 'it was not recorded' } as const)
        : figure(gate, () => shareOfOnes(exposed)),
    cagr: figure(
      { have: Math.floor(span / 86_400_000_000), needed: 30, what: 'days' },
      () => (last / first) ** (yearMicros / span) - 1,
    ),
  };
}

function ratiosOf(returns: readonly number[], setting: DailySetting) {
  const { daysPerYear, fall = () => Number.NaN } = setting;
  const { annualising, daysMin, riskFree } = setting.options;
  const gate = { have: returns.length, needed: Math.max(2, daysMin), what: 'daily returns' };
  const measured = (compute: () => number, otherwise?: string): Figure => figure(gate, compute, otherwise);
  const noFall = 'equity never fell';
  const free = perDay(riskFree, daysPerYear);
  const rest = {
    days: returns.length,
    daysPerYear,
    omega: measured(() => omegaRatio(returns, daysPerYear, free), noFall),
    conditionalValueAtRisk: measured(() => conditionalValueAtRisk(returns)),
    worstDay: measured(() => min(returns as number[])),
  };
  if (annualising === 'geometric') {
    const figures = (): ReturnType<typeof geometricFigures> =>
      geometricFigures(returns, daysPerYear, riskFree);
    return {
      ...rest,
      annualReturn: measured(() => figures().annualReturn),
      volatility: measured(() => figures().annualVolatility),
      sharpe: measured(() => figures().sharpe),
      sortino: measured(() => figures().sortino, noFall),
      calmar: measured(() => figures().annualReturn / fall(), noFall),
    };
  }
  return {
    ...rest,
    annualReturn: measured(() => annualReturn(returns, daysPerYear)),
    volatility: measured(() => annualVolatility(returns, daysPerYear)),
    sharpe: measured(() => sharpeRatio(returns, daysPerYear, free)),
    sortino: measured(() => sortinoRatio(returns, daysPerYear, free), noFall),
    calmar: measured(() => calmarRatio(returns, daysPerYear), noFall),
  };
}

function againstHold(
  series: RunSeries,
  returns: readonly number[],
  { options, daysPerYear }: Pick<DailySetting, 'options' | 'daysPerYear'>,
) {
  const { times, equity, benchmark, holdFrom } = series;
  if (benchmark === undefined) {
    const none = { value: undefined, reason: 'nothing to compare with' } as const;
    return { alpha: none, beta: none };
  }
  if (options.annualising !== 'geometric')
    return dailyAgainst(returns, simpleReturns(dailyValues(times, benchmark)), { options, daysPerYear });
  const gate = { have: returns.length, needed: Math.max(2, options.daysMin), what: 'daily returns' };
  const both = (): ReturnType<typeof alphaBetaOfGrowth> =>
    alphaBetaOfGrowth(equity, benchmark, { own: growth(equity), hold: growth(benchmark, holdFrom) });
  return { alpha: figure(gate, () => both().alpha), beta: figure(gate, () => both().beta) };
}

/** Yearly alpha and beta of daily returns against those of a benchmark on the same days; `null` where one has none. */
export function dailyAgainst(
  returns: readonly number[],
  benchmark: Returns,
  { options, daysPerYear }: Pick<DailySetting, 'options' | 'daysPerYear'>,
): { readonly alpha: Figure; readonly beta: Figure } {
  const gate = { have: returns.length, needed: Math.max(2, options.daysMin), what: 'daily returns' };
  const free = perDay(options.riskFree, daysPerYear);
  const both = (): ReturnType<typeof alphaBeta> => alphaBeta(returns, benchmark, daysPerYear, free);
  return { alpha: figure(gate, () => both().alpha), beta: figure(gate, () => both().beta) };
}

function fallsOf({ times, equity }: RunSeries) {
  const falls = drawdownsOf(times, equity);
  const gate = { have: falls.length, needed: 1, what: 'drawdowns' };
  const depths = falls.map(({ depth }) => depth);
  const spans = falls.map(({ span }) => span);
  return {
    drawdownMax: figure({ have: equity.length, needed: 1, what: 'equity samples' }, () => deepest(equity)),
    drawdownAverage: figure(gate, () => mean(depths)),
    drawdownSpanMax: figure(gate, () => max(spans)),
    drawdownSpanAverage: figure(gate, () => mean(spans)),
  };
}

function certaintyOf(returns: readonly number[], { options, daysPerYear, trials }: DailySetting) {
  const { daysMin, riskFree } = options;
  const gate = { have: returns.length, needed: Math.max(3, daysMin), what: 'daily returns' };
  const year = Math.sqrt(daysPerYear);
  const free = perDay(riskFree, daysPerYear);
  const evidence = (): ReturnType<typeof sharpeEvidence> =>
    sharpeEvidence(free === 0 ? returns : returns.map((one) => one - free));
  return {
    /** Not annualised: what ratios of different calendars are compared by. */
    dailySharpe: figure(gate, () => evidence().ratio),
    probabilisticSharpe: figure(gate, () => probabilisticSharpe(evidence())),
    deflatedSharpe:
      trials === undefined
        ? ({ value: undefined, reason: 'the number of trials is unknown' } as const)
        : figure(gate.have < gate.needed ? gate : spreadGate(trials), () =>
            deflatedSharpe(evidence(), { trials: trials.count, variance: trials.variance }),
          ),
    sharpeLow: figure(gate, () => sharpeInterval(evidence())[0] * year),
    sharpeHigh: figure(gate, () => sharpeInterval(evidence())[1] * year),
  };
}

/** How the ratios of several trials vary is known from two ratios on; a run that is the only trial is not deflated. */
function spreadGate({ count, rated }: TrialSpread): Gate {
  return { have: rated, needed: count > 1 ? 2 : 0, what: 'trials with 30 daily returns' };
}

type Gate = Parameters<typeof figure>[0];

function highest(values: ArrayLike<number>): number {
  let high = values[0] as number;
  for (let i = 1; i < values.length; i++) if ((values[i] as number) > high) high = values[i] as number;
  return high;
}

/** Share of ones in a column of ones and zeros. */
function shareOfOnes(column: ArrayLike<number>): number {
  let ones = 0;
  for (let i = 0; i < column.length; i++) ones += column[i] as number;
  return ones / column.length;
}

function growth(values: ArrayLike<number>, from = 0): number {
  return (values[values.length - 1] ?? Number.NaN) / (values[from] ?? Number.NaN) - 1;
}
