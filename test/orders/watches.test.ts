import { describe, expect, test } from 'vitest';
import { seconds } from '../../src/base/clock.ts';
import type { Ticks } from '../../src/model/instrument.ts';
import type { ClientOrderId } from '../../src/model/order.ts';
import { World } from './support/world.ts';

const ticks = (value: number): Ticks => value as Ticks;

function unanswered(world: World, id: ClientOrderId): void {
  const pending = world.ofKind('orderPending').find(({ command }) => command.request.clientOrderId === id);
  world.step({
    kind: 'commandSettled',
    ...world.times,
    commandId: pending?.command.commandId ?? 0,
    lane: 'new',
    outcome: 'unanswered',
    clientOrderId: id,
  });
}

describe('watches', () => {
  test('as many unknown orders as allowed are borne, one more halts trading and cancels own orders', () => {
    const world = new World({ options: { unknownOrdersMax: 2 } });
    const live = world.rest({ price: ticks(9_700) });
    const ids = [0, 1, 2].map((index) => world.place({ price: ticks(9_800 + index) }) as ClientOrderId);
    unanswered(world, ids[0] as ClientOrderId);
    unanswered(world, ids[1] as ClientOrderId);
    expect(world.state.mode).toBe('active');
    unanswered(world, ids[2] as ClientOrderId);
    expect(world.state.mode).toBe('halted');
    expect(world.ofKind('modeChanged')).toMatchObject([{ latched: true }]);
    expect(world.ofKind('cancelPending').map(({ command }) => command.clientOrderId)).toEqual([live, ...ids]);
  });

  test('half of the last twenty orders may be rejected, one more stops the strategy', () => {
    const world = new World();
    const outcome = (index: number, rejected: boolean): void => {
      const id = world.place({ price: ticks(9_700 + index) }) as ClientOrderId;
      if (rejected) world.rejected(id);
      else world.report(id, 'new');
    };
    for (let i = 0; i < 20; i++) outcome(i, i % 2 === 0);
    expect(world.state.stopped('maker')).toBeUndefined();
    outcome(20, true);
    expect(world.state.stopped('maker')).toBeUndefined();
    outcome(21, true);
    expect(world.state.stopped('maker')).toContain('11 of its last 20');
    expect(world.ofKind('cancelPending')).toHaveLength(10);
    expect(world.place({ price: ticks(9_650) })).toBe('STRATEGY_STOPPED');
    expect(world.place({ clientOrderId: world.idOf('taker') }, 'taker')).toMatch(/^gw/);
  });

  test('orders that are turned away for their rate say nothing about a strategy', () => {
    const world = new World();
    for (let i = 0; i < 60; i++) {
      world.rejected(world.place({ price: ticks(9_700 + i) }) as ClientOrderId, 429);
      world.clock.advance(seconds(1));
    }
    expect(world.state.stopped('maker')).toBeUndefined();
    expect(world.place({ price: ticks(9_650) })).toMatch(/^gw/);
  });

  test('too many same-side orders that begin to fill inside the window stop the strategy', () => {
    const world = new World({ options: { executions: { max: 2, windowMs: 1_000 } } });
    const ids = [0, 1, 2, 3, 4].map((index) => world.rest({ price: ticks(9_900 - index) }));
    const sell = world.rest({ side: 'sell', price: ticks(10_100) });
    const fill = (index: number): void => world.fill(ids[index] as ClientOrderId, 5);
    fill(0);
    fill(0);
    fill(1);
    world.fill(sell, 1);
    expect(world.state.stopped('maker')).toBeUndefined();
    world.clock.advance(seconds(1));
    fill(2);
    fill(3);
    expect(world.state.stopped('maker')).toBeUndefined();
    fill(4);
    expect(world.state.stopped('maker')).toContain('began to fill');
    expect(world.ofKind('cancelPending').length).toBeGreaterThan(0);
  });

  test('a halt from elsewhere cancels all own orders, those still in flight included', () => {
    const world = new World();
    const live = world.rest();
    const pending = world.place({ price: ticks(9_901) }) as ClientOrderId;
    world.step({ kind: 'modeChanged', ...world.times, mode: 'halted', why: 'kill', latched: true });
    expect(world.ofKind('cancelPending').map(({ command }) => command.clientOrderId)).toEqual([
      live,
      pending,
    ]);
    // The venue refuses the cancel that overtook the order; when the order is told, it is cancelled again.
    world.step({
      kind: 'cancelRejected',
      ...world.times,
      clientOrderId: pending,
      code: 20_002,
      why: 'not found',
    });
    world.report(pending, 'new');
    expect(world.ofKind('cancelPending').at(-1)?.command.clientOrderId).toBe(pending);
    expect(world.ofKind('cancelPending')).toHaveLength(3);
  });

  test('a stopped strategy loses its orders, others keep theirs', () => {
    const world = new World();
    const mine = world.rest();
    world.rest({ clientOrderId: world.idOf('taker') }, 'taker');
    world.step({ kind: 'strategyStopped', ...world.times, strategy: 'maker', why: 'threw' });
    expect(world.ofKind('cancelPending').map(({ command }) => command.clientOrderId)).toEqual([mine]);
  });
});
