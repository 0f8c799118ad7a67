import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { configSchema } from '../../../src/app/config/schema.ts';
import { recordedScenario } from '../../../src/app/run/scenario-config.ts';
import { SweepPool } from '../../../src/app/sweep/pool.ts';
import type { TrialOutcome, TrialPack } from '../../../src/app/sweep/trial-contract.ts';
import { seconds } from '../../../src/core/base/clock.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { threadsRunning } from '../../../src/core/base/threads.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import { openData } from '../../../src/data/open/market-data.ts';
import { packInMemory } from '../../../src/research/scenario/memory-recording.ts';

const home = fileURLToPath(new URL('../../../', import.meta.url));
const path = `${home}test/bench/strategies/touch-maker.ts`;
const config = configSchema.parse({
  backtest: { balances: { ETH: '1000', BTC: '1000' } },
  strategies: [{ name: 'maker', path, params: { symbol: 'ETHBTC' } }],
});
const { bytes } = await packInMemory(await openData(`${home}backtest/feeds/sample`), { prepared: 0 });
const pack: TrialPack = { bytes, label: 'sample', prepared: 0 };

const pools: SweepPool[] = [];
const closeAll = async (): Promise<void> =>
  void (await Promise.all(pools.splice(0).map((pool) => pool.close())));
afterEach(closeAll);
afterAll(closeAll);

async function poolOf(workers: number): Promise<{ pool: SweepPool; clock: VirtualClock; before: number }> {
  const clock = new VirtualClock(seconds(1) as Micros);
  const pool = new SweepPool({ base: recordedScenario(config), workers, clock, timeout: seconds(36_000) });
  pools.push(pool);
  await pool.use(pack);
  return { pool, clock, before: threadsRunning() };
}

function runs(pool: SweepPool, count: number): Promise<readonly TrialOutcome[]> {
  return Promise.all(Array.from({ length: count }, (_, i) => pool.run({ point: { lots: 1 + i } })));
}

describe('threads of a sweep', () => {
  test.each([
    [4, 1, 1],
    [4, 20, 1],
    [4, 21, 2],
    [2, 60, 2],
    [4, 43, 4],
  ])('of %i at most, %i trials that come at once are given %i', async (workers, trials, threads) => {
    const { pool, before } = await poolOf(workers);
    void runs(pool, trials);
    expect(threadsRunning() - before).toBe(threads);
  });

  test('trials that wait for ten seconds in all are given one more, whatever their number', async () => {
    const { pool, clock, before } = await poolOf(3);
    const threads = (): number => threadsRunning() - before;
    const ended = runs(pool, 3);
    clock.advanceTo(seconds(10.9) as Micros);
    expect(threads()).toBe(1);
    clock.advanceTo(seconds(11) as Micros);
    expect(threads()).toBe(2);
    clock.advanceTo(seconds(21) as Micros);
    expect(threads()).toBe(3);
    for (const { failure } of await ended) expect(failure).toBeUndefined();
    // Nothing waits any more: nothing else is opened, however long it takes.
    const last = pool.run({ point: {} });
    clock.advanceTo(seconds(1_000) as Micros);
    expect(threads()).toBe(3);
    expect((await last).failure).toBeUndefined();
  }, 120_000);

  test('a trial ends alike in one thread and in another', async () => {
    const [one, several] = [await poolOf(1), await poolOf(2)];
    const alone = await runs(one.pool, 3);
    const ended = runs(several.pool, 3);
    several.clock.advanceTo(seconds(20) as Micros);
    expect((await ended).map(({ digest }) => digest)).toEqual(alone.map(({ digest }) => digest));
    expect(new Set(alone.map(({ digest }) => digest)).size).toBe(3);
  }, 120_000);
});
