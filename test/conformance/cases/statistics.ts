import {
  alphaBeta,
  annualReturn,
  annualVolatility,
  calmarRatio,
  maxDrawdown,
  omegaRatio,
  sharpeRatio,
  sortinoRatio,
} from '../../../src/research/statistics/returns.ts';
import type { Returns } from '../../../src/research/statistics/returns.ts';
import type { ConformanceCase } from '../case.ts';
import { close, same } from '../scenarios/compare.ts';
import { published } from '../scenarios/run-scenario.ts';

interface Published {
  readonly conventions: { readonly annualization: Readonly<Record<string, number>> };
  readonly series: Readonly<Record<string, Returns>>;
  readonly expected: Readonly<Record<string, Readonly<Record<string, number | readonly number[]>>>>;
}

const needs = ['conformance/performance_statistics.json'];

export const cases: readonly ConformanceCase[] = [
  ['cum_returns', cumulative],
  ['max_drawdown', drawdown],
  ['annual_return', yearly(annualReturn)],
  ['annual_volatility', yearly(annualVolatility)],
  ['calmar', yearly(calmarRatio)],
  ['sharpe', sharpe],
  ['sortino', sortino],
  ['omega(required annual return 0)', omega],
  ['alpha_beta', alphaAndBeta],
].map(([name, check]) => ({
  name: `empyrical: ${name as string}`,
  needs,
  run: () => each(name as string, check as Check),
}));

/** One published row: its label and value, against what we compute. */
type Check = (label: string, value: number | readonly number[], all: Published) => void;

async function each(name: string, check: Check): Promise<void> {
  const all = published('performance_statistics.json') as Published;
  const rows = Object.entries(all.expected[name] ?? {}).filter(([label]) => label !== 'decimals');
  if (rows.length === 0) throw new Error(`there is nothing published of ${name}`);
  for (const [label, value] of rows) check(label, value, all);
}

function cumulative(label: string, value: number | readonly number[], all: Published): void {
  const [name = '', start = '0'] = label.split(' start ');
  const decimals = Number(all.expected['cum_returns']?.['decimals']);
  const found = cumulativeReturns(seriesOf(all, name), Number(start));
  (value as readonly number[]).forEach((one, at) => {
    if (Math.abs((found[at] ?? Number.NaN) - one) > 0.5 * 10 ** -decimals)
      throw new Error(`${label}, ${at}: expected ${one}, found ${found[at]}`);
  });
  same(`${label}: length`, found.length, (value as readonly number[]).length);
}

function drawdown(label: string, value: number | readonly number[], all: Published): void {
  const series = label.startsWith('[')
    ? (JSON.parse(label.replaceAll(/\b0\.(\d)0\b/g, '0.$1')) as Returns)
    : seriesOf(all, label);
  close(label, maxDrawdown(series), value as number);
}

/** `mixed_returns daily`, and `weekly` and `monthly`, which mean the series made for them. */
function yearly(statistic: (returns: Returns, periods: number) => number): Check {
  return (label, value, all) => {
    const word = label.split(' ').at(-1) ?? '';
    const name = label.includes(' ') ? (label.split(' ')[0] ?? '') : 'weekly_or_monthly_returns';
    close(label, statistic(seriesOf(all, name), periodsOf(all, word)), value as number);
  };
}

function sharpe(label: string, value: number | readonly number[], all: Published): void {
  const [name = '', benchmark] = label.split(' minus ');
  const riskFree = benchmark === undefined ? 0 : seriesOf(all, benchmark);
  close(label, sharpeRatio(seriesOf(all, name), periodsOf(all, 'daily'), riskFree), value as number);
}

function sortino(label: string, value: number | readonly number[], all: Published): void {
  const period = Object.keys(all.conventions.annualization).find((word) => label.endsWith(word));
  const [named = '', required] = label.replace(/ (daily|weekly|monthly)$/, '').split(' required ');
  const series = all.series[named] === undefined ? 'weekly_or_monthly_returns' : named;
  const least = required === undefined ? 0 : seriesOf(all, required);
  close(
    label,
    sortinoRatio(seriesOf(all, series), periodsOf(all, period ?? 'daily'), least),
    value as number,
  );
}

function omega(label: string, value: number | readonly number[], all: Published): void {
  const [name = '', riskFree = '0'] = label.split(' risk_free ');
  close(
    label,
    omegaRatio(seriesOf(all, name), periodsOf(all, 'daily'), Number(riskFree), 0),
    value as number,
  );
}

function alphaAndBeta(label: string, value: number | readonly number[], all: Published): void {
  const [name = '', other = ''] = label.split(' vs ');
  // The benchmark lacks its first day: a day on which one side is missing is left out.
  const benchmark = seriesOf(all, other.replace('[1:]', '')).map((one, at) => (at === 0 ? null : one));
  const { alpha, beta } = alphaBeta(seriesOf(all, name), benchmark, periodsOf(all, 'daily'));
  const [wantedAlpha = Number.NaN, wantedBeta = Number.NaN] = value as readonly number[];
  close(`${label}: alpha`, alpha, wantedAlpha);
  close(`${label}: beta`, beta, wantedBeta);
}

function seriesOf(all: Published, name: string): Returns {
  const series = all.series[name];
  if (series === undefined) throw new Error(`there is no series ${name}`);
  return series;
}

function periodsOf(all: Published, word: string): number {
  return all.conventions.annualization[word] ?? Number.NaN;
}

/** Growth since the beginning after every period; a missing return changes nothing. */
function cumulativeReturns(returns: Returns, start = 0): readonly number[] {
  let growth = 1;
  return returns.map((one) => {
    growth *= 1 + (one ?? 0);
    return start === 0 ? growth - 1 : growth * start;
  });
}
