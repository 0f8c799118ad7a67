import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { setUpSweep } from '../../src/app/sweep/setup.ts';
import { configSchema } from '../../src/app/config/schema.ts';
import type { Span } from '../../src/research/scenario/split.ts';
import { loadSweep } from '../../src/research/search/sweep-file.ts';
import { run } from './cli/support/run.ts';

const home = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');
const folder = mkdtempSync(join(tmpdir(), 'sweep-span-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);
const put = (name: string, lines: readonly string[]): void =>
  writeFileSync(at(name), `${lines.join('\n')}\n`);

const begin = 1_672_531_200;
const minutes = 300;
const price = (i: number): string => (100 + 20 * Math.sin(i / 9)).toFixed(2);
const rows = Array.from({ length: minutes }, (_, i) => {
  const [open, close] = [price(i), price(i + 1)];
  const [low, high] = [open, close].toSorted((a, b) => Number(a) - Number(b));
  return `${begin + i * 60},${open},${high},${low},${close},5`;
});
put('bars.csv', ['time,open,high,low,close,volume', ...rows]);
put('of-bars.yaml', ['scenario: bars.yaml', 'search: grid', 'space: { fast: [3, 5] }']);
put('of-ticks.yaml', ['scenario: ticks.yaml', 'space: { requoteTicks: [1, 2] }']);

const bars = (clock: string): void =>
  put('bars.yaml', [
    'name: bars',
    'data: [bars.csv]',
    `clock: ${clock}`,
    'instrument: { symbol: ABCUSD, base: ABC, quote: USD, tick: "0.01", lot: "0.001" }',
    'fills: { model: bars }',
    'balances: { USD: "10000" }',
    'strategy: { path: trend, params: { symbol: ABCUSD } }',
  ]);
const ticks = (clock: string): void =>
  put('ticks.yaml', [
    'name: ticks',
    `data: [${join(home, 'backtest/feeds/sample')}]`,
    `clock: ${clock}`,
    'strategy: { path: market-maker, params: { symbol: ETHBTC } }',
  ]);

async function spanOf(name: string): Promise<Span> {
  const configure = (base: unknown) => configSchema.parse(base);
  return (await setUpSweep(loadSweep(at(name), {}), { home, configure })).span;
}

const micros = (minute: number): number => (begin + minute * 60) * 1_000_000;
const iso = (minute: number): string => new Date(micros(minute) / 1_000).toISOString();

describe('the span that a sweep divides', () => {
  test.each([
    ['{}', micros(0), micros(minutes)],
    [`{ start: "${iso(100)}" }`, micros(100), micros(minutes)],
    [`{ end: "${iso(200)}" }`, micros(0), micros(200)],
    [`{ start: "${iso(100)}", end: "${iso(200)}" }`, micros(100), micros(200)],
  ])('is that of the bars where the clock %s does not say', async (clock, from, to) => {
    bars(clock);
    expect(await spanOf('of-bars.yaml')).toEqual({ from, to });
  });

  test('is that of the facts where the clock does not say', async () => {
    ticks('{}');
    const whole = await spanOf('of-ticks.yaml');
    const middle = Math.round((whole.from + whole.to) / 2_000) * 1_000;
    ticks(`{ start: "${middle}" }`);
    expect(await spanOf('of-ticks.yaml')).toEqual({ from: middle, to: whole.to });
    ticks(`{ end: "${middle}" }`);
    expect(await spanOf('of-ticks.yaml')).toEqual({ from: whole.from, to: middle });
  });

  test('needs no clock: a split chooses on the first bars and tests on the rest', async () => {
    bars('{}');
    const kept = ['--store', at('store'), '--ledger', at('ledger'), '--workers', '1'];
    const { code, out } = await run(['sweep', at('of-bars.yaml'), '--split', '0.5', '--json', ...kept]);
    expect(code).toBe(0);
    const { best } = JSON.parse(out) as {
      best: readonly { figures: { seconds: number }; test: { figures: { seconds: number } } }[];
    };
    const half = (minutes / 2) * 60;
    for (const { figures, test: rest } of best) {
      expect(figures.seconds).toBe(half);
      expect(rest.figures.seconds).toBe(half);
    }
    expect(best).toHaveLength(2);
  });
});

test('a walk over bars has all windows that fit, each with all of its bars', async () => {
  bars('{}');
  const kept = ['--store', at('walk-store'), '--ledger', at('walk-ledger'), '--workers', '1'];
  const walk = ['walk-forward', at('of-bars.yaml'), '--train', '100m', '--test', '100m', '--json', ...kept];
  const { code, out } = await run(walk);
  expect(code).toBe(0);
  const { windows, days } = JSON.parse(out) as {
    days: number;
    windows: readonly {
      test: Span;
      chosen: { figures: { seconds: number }; test: { figures: { seconds: number } } };
    }[];
  };
  const length = 100 * 60;
  expect(
    windows.map(({ test: { to }, chosen }) => [to, chosen.figures.seconds, chosen.test.figures.seconds]),
  ).toEqual([
    [micros(200), length, length],
    [micros(300), length, length],
  ]);
  expect(days).toBe(200 / 1440);
});

test('a currency that bars do not count in is refused', async () => {
  bars('{}');
  put('in-euro.yaml', ['scenario: bars.yaml', 'currency: EUR', 'space: { fast: [3, 5] }']);
  await expect(spanOf('in-euro.yaml')).rejects.toThrow(
    `${at('in-euro.yaml')}: currency: on bars expected USD, in which the first instrument is quoted, found EUR`,
  );
});

test('the seed of a scenario is that of its trials, unless the sweep gives one', async () => {
  const seedOf = async (over: Readonly<Record<string, unknown>>): Promise<readonly unknown[]> => {
    const configure = (base: unknown) => configSchema.parse(base);
    const { seed, base } = await setUpSweep(loadSweep(at('of-bars.yaml'), over), { home, configure });
    return [seed, base.scenario.seed];
  };
  bars('{}\nseed: 7');
  expect(await seedOf({})).toEqual([7, 7]);
  expect(await seedOf({ seed: 9 })).toEqual([9, 9]);
  bars('{}');
  expect(await seedOf({})).toEqual([1, 1]);
});
