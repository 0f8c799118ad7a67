import { afterEach, describe, expect, test } from 'vitest';
import { replaySession } from '../../src/app/replay/session.ts';
import type { Micros } from '../../src/core/base/clock.ts';
import { seconds } from '../../src/core/base/clock.ts';
import { configSchema } from '../../src/app/config/schema.ts';
import { openRecording } from '../../src/data/open/own-formats.ts';
import { Stage, strategyOf } from './support/stage.ts';
import { until } from './support/until.ts';

// Processes and sockets take their time on a busy machine.
const hour = seconds(3_600);
const maker = { symbol: 'ETHUSDT', pauseMs: 10, halfSpreadTicksMin: 1, requoteTicks: 1, lifetimeSeconds: 20 };

let stage: Stage;

afterEach(async () => {
  await stage.close();
});

/** A market maker, whose orders all expire by a time, at an exchange whose clock is so far ahead. */
async function quotes(ahead: number, mode: 'sim' | 'paper', host: 'thread' | 'worker' = 'thread') {
  stage = await Stage.open({
    strategies: [strategyOf('market-maker', maker, { host })],
    mode,
    ahead: ahead as Micros,
    record: true,
    config: { backtest: { balances: { ETH: '10', USDT: '100000' } } },
    exchange: { flow: { eventsPerSecond: 400 } },
  });
  const placed = () => stage.all('orderReport').filter(({ reportType }) => reportType === 'new');
  await until('ten orders that stand', () => placed().length >= 10);
  return placed();
}

function expectNoneRefused(): void {
  const denials = stage.all('orderDenied').map(({ denial }) => denial.code);
  expect(denials).not.toContain('EXPIRE_TIME_PAST');
  // An order that is filled meanwhile can no longer be replaced.
  expect(stage.all('orderRejected').filter(({ code }) => code !== 20_002)).toEqual([]);
}

describe('an exchange whose clock differs', () => {
  test.each([
    ['70 s ahead', seconds(70)],
    ['an hour ahead', hour],
    ['an hour behind', -hour],
  ])('by %s accepts orders that expire, and prices are held against young trades', async (_name, ahead) => {
    const placed = await quotes(ahead, 'sim');
    expectNoneRefused();
    const { view } = stage.daemon.trader;
    expect(Math.abs((view.clockOffset ?? 0) - ahead)).toBeLessThan(seconds(30));
    for (const { order, receiveTime } of placed) {
      const left = (order.expireTime ?? 0) - receiveTime - ahead;
      expect(left).toBeGreaterThan(-seconds(10));
      expect(left).toBeLessThan(seconds(50));
    }
    expect(view.marketLag).toBeLessThan(seconds(30));
  });

  test('serves a strategy in a worker too', async () => {
    await quotes(-hour, 'sim', 'worker');
    expectNoneRefused();
  });

  test('is taken for the time of the simulated venue in mode paper', async () => {
    await quotes(-hour, 'paper');
    expectNoneRefused();
  });

  test.each(['sim', 'paper'] as const)(
    'is in the recording of mode %s, which replays alike',
    async (mode) => {
      await quotes(seconds(70), mode);
      await stage.stop();
      const { digest } = await replaySession({
        configure: (recorded) => configSchema.parse(recorded),
        recording: await openRecording([stage.recording]),
      });
      expect(digest).toBe(stage.daemon.digest());
    },
  );
});
