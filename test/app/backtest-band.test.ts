import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import {
  barModels,
  latencyLevels,
  quantileOf,
  queueModels,
  runBandPlan,
  shadowModels,
  slippageLevels,
  slowerLevel,
  steeperLevel,
} from '../../src/app/backtest/band.ts';
import { edgeOf } from '../../src/research/report/figures/trials.ts';
import { readBarFills } from '../support/bar-fills.ts';
import type { ShadowFills } from '../../src/research/scenario/tick-fills.ts';
import { run } from './cli/support/run.ts';
import { dataHash } from '../../src/app/run/hashes.ts';
import { NotFound } from '../../src/core/base/errors.ts';

test('the quantiles of a configured latency are those of its distribution', () => {
  const exponential = { kind: 'exponential', base: 1_000, tailMean: 500, max: 3_000 } as const;
  expect(quantileOf(exponential, 0.5)).toBe(Math.round(1_000 + 500 * Math.LN2));
  expect(quantileOf(exponential, 0.99)).toBe(3_000);
  expect(quantileOf({ kind: 'uniform', low: 100, high: 200 }, 0.99)).toBe(199);
  const constant = { kind: 'constant', micros: 15_000 } as const;
  expect([quantileOf(constant, 0.5), quantileOf(constant, 0.99)]).toEqual([15_000, 60_000]);
});

test('the fitted assumption is what is configured, or lies between the ends', () => {
  const names = (queue: ShadowFills['queue']) =>
    shadowModels({ model: 'shadow', queue, power: 3 }).map(({ fills }) => fills.queue);
  expect(names('power')).toEqual(['conservative', 'power', 'proportional']);
  expect(names('conservative')).toEqual(['conservative', 'log', 'proportional']);
  const queue = queueModels({
    model: 'queue',
    queue: 'risk-averse',
    power: 3,
    partial: false,
    impact: false,
  });
  expect(
    queue.map(({ assumption, fills }) => [assumption, fills.queue, fills.impact, fills.partial]),
  ).toEqual([
    ['pessimistic', 'risk-averse', true, false],
    ['fitted', 'probability-log', false, false],
    ['optimistic', 'probability-power', false, false],
  ]);
});

test('measured latencies have quantiles of their own, and the search goes on to two seconds', () => {
  const micros = Array.from({ length: 100 }, (_, i) => 100 - i);
  const [usual, bad] = latencyLevels({ kind: 'measured', micros }, { kind: 'constant', micros: 2_000 });
  expect(usual).toEqual({ value: 50, text: 'p50: 0.05 ms, back 2 ms', entry: 50, report: 2_000 });
  expect(bad).toMatchObject({ entry: 99, report: 8_000 });
  expect([0, 600_000, 2_000_000].map((from) => slowerLevel(from)?.value)).toEqual([
    4_000,
    2_000_000,
    undefined,
  ]);
});

test('bars are tried with worse prices, because they know no latency', () => {
  expect(slippageLevels(0).map(({ rate }) => rate)).toEqual(['0', '0.0005']);
  expect(slippageLevels(0.001).map(({ rate, text }) => [rate, text])).toEqual([
    ['0.001', '10 bp, as configured'],
    ['0.004', '40 bp, bad'],
  ]);
  expect([0.0005, 0.02, 0.05].map((from) => steeperLevel(from)?.rate)).toEqual(['0.002', '0.05', undefined]);
  const models = barModels(readBarFills({ path: 'nearest', limits: 'reach' }));
  expect(models.map(({ assumption, fills }) => [assumption, fills.path, fills.limits])).toEqual([
    ['pessimistic', 'pessimistic', 'through'],
    ['fitted', 'nearest', 'reach'],
    ['optimistic', 'highFirst', 'reach'],
    ['optimistic', 'lowFirst', 'reach'],
  ]);
});

test('the search goes on from the worst level of the band while there is a profit, and no further', async () => {
  const asked: string[] = [];
  const band = await runBandPlan({
    currency: 'BTC',
    axis: 'latency',
    assumptions: '',
    models: shadowModels({ model: 'shadow', queue: 'power', power: 3 }),
    levels: latencyLevels({ kind: 'constant', micros: 1_000 }, { kind: 'constant', micros: 0 }),
    worse: slowerLevel,
    onRun: (text) => asked.push(text),
    run: (_, { entry }) => Promise.resolve({ profit: 50 - entry / 1_000, fills: 1 }),
  });
  if (typeof band === 'string') throw new Error(band);
  expect(band.runs.map(({ assumption, level, profit }) => [assumption, level, profit])).toEqual([
    ['pessimistic', 1_000, 49],
    ['fitted', 1_000, 49],
    ['optimistic', 1_000, 49],
    ['pessimistic', 4_000, 46],
    ['fitted', 4_000, 46],
    ['optimistic', 4_000, 46],
    ['fitted', 16_000, 34],
    ['fitted', 64_000, -14],
  ]);
  expect(asked[0]).toBe('band: pessimistic fills (conservative), p50: 1 ms, back 0 ms');
  expect(edgeOf(band)).toBeCloseTo(50_000, 6);
});

test('there is no band of runs of which one was cut short', async () => {
  const path = fileURLToPath(new URL('fixtures/late-thrower.ts', import.meta.url));
  const sample = fileURLToPath(new URL('../../backtest/feeds/sample', import.meta.url));
  const named = ['--strategy', path, '--param', 'deed=impatient', '--json', '--band', '--no-save'];
  const { code, out } = await run(['backtest', sample, ...named]);
  expect(code).toBe(0);
  const { sections } = JSON.parse(out) as {
    sections: readonly { figures: readonly { key: string; reason?: string }[] }[];
  };
  const figures = sections.flatMap((section) => section.figures);
  expect(figures.find(({ key }) => key === 'robustness.band')?.reason).toMatch(
    /^not known: its run with pessimistic fills \(conservative\), p99: 60 ms.* was cut short: .*Error: too slow \(late-thrower\.ts:\d+:\d+\)$/,
  );
});

test('data has one hash wherever it lies and whatever it is called, and another when it differs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-hash-'));
  try {
    const big = Buffer.alloc(200_000, 1);
    mkdirSync(join(folder, 'b'));
    writeFileSync(join(folder, 'a'), big);
    writeFileSync(join(folder, 'b', 'c'), big);
    expect(dataHash([join(folder, 'a')])).toBe(dataHash([join(folder, 'b')]));
    const none = join(folder, 'none');
    expect(() => dataHash([none])).toThrow(new NotFound(`expected a readable file at ${none}, found none`));
    writeFileSync(join(folder, 'a'), Buffer.concat([big.subarray(1), Buffer.from([2])]));
    expect(dataHash([join(folder, 'a')])).not.toBe(dataHash([join(folder, 'b')]));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
