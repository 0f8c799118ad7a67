import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultFigures } from '../../../src/research/statistics/options.ts';
import { statisticsOf } from '../../../src/research/statistics/statistics.ts';
import { drawdownsOf } from '../../../src/research/statistics/drawdown.ts';
import { dailyValues, EquitySeries } from '../../../src/research/statistics/equity.ts';
import {
  conditionalValueAtRisk,
  maxDrawdown,
  omegaRatio,
  sharpeRatio,
} from '../../../src/research/statistics/returns.ts';

const day = 86_400_000_000;

function seriesOf(values: readonly number[]) {
  return { times: values.map((_, i) => (i + 1) * day), equity: values, trips: [] };
}

describe('statistics of a run', () => {
  test('are reported with a reason instead of a number below their gates', () => {
    const { sharpe, trades, drawdownMax, deflatedSharpe, beta, cagr } = statisticsOf(seriesOf([100, 90, 95]));
    expect(sharpe).toEqual({ value: undefined, reason: 'needs 30 daily returns, has 2' });
    expect(cagr).toEqual({ value: undefined, reason: 'needs 30 days, has 2' });
    expect(trades.winRate).toEqual({ value: undefined, reason: 'needs 30 closed trades, has 0' });
    expect(deflatedSharpe).toEqual({ value: undefined, reason: 'the number of trials is unknown' });
    expect(beta).toEqual({ value: undefined, reason: 'nothing to compare with' });
    expect(drawdownMax.value).toBeCloseTo(0.1, 12);
  });

  test('count what became of the opening equity on the first day, where it is known', () => {
    // Half of 1000 is lost on the first day, and a tenth of a per cent gained on each of 40 more.
    const values = Array.from({ length: 41 }, (_, i) => 500 * 1.001 ** i);
    const { worstDay, annualReturn, totalReturn, days } = statisticsOf({
      ...seriesOf(values),
      opening: 1_000,
    });
    const end = 0.5 * 1.001 ** 40;
    expect(days).toBe(41);
    expect(worstDay.value).toBeCloseTo(-0.5, 12);
    expect(totalReturn.value).toBeCloseTo(end - 1, 12);
    expect(annualReturn.value).toBeCloseTo(end ** (365 / 41) - 1, 12);
    expect(statisticsOf(seriesOf(values)).worstDay.value).toBeCloseTo(0.001, 12);
  });

  test('say that nothing varied instead of dividing by zero', () => {
    const flat = statisticsOf(seriesOf(Array.from({ length: 40 }, () => 100)));
    expect(flat.sharpe).toEqual({ value: undefined, reason: 'nothing varied' });
    expect(flat.omega).toEqual({ value: undefined, reason: 'equity never fell' });
    expect(flat.totalReturn).toEqual({ value: 0 });
  });

  test('fit together: Calmar is yearly return over drawdown, the interval holds the ratio', () => {
    const values = Array.from({ length: 120 }, (_, i) => 100 + i + 8 * Math.sin(i));
    const found = statisticsOf(seriesOf(values), defaultFigures, { count: 10, rated: 10, variance: 0.01 });
    const number = (cell: { readonly value: number | undefined }): number => cell.value ?? Number.NaN;
    expect(number(found.calmar)).toBeCloseTo(number(found.annualReturn) / number(found.drawdownMax), 10);
    expect(number(found.sharpeLow)).toBeLessThan(number(found.sharpe));
    expect(number(found.sharpeHigh)).toBeGreaterThan(number(found.sharpe));
    expect(number(found.deflatedSharpe)).toBeLessThan(number(found.probabilisticSharpe));
    const against = statisticsOf({ ...seriesOf(values), benchmark: values });
    expect(number(against.beta)).toBeCloseTo(1, 12);
    expect(number(against.alpha)).toBeCloseTo(0, 12);
  });

  test('deflate by several trials only where two of them show how ratios vary', () => {
    const values = Array.from({ length: 60 }, (_, i) => 100 + i + 8 * Math.sin(i));
    const among = (count: number, rated: number) =>
      statisticsOf(seriesOf(values), defaultFigures, { count, rated, variance: 0 });
    const reason = 'needs 2 trials with 30 daily returns, has 1';
    expect(among(3, 1).deflatedSharpe).toEqual({ value: undefined, reason });
    expect(among(1, 1).deflatedSharpe).toEqual(among(1, 1).probabilisticSharpe);
  });
});

test('a day ends at midnight, and its last value counts', () => {
  const times = [1, day / 2, day, day + 1, 3 * day].map((time) => time + 5 * day);
  expect(dailyValues(times, [1, 2, 3, 4, 5])).toEqual([3, 4, 5]);
});

test('drawdowns run from peak to recovery, the last one to the end', () => {
  const values = [100, 90, 95, 100, 110, 99, 105];
  const found = drawdownsOf(
    values.map((_, i) => i * day),
    values,
  );
  expect(
    found.map(({ from, deepestAt, to, span }) => [from, deepestAt, to, span].map((at) => at && at / day)),
  ).toEqual([
    [0, 1, 3, 3],
    [4, 5, undefined, 2],
  ]);
  expect(found.map(({ depth }) => depth)).toEqual([1 - 90 / 100, 1 - 99 / 110]);
});

test('drawdowns and days are those of a plain walk over every value', () => {
  const walks = fc.array(fc.tuple(fc.integer({ min: 1, max: day }), fc.integer({ min: -9, max: 9 })), {
    minLength: 1,
    maxLength: 60,
  });
  fc.assert(
    fc.property(walks, fc.constantFrom(20, 1_000), (steps, start) => {
      let [time, value] = [0, start];
      const rows = steps.map(([span, step]) => [(time += span), (value += step)] as const);
      const [times, values] = [rows.map(([at]) => at), rows.map(([, worth]) => worth)];
      const falls = values.map((worth, i) => 1 - worth / Math.max(...values.slice(0, i + 1)));
      const found = statisticsOf({ times, equity: values, trips: [] });
      if (values.every((worth) => worth > 0)) {
        expect(found.drawdownMax).toEqual({ value: Math.max(...falls) });
        expect(Math.max(0, ...drawdownsOf(times, values).map(({ depth }) => depth))).toBe(Math.max(...falls));
      }
      expect(found.peak).toEqual({ value: Math.max(...values) });
      const last = new Map(times.map((at, i) => [Math.ceil(at / day), values[i]]));
      expect(dailyValues(times, values)).toEqual([...last.values()]);
    }),
  );
});

test('the worst twentieth of the returns makes the conditional value at risk', () => {
  const returns = Array.from({ length: 40 }, (_, i) => (i - 20) / 100);
  expect(conditionalValueAtRisk(returns)).toBeCloseTo(-0.195, 12);
});

test('ratios do not depend on the scale of the equity, nor on missing returns', () => {
  const returns = fc.array(fc.double({ min: -0.2, max: 0.2, noNaN: true }), { minLength: 3, maxLength: 60 });
  fc.assert(
    fc.property(returns, (list) => {
      const withGaps = list.flatMap((one) => [null, one]);
      expect(maxDrawdown(withGaps)).toBeCloseTo(maxDrawdown(list), 12);
      const [a, b] = [sharpeRatio(list, 365), sharpeRatio(withGaps, 365)];
      if (Number.isFinite(a)) expect(b).toBeCloseTo(a, 9);
      const omega = omegaRatio(list, 365);
      if (Number.isFinite(omega)) expect(omega).toBeGreaterThanOrEqual(0);
      expect(maxDrawdown(list)).toBeLessThanOrEqual(0);
    }),
  );
});

test('equity columns keep what was pushed', () => {
  const series = new EquitySeries();
  for (let i = 0; i < 3_000; i++) series.push(i, i * 2);
  expect([series.size, series.times.at(-1), series.values.at(-1)]).toEqual([3_000, 2_999, 5_998]);
});
