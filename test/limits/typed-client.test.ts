import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { micros, seconds } from '../../src/core/base/clock.ts';
import { Random } from '../../src/core/base/random.ts';
import { attempt, GodwitClient } from '../../src/venues/hitbtc/typed/index.ts';
import type { Bench } from '../exchange/support/raw-client.ts';
import { openBench } from '../exchange/support/raw-client.ts';

/**
 * Unlimited demand over real HTTP on one virtual clock: each turn of the loop is a millisecond of it, so replies take
 * some milliseconds, and now and then the clock leaps by 0.4 or 2 s while calls are on their way: a stall.
 */
async function demand(
  bench: Bench,
  lengthSeconds: number,
  call: (client: GodwitClient) => Promise<unknown>,
): Promise<{ readonly calls: number; readonly refused: readonly string[] }> {
  const key = bench.key('demo');
  const client = new GodwitClient({
    baseUrl: bench.server.restUrl,
    credentials: { apiKey: key.apiKey, secret: key.secret.reveal() },
    clock: bench.clock,
    random: new Random(5),
    options: { rest: { timeoutMs: 60_000 } },
  });
  const end = bench.clock.now() + seconds(lengthSeconds);
  let calls = 0;
  const refused: string[] = [];
  const work = { lanes: 24 };
  const lane = async (): Promise<void> => {
    while (bench.clock.now() < end) {
      const done = await attempt(call(client));
      if (!done.ok) refused.push(JSON.stringify(done.failure));
      calls += 1;
    }
    work.lanes -= 1;
  };
  const working = Promise.all(Array.from({ length: work.lanes }, lane));
  let milliseconds = 0;
  while (work.lanes > 0) {
    await turn();
    milliseconds += 1;
    bench.clock.advance(micros(stallAt(milliseconds) * 1_000));
  }
  await working;
  await client.close();
  return { calls, refused };
}

function stallAt(turns: number): number {
  if (turns % 40_000 === 0) return 2_000;
  return turns % 20_000 === 0 ? 400 : 1;
}

test('two simulated minutes of unlimited public calls of the typed client get no 429, at nine tenths of the rate', async () => {
  const bench = await openBench();
  const { calls, refused } = await demand(bench, 120, (client) =>
    client.v3.marketData.symbol({ symbol: 'ETHBTC' }),
  );
  expect(refused).toEqual([]);
  expect(calls).toBeGreaterThan(120 * 30 * 0.9);
  await bench.close();
});

test('two simulated minutes of unlimited balance calls of the typed client get no 429, at nine tenths of the rate', async () => {
  const bench = await openBench();
  const { calls, refused } = await demand(bench, 120, (client) => client.v3.spot.balances());
  expect(refused).toEqual([]);
  expect(calls).toBeGreaterThan(120 * 20 * 0.9);
  await bench.close();
});

test('a crowd of wallet sockets of the typed client logs in and asks without a 429, though the address may send less', async () => {
  const bench = await openBench();
  const key = bench.key('demo');
  const client = new GodwitClient({
    baseUrl: bench.server.restUrl,
    wsUrl: bench.server.wsUrl,
    credentials: { apiKey: key.apiKey, secret: key.secret.reveal() },
    clock: bench.clock,
    random: new Random(5),
  });
  const work = { sockets: 12 };
  const asked = Array.from({ length: work.sockets }, async () => {
    const socket = client.sockets.walletV3();
    const answers = [await attempt(socket.balances()), await attempt(socket.balances())];
    work.sockets -= 1;
    return answers;
  });
  const answers = Promise.all(asked);
  while (work.sockets > 0) {
    await turn();
    bench.clock.advance(micros(1_000));
  }
  expect((await answers).flat().filter(({ ok }) => !ok)).toEqual([]);
  await client.close();
  await bench.close();
});
