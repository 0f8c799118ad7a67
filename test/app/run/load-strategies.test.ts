import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { configSchema } from '../../../src/app/config/schema.ts';
import type { KeptStates } from '../../../src/app/run/kept-states.ts';
import { loadStrategies } from '../../../src/app/run/load-strategies.ts';
import type { LoadedStrategy, PlanSetting } from '../../../src/app/run/strategy-plans.ts';
import { StrategyError } from '../../../src/app/run/strategy-plans.ts';
import { BadInput } from '../../../src/core/base/errors.ts';
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
  const end = new AbortController();
  const most = mostThreads(end.signal);
  const outcome = { loaded: [] as readonly LoadedStrategy[], error: undefined as unknown };
  try {
    outcome.loaded = await loadStrategies(configSchema.parse({ strategies }).strategies, setting);
  } catch (error) {
    outcome.error = error;
  }
  end.abort();
  return { ...outcome, most: await most };
}

async function mostThreads(end: AbortSignal): Promise<number> {
  const before = threadsRunning();
  let most = 0;
  while (!end.aborted) {
    most = Math.max(most, threadsRunning() - before);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return most;
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

test('strategies of one group load in one worker, with one trust and no thread of the trader', async () => {
  const one = (name: string, more: object = {}): object => ({
    name,
    path: printer,
    params: { characters: 0 },
    isolation: { group: 'pair' },
    ...more,
  });
  const { loaded, most } = await load([one('a'), one('b')]);
  expect(loaded.map(({ plan }) => plan.name)).toEqual(['a', 'b']);
  expect(most).toBe(1);
  await Promise.all(loaded.map((each) => each.discard()));
  const mixed = await load([one('a'), one('b', { trust: 'full' })]);
  expect(mixed.error).toMatchObject({
    message: 'strategy b: expected trust: limited, as all of the group pair, found full',
  });
  const inThread = await load([one('a'), one('b', { host: 'thread' })]);
  expect(inThread.error).toMatchObject({
    message: 'strategy b: expected host: worker in the group pair, found thread',
  });
});

test('a group of which one has no state that can be read is not waited for', async () => {
  const kept = {
    read: (name: string) => {
      if (name === 'b') throw new BadInput('b kept nothing that can be read');
      return undefined;
    },
  } as unknown as KeptStates;
  const members = ['a', 'b', 'c'].map((name) => ({ name, path: printer, isolation: { group: 'g' } }));
  const { strategies } = configSchema.parse({ strategies: members });
  await expect(loadStrategies(strategies, { ...setting, kept })).rejects.toThrow('b kept nothing');
});
