import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { calendarOf } from '../../../src/research/statistics/calendar.ts';
import { figureOptions, defaultFigures } from '../../../src/research/statistics/options.ts';
import { alphaBeta, conditionalValueAtRisk } from '../../../src/research/statistics/returns.ts';
import { statisticsOf } from '../../../src/research/statistics/statistics.ts';

const day = 86_400e6;
/** Monday, 5 January 2015. */
const monday = 16_440;
const google = new URL('../../../../shared/data/bars/backtesting-py_GOOG.csv.gz', import.meta.url);

/** The ends of those of the 364 days from a Monday on whose place in the week (0: Monday) is wanted. */
function ends(isWanted: (weekday: number, at: number) => boolean): number[] {
  return Array.from({ length: 364 }, (_, at) => at)
    .filter((at) => isWanted(at % 7, at))
    .map((at) => (monday + at + 1) * day);
}

describe('the days of a year', () => {
  test.each([
    ['every day', () => true, 365],
    ['trading days', (weekday: number) => weekday < 5, 252],
    ['trading days without holidays', (weekday: number, at: number) => weekday < 5 && at % 30 !== 3, 252],
    ['Sunday evening to Friday', (weekday: number) => weekday !== 5, 313],
    ['weeks', (weekday: number) => weekday === 4, 52],
    ['months', (_: number, at: number) => at % 30 === 0, 12],
    ['one exceptional Saturday', (weekday: number, at: number) => weekday < 5 || at === 5, 252],
  ])('are those of the data: %s', (_, isWanted, expected) => {
    const found = calendarOf(ends(isWanted));
    expect(found.daysPerYear).toBe(expected);
    expect(found.doubt).toBeUndefined();
  });

  test('are every day while under a week of data is there', () => {
    expect(calendarOf([]).daysPerYear).toBe(365);
    expect(calendarOf([1, 2, 3].map((at) => (monday + at) * day)).daysPerYear).toBe(365);
  });

  test('are doubtful where more than a tenth of them is missing', () => {
    const found = calendarOf(ends((_, at) => at < 100 || at > 300));
    expect(found.daysPerYear).toBe(365);
    expect(found.doubt).toBe('163 of about 364 days have data, and a year counts as 365 of them');
  });
});

test.skipIf(!existsSync(google))(
  'holding GOOG is scaled by its 252 trading days, not by 365 (needs ../shared)',
  () => {
    const rows = gunzipSync(readFileSync(google)).toString().trim().split('\n').slice(1);
    const times = rows.map((row) => Date.parse(`${row.split(',')[0]?.slice(0, 10)}T00:00:00Z`) * 1_000 + day);
    const equity = rows.map((row) => Number(row.split(',')[4]));
    const found = statisticsOf({ times, equity, trips: [] });
    expect(found.daysPerYear).toBe(252);
    const growth = (equity.at(-1) ?? 0) / (equity[0] ?? 1);
    expect(found.annualReturn.value).toBeCloseTo(growth ** (252 / (equity.length - 1)) - 1, 9);
    // A calendar year has a few more trading days than 252, or fewer.
    expect(found.annualReturn.value).toBeCloseTo(found.cagr.value ?? 0, 2);
    expect(found.sharpe.value).toBeCloseTo(0.8815, 4);
    const named = statisticsOf({ times, equity, trips: [] }, { ...defaultFigures, daysPerYear: 365 });
    expect((named.sharpe.value ?? 0) / (found.sharpe.value ?? 1)).toBeCloseTo(Math.sqrt(365 / 252), 9);
  },
);

test('CVaR 95 is the mean up to the quantile, with it: as empyrical cuts at the whole part of 0.05 (n - 1)', () => {
  const losses = (count: number): number[] => Array.from({ length: count }, (_, i) => -(count - i) / 100);
  expect(conditionalValueAtRisk(losses(20))).toBeCloseTo(-0.2, 12);
  expect(conditionalValueAtRisk(losses(30))).toBeCloseTo((-0.3 - 0.29) / 2, 12);
  expect(conditionalValueAtRisk(losses(100))).toBeCloseTo((-1 - 0.99 - 0.98 - 0.97 - 0.96) / 5, 12);
  expect(conditionalValueAtRisk(losses(101))).toBeCloseTo((-1.01 - 1 - 0.99 - 0.98 - 0.97 - 0.96) / 6, 12);
});

test('a risk-free rate is taken off, day by day', () => {
  const equity = Array.from({ length: 60 }, (_, i) => 100 * 1.001 ** i + Math.sin(i));
  const series = { times: equity.map((_, i) => (monday + i) * day), equity, trips: [], benchmark: equity };
  const plain = statisticsOf(series);
  const free = statisticsOf(series, figureOptions.parse({ riskFree: '0.04' }));
  const daily = 1.04 ** (1 / 365) - 1;
  const deviation = (plain.volatility.value ?? 0) / Math.sqrt(365);
  const less = (daily / deviation) * Math.sqrt(365);
  expect(free.sharpe.value).toBeCloseTo((plain.sharpe.value ?? 0) - less, 9);
  expect(free.dailySharpe.value).toBeCloseTo((plain.dailySharpe.value ?? 0) - daily / deviation, 9);
  expect(free.annualReturn).toEqual(plain.annualReturn);
  expect(free.sortino.value).toBeLessThan(plain.sortino.value ?? 0);
  expect(free.beta.value).toBeCloseTo(1, 9);
  expect(alphaBeta([0.01, 0.03], [0, 0.01], 1, 0.001).alpha).toBeCloseTo(0.009 - 2 * -0.001, 12);
});
