import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAmount } from '../../../src/core/base/amount.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { millis, seconds } from '../../../src/core/base/clock.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import type { ClientOrderId, VenueOrder } from '../../../src/core/model/order.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import { FakeVenue } from './support/fake-venue.ts';
import type { WorldParts } from './support/world.ts';
import { venueOrder, World } from './support/world.ts';

function joined(parts: WorldParts = {}): { world: World; venue: FakeVenue } {
  const world = new World(parts);
  const venue = new FakeVenue(world);
  return { world, venue };
}

const historiesOf = ({ reads }: FakeVenue, id: ClientOrderId): number =>
  reads.filter(({ what }) => what.of === 'orderHistory' && what.clientOrderId === id).length;
const stateOf = (world: World, id: ClientOrderId): string | undefined => world.state.order(id)?.state;

describe('an order without an answer', () => {
  test('504, order accepted: found within two seconds, sent once', () => {
    const { world, venue } = joined();
    venue.manner = { landsAfterMs: 3, answer: 'unanswered' };
    const id = world.place() as ClientOrderId;
    world.clock.advance(millis(12));
    expect(stateOf(world, id)).toBe('unknown');
    expect(world.state.openCount()).toBe(1);
    world.clock.advance(seconds(2));
    expect(stateOf(world, id)).toBe('new');
    expect(venue.received).toEqual([id]);
  });

  test('504, order not accepted: unknown until a second look at 90 s, then proven absent by 95 s', () => {
    const { world, venue } = joined();
    venue.manner = { landsAfterMs: undefined, answer: 'unanswered' };
    const id = world.place() as ClientOrderId;
    world.clock.advance(millis(89_990));
    expect(stateOf(world, id)).toBe('unknown');
    expect(world.ofKind('orderProvenAbsent')).toEqual([]);
    world.clock.advance(seconds(5));
    expect(stateOf(world, id)).toBe('rejected');
    expect(world.state.openCount()).toBe(0);
    expect(venue.received).toEqual([id]);
    // The id stays a tombstone.
    expect(world.place({ clientOrderId: id })).toBe('ID_REUSED');
  });

  test.each([3, 10, 25])(
    '504, order lands %d s later: found, never called dead, never sent again',
    (after) => {
      const { world, venue } = joined();
      venue.manner = { landsAfterMs: after * 1_000, answer: 'unanswered' };
      const id = world.place() as ClientOrderId;
      world.clock.advance(seconds(after - 1));
      expect(stateOf(world, id)).toBe('unknown');
      world.clock.advance(seconds(60));
      expect(stateOf(world, id)).toBe('new');
      world.clock.advance(seconds(200));
      expect(stateOf(world, id)).toBe('new');
      expect(world.ofKind('orderProvenAbsent')).toEqual([]);
      expect(venue.received).toEqual([id]);
    },
  );

  test('a filled order that no list shows for 60 s is not called dead, and its fill is booked once', () => {
    const { world, venue } = joined();
    venue.manner = { landsAfterMs: 3, answer: 'unanswered' };
    venue.historyLagMs = 60_000;
    const id = world.place() as ClientOrderId;
    world.clock.after(millis(4), () => venue.fillSilently(id, 10));
    world.clock.advance(seconds(59));
    expect(stateOf(world, id)).toBe('unknown');
    world.clock.advance(seconds(60));
    expect(stateOf(world, id)).toBe('filled');
    expect(world.state.position(world.instrument().id, 'maker').quantity).toBe(10);
    expect(world.state.position(world.instrument().id, 'maker').fillCount).toBe(1);
    expect(world.ofKind('orderProvenAbsent')).toEqual([]);
  });

  test('an order the list does not show any more is found out, though our clock is far behind the venue', () => {
    const { world, venue } = joined();
    venue.manner = { landsAfterMs: 3, answer: 'reports' };
    const id = world.place() as ClientOrderId;
    world.clock.advance(millis(10));
    const ahead = (world.clock.now() + seconds(3_600)) as Micros;
    const live = { ...(venue.orders.get(id)?.order as VenueOrder), updatedAt: ahead };
    world.step({ kind: 'orderReport', ...world.times, reportType: 'status', order: live, fill: undefined });
    const order = { ...live, state: 'canceled' as const };
    venue.orders.set(id, { order, since: world.clock.now() });
    world.clock.advance(seconds(65));
    expect(stateOf(world, id)).toBe('canceled');
  });

  test('one look never proves anything, however late it is', () => {
    const { world, venue } = joined({ options: { reconcile: { everyMs: 86_400_000 } } });
    venue.manner = { landsAfterMs: undefined, answer: 'unanswered' };
    venue.readOutcome = 'unanswered';
    const id = world.place() as ClientOrderId;
    world.clock.advance(seconds(300));
    venue.readOutcome = 'answered';
    const before = venue.reads.length;
    for (let i = 0; i < 400 && venue.reads.length === before; i++) world.clock.advance(millis(100));
    expect(venue.reads.length).toBeGreaterThan(before);
    world.clock.advance(millis(100));
    expect(stateOf(world, id)).toBe('unknown');
    world.clock.advance(seconds(120));
    expect(stateOf(world, id)).toBe('rejected');
    const looks = venue.reads.slice(before).filter(({ what }) => what.of === 'orderHistory');
    expect(looks.length).toBeGreaterThanOrEqual(2);
  });

  test('a reserved balance that no known order explains speaks against absence', () => {
    const { world, venue } = joined();
    venue.manner = { landsAfterMs: undefined, answer: 'unanswered' };
    const id = world.place() as ClientOrderId;
    world.money({ BBB: '900' }, '100');
    world.clock.advance(seconds(200));
    expect(stateOf(world, id)).toBe('unknown');
    world.money({ BBB: '1000' }, '0');
    world.clock.advance(seconds(200));
    expect(stateOf(world, id)).toBe('rejected');
  });

  test('a lost session makes what was in flight unknown; new orders wait for the next comparison', () => {
    const { world, venue } = joined();
    venue.manner = { landsAfterMs: 3, answer: 'silent' };
    const id = world.place() as ClientOrderId;
    venue.down();
    world.clock.advance(seconds(2));
    expect(stateOf(world, id)).toBe('unknown');
    expect(world.place({ price: 9_901 as Ticks })).toBe('SESSION_DOWN');
    venue.up();
    expect(world.place({ price: 9_902 as Ticks })).toBe('NOT_RECONCILED');
    world.clock.advance(millis(20));
    expect(stateOf(world, id)).toBe('new');
    expect(world.place({ price: 9_903 as Ticks })).toMatch(/^gw/);
  });

  test('a command the gate gives up after the session is lost is denied, not unknown', () => {
    const { world, venue } = joined();
    world.onCommand = () => {};
    const id = world.place() as ClientOrderId;
    venue.down();
    world.clock.advance(seconds(1));
    world.step({
      kind: 'orderDenied',
      ...world.times,
      strategy: 'maker',
      action: 'place',
      clientOrderId: id,
      originalClientOrderId: undefined,
      denial: { code: 'BUDGET_DEADLINE', why: 'test' },
    });
    world.clock.advance(seconds(60));
    expect(stateOf(world, id)).toBe('denied');
    expect(world.ofKind('orderUnknown')).toEqual([]);
  });

  test('silence without any sign becomes unknown too', () => {
    const { world, venue } = joined();
    venue.manner = { landsAfterMs: undefined, answer: 'silent' };
    const id = world.place() as ClientOrderId;
    world.clock.advance(seconds(20));
    expect(stateOf(world, id)).toBe('unknown');
  });

  test('an order turned away with 429 is rejected and may be decided anew', () => {
    const { world, venue } = joined();
    venue.manner = { landsAfterMs: undefined, answer: 'limited' };
    const id = world.place() as ClientOrderId;
    world.clock.advance(millis(20));
    expect(stateOf(world, id)).toBe('rejected');
    expect(world.state.order(id)?.code).toBe('429');
  });

  test('an unanswered replacement leaves both in doubt until reads settle them', () => {
    const { world, venue } = joined();
    const id = world.rest();
    venue.put(venueOrder(world.state.order(id) ?? world.request(), world.clock.now()));
    const newId = world.ids.next();
    world.want({
      action: 'replace',
      strategy: 'maker',
      clientOrderId: id,
      newClientOrderId: newId,
      quantity: 12 as Lots,
      price: 9_950 as Ticks,
      stopPrice: undefined,
    });
    const command = world.ofKind('replacePending')[0]?.command;
    world.step({
      kind: 'commandSettled',
      ...world.times,
      commandId: command?.commandId ?? 0,
      lane: 'replace',
      outcome: 'unanswered',
      clientOrderId: newId,
    });
    expect(stateOf(world, newId)).toBe('unknown');
    expect(world.state.workingLots(world.instrument().id, 'buy')).toBe(22);
    world.clock.advance(seconds(96));
    expect(stateOf(world, newId)).toBe('rejected');
    expect(stateOf(world, id)).toBe('new');
    expect(world.state.order(id)?.replacePending).toBeUndefined();
  });
});

describe('start and restart', () => {
  test('orders an earlier run left at the venue are cancelled, foreign ones left alone', () => {
    const { world, venue } = joined({ ready: false, run: 'r2' });
    const mine = 'gw-r1-maker-00007' as ClientOrderId;
    const foreign = 'by-hand-00000001' as ClientOrderId;
    for (const clientOrderId of [mine, foreign]) {
      venue.put(venueOrder(world.request({ clientOrderId }), world.clock.now()));
    }
    world.market();
    venue.up();
    world.clock.advance(seconds(1));
    expect(venue.cancels).toEqual([mine]);
    expect(stateOf(world, mine)).toBe('canceled');
    expect(stateOf(world, foreign)).toBe('new');
    expect(world.state.openCount()).toBe(1);
    world.operate({ act: 'cancelAll', strategy: undefined, instrument: undefined });
    expect(venue.cancels).toEqual([mine]);
  });

  test('with onStart keep they stay', () => {
    const { world, venue } = joined({ ready: false, run: 'r2', options: { onStart: 'keep' } });
    const mine = 'gw-r1-maker-00007' as ClientOrderId;
    venue.put(venueOrder(world.request({ clientOrderId: mine }), world.clock.now()));
    venue.up();
    world.clock.advance(seconds(1));
    expect(venue.cancels).toEqual([]);
    expect(stateOf(world, mine)).toBe('new');
  });

  test('what was pending when a run died is unknown in the next one, and settled by evidence', () => {
    const first = joined();
    first.venue.manner = { landsAfterMs: 3, answer: 'silent' };
    const landed = first.world.place() as ClientOrderId;
    first.world.clock.advance(millis(10));
    first.venue.manner = { landsAfterMs: undefined, answer: 'silent' };
    const lost = first.world.place({ price: 9_901 as Ticks }) as ClientOrderId;
    const world = new World({ after: first.world, run: 'r2', ready: false, options: { onStart: 'keep' } });
    first.venue.attach(world);
    world.clock.advance(seconds(10));
    first.venue.up(world);
    expect(stateOf(world, landed)).toBe('unknown');
    expect(stateOf(world, lost)).toBe('unknown');
    world.clock.advance(millis(100));
    expect(stateOf(world, landed)).toBe('new');
    expect(stateOf(world, lost)).toBe('unknown');
    // The clock may have been set while nobody ran, so the time of the proof begins with the run.
    world.clock.advance(seconds(86));
    expect(stateOf(world, lost)).toBe('unknown');
    world.clock.advance(seconds(10));
    expect(stateOf(world, lost)).toBe('rejected');
    expect(first.venue.received).toEqual([landed, lost]);
  });

  test('trades are read from before the start, though the clock was set back since the earlier run', () => {
    const first = joined();
    first.world.clock.advance(seconds(3_600));
    first.world.place();
    const clock = new VirtualClock((first.world.clock.now() - seconds(3_500)) as Micros);
    const world = new World({ after: first.world, run: 'r2', ready: false, clock });
    first.venue.attach(world);
    first.venue.up(world);
    const read = world.ofKind('readPending').findLast(({ command }) => command.what.of === 'tradeHistory');
    expect(read?.command.what).toEqual({ of: 'tradeHistory', since: clock.now() - seconds(120) });
  });

  test('no order leaves before the first comparison is complete, however often reads fail', () => {
    const { world, venue } = joined({ ready: false });
    world.market();
    world.money({ BBB: '1000000' });
    venue.deafReads = 1;
    venue.up();
    world.clock.advance(seconds(14));
    expect(world.place()).toBe('NOT_RECONCILED');
    world.clock.advance(seconds(2));
    world.market();
    expect(world.place()).toMatch(/^gw/);
  });

  test('reads that fail are asked again with a growing wait, under new command ids', () => {
    const { world, venue } = joined({ ready: false });
    venue.readOutcome = 'unanswered';
    venue.up();
    world.clock.advance(seconds(120));
    const actives = venue.reads.filter(({ what }) => what.of === 'activeOrders');
    // Half a second, one, two, four, then five: what an outage hid is known soon after its end.
    expect(actives.length).toBeGreaterThanOrEqual(22);
    expect(actives.length).toBeLessThanOrEqual(28);
    expect(new Set(venue.reads.map(({ commandId }) => commandId)).size).toBe(venue.reads.length);
  });
});

describe('now and then', () => {
  test('an order that is called filled with a part executed is asked for, and its fills are booked', () => {
    const { world, venue } = joined();
    venue.up();
    const id = world.place() as ClientOrderId;
    world.clock.advance(seconds(1));
    venue.fillSilently(id, 10);
    const before = venue.reads.length;
    const reported = venueOrder(world.request({ clientOrderId: id }), world.clock.now());
    const order: VenueOrder = { ...reported, state: 'filled', cumulative: 4 as Lots };
    world.step({ ...world.times, kind: 'orderReport', reportType: 'status', order, fill: undefined });
    world.clock.advance(seconds(2));
    const asked = venue.reads.slice(before).map(({ what }) => what);
    expect(asked).toContainEqual({ of: 'orderHistory', clientOrderId: id });
    world.clock.advance(seconds(5));
    expect(stateOf(world, id)).toBe('filled');
    expect(world.state.order(id)?.cumulative).toBe(10);
    const settled = venue.reads.length;
    world.clock.advance(seconds(30));
    expect(venue.reads.length).toBe(settled);
  });

  test('a lost fill is found within a minute', () => {
    const { world, venue } = joined();
    venue.up();
    const id = world.place() as ClientOrderId;
    world.clock.advance(seconds(1));
    venue.fillSilently(id, 10);
    world.clock.advance(seconds(60));
    expect(stateOf(world, id)).toBe('filled');
    expect(world.state.position(world.instrument().id, 'maker').quantity).toBe(10);
  });

  test('a live order that ended unseen and left no history is settled after two looks 90 s apart', () => {
    const { world, venue } = joined();
    venue.up();
    const id = world.place() as ClientOrderId;
    world.clock.advance(seconds(1));
    venue.orders.delete(id);
    world.clock.advance(seconds(100));
    expect(stateOf(world, id)).toBe('new');
    world.clock.advance(seconds(100));
    expect(stateOf(world, id)).toBe('canceled');
    expect(world.state.openCount()).toBe(0);
  });

  test.each(['absent', 'vanished'])('an order settled as %s reservations nothing back', (fate) => {
    const { world, venue } = joined();
    venue.up();
    world.clock.advance(seconds(1));
    world.money({ BBB: '150' });
    const moved = {
      entry: 'transfer',
      wallet: 'spot',
      currency: 'BBB',
      time: world.clock.now(),
      why: '',
    } as const;
    world.step({ kind: 'moneyMoved', ...world.times, moved: { ...moved, amount: parseAmount('-999850') } });
    const most = { quantity: 14 as Lots };
    if (fate === 'absent') venue.manner = { landsAfterMs: undefined, answer: 'unanswered' };
    const id = world.place(most) as ClientOrderId;
    world.clock.advance(seconds(1));
    expect(world.place(most)).toBe('FUNDS');
    venue.orders.delete(id);
    world.clock.advance(seconds(300));
    expect(world.state.openCount()).toBe(0);
    venue.manner = { landsAfterMs: 5, answer: 'reports' };
    expect(stateOf(world, world.place(most) as ClientOrderId)).toBe('pending');
  });

  test('a settled world is looked at once a minute', () => {
    const { world, venue } = joined();
    venue.up();
    world.clock.advance(seconds(1));
    const before = venue.reads.length;
    world.clock.advance(seconds(600));
    expect(venue.reads.length - before).toBe(30);
    world.orders.close();
    world.clock.advance(seconds(600));
    expect(venue.reads.length - before).toBe(30);
  });
});

describe('a look', () => {
  test('whose list is older than the report of an order reads nothing of that order', () => {
    const { world, venue } = joined();
    venue.up();
    world.clock.advance(seconds(1));
    const lists = () => venue.reads.filter(({ what }) => what.of === 'activeOrders').length;
    const histories = () => venue.reads.filter(({ what }) => what.of === 'orderHistory').length;
    const before = lists();
    while (lists() === before) world.clock.advance(millis(1));
    venue.manner = { landsAfterMs: 1, answer: 'reports' };
    const id = world.place() as ClientOrderId;
    world.clock.advance(millis(2));
    expect(stateOf(world, id)).toBe('new');
    const kept = venue.orders.get(id);
    // The list on its way was made before the order came.
    venue.orders.delete(id);
    world.clock.advance(millis(10));
    venue.put(kept?.order as VenueOrder);
    world.clock.advance(seconds(30));
    expect(histories()).toBe(0);
    // One that was asked for later, and lacks it, is a sign.
    venue.orders.delete(id);
    world.clock.advance(seconds(65));
    expect(histories()).toBeGreaterThan(0);
  });
});

describe('replacements that fail', () => {
  test('bring a read of the original at once: the venue may have ended it, and no report said so', () => {
    const { world, venue } = joined();
    venue.up();
    const id = world.place() as ClientOrderId;
    world.clock.advance(seconds(1));
    const newId = world.ids.next();
    world.want({
      action: 'replace',
      strategy: 'maker',
      clientOrderId: id,
      newClientOrderId: newId,
      quantity: 12 as Lots,
      price: 9_950 as Ticks,
      stopPrice: undefined,
    });
    const order = { ...(venue.orders.get(id)?.order as VenueOrder), state: 'canceled' as const };
    venue.put({ ...order, updatedAt: world.clock.now() });
    world.step({
      kind: 'orderRejected',
      ...world.times,
      clientOrderId: newId,
      originalClientOrderId: id,
      code: 20_002,
      why: 'Order not found',
    });
    expect(stateOf(world, id)).toBe('new');
    world.clock.advance(seconds(2));
    expect(stateOf(world, id)).toBe('canceled');
    expect(world.state.openCount()).toBe(0);
  });
});

describe('cancels that fail', () => {
  test('a refused cancel brings a read, and a live order is cancelled again, a few times between reads at most', () => {
    const { world, venue } = joined();
    const id = world.place() as ClientOrderId;
    world.clock.advance(seconds(1));
    venue.cancelManner = 'unanswered';
    world.want({ action: 'cancel', strategy: 'maker', clientOrderId: id });
    world.clock.advance(seconds(3));
    expect(venue.cancels.length).toBeGreaterThan(1);
    const histories = venue.reads.filter(({ what }) => what.of === 'orderHistory').length;
    expect(histories).toBeGreaterThanOrEqual(venue.cancels.length - 1);
    venue.cancelManner = 'works';
    world.clock.advance(seconds(2));
    expect(stateOf(world, id)).toBe('canceled');
  });

  test('cancels that never left are not counted: a halt still cancels while the session is down', () => {
    const { world, venue } = joined();
    const id = world.place() as ClientOrderId;
    world.clock.advance(seconds(1));
    venue.down();
    venue.cancelManner = 'silent';
    for (let i = 1; i <= 5; i++) {
      world.want({ action: 'cancel', strategy: 'maker', clientOrderId: id });
      const why = 'connect ECONNREFUSED';
      world.step({ kind: 'cancelRejected', ...world.times, clientOrderId: id, code: 0, why });
      world.clock.advance(seconds(1));
    }
    expect(venue.cancels.length).toBe(5);
    world.step({ kind: 'modeChanged', ...world.times, mode: 'halted', why: 'by hand', latched: true });
    expect(venue.cancels.length).toBe(6);
  });

  test('a cancel that loses to a fill proves nothing; the history settles it', () => {
    const { world, venue } = joined();
    const id = world.place() as ClientOrderId;
    world.clock.advance(seconds(1));
    venue.fillSilently(id, 10);
    world.want({ action: 'cancel', strategy: 'maker', clientOrderId: id });
    world.clock.advance(seconds(1));
    expect(stateOf(world, id)).toBe('filled');
    expect(venue.cancels).toEqual([id]);
  });

  test('a cancel that lost to a fill which was reported first leaves no doubt, and costs no read', () => {
    const { world, venue } = joined();
    venue.up();
    const id = world.place() as ClientOrderId;
    world.clock.advance(seconds(1));
    venue.cancelManner = 'unanswered';
    world.want({ action: 'cancel', strategy: 'maker', clientOrderId: id });
    world.fill(id, 10);
    expect(stateOf(world, id)).toBe('filled');
    const before = venue.reads.length;
    const refusal = { kind: 'cancelRejected', code: 20_002, why: 'order not found' } as const;
    world.step({ ...world.times, ...refusal, clientOrderId: id });
    world.clock.advance(seconds(2));
    expect(venue.reads.length).toBe(before);
    // The same refusal of one that still seems to live is a doubt.
    const other = world.place({ price: 9_801 as Ticks }) as ClientOrderId;
    world.clock.advance(millis(10));
    world.step({ ...world.times, ...refusal, clientOrderId: other });
    world.clock.advance(seconds(2));
    expect(venue.reads.length).toBeGreaterThan(before);
  });

  test('a doubt that comes during a look is not settled by the history that this look asked for before', () => {
    const { world, venue } = joined();
    const id = world.place() as ClientOrderId;
    world.clock.advance(seconds(2));
    const refused = { ...world.times, kind: 'cancelRejected', code: 20_002, why: 'order not found' } as const;
    const before = historiesOf(venue, id);
    world.step({ ...refused, clientOrderId: id });
    for (let ms = 0; ms < 5_000 && historiesOf(venue, id) === before; ms++) world.clock.advance(millis(1));
    expect(historiesOf(venue, id)).toBe(before + 1);
    world.step({ ...refused, clientOrderId: id });
    world.clock.advance(seconds(5));
    expect(historiesOf(venue, id)).toBe(before + 2);
  });

  test('a fill that history does not show for 60 s does not bring more than three cancels', () => {
    const { world, venue } = joined();
    venue.historyLagMs = 60_000;
    const id = world.place() as ClientOrderId;
    world.clock.advance(seconds(1));
    venue.fillSilently(id, 10);
    for (let i = 0; i < 30; i++) {
      world.want({ action: 'cancel', strategy: 'maker', clientOrderId: id });
      world.clock.advance(seconds(1));
    }
    expect(venue.cancels.length).toBeLessThanOrEqual(3);
    expect(stateOf(world, id)).toBe('new');
    world.clock.advance(seconds(90));
    expect(stateOf(world, id)).toBe('filled');
  });
});

describe('whatever the venue does', () => {
  test('an order is sent once, and belief meets truth when 95 s and the lag have passed', () => {
    const manner = fc.record({
      landsAfterMs: fc.option(fc.integer({ min: 1, max: 25_000 }), { nil: undefined }),
      answer: fc.constantFrom('silent', 'unanswered', 'reports'),
      fills: fc.boolean(),
      lagMs: fc.integer({ min: 0, max: 60_000 }),
      gapMs: fc.integer({ min: 1, max: 3_000 }),
      outage: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(manner, { minLength: 1, maxLength: 8 }), (plans) => {
        const { world, venue } = joined();
        const ids: ClientOrderId[] = [];
        plans.forEach((plan, index) => {
          venue.manner = { landsAfterMs: plan.landsAfterMs, answer: plan.answer as 'silent' };
          venue.historyLagMs = plan.lagMs;
          const placed = world.place({ price: (9_800 + index) as Ticks });
          if (placed.startsWith('gw')) {
            const id = placed as ClientOrderId;
            ids.push(id);
            if (plan.fills && plan.landsAfterMs !== undefined) {
              world.clock.after(millis(plan.landsAfterMs + 1), () => venue.fillSilently(id, 10));
            }
          }
          world.clock.advance(millis(plan.gapMs));
          if (plan.outage) {
            venue.down();
            world.clock.advance(millis(plan.gapMs));
            venue.up();
          }
        });
        world.clock.advance(seconds(25 + 95 + 60 + 120));
        expect(venue.received).toEqual(ids);
        for (const id of ids) {
          const truth = venue.orders.get(id)?.order;
          const believed = world.state.order(id);
          expect(believed?.state).toBe(truth?.state ?? 'rejected');
          expect(believed?.cumulative).toBe(truth?.cumulative ?? 0);
        }
        expect(world.state.openCount()).toBe(venue.liveCount());
        expect(world.state.unknownCount()).toBe(0);
        world.orders.close();
      }),
      { numRuns: 150, seed: 20_261_121 },
    );
  });

  test('the same history gives the same verdicts', () => {
    const verdicts = (): string => {
      const { world, venue } = joined();
      venue.manner = { landsAfterMs: undefined, answer: 'unanswered' };
      for (let i = 0; i < 5; i++) world.place({ price: (9_800 + i) as Ticks });
      world.clock.advance(seconds(120) as Micros);
      return JSON.stringify(
        world.journal.map((event) => ({ ...event, levels: undefined })),
        (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
      );
    };
    expect(verdicts()).toBe(verdicts());
  });
});
