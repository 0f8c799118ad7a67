import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { replaySession } from '../../src/app/replay/session.ts';
import { configSchema } from '../../src/app/config/schema.ts';
import { openRecording } from '../../src/data/open/own-formats.ts';
import { Stage, strategyOf } from './support/stage.ts';
import { until } from './support/until.ts';

// Faults, S1 and P4: a strategy in the daemon's own thread throws in a timer or promise of its own.

let stage: Stage;

// The runner of these tests would take each such error for a failure of its own.
const kinds = ['uncaughtException', 'unhandledRejection'] as const;
const runners = kinds.map((kind) => process.listeners(kind));
beforeAll(() => {
  for (const kind of kinds) process.removeAllListeners(kind);
});
afterAll(() => {
  for (const [at, kind] of kinds.entries())
    for (const listener of runners[at] ?? []) process.on(kind, listener as () => void);
});

afterEach(async () => {
  await stage.close();
});

const nothing = strategyOf('stray-bidder', { deed: 'nothing', symbol: 'BTCUSDT' }, { name: 'calm' });
const own =
  /^it threw outside of its handlers, in a timer, task or promise of its own: Error: boom \(stray-bidder\.ts:\d+:\d+\)$/;

function open(deed: string, record = false): Promise<Stage> {
  const strategies = [strategyOf('stray-bidder', { deed }, { name: 'stray' }), nothing];
  return Stage.open({ strategies, record });
}

const openOf = (strategy: string) =>
  stage.daemon.trader.view.openOrders().filter((order) => order.strategy === strategy).length;

describe('what a strategy of the daemon throws outside of its handlers', () => {
  test.each(['timer', 'promise', 'interval', 'stream'])(
    'in %s stops it, cancels its orders, and leaves the others and the daemon alone',
    async (deed) => {
      stage = await open(deed);
      expect(await stage.next('strategyStopped')).toMatchObject({
        strategy: 'stray',
        why: expect.stringMatching(own),
      });
      await until('its order is cancelled', () => openOf('stray') === 0);
      await until('the other one trades', () => openOf('calm') === 1);
      expect(stage.daemon.trader.view.mode).toBe('active');
      expect(stage.all('strategyStopped')).toHaveLength(1);
      expect(await stage.stop()).toEqual([]);
    },
  );

  test('while it is loaded keeps it from starting', async () => {
    stage = await open('onLoad');
    expect(await stage.next('strategyStopped')).toMatchObject({
      strategy: 'stray',
      why: expect.stringMatching(own),
    });
    await until('the other one trades', () => openOf('calm') === 1);
    expect(stage.all('intent').filter(({ intent }) => intent.strategy === 'stray')).toEqual([]);
  });

  test('a recording of such a run replays to the same course', async () => {
    stage = await open('timer', true);
    await stage.next('strategyStopped');
    await until('its order is cancelled', () => openOf('stray') === 0);
    expect(await stage.stop()).toEqual([]);
    const stopped: string[] = [];
    const { digest } = await replaySession({
      configure: (recorded) => configSchema.parse({ ...recorded, strategies: stage.config.strategies }),
      recording: await openRecording([stage.recording]),
      watch: ({ event }) => {
        if (event.kind === 'strategyStopped') stopped.push(event.why);
      },
    });
    expect(stopped[0]).toMatch(own);
    expect(digest).toBe(stage.daemon.digest());
  });
});
