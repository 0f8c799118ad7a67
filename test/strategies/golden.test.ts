import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { GoldenOutcome } from './support/golden.ts';
import { differences, goldenNames, readGolden, renewal, runGolden } from './support/golden.ts';

test.each(goldenNames())('the golden backtest %s comes out as it did', async (name) => {
  const { run, outcome } = readGolden(name);
  if (outcome === undefined) throw new Error(`${name} has no outcome yet: ${renewal}`);
  const changes = differences(outcome, await runGolden(run));
  const why = `${name} came out differently:\n${changes.join('\n')}\nIf that is as it should be: ${renewal}`;
  expect(changes, why).toEqual([]);
  expect(outcome.fills.length, `${name} trades nothing and so proves nothing`).toBeGreaterThan(0);
});

test('every shipped strategy has a golden backtest', () => {
  const shipped = readdirSync(new URL('../../strategies', import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const run = new Set(goldenNames().map((name) => readGolden(name).run.strategy));
  expect(shipped.filter((name) => !run.has(name))).toEqual([]);
});

test('what differs is named: counts, money, the first fill, the hash', () => {
  const kept: GoldenOutcome = {
    decisions: 'aa',
    orders: { placed: 3 },
    denials: {},
    profit: { BTC: '1' },
    fills: ['1 buy', '2 sell'],
  };
  expect(differences(kept, kept)).toEqual([]);
  const found = { ...kept, decisions: 'bb', denials: { FUNDS: 1 }, fills: ['1 buy', '3 sell'] };
  expect(differences(kept, found)).toEqual([
    'denials FUNDS: was none, is 1',
    'fill 2: was 2 sell, is 3 sell',
    'decisions: was aa, is bb',
  ]);
});
