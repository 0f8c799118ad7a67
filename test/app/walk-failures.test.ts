import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { WalkResult } from '../../src/app/sweep/walk-forward.ts';
import { run } from './cli/support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'walk-failures-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);
const put = (name: string, ...lines: readonly string[]): void =>
  writeFileSync(at(name), `${lines.join('\n')}\n`);

const begin = 1_672_531_200;
// Each minute the price rises by one.
const rows = Array.from(
  { length: 100 },
  (_, i) => `${begin + i * 60},${100 + i},${101 + i},${100 + i},${101 + i},5`,
);
put('up.csv', 'time,open,high,low,close,volume', ...rows);
put(
  'holder.ts',
  `import { defineStrategy, z } from 'godwit/strategy';
/** Buys with the first bar, and throws on hearing of the one that begins at minute 55. */
export default defineStrategy({
  name: 'holder',
  params: z.strictObject({ quantity: z.int() }),
  feeds: () => [{ symbol: 'UP', candles: ['M1'] }],
  create: ({ params, orders }) => {
    let isIn = false;
    return {
      onCandle({ time }) {
        if (time === ${(begin + 55 * 60) * 1_000_000}) throw new Error('enough');
        if (isIn) return;
        isIn = true;
        orders.place({ symbol: 'UP', side: 'buy', type: 'market', quantity: String(params.quantity) });
      },
    };
  },
});`,
);
put(
  'up.yaml',
  'name: up',
  'data: [up.csv]',
  'instrument: { symbol: UP, base: U, quote: USD, tick: "1", lot: "1", fees: { maker: "0", taker: "0" } }',
  'fills: { model: bars }',
  'balances: { USD: "1000" }',
  'strategy: { path: holder.ts, params: { quantity: 1 } }',
);
put('sweep.yaml', 'scenario: up.yaml', 'space: { quantity: [1, 2] }');
const kept = ['--store', at('store'), '--ledger', at('ledger'), '--workers', '1'];
const walk = ['walk-forward', at('sweep.yaml'), '--train', '20m', '--test', '20m', ...kept];
const failure =
  /^1 of 4 tests failed, the first: strategy holder was stopped: .*: onCandle threw Error: enough \(holder\.ts:\d+:\d+\)$/;

const nothing =
  /^1 of 4 windows chose nothing, the first that judged from 2023-01-01T01:00:00.000Z: 2 of 2 trials failed, the first: strategy holder/;

test('a test that failed is reported, and is no part of the result out of sample', async () => {
  const { code, out } = await run([...walk, '--json']);
  expect(code).toBe(0);
  const result = JSON.parse(out) as WalkResult;
  // The first window trains from the open at 101 on to 120, and is tested from 120 to 140.
  expect(result.windows.map(({ chosen }) => [chosen?.figures['profit'], chosen?.test?.figures])).toEqual([
    [38, expect.objectContaining({ profit: 40 })],
    [40, {}],
    [undefined, undefined],
    [40, expect.objectContaining({ profit: 40 })],
  ]);
  expect(result.windows[1]?.chosen?.test?.failure).toContain('Error: enough');
  expect([result.profit, result.days, result.winning]).toEqual([80, 60 / 1440, 2]);
  expect(result.efficiency).toBeCloseTo(80 / 78, 12);
  expect(result.equity.values.at(-1)).toBe(80);
  expect(result.notes).toEqual([expect.stringMatching(nothing), expect.stringMatching(failure)]);
});

test('a window in which no trial has a value of the objective says so', async () => {
  const { code, out } = await run([...walk, '--objective', 'calmar']);
  expect([code, out]).toEqual([
    1,
    expect.stringMatching(
      /\nnote: 4 of 4 windows chose nothing, the first that judged from \S+: none of 2 trials has a calmar, too little behind it\n/,
    ),
  ]);
});

test('tests of a split that failed have no figures either', async () => {
  const { out } = await run(['sweep', at('sweep.yaml'), '--split', '0.5', ...kept]);
  expect(out).toMatch(/note: 2 of 2 tests failed, the first: strategy holder was stopped/);
  expect(out).toMatch(/\n1 +2 +98 +- +0 +1\n/);
});

test('tests that overlap are refused', async () => {
  const { code, err } = await run([...walk, '--step', '10m']);
  expect([code, err]).toEqual([
    2,
    expect.stringContaining(
      'walk.step: expected at least the length of a test: tests that overlap would count',
    ),
  ]);
});
