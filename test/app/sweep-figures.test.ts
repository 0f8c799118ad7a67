import { describe, expect, test } from 'vitest';
import { queueJob, queueResult } from '../../src/app/sweep/queue-job.ts';
import type { CourseBasis } from '../../src/app/sweep/figures.ts';
import { equityFigures } from '../../src/app/sweep/figures.ts';
import { DailyProfits, withoutNoise } from '../../src/research/report/fold/equity.ts';
import { countedCurrency } from '../../src/app/sweep/result.ts';
import type { Tried } from '../../src/app/sweep/search.ts';
import type { Micros } from '../../src/core/base/clock.ts';
import { defaultFigures } from '../../src/research/statistics/options.ts';
import { lengthOf } from '../../src/research/scenario/split.ts';

const day = 86_400e6;
const basis: CourseBasis = { drawdown: 0, days: [], ends: [], options: defaultFigures, capital: undefined };

describe('a Sharpe ratio', () => {
  // Every day brings 1, or 2.
  const made = Array.from({ length: 30 }, (_, i) => 1 + (i % 2));
  const days = made.map((_, i) => made.slice(0, i + 1).reduce((sum, one) => sum + one, 0));
  const line = { times: [0, 30 * day], values: [0, 45] };
  const ends = made.map((_, i) => (i + 1) * day);
  const ratioOf = (changes: readonly number[]): number => {
    const mean = changes.reduce((sum, one) => sum + one, 0) / changes.length;
    const variance = changes.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (changes.length - 1);
    return (mean / Math.sqrt(variance)) * Math.sqrt(365);
  };

  test('is one of daily returns, the first from the start on, where there are 30 days', () => {
    const { sharpe, sharpeStep } = equityFigures(line, { ...basis, days, ends, capital: 100 });
    const returns = made.map((one, i) => one / (100 + (days[i - 1] ?? 0)));
    expect(sharpe).toBeCloseTo(ratioOf(returns), 9);
    expect(sharpeStep).toBe(86_400);
  });

  test('of trading days counts 252 of them a year, or as many as the user says, and says so', () => {
    // 1970-01-01 was a Thursday: five days a week from there on.
    const trading = Array.from({ length: 60 }, (_, i) => i).filter((i) => (i + 4) % 7 > 0 && (i + 4) % 7 < 6);
    const closed = { ...basis, days, ends: trading.slice(0, 30).map((i) => (i + 1) * day), capital: 100 };
    const found = equityFigures(line, closed);
    const everyDay = equityFigures(line, { ...closed, ends });
    expect(found.daysPerYear).toBe(252);
    expect(everyDay.daysPerYear).toBe(365);
    expect(found.sharpe).toBeCloseTo((everyDay.sharpe ?? 0) * Math.sqrt(252 / 365), 9);
    expect(found.sharpeDaily).toBe(everyDay.sharpeDaily);
    const named = equityFigures(line, { ...closed, options: { ...defaultFigures, daysPerYear: 100 } });
    expect(named.sharpe).toBeCloseTo((found.sharpe ?? 0) * Math.sqrt(100 / 252), 9);
  });

  test('is one of changes of profit where the value of the account is unknown', () => {
    expect(equityFigures(line, { ...basis, days, ends }).sharpe).toBeCloseTo(ratioOf(made), 9);
  });

  test('is one of hours where a day is missing', () => {
    const short = { ...basis, days: days.slice(0, -1), capital: 100 };
    expect(equityFigures(line, short).sharpeStep).toBe(3_600);
  });
});

test('the profits of days begin with the run, whatever was traded first, and end at midnight', () => {
  const profits = new DailyProfits();
  profits.sample(day / 2, []);
  profits.sample(day + 1, []);
  profits.sample(2 * day - 1, [['USD', 3]]);
  profits.sample(2 * day, [['USD', 4]]);
  profits.sample(2 * day + 1, [
    ['USD', 5],
    ['EUR', 1],
  ]);
  profits.sample(5 * day, [
    ['USD', 6],
    ['EUR', 2],
  ]);
  expect(profits.in('USD')).toEqual([0, 4, 5, 6]);
  expect(profits.in('EUR')).toEqual([0, 0, 1, 2]);
  expect(profits.in('JPY')).toEqual([0, 0, 0, 0]);
});

test('a profit a day is of the length of the window where that is given', () => {
  const line = { times: [0, day], values: [0, 6] };
  expect(equityFigures(line, basis).profitPerDay).toBe(6);
  const length = lengthOf({ from: 7 as Micros, to: (3 * day + 8) as Micros });
  expect(equityFigures(line, { ...basis, length }).profitPerDay).toBe(2);
});

test('differences of doubles lose the digits that those do not have', () => {
  expect(withoutNoise(100_000)(100_335.982_944 - 100_000)).toBe(335.982_944);
  expect(withoutNoise(1)(0.1 + 0.2)).toBe(0.3);
  expect(withoutNoise(0.02)(0.010_000_01 - 0.01)).toBe(0.000_000_01);
});

test('runs and results of earlier versions, without length and currency, are read', () => {
  const job = { key: 'k', code: 'c', base: 'b', pack: null, label: '', prepared: 0, task: { point: {} } };
  const result = { figures: { profit: 1 }, digest: 'd', equity: { times: [], values: [] } };
  expect(queueJob.parse(job)).toEqual(job);
  expect(queueResult.parse(result)).toEqual(result);
});

test('a result has a currency where its trials agree on one, and a note where they do not', () => {
  const tried = (...all: readonly (string | undefined)[]): readonly Tried[] =>
    all.map((currency) => ({ outcome: { currency } }) as unknown as Tried);
  expect(countedCurrency(tried(undefined))).toEqual({ notes: [] });
  expect(countedCurrency(tried('USD', undefined, 'USD'))).toEqual({ currency: 'USD', notes: [] });
  expect(countedCurrency(tried('USD', 'BTC'))).toEqual({
    notes: ['trials count in different currencies, USD and BTC: name one with currency'],
  });
});
