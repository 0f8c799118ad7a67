import { describe, expect, test, vi } from 'vitest';
import type { Micros } from '../../../src/core/base/clock.ts';
import { millis, seconds } from '../../../src/core/base/clock.ts';
import { sliceRows, unhurriedGap } from '../../../src/core/base/slices.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { ClientOrderId } from '../../../src/core/model/order.ts';
import { FakeVenue } from './support/fake-venue.ts';
import { start, venueOrder, World } from './support/world.ts';

const count = 613;
const ids = Array.from({ length: count }, (_, at) => `other-${String(at).padStart(6, '0')}` as ClientOrderId);
const everyMs = 10_000;

/** An account with many live orders of somebody else, after the first look at it. */
function crowded(): { readonly world: World; readonly venue: FakeVenue } {
  const world = new World({ options: { reconcile: { everyMs } } });
  const venue = new FakeVenue(world);
  for (const clientOrderId of ids)
    venue.put(
      venueOrder(
        {
          clientOrderId,
          instrument: world.instrument().id,
          side: 'buy',
          type: 'limit',
          timeInForce: 'GTC',
          quantity: 10 as Lots,
          price: 9_000 as Ticks,
          stopPrice: undefined,
          expireTime: undefined,
          postOnly: false,
        },
        start,
      ),
    );
  venue.up();
  world.clock.advance(seconds(2));
  return { world, venue };
}

/** How many different orders the manager asks the state for at each time until the next look is over. */
function askedAt(world: World): ReadonlyMap<Micros, ReadonlySet<string>> {
  const asked = new Map<Micros, Set<string>>();
  const order = world.state.order.bind(world.state);
  const spy = vi.spyOn(world.state, 'order').mockImplementation((id) => {
    const now = world.clock.now();
    const here = asked.get(now) ?? new Set();
    asked.set(now, here.add(id));
    return order(id);
  });
  world.clock.advance(millis(everyMs));
  spy.mockRestore();
  return asked;
}

describe('a look at an account with many orders', () => {
  test('meets each of them, and in one turn of the loop no more than a slice', () => {
    const { world } = crowded();
    expect(world.state.openCount()).toBe(count);
    const asked = askedAt(world);
    expect(new Set([...asked.values()].flatMap((turn) => [...turn]))).toEqual(new Set(ids));
    expect(Math.max(...[...asked.values()].map(({ size }) => size))).toBe(sliceRows);
  });

  test('leaves time between two slices, so that a loop that is late does few of them in one turn', () => {
    const { world } = crowded();
    const full = [...askedAt(world)].filter(([, { size }]) => size === sliceRows).map(([at]) => at);
    // Four of the passes ask the state for orders.
    expect(full).toHaveLength(4 * Math.floor(count / sliceRows));
    expect(Math.min(...full.slice(1).map((at, i) => at - (full[i] as Micros)))).toBe(unhurriedGap);
  });

  test('finds one that ended in silence, and no other', () => {
    const { world, venue } = crowded();
    const [first, , third] = ids as [ClientOrderId, ClientOrderId, ClientOrderId];
    venue.orders.delete(first);
    venue.orders.delete(ids.at(-1) as ClientOrderId);
    venue.fillSilently(third, 10);
    world.clock.advance(seconds(200));
    expect(world.state.openCount()).toBe(count - 3);
    for (const id of [first, third, ids.at(-1) as ClientOrderId])
      expect(world.state.openOrders().some(({ clientOrderId }) => clientOrderId === id)).toBe(false);
  });

  test('that is left by the loss of the session is begun anew when it is back', () => {
    const { world, venue } = crowded();
    let turns = 0;
    // The list comes in parts of a millisecond each: the session goes while it is gone through.
    const asked = venue.reads.length;
    while (venue.reads.length === asked) world.clock.advance(millis(1));
    world.clock.advance(millis(5 + Math.ceil(count / 100) + 3));
    expect(world.orders.reconciled).toBe(true);
    venue.down();
    world.clock.advance(seconds(30));
    expect(world.orders.reconciled).toBe(false);
    venue.up();
    while (!world.orders.reconciled && turns < 2_000) {
      world.clock.advance(millis(1));
      turns += 1;
    }
    // Five passes over the orders, of which each takes a turn for a slice, behind the parts of the list.
    expect(turns).toBeGreaterThan(5 * Math.floor(count / sliceRows));
    expect(turns).toBeLessThan(200);
  });
});
