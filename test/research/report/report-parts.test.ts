import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import type { FillAssumption, BandRun } from '../../../src/research/report/figures/trials.ts';
import { edgeOf, partsOfBand, appendTrial, trialsOn } from '../../../src/research/report/figures/trials.ts';
import { bootstrapSum, changesOf } from '../../../src/research/report/fold/samples.ts';
import { Timeline, downsampled, withMarks } from '../../../src/research/report/fold/timeline.ts';
import { durationText, numberText } from '../../../src/research/report/document/figure-text.ts';
import { monthTable } from '../../../src/research/report/sections/money.ts';
import { Reservoir, histogramOf } from '../../../src/research/report/fold/order-statistics.ts';
import { robustnessSection } from '../../../src/research/report/sections/robustness.ts';

const day = 86_400_000_000;

describe('a course', () => {
  test('keeps the ends and every extreme when it thins, in bounded memory', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 2_000 }), (all) => {
        const course = new Timeline(64);
        for (const [i, value] of all.entries()) {
          course.beginRow(i);
          course.putValue('value', value);
          course.carryValue('beside', -value);
        }
        const values = course.column('value');
        expect(values.length).toBeLessThanOrEqual(64);
        expect([values[0], values.at(-1)]).toEqual([all[0], all.at(-1)]);
        expect([Math.min(...values), Math.max(...values)]).toEqual([Math.min(...all), Math.max(...all)]);
        expect(course.numbers).toEqual(course.times);
        expect(values).toEqual(course.numbers.map((number) => all[number]));
        expect(course.column('beside')).toEqual(values.map((value) => -value));
      }),
      { seed: 7 },
    );
  });

  test('fills a column that came late with nothing', () => {
    const course = new Timeline();
    course.beginRow(1);
    course.beginRow(2);
    course.putValue('late', 5);
    expect(course.column('late')).toEqual([Number.NaN, 5]);
    expect(course.column('unknown')).toEqual([Number.NaN, Number.NaN]);
  });
});

describe('a reservoir', () => {
  test('reports quantiles by nearest rank, and the mean of everything', () => {
    const all = new Reservoir('test');
    for (let i = 100; i >= 1; i--) all.add(i);
    expect([all.quantile(0.5), all.quantile(0.99), all.quantile(1), all.mean]).toEqual([50, 99, 100, 50.5]);
  });

  test('is bounded, fair and the same every time', () => {
    const made = (): Reservoir => {
      const reservoir = new Reservoir('test', 500);
      for (let i = 0; i < 50_000; i++) reservoir.add(i);
      return reservoir;
    };
    const one = made();
    expect(one.sorted()).toHaveLength(500);
    expect(one.count).toBe(50_000);
    expect(Math.abs(one.quantile(0.5) - 25_000)).toBeLessThan(4_000);
    expect(made().sorted()).toEqual(one.sorted());
  });

  test('a histogram counts every value once', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { minLength: 1 }), (values) => {
        const sorted = values.toSorted((a, b) => a - b);
        const counted = histogramOf(sorted).reduce((sum, { count }) => sum + count, 0);
        expect(counted).toBe(values.length);
      }),
    );
    expect(histogramOf([0, 5e-324])).toHaveLength(1);
    expect(histogramOf([5, 5])).toEqual([{ from: 5, to: 5, count: 2 }]);
    expect(histogramOf([])).toEqual([]);
  });
});

describe('a bootstrap', () => {
  test('of one constant change knows the sum', () => {
    const { low, high, positive } = bootstrapSum(Array.from({ length: 50 }, () => 2));
    expect([low, high, positive]).toEqual([100, 100, 1]);
  });

  test('of independent changes is as wide as theory says', () => {
    // Alternating 3 and -1: mean 1, so the sum of 400 is 400; blocks keep the alternation, so the spread is small.
    const even = bootstrapSum(Array.from({ length: 400 }, (_, i) => (i % 2 === 0 ? 3 : -1)));
    expect(even.low).toBeGreaterThan(300);
    expect(even.high).toBeLessThan(500);
    expect(bootstrapSum([1, -1, 1, -1])).toEqual(bootstrapSum([1, -1, 1, -1]));
  });

  test('changes are taken over equal times and add up to the whole', () => {
    const times = [0, 1, 2, 10];
    expect(changesOf(times, [0, 5, 6, 4])).toEqual([6, 0, -2]);
    expect(changesOf([1], [1])).toEqual([]);
  });
});

describe('the latency at which the edge is gone', () => {
  const run = (level: number, profit: number, assumption: BandRun['assumption'] = 'fitted'): BandRun => ({
    assumption,
    model: 'log',
    level,
    levelText: `${level} µs`,
    profit,
    fills: 1,
  });
  const edge = (...runs: BandRun[]) => edgeOf({ runs });

  test('lies on a straight line between the runs around it', () => {
    expect(edge(run(1_000, 30), run(9_000, -10), run(2_000, -99, 'pessimistic'))).toBe(7_000);
  });

  test('is a reason where there is none', () => {
    expect(edge(run(1_000, -1))).toBe('there is no profit at 1000 µs already');
    expect(edge(run(1_000, 2), run(4_000, 1))).toBe('there is still a profit at 4000 µs');
  });

  test('is not distinguished from runs that it did not change, and neither is the band', () => {
    const reason = 'it changed no fill up to 4000 µs: its effect is unknown';
    expect(edge(run(1_000, 5), run(4_000, 5))).toBe(reason);
    const runs = (['pessimistic', 'fitted'] as const).map((assumption) => run(1_000, 5, assumption));
    const band = { currency: 'BTC', axis: 'latency', assumptions: '', runs } as const;
    const { figures } = robustnessSection([], { band, walkForward: '' });
    expect(figures.find(({ key }) => key === 'robustness.band')).toMatchObject({
      reason: 'no fill assumption changed the profit: 5 BTC in all 2 runs',
    });
  });

  test('its search is no part of the band, of its figure and of its table', () => {
    const assumptions = ['pessimistic', 'fitted', 'optimistic'] as const;
    const band = [1_000, 4_000].flatMap((level) =>
      assumptions.map((assumption) => run(level, 50_000 / level, assumption)),
    );
    const search = [run(16_000, 1), run(64_000, -3)];
    expect(partsOfBand({ runs: [...band, ...search] })).toEqual({ band, search });
    expect(partsOfBand({ runs: search })).toEqual({ band: search, search: [] });
    const runs = [...band, ...search];
    const { figures, tables } = robustnessSection([], {
      band: { currency: 'BTC', axis: 'latency', assumptions: '', runs },
      walkForward: '',
    });
    expect(figures.find(({ key }) => key === 'robustness.band')?.value).toBe(
      '12.5 BTC to 50 BTC, of latency alone: no fill assumption changed the profit',
    );
    expect(tables.map(({ title, rows }) => [title, rows.length])).toEqual([
      ['Band', 6],
      ['Search for the latency without an edge', 2],
    ]);
  });
});

test.each([
  ['where they changed nothing', 7, ', of slippage alone: no fill assumption changed the profit'],
  ['not where one of them changed one level', 8, ''],
])('a band of levels says that assumptions are no part of its spread: %s', (_, odd, more) => {
  const run = (level: number, assumption: FillAssumption, profit: number): BandRun => {
    return { assumption, model: '', level, levelText: '', profit, fills: 1 };
  };
  const runs = [run(0, 'fitted', 9), run(0, 'optimistic', 9), run(1, 'fitted', 7), run(1, 'optimistic', odd)];
  const band = { currency: 'BTC', axis: 'slippage', assumptions: '', runs } as const;
  const { figures } = robustnessSection([], { band, walkForward: '' });
  const received = figures.find(({ key }) => key === 'robustness.band');
  expect(received).toMatchObject({ value: `7 BTC to 9 BTC${more}`, number: 7 });
});

test('what stands at midnight of the first is the end of the month before', () => {
  const at = (date: string): number => Date.parse(date) * 1_000;
  const times = ['2024-01-31', '2024-02-01', '2024-02-29', '2024-03-01', '2024-03-01T00:00:00.001Z'].map(at);
  const [table] = monthTable({ days: { times, equity: [100, 110, 120, 132, 66] }, start: 100 }, undefined);
  expect(table?.rows).toEqual([
    ['2024', '10.00 %', '20.00 %', '-50.00 %', ...Array.from({ length: 9 }, () => ''), '-34.00 %'],
  ]);
});

describe('the trial log', () => {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-trials-'));
  const path = join(folder, 'runs', 'trials.ndjson');
  afterEach(() => rmSync(join(folder, 'runs'), { recursive: true, force: true }));
  const trial = (data: string, config: string, sharpe: number | null) =>
    appendTrial(path, { data, config, code: 'c', sharpe, decisions: 'd' });

  test('counts different trials on the same data, and how their ratios varied', () => {
    trial('a', '1', 0.1);
    trial('a', '2', 0.3);
    trial('a', '1', 0.1);
    trial('a', '3', null);
    trial('b', '1', 9);
    const { count, rated, variance } = trialsOn(path, 'a');
    expect([count, rated]).toEqual([3, 2]);
    // Of 0.1 and 0.3, by n - 1.
    expect(variance).toBeCloseTo(0.02, 12);
    expect(trialsOn(path, 'b')).toEqual({ count: 1, rated: 1, variance: 0 });
    expect(trialsOn(path, 'none')).toEqual({ count: 0, rated: 0, variance: 0 });
  });

  test('passes over a line that is torn or of something else', () => {
    trial('a', '1', 0.1);
    writeFileSync(path, `${readFileSync(path, 'utf8')}{"data":"a","con\nnull\n7\n`);
    expect(trialsOn(path, 'a').count).toBe(1);
  });

  test('counts a trial that comes behind a torn line', () => {
    trial('a', '1', 0.1);
    writeFileSync(path, `${readFileSync(path, 'utf8')}{"data":"a","con`);
    trial('a', '2', 0.2);
    expect(trialsOn(path, 'a').count).toBe(2);
  });

  test('puts a full file aside and still counts it', () => {
    trial('a', '1', 0.1);
    writeFileSync(path, `${readFileSync(path, 'utf8')}${' '.repeat(8_000_000)}\n`);
    trial('a', '2', 0.2);
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(2);
    expect(trialsOn(path, 'a').count).toBe(2);
  });
});

describe('what is drawn', () => {
  test('keeps every spike when it thins', () => {
    const times = Array.from({ length: 100_000 }, (_, i) => i);
    const values = times.map((i) => (i === 77_777 ? -1_000 : i === 3_333 ? 1_000 : 0));
    const rows = downsampled(values);
    expect(rows.length).toBeLessThan(1_700);
    expect(rows).toContain(77_777);
    expect(rows).toContain(3_333);
    expect(rows).toEqual([...new Set(rows)].toSorted((a, b) => a - b));
  });

  test('marks stand between rows in the order of time, two of one time apart', () => {
    const mark = (time: number, side: 'buy' | 'sell' = 'buy') => ({
      time,
      symbol: 's',
      side,
      price: time,
      quantity: 1,
      count: 1,
    });
    const { x, carried, marked } = withMarks([10, 20], [mark(5), mark(15), mark(15, 'sell'), mark(20)]);
    expect(x).toEqual([5, 10, 15, 16, 20, 21]);
    expect(carried).toEqual([-1, 0, 0, 0, 1, 1]);
    expect(marked.map((one) => one?.price)).toEqual([5, undefined, 15, 15, undefined, 20]);
  });
});

describe('numbers as text', () => {
  test('have the digits that mean something and no exponent', () => {
    expect([0.000012345678, 1_234_567.891, 100_000, -0.5, 0, 1e-12].map(numberText)).toEqual([
      '0.00001234568',
      '1234568',
      '100000',
      '-0.5',
      '0',
      '0.000000000001',
    ]);
  });

  test('spans have the unit a person would choose', () => {
    expect([250, 1_500, 250_000, 3_000_000, 600_000_000, 3 * day].map(durationText)).toEqual([
      '250 µs',
      '1.50 ms',
      '250.0 ms',
      '3.00 s',
      '10.0 min',
      '3.0 d',
    ]);
  });
});
