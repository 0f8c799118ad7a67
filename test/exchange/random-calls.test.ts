import { expect, test } from 'vitest';
import { runRandomCalls } from './random-calls.ts';

test('random calls of every endpoint never fail the exchange, and neither make nor lose money', async () => {
  const seed = 20_261_121;
  process.stderr.write(`random calls: seed ${seed}; many more: node test/exchange/random-calls.ts 100000\n`);
  const { calls, statuses, troubles } = await runRandomCalls(3_000, seed);
  expect(troubles).toEqual([]);
  expect(calls).toBe(3_000);
  // Worth nothing if nothing got through, or nothing was refused.
  expect(statuses.get(200)).toBeGreaterThan(600);
  expect(statuses.get(400)).toBeGreaterThan(600);
});
