import { afterEach, expect, test } from 'vitest';
import { expectReplays } from './support/replayed.ts';
import { Stage, strategyOf } from './support/stage.ts';
import { until } from './support/until.ts';

// Faults, S11: a strategy that floods stops no other and holds nothing up.

let stage: Stage | undefined;
afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

async function open(flood: { orders: number; again: boolean }): Promise<Stage> {
  stage = await Stage.open({
    strategies: [
      strategyOf('flooder', flood, { host: 'worker' }),
      strategyOf('steady-taker', { everyMs: 100 }, { host: 'worker' }),
    ],
    exchange: { flow: { eventsPerSecond: 100 } },
    record: true,
  });
  return stage;
}

const asked = (on: Stage): number =>
  on.all('intent').filter(({ intent }) => intent.strategy === 'flooder').length;

/** How much of the flood is taken in within one turn of the event loop, at most, until `isOver`. */
async function mostInTurn(on: Stage, isOver: () => boolean): Promise<number> {
  let most = 0;
  for (let before = asked(on); !isOver();) {
    await new Promise((resolve) => setImmediate(resolve));
    const now = asked(on);
    most = Math.max(most, now - before);
    before = now;
  }
  return most;
}

test('100,000 orders in one handler end the strategy that asks, and the loop turns meanwhile', async () => {
  const on = await open({ orders: 100_000, again: false });
  const { view } = on.daemon.trader;
  await until('the flood', () => asked(on) > 0);
  const most = await mostInTurn(on, () => view.stopped('flooder') !== undefined);
  expect(view.stopped('flooder')).toContain('asked for more than 1000 orders');
  expect([asked(on), view.stopped('steady-taker')]).toEqual([1_000, undefined]);
  expect(most).toBeLessThanOrEqual(64);
  const others = on.all('orderPending').length;
  await until('orders of the other one', () => on.all('orderPending').length > others + 2);
  await expectReplays(on);
});

test('a flood that goes on for as long as it may leaves room for a halt and for the other strategy', async () => {
  const on = await open({ orders: 900, again: true });
  const { view } = on.daemon.trader;
  await until('the flood', () => asked(on) > 2_000);
  const others = on.all('orderPending').filter(({ command }) => command.strategy === 'steady-taker').length;
  await until(
    'orders of the other one',
    () =>
      on.all('orderPending').filter(({ command }) => command.strategy === 'steady-taker').length > others + 2,
  );
  let acted = 0;
  const halt = setTimeout(() => {
    acted = asked(on);
    on.daemon.act({ act: 'halt' }, 'ann', 'a flood');
  }, 20);
  const most = await mostInTurn(on, () => view.mode === 'halted');
  clearTimeout(halt);
  expect(asked(on) - acted).toBeLessThanOrEqual(64);
  expect(most).toBeLessThanOrEqual(64);
  expect(view.stopped('steady-taker')).toBeUndefined();
});
