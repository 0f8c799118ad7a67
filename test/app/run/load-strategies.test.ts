import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { configSchema } from '../../../src/app/config/schema.ts';
import { loadStrategies } from '../../../src/app/run/load-strategies.ts';
import type { LoadedStrategy, PlanSetting } from '../../../src/app/run/strategy-plans.ts';
import { StrategyError } from '../../../src/app/run/strategy-plans.ts';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import { threadsRunning } from '../../../src/core/base/threads.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import { stateOptions } from '../../../src/core/state/options.ts';
import { specs } from '../../core/strategy/scene.ts';

const printer = fileURLToPath(new URL('../../core/strategy/fixtures/printer.ts', import.meta.url));
const setting: PlanSetting = {
  clock: new SystemClock(),
  instruments: new Instruments(specs),
  stateOptions: stateOptions.parse({}),
  seed: 1,
  idPrefix: 'gw',
  run: 'test',
};

interface Outcome {
  readonly loaded: readonly LoadedStrategy[];
  readonly error: unknown;
  /** Threads that ran at one time. */
  readonly most: number;
}

async function load(strategies: readonly object[]): Promise<Outcome> {
  const before = threadsRunning();
  let most = 0;
  let isDone = false;
  let error: unknown;
  let loaded: readonly LoadedStrategy[] = [];
  const done = loadStrategies(configSchema.parse({ strategies }).strategies, setting).then(
    (all) => {
      loaded = all;
      isDone = true;
    },
    (why: unknown) => {
      error = why;
      isDone = true;
    },
  );
  while (!isDone) {
    most = Math.max(most, threadsRunning() - before);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await done;
  return { loaded, error, most };
}

test('workers load at once, and stay in the order of the configuration', async () => {
  const names = ['b', 'a'];
  const { loaded, most } = await load(
    names.map((name) => ({ name, path: printer, params: { characters: 0 } })),
  );
  expect(loaded.map(({ plan }) => plan.name)).toEqual(names);
  expect(most).toBe(2);
  await Promise.all(loaded.map((one) => one.discard()));
  await expect.poll(() => threadsRunning()).toBe(0);
});

test('of several that cannot be loaded the first of the configuration is named, and no thread is left', async () => {
  const bad = (name: string): object => ({ name, path: printer, params: { no: name } });
  const { error } = await load([
    { name: 'good', path: printer, params: { characters: 0 } },
    bad('first'),
    bad('second'),
  ]);
  expect(error).toBeInstanceOf(StrategyError);
  expect((error as Error).message).toContain('first');
  await expect.poll(() => threadsRunning()).toBe(0);
});
