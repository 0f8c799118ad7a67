import { describe, expect, test } from 'vitest';
import { millis, seconds } from '../../../src/core/base/clock.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { ClientOrderId, Order, VenueOrder } from '../../../src/core/model/order.ts';
import { FakeVenue } from './support/fake-venue.ts';
import type { WorldParts } from './support/world.ts';
import { venueOrder, World } from './support/world.ts';

// Faults, X12 and I5: what the venue's list of active orders shows against what reports said.

function joined(parts: WorldParts = {}): { world: World; venue: FakeVenue } {
  const world = new World(parts);
  return { world, venue: new FakeVenue(world) };
}

const stateOf = (world: World, id: ClientOrderId): string | undefined => world.state.order(id)?.state;

/** Places an order and replaces it; returns both ids. */
function replaced(world: World, lots = 20): { original: ClientOrderId; next: ClientOrderId } {
  const original = world.place() as ClientOrderId;
  world.clock.advance(millis(20));
  const next = world.ids.next();
  world.want({
    action: 'replace',
    strategy: 'maker',
    clientOrderId: original,
    newClientOrderId: next,
    quantity: lots as Lots,
    price: 9_901 as Ticks,
    stopPrice: undefined,
  });
  world.clock.advance(millis(20));
  return { original, next };
}

function ended(world: World): ClientOrderId {
  const id = world.place() as ClientOrderId;
  world.clock.advance(millis(20));
  world.report(id, 'canceled');
  return id;
}

/** Tells of a run that is none of a backtest, with its session and first look. */
function begin(world: World, venue: FakeVenue): void {
  world.step({ kind: 'runStarted', ...world.times, run: world.run, mode: 'live' });
  venue.up();
  world.clock.advance(millis(20));
}

function halt(world: World): void {
  world.step({ kind: 'modeChanged', ...world.times, mode: 'halted', why: 'the end', latched: false });
}

describe('an order that the venue left alive beside its replacement', () => {
  test('is seen by the check of the account each minute, reported, counted again, and cancelled', () => {
    const { world, venue } = joined();
    venue.replaceManner = 'keepsOriginal';
    const { original, next } = replaced(world);
    expect([stateOf(world, original), stateOf(world, next)]).toEqual(['canceled', 'new']);
    expect(venue.liveCount()).toBe(2);
    world.clock.advance(seconds(67));
    expect(world.ofKind('orderFoundAlive')).toMatchObject([
      { clientOrderId: original, state: 'new', believed: 'canceled' },
    ]);
    expect(venue.cancels).toEqual([original]);
    expect([stateOf(world, original), stateOf(world, next)]).toEqual(['canceled', 'new']);
    expect(venue.liveCount()).toBe(1);
    world.clock.advance(seconds(200));
    expect(venue.cancels).toEqual([original]);
  });

  test('counts in every limit between the proof and its end, beside the replacement', () => {
    const { world, venue } = joined();
    venue.replaceManner = 'keepsOriginal';
    venue.cancelManner = 'silent';
    const { original } = replaced(world, 20);
    expect(world.state.workingLots(world.instrument().id, 'buy')).toBe(20);
    world.clock.advance(seconds(67));
    expect(stateOf(world, original)).toBe('new');
    expect(world.state.workingLots(world.instrument().id, 'buy')).toBe(30);
    expect(world.state.openCount()).toBe(2);
  });

  test('is cancelled again when the first cancel fails', () => {
    const { world, venue } = joined();
    venue.replaceManner = 'keepsOriginal';
    venue.cancelManner = 'unanswered';
    const { original } = replaced(world);
    world.clock.advance(seconds(67));
    expect(venue.liveCount()).toBe(2);
    venue.cancelManner = 'works';
    world.clock.advance(seconds(60));
    expect(venue.liveCount()).toBe(1);
    expect(stateOf(world, original)).toBe('canceled');
  });

  test('is looked for at once when it executes after its end was reported', () => {
    const { world, venue } = joined();
    venue.replaceManner = 'keepsOriginal';
    const { original } = replaced(world);
    world.fill(original, 3);
    world.clock.advance(seconds(8));
    expect(venue.cancels).toEqual([original]);
    expect(world.state.position(world.instrument().id, 'maker').quantity).toBe(3);
  });

  test('is found and cancelled by the next run, also where own orders of earlier runs are kept', () => {
    for (const onStart of ['cancel', 'keep'] as const) {
      const { world, venue } = joined({ options: { onStart } });
      venue.replaceManner = 'keepsOriginal';
      const { original, next } = replaced(world);
      const later = new World({ after: world, run: 'r2', options: { onStart }, ready: false });
      later.market();
      venue.attach(later);
      venue.up(later);
      later.clock.advance(seconds(8));
      expect(later.ofKind('orderFoundAlive').map(({ clientOrderId }) => clientOrderId)).toEqual([original]);
      expect([...venue.cancels].sort()).toEqual(onStart === 'keep' ? [original] : [original, next]);
    }
  });

  test('does not survive a halt: the end waits for a list that shows nothing of ours', () => {
    const { world, venue } = joined();
    venue.replaceManner = 'keepsOriginal';
    begin(world, venue);
    const { original, next } = replaced(world);
    halt(world);
    world.clock.advance(millis(600));
    expect(venue.cancels).toEqual([next]);
    expect(world.state.openCount()).toBe(0);
    expect(world.orders.lastLook.isOver).toBe(false);
    expect(world.orders.lastLook.listed).toEqual([original]);
    world.clock.advance(seconds(7));
    expect(venue.cancels).toEqual([next, original]);
    expect(venue.liveCount()).toBe(0);
    expect(world.orders.lastLook.isOver).toBe(true);
    expect(world.orders.lastLook.listed).toEqual([]);
  });
});

describe('a halt', () => {
  test('is over after one look that shows nothing, and at once while the venue cannot be asked', () => {
    const { world, venue } = joined();
    begin(world, venue);
    world.place();
    world.clock.advance(millis(20));
    halt(world);
    world.clock.advance(millis(8));
    expect(world.state.openCount()).toBe(0);
    const before = venue.reads.length;
    expect(world.orders.lastLook.isOver).toBe(false);
    world.clock.advance(seconds(1));
    expect(world.orders.lastLook.isOver).toBe(true);
    expect(venue.reads.length).toBe(before + 3);
    halt(world);
    expect(world.orders.lastLook.isOver).toBe(false);
    venue.down();
    expect(world.orders.lastLook.isOver).toBe(true);
  });
});

describe('a list that is older than the end of an order', () => {
  test.each([
    ['one list', 1_000],
    ['lists for nearly as long as a proof takes', 4_900],
  ])('does not bring it back: %s', (_what, staleMs) => {
    const { world, venue } = joined();
    const id = ended(world);
    venue.stale.push({ ...venueOrder(world.state.order(id) as Order, world.clock.now()) });
    venue.orders.delete(id);
    // The check of the minute meets it, and what follows.
    world.clock.advance((seconds(60) - world.clock.uptime()) as never);
    while (venue.reads.length < 3) world.clock.advance(millis(10));
    world.clock.advance(millis(staleMs));
    venue.stale.length = 0;
    world.clock.advance(seconds(100));
    expect(world.ofKind('orderFoundAlive')).toEqual([]);
    expect(stateOf(world, id)).toBe('canceled');
    expect(venue.cancels).toEqual([]);
  });

  test('proves nothing while its end is reported again in between', () => {
    const { world, venue } = joined();
    const id = ended(world);
    venue.stale.push({ ...venueOrder(world.state.order(id) as Order, world.clock.now()) });
    venue.orders.delete(id);
    for (let i = 0; i < 100; i++) {
      world.clock.advance(seconds(1));
      world.report(id, 'canceled');
    }
    expect(world.ofKind('orderFoundAlive')).toEqual([]);
  });

  test('whatever the order had ended as, two lists far enough apart bring it back', () => {
    for (const end of ['canceled', 'expired', 'filled'] as const) {
      const { world, venue } = joined();
      const id = world.place() as ClientOrderId;
      world.clock.advance(millis(20));
      if (end === 'filled') world.fill(id, 10);
      else world.report(id, end);
      world.clock.advance(seconds(70));
      expect(world.ofKind('orderFoundAlive')).toMatchObject([{ clientOrderId: id, believed: end }]);
      expect(venue.cancels).toEqual([id]);
      expect(venue.liveCount()).toBe(0);
    }
  });
});

describe('an order under our prefix that is not known', () => {
  const stranger = (world: World, id: string): VenueOrder =>
    venueOrder(world.request({ clientOrderId: id as ClientOrderId }), world.clock.now());

  test('is reported and cancelled when it bears the name of this run', () => {
    const { world, venue } = joined();
    venue.put(stranger(world, 'gw-r1-maker-zzzzz'));
    world.clock.advance(seconds(61));
    expect(world.ofKind('orderFoundAlive')).toMatchObject([
      { clientOrderId: 'gw-r1-maker-zzzzz', believed: undefined },
    ]);
    expect(venue.cancels).toEqual(['gw-r1-maker-zzzzz']);
    expect(venue.liveCount()).toBe(0);
  });

  test('and of others is left alone', () => {
    const { world, venue } = joined();
    venue.put(stranger(world, 'by-hand-0001'));
    world.clock.advance(seconds(130));
    expect(world.ofKind('orderFoundAlive')).toEqual([]);
    expect(venue.cancels).toEqual([]);
    expect(world.state.openCountBy('external')).toBe(1);
  });
});
