import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Amount } from '../../../../src/core/base/amount.ts';
import { amountToNumber, parseAmount } from '../../../../src/core/base/amount.ts';
import type { Micros } from '../../../../src/core/base/clock.ts';
import { Random } from '../../../../src/core/base/random.ts';
import type { Side } from '../../../../src/core/model/order.ts';
import { changesOf, EvenTimeline, LeverageFold } from '../../../../src/research/report/fold/samples.ts';
import { FallFold } from '../../../../src/research/report/fold/equity.ts';
import { makeDocument } from '../../../../src/research/report/make-documents.ts';
import { figureOf } from '../../../../src/research/report/document/document.ts';
import { drawdownsOf } from '../../../../src/research/statistics/drawdown.ts';
import { statisticsOf } from '../../../../src/research/statistics/statistics.ts';
import { summed } from '../support/summed.ts';
import { defineStrategy, z } from '../../../../src/core/strategy/index.ts';
import { Scene } from '../../../core/strategy/scene.ts';

const symbol = 'ETHBTC';
const second = 1_000_000;
const money = fc.integer({ min: -60, max: 60 });

describe('falls that are folded', () => {
  test('are those of the whole series, whatever the account was worth at the start', () => {
    fc.assert(
      fc.property(fc.array(money, { minLength: 1 }), fc.integer({ min: 61, max: 500 }), (profits, start) => {
        const fold = new FallFold();
        for (const [i, profit] of profits.entries()) fold.add(i * 7, profit);
        const times = profits.map((_, i) => i * 7);
        const falls = drawdownsOf(
          times,
          profits.map((profit) => start + profit),
        );
        const { count, deepest, average, longest } = fold.figures(start);
        expect(count).toBe(falls.length);
        expect(deepest).toBe(Math.max(0, ...falls.map(({ depth }) => depth)));
        expect(longest).toBe(Math.max(0, ...falls.map(({ span }) => span)));
        if (falls.length === 0) return;
        expect(average).toBeCloseTo(falls.reduce((sum, { depth }) => sum + depth, 0) / falls.length, 12);
      }),
      { seed: 7 },
    );
  });

  test('are as many, as deep and as long when there are more than can be listed', () => {
    const fold = new FallFold();
    let sum = 0;
    for (let i = 0; i < 250_000; i++) {
      const depth = (i * 7_919) % 100;
      fold.add(2 * i, i);
      fold.add(2 * i + 1, i - depth - 1);
      sum += 1 - (1_000_000 + i - depth - 1) / (1_000_000 + i);
    }
    const { count, deepest, average, longest } = fold.figures(1_000_000);
    expect([count, longest]).toEqual([250_000, 2]);
    expect(average).toBeCloseTo(sum / 250_000, 12);
    expect(deepest).toBeCloseTo(100 / 1_000_000, 7);
  });
});

test('the largest leverage is that of the whole series, whatever the account was worth at the start', () => {
  const value = fc.integer({ min: 1, max: 1_000 });
  fc.assert(
    fc.property(fc.array(fc.tuple(money, value)), fc.integer({ min: 61, max: 500 }), (points, start) => {
      const fold = new LeverageFold(() => 61);
      for (const [profit, worth] of points) fold.add(profit, worth);
      const all = points.map(([profit, worth]) => worth / (start + profit));
      expect(fold.largest(start)).toBe(Math.max(0, ...all));
    }),
    { seed: 7 },
  );
});

test('an account that is worth nothing hides no leverage of before', () => {
  const fold = new LeverageFold(() => 10);
  fold.add(-5, 20);
  fold.add(-12, 30);
  expect(fold.largest(10)).toBe(4);
});

describe('changes over equal times', () => {
  test('are those of the whole course up to 20,000 samples', () => {
    const course = new EvenTimeline();
    const times = Array.from({ length: 20_000 }, (_, i) => i * second + ((i * 7_919) % second));
    const values = times.map((_, i) => Math.sin(i / 300) * i);
    for (const [i, time] of times.entries()) course.add(time, values[i] as number);
    expect(course.changes(20_000)).toEqual(changesOf(times, values));
  });

  test('are exact at the ends of up to 1,000 equal times, however long the course', () => {
    const gap = fc.constantFrom(1, 977, second, 60 * second, 90_000 * second);
    fc.assert(
      fc.property(fc.integer({ min: 20_001, max: 70_000 }), gap, (size, most) => {
        const random = new Random(`changes/${size}`);
        const course = new EvenTimeline();
        const times: number[] = [];
        for (let time = 0, i = 0; i < size; i++, time += random.between(1, most)) {
          times.push(time);
          // The value is the time: a sum of changes tells which sample was the last before the end of a part.
          course.add(time, time);
        }
        const changes = course.changes(size);
        expect(changes.length).toBeGreaterThan(400);
        expect(changes.length).toBeLessThanOrEqual(1_000);
        let [sum, at, least, below] = [0, 0, 0, Number.POSITIVE_INFINITY];
        for (const [i, change] of changes.entries()) {
          sum += change;
          while ((times[at] as number) < sum) at += 1;
          expect(times[at]).toBe(sum);
          least = Math.max(least, sum / (i + 1));
          below = Math.min(below, (times[at + 1] ?? Number.POSITIVE_INFINITY) / (i + 1));
        }
        // There is one length of which each part ends behind that sample and before the next.
        expect(least).toBeLessThan(below);
        expect(sum).toBe(times.at(-1));
      }),
      { seed: 7, numRuns: 12 },
    );
  });
});

/** A run on bars of one instrument, by a hand that buys and sells, and every sample of it beside the summary. */
function longRun(seed: number, size: number) {
  const scene = new Scene();
  const random = new Random(`long/${seed}`);
  const held = new Map([['BTC', parseAmount('1')]]);
  let price = 1_000;
  const { summary, observe } = summed({
    instruments: scene.instruments,
    details: true,
    opening: held,
    bars: () => price,
  });
  let place: (side: Side, price: number, quantity: number) => void = () => {};
  const definition = defineStrategy({
    name: 'hand',
    params: z.strictObject({}),
    feeds: () => [{ symbol, book: true }],
    create: ({ orders }) => {
      place = (side, at, quantity) => void orders.place({ symbol, side, price: at, quantity });
      return {};
    },
  });
  scene.add(definition).start();
  let seen = 0;
  const trade = (side: Side, quantity: number): void => {
    place(side, price, quantity);
    const order = scene.open().at(-1);
    if (order !== undefined) scene.fill(order.clientOrderId, quantity);
    for (const event of scene.events.slice(seen)) observe(event);
    seen = scene.events.length;
  };
  const times: number[] = [];
  const [profits, prices, positions, exposed]: number[][] = [[], [], [], []];
  let position = 0;
  for (let i = 0; i < size; i++) {
    price = Math.max(500, price + random.between(-9, 9));
    let isTraded = false;
    if (random.between(0, 199) === 0) {
      isTraded = true;
      const quantity = random.between(1, 9) * 10_000;
      if (position === 0) trade('buy', quantity);
      else trade('sell', position);
      position = position === 0 ? quantity : 0;
    }
    const time = (1_700_000_000 + i * 60) * second;
    summary.sample(time as Micros);
    times.push(time);
    profits?.push(amountToNumber(summary.profit('BTC') as Amount));
    prices?.push(price);
    positions?.push(position / 10_000);
    exposed?.push(position !== 0 || isTraded ? 1 : 0);
  }
  return { summary, times, profits, prices, positions, exposed };
}

test('every figure of a run that is too long to be kept is that of all its samples', () => {
  fc.assert(
    fc.property(fc.nat(1_000), fc.integer({ min: 20_001, max: 30_000 }), (seed, size) => {
      const { summary, times, profits = [], prices = [], positions = [], exposed } = longRun(seed, size);
      const document = makeDocument(summary, { title: 'long', identity: {}, band: 'not run' });
      const number = (key: string): number | undefined => figureOf(document, key)?.number;
      expect(summary.details?.timeline.times.length).toBeLessThanOrEqual(20_000);
      const equity = profits.map((profit) => 1 + profit);
      const whole = statisticsOf({ times, equity, opening: 1, trips: [], exposed, benchmark: prices });
      const near = (key: string, value: number | undefined): void =>
        expect(number(key), key).toBeCloseTo(value ?? Number.NaN, 10);
      near('return.exposure', whole.exposure.value);
      near('return.hold', whole.holdReturn.value);
      near('risk.drawdown', whole.drawdownMax.value);
      near('risk.drawdownAverage', whole.drawdownAverage.value);
      near('risk.drawdownLongest', whole.drawdownSpanMax.value);
      for (const key of ['worstDay', 'volatility', 'sharpe'] as const)
        expect(number(key === 'sharpe' ? 'ratios.sharpe' : `risk.${key}`), key).toBe(whole[key].value);
      expect(number('risk.cvar')).toBe(whole.conditionalValueAtRisk.value);
      near(
        'risk.leverage',
        Math.max(...positions.map((one, i) => (one * (prices[i] ?? 0) * 1e-6) / (equity[i] ?? 0))),
      );
      near('risk.inventoryMax', Math.max(...positions));
      near('risk.inventoryMean', positions.reduce((sum, one) => sum + one, 0) / size);
      // What is drawn has every extreme.
      const drawn = document.charts.find(({ id }) => id === 'underwater-BTC')?.series[0]?.values ?? [];
      near('risk.drawdown', Math.min(...drawn.map((value) => value ?? 0)) / -100);
    }),
    { seed: 7, numRuns: 4 },
  );
});
