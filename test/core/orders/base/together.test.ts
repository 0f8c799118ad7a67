import { describe, expect, test } from 'vitest';
import { millis } from '../../../../src/core/base/clock.ts';
import { fullCapabilities } from '../../../../src/core/model/capabilities.ts';
import type { CancelOrderCommand } from '../../../../src/core/model/command.ts';
import type { Ticks } from '../../../../src/core/model/instrument.ts';
import type { ClientOrderId } from '../../../../src/core/model/order.ts';
import type { WorldParts } from '../support/world.ts';
import { venueOrder, World } from '../support/world.ts';

const foreign = 'by-hand-00001' as ClientOrderId;

function worldOf(parts: WorldParts = {}): World {
  return new World({ options: { cancelTogether: { from: 3 } }, ...parts });
}

/** Orders that rest on the first symbol. */
function resting(world: World, count: number): readonly ClientOrderId[] {
  return Array.from({ length: count }, (_, at) => world.rest({ price: (9_800 - at) as Ticks }));
}

/** Somebody has an order on the first symbol. */
function byHand(world: World): void {
  const order = venueOrder(
    world.request({ clientOrderId: foreign, price: 9_500 as Ticks }),
    world.clock.now(),
  );
  world.step({ kind: 'orderReport', ...world.times, reportType: 'new', order, fill: undefined });
}

const halt = (world: World): void =>
  world.step({ kind: 'modeChanged', ...world.times, mode: 'halted', why: 'by ann', latched: true });

const cancels = (world: World): readonly CancelOrderCommand[] =>
  world.ofKind('cancelPending').map(({ command }) => command);

/** How each cancel leaves: with how many others, or alone. */
const ways = (world: World): readonly string[] =>
  cancels(world).map(({ together }) =>
    together === undefined ? 'alone' : `${together.scope} ${together.count}`,
  );

describe('a halt of many orders', () => {
  test('cancels those of a symbol in one request, and each is recorded', () => {
    const world = worldOf();
    const ids = resting(world, 3);
    halt(world);
    expect(cancels(world).map(({ clientOrderId }) => clientOrderId)).toEqual(ids);
    expect(ways(world)).toEqual(['symbol 3', 'symbol 3', 'symbol 3']);
    const [first] = cancels(world);
    expect(new Set(cancels(world).map(({ together }) => together?.first))).toEqual(
      new Set([first?.commandId]),
    );
  });

  test('few orders go one by one', () => {
    const world = worldOf();
    resting(world, 2);
    halt(world);
    expect(ways(world)).toEqual(['alone', 'alone']);
  });

  test('an order of somebody else on the symbol is spared: ours go one by one', () => {
    const world = worldOf();
    resting(world, 3);
    byHand(world);
    halt(world);
    expect(ways(world)).toEqual(['alone', 'alone', 'alone']);
    expect(cancels(world).map(({ clientOrderId }) => clientOrderId)).not.toContain(foreign);
  });

  test('where orders of others may go too, one request is for all symbols', () => {
    const world = worldOf({ options: { cancelTogether: { from: 3, others: 'cancel' } } });
    resting(world, 2);
    byHand(world);
    const other = world.instrument(1).id;
    world.rest({ price: 9_800 as Ticks, instrument: other });
    halt(world);
    expect(ways(world)).toEqual(['product 3', 'product 3', 'product 3']);
  });

  test('orders of another strategy that stay are spared', () => {
    const world = worldOf({ options: { cancelTogether: { from: 3, others: 'cancel' } } });
    resting(world, 3);
    world.rest({ clientOrderId: world.idOf('taker'), price: 9_700 as Ticks }, 'taker');
    world.operate({ act: 'cancelAll', strategy: 'maker', instrument: undefined });
    expect(ways(world)).toEqual(['alone', 'alone', 'alone']);
  });

  test('an order that the venue may not have yet goes by its own cancel', () => {
    const world = worldOf();
    resting(world, 2);
    world.place({ price: 9_700 as Ticks });
    halt(world);
    expect(ways(world)).toEqual(['symbol 2', 'symbol 2', 'alone']);
  });

  test('a venue without such a request, and an account that was not compared yet, get one cancel for each', () => {
    for (const parts of [{ capabilities: { ...fullCapabilities, cancelAll: false } }, undefined]) {
      const world = worldOf(parts);
      resting(world, 3);
      if (parts === undefined)
        world.step({ kind: 'sessionDown', ...world.times, session: 'trading', why: 'reset' });
      halt(world);
      expect(ways(world)).toEqual(['alone', 'alone', 'alone']);
    }
  });

  test('an order that the answer does not name is read, and cancelled by itself while it lives', () => {
    const world = worldOf();
    const [lost = foreign] = resting(world, 3);
    halt(world);
    const commandId = cancels(world)[0]?.commandId ?? 0;
    const before = world.ofKind('readPending').length;
    world.step({
      kind: 'cancelRejected',
      ...world.times,
      clientOrderId: lost,
      code: 20_002,
      why: 'not found',
    });
    const settled = { kind: 'commandSettled', commandId, lane: 'cancel', clientOrderId: lost } as const;
    world.step({ ...settled, ...world.times, outcome: 'acknowledged' });
    world.clock.advance(millis(1_000));
    expect(world.ofKind('readPending').length).toBeGreaterThan(before);
    expect(world.state.order(lost)?.state).toBe('new');
  });
});
