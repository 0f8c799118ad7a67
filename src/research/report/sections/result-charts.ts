import type { ReportChart } from '../document/index.ts';
import type { CurrencyMeasures } from '../figures/index.ts';
import { calendarOfRun, dailyReturns } from '../figures/index.ts';
import type { MoneyPart } from './money.ts';
import { histogramOf } from '../fold/index.ts';
import { sharpeRatio, perDay } from '../../statistics/index.ts';

/** Fewer trades make no distribution. */
const tradesNeeded = 10;
const binsMax = 24;
/** Microseconds. */
const units = [
  [86_400e6, 'days'],
  [3_600e6, 'h'],
  [60e6, 'min'],
] as const;

/** How the results of closed trades, and their holding times, are spread. */
export function tradeCharts({ measures, group }: MoneyPart): readonly ReportChart[] {
  const { trips, currency } = measures;
  if (trips.length < tradesNeeded) return [];
  const of = group === undefined ? '' : `, ${group}`;
  const results = resultBins(trips.map(({ net }) => net));
  const holding = histogramOf(trips.map(({ from, to }) => to - from).toSorted((a, b) => a - b));
  const longest = holding.at(-1)?.to ?? 0;
  const [size, unit] = units.find(([one]) => longest >= 2 * one) ?? [1e6, 's'];
  const common = { axis: 'number', yLabel: 'trades' } as const;
  return [
    {
      ...common,
      id: `results-${currency}`,
      title: `Distribution of trade results${of}`,
      definition: `Net profit of ${trips.length} closed trades, losses and gains apart.`,
      xLabel: currency,
      x: results.map(({ middle }) => middle),
      series: [
        { label: 'losses', tone: 'loss', form: 'bars', values: results.map((one) => one.losses) },
        { label: 'gains', tone: 'buy', form: 'bars', values: results.map((one) => one.gains) },
      ],
    },
    {
      ...common,
      id: `holding-${currency}`,
      title: `Holding times${of}`,
      definition: `From the first fill of a trade to its last, of ${trips.length} closed trades. The last bar also holds what took longer.`,
      xLabel: unit,
      x: holding.map(({ from, to }) => (from + to) / 2 / size),
      series: [{ label: 'trades', tone: 'main', form: 'bars', values: holding.map(({ count }) => count) }],
    },
  ];
}

/** Bars of one width with an edge at 0; a result of exactly 0 is a loss of nothing. */
export function resultBins(
  results: readonly number[],
): readonly { readonly middle: number; readonly losses: number; readonly gains: number }[] {
  const [low, high] = [Math.min(0, ...results), Math.max(0, ...results)];
  const width = (high - low) / binsMax || 1;
  const first = Math.floor(low / width);
  const bins = Array.from({ length: Math.max(1, Math.ceil(high / width) - first) }, (_, i) => ({
    middle: (first + i + 0.5) * width,
    losses: 0,
    gains: 0,
  }));
  for (const result of results) {
    // The edge of a bar belongs to the one that is nearer to 0.
    const at =
      result > 0 ? Math.ceil(result / width) - 1 - first : Math.min(-1, Math.floor(result / width)) - first;
    const bin = bins[Math.max(0, Math.min(bins.length - 1, at))];
    if (bin === undefined) continue;
    if (result > 0) bin.gains += 1;
    else bin.losses += 1;
  }
  return bins;
}

/** Daily returns of a window: a quarter of a year where the run has two of them, else `daysMin`. */
const windowDays = 63;

interface DailyPart extends Pick<MoneyPart, 'noShares' | 'group'> {
  readonly measures: Pick<CurrencyMeasures, 'days' | 'start' | 'options' | 'currency'>;
}

/** The Sharpe ratio of the latest days, day by day. */
export function rollingSharpeChart({ measures, noShares, group }: DailyPart): readonly ReportChart[] {
  const { days, options, currency } = measures;
  const returns = dailyReturns(measures);
  const window = returns.length >= 2 * windowDays ? windowDays : options.daysMin;
  if (noShares !== undefined || returns.length < window + 10) return [];
  const { daysPerYear } = calendarOfRun(measures);
  const riskFree = perDay(options.riskFree, daysPerYear);
  const ends = days.times.slice(-(returns.length - window + 1));
  const values = ends.map((_, i) => {
    const ratio = sharpeRatio(returns.slice(i, i + window), daysPerYear, riskFree);
    return Number.isFinite(ratio) ? Number(ratio.toPrecision(6)) : null;
  });
  return [
    {
      id: `sharpe-${currency}`,
      title: `Rolling Sharpe, ${window} days${group === undefined ? '' : `, ${group}`}`,
      definition: `Sharpe ratio of the latest ${window} daily returns at the end of each day, ${daysPerYear} of them a year.`,
      axis: 'time',
      xLabel: 'time (UTC)',
      yLabel: '',
      x: ends.map((end) => end / 1_000_000),
      series: [{ label: 'Sharpe', tone: 'main', form: 'line', values }],
    },
  ];
}
