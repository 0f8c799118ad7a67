import { describe, expect, test } from 'vitest';
import { millis, seconds } from '../../../src/core/base/clock.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { ClientOrderId, OrderRequest, VenueOrder } from '../../../src/core/model/order.ts';
import { differenceText } from '../../../src/core/state/index.ts';
import { State } from '../../../src/core/state/state.ts';
import { FakeVenue } from './support/fake-venue.ts';
import { contract, holdMargin, isolated, marginWorld } from './support/margin.ts';
import type { WorldParts } from './support/world.ts';
import { venueOrder, World } from './support/world.ts';

// Orders of others on the account: faults, X20, X21 and I6.

const other = 'bot-0000-0001' as ClientOrderId;
/** Another Godwit with the same prefix. */
const theirs = 'gw-mb3x1k2z-maker-00001' as ClientOrderId;

function joined(parts: WorldParts = {}): { world: World; venue: FakeVenue } {
  const world = new World({ run: 'mc000001', ...parts });
  return { world, venue: new FakeVenue(world) };
}

function orderOf(world: World, id: ClientOrderId, changes: Partial<OrderRequest> = {}): VenueOrder {
  return venueOrder(world.request({ ...changes, clientOrderId: id }), world.clock.now());
}

/** An order that somebody else places: the venue has it, and its report arrives or is lost. */
function placedByOthers(
  { world, venue }: ReturnType<typeof joined>,
  id: ClientOrderId,
  { isReported = true, ...changes }: Partial<OrderRequest> & { readonly isReported?: boolean } = {},
): void {
  const order = orderOf(world, id, changes);
  venue.put(order);
  if (isReported)
    world.step({ kind: 'orderReport', ...world.times, reportType: 'new', order, fill: undefined });
}

function look(world: World): void {
  world.clock.advance(seconds(61));
}

const ofKind = (world: World, kind: string) =>
  world.state.differences.all.filter((row) => row.kind === kind).map(({ key }) => key);

const policies = {
  leave: [],
  claim: [{ prefix: 'bot-', policy: 'claim' }],
  adopt: [{ prefix: 'bot-', policy: 'adopt', strategy: 'maker' }],
} as const;

describe('an order of others', () => {
  test('that is left counts in limits, is shown, and is touched by no halt, cancel of all, flatten or stop', () => {
    for (const act of ['halt', 'stop', 'cancelAll', 'flatten'] as const) {
      const scene = joined({ options: { limits: { AAABBB: { positionMax: '2.5' } } } });
      const { world, venue } = scene;
      placedByOthers(scene, other);
      expect(world.state.openCount()).toBe(1);
      // Twenty lots of ours and ten of the others are more than 25.
      expect(world.place({ quantity: 20 as Lots })).toBe('POSITION_MAX');
      const own = world.place() as ClientOrderId;
      look(world);
      expect(ofKind(world, 'order')).toEqual([`order ${other}`]);
      end(world, act);
      world.clock.advance(seconds(10));
      expect(venue.cancels).toEqual([own]);
      expect(venue.liveCount()).toBe(1);
    }
  });

  test('that is claimed goes with our own at a halt, a cancel of all and a flatten, stays at a stop, and no strategy has it', () => {
    for (const act of ['halt', 'stop', 'cancelAll', 'flatten'] as const) {
      const scene = joined({ options: { others: policies.claim } });
      const { world, venue } = scene;
      world.step({ kind: 'runStarted', ...world.times, run: world.run, mode: 'live' });
      placedByOthers(scene, other);
      look(world);
      expect(world.state.order(other)?.strategy).toBe('external');
      expect(ofKind(world, 'order')).toEqual([]);
      world.fill(other, 3);
      expect(world.state.position(world.instrument().id, 'external').quantity).toBe(3);
      expect(world.orders.lastLook.ourCount).toBe(1);
      end(world, act);
      world.clock.advance(seconds(10));
      expect(venue.cancels).toEqual(act === 'stop' ? [] : [other]);
      expect(world.orders.kept.map(({ clientOrderId }) => clientOrderId)).toEqual(
        act === 'stop' ? [other] : [],
      );
      expect(world.orders.lastLook.isOver).toBe(true);
    }
  });

  test('that is adopted is its strategy’s to replace and to cancel, and its fills are booked to it', () => {
    const scene = joined({ options: { others: policies.adopt } });
    const { world, venue } = scene;
    placedByOthers(scene, other);
    expect(world.ofKind('orderAssigned')).toMatchObject([{ clientOrderId: other, strategy: 'maker' }]);
    expect(world.state.openOrders('maker').map(({ clientOrderId }) => clientOrderId)).toEqual([other]);
    expect(world.state.openCountBy('external')).toBe(0);
    expect(world.state.workingLots(world.instrument().id, 'buy', 'maker')).toBe(10);
    world.fill(other, 4);
    expect(world.state.position(world.instrument().id, 'maker').quantity).toBe(4);
    venue.replaceManner = 'keepsOriginal';
    const next = world.ids.next();
    world.want({
      action: 'replace',
      strategy: 'maker',
      clientOrderId: other,
      newClientOrderId: next,
      quantity: 12 as Lots,
      price: 9_901 as Ticks,
      stopPrice: undefined,
    });
    world.clock.advance(millis(20));
    expect(venue.received).toEqual([next]);
    world.want({ action: 'cancel', strategy: 'maker', clientOrderId: next });
    world.clock.advance(millis(20));
    expect(venue.cancels).toEqual([next]);
  });

  test('is adopted once, by a report or by a look, and only where its strategy trades the symbol', () => {
    const scene = joined({ options: { others: policies.adopt } });
    placedByOthers(scene, other, { isReported: false });
    look(scene.world);
    look(scene.world);
    expect(scene.world.ofKind('orderAssigned')).toHaveLength(1);
    const future = joined({ options: { others: policies.adopt } });
    // Its product is none that the strategy trades.
    placedByOthers(future, other, { instrument: future.world.instrument(2).id });
    expect(future.world.ofKind('orderAssigned')).toEqual([]);
    expect(future.world.orders.lastLook.ourCount).toBe(1);
  });

  test('goes by the longest prefix that fits, and a replacement without one by the order that it replaced', () => {
    const scene = joined({
      options: {
        others: [
          { prefix: 'bot', policy: 'claim' },
          { prefix: 'bot-x', policy: 'leave' },
        ],
      },
    });
    const { world, venue } = scene;
    placedByOthers(scene, 'bot-x-0001' as ClientOrderId);
    placedByOthers(scene, other);
    const moved = 'zzzz0001' as ClientOrderId;
    const order = { ...orderOf(world, moved), originalClientOrderId: other };
    venue.orders.delete(other);
    venue.put(order);
    world.step({ kind: 'orderReport', ...world.times, reportType: 'replaced', order, fill: undefined });
    world.operate({ act: 'cancelAll', strategy: undefined, instrument: undefined });
    world.clock.advance(millis(50));
    expect(venue.cancels).toEqual([moved]);
  });

  test('that was replaced from one of ours elsewhere stays ours: its strategy has it, and a halt cancels it', () => {
    const scene = joined();
    const { world, venue } = scene;
    const own = world.place() as ClientOrderId;
    world.clock.advance(millis(20));
    const moved = 'zzzz0001' as ClientOrderId;
    const order = { ...orderOf(world, moved), originalClientOrderId: own };
    venue.orders.delete(own);
    venue.put(order);
    world.step({ kind: 'orderReport', ...world.times, reportType: 'replaced', order, fill: undefined });
    look(world);
    expect(venue.cancels).toEqual([]);
    expect(ofKind(world, 'order')).toEqual([]);
    end(world, 'halt');
    world.clock.advance(seconds(1));
    expect(venue.cancels).toEqual([moved]);
  });

  test('is given back when the row of its policy is gone at a restart, and taken when one has come', () => {
    const scene = joined({ options: { others: policies.adopt, onStop: 'keep' } });
    placedByOthers(scene, other);
    const after = (before: World, run: string, others: (typeof policies)['leave' | 'adopt']): World => {
      const next = new World({ after: before, run, ready: false, options: { others } });
      scene.venue.attach(next);
      scene.venue.up(next);
      next.clock.advance(seconds(1));
      return next;
    };
    const left = after(scene.world, 'mc000002', policies.leave);
    expect(left.state.order(other)).toMatchObject({ strategy: 'external' });
    expect(left.state.order(other)?.adopted).toBeUndefined();
    const again = after(left, 'mc000003', policies.adopt);
    expect(again.state.order(other)).toMatchObject({ strategy: 'maker', adopted: true });
    const carried = new State({ instruments: again.instruments });
    carried.apply({ kind: 'stateCarried', ...again.times, state: again.state.carry() });
    expect(carried.order(other)).toEqual(again.state.order(other));
    expect(carried.openOrders('maker').map(({ clientOrderId }) => clientOrderId)).toEqual([other]);
    expect(scene.venue.cancels).toEqual([]);
  });
});

describe('an order of others that closes what a strategy holds on margin', () => {
  test('executes for that strategy, which may not touch it, and keeps no halt waiting', () => {
    const world = marginWorld({ run: 'mc000001' });
    const venue = new FakeVenue(world);
    world.step({ kind: 'runStarted', ...world.times, run: world.run, mode: 'live' });
    venue.up();
    world.clock.advance(seconds(1));
    holdMargin(world, 10, { index: contract });
    const order = { instrument: world.instrument(contract).id, margin: isolated } as const;
    const byHand = 'hand0000001' as ClientOrderId;
    placedByOthers({ world, venue }, byHand, {
      ...order,
      side: 'sell',
      quantity: 10 as Lots,
      price: 10_200 as Ticks,
    });
    expect(world.state.order(byHand)?.strategy).toBe('maker');
    const denied = world.want({ action: 'cancel', strategy: 'maker', clientOrderId: byHand });
    expect(denied).toMatchObject([
      {
        kind: 'orderDenied',
        denial: { code: 'ORDER_NOT_OWN', why: expect.stringContaining('placed by others') },
      },
    ]);
    end(world, 'halt');
    expect(world.orders.lastLook.ourCount).toBe(0);
    expect(venue.cancels).toEqual([]);
    world.fill(byHand, 4);
    expect(world.state.position(world.instrument(contract).id, 'maker', 'isolated').quantity).toBe(6);
  });
});

describe('another Godwit on the account', () => {
  test('is shown at once by a report, with run and orders, once, and its row ends when its orders are gone', () => {
    const scene = joined();
    const { world, venue } = scene;
    placedByOthers(scene, theirs);
    const said = (): readonly string[] => world.journal.flatMap((event) => differenceText(event) ?? []);
    expect(said()).toEqual([
      `another Godwit (run mb3x1k2z) trades on this account: 1 order lives, of maker (${theirs}); its ids begin with gw-mb3x1k2z-; where it was an earlier run of this one without its journal, see orders.unknownRuns`,
    ]);
    expect(ofKind(world, 'otherGodwit')).toEqual(['godwit gw-mb3x1k2z']);
    look(world);
    expect(ofKind(world, 'otherGodwit')).toEqual(['godwit gw-mb3x1k2z']);
    venue.orders.delete(theirs);
    look(world);
    look(world);
    expect(ofKind(world, 'otherGodwit')).toEqual([]);
    placedByOthers(scene, 'gw-mb3x1k2z-maker-00002' as ClientOrderId);
    expect(ofKind(world, 'otherGodwit')).toEqual(['godwit gw-mb3x1k2z']);
    expect(said()).toHaveLength(1);
    placedByOthers(scene, 'b2-mb3x1k30-mm-00001' as ClientOrderId);
    expect(said()).toHaveLength(2);
  });

  test('is shown within 60 s where no report of it arrives', () => {
    for (const offset of [0, 1, 20, 40, 58, 59, 60]) {
      const scene = joined();
      const { world } = scene;
      scene.venue.up();
      world.clock.advance(millis(offset * 1_000 + 7));
      const placedAt = world.clock.now();
      placedByOthers(scene, theirs, { isReported: false });
      while (ofKind(world, 'otherGodwit').length === 0) world.clock.advance(millis(1));
      expect(world.clock.now() - placedAt).toBeLessThanOrEqual(seconds(60));
    }
  });

  test('keeps its orders at our start, at our halt, and when an operator cancels all of ours, many at once', () => {
    const first = joined({ options: { cancelTogether: { from: 2 } } });
    placedByOthers(first, theirs);
    const ids = [1, 2, 3].map((at) => first.world.place({ price: (9_900 - at) as Ticks }) as ClientOrderId);
    first.world.clock.advance(millis(50));
    first.world.operate({ act: 'cancelAll', strategy: undefined, instrument: undefined });
    expect(first.world.ofKind('cancelPending').map(({ command }) => command.together)).toEqual(
      ids.map(() => undefined),
    );
    const scene = joined({ ready: false });
    scene.venue.put(orderOf(scene.world, theirs));
    scene.world.market();
    scene.venue.up();
    scene.world.clock.advance(seconds(1));
    end(scene.world, 'halt');
    scene.world.clock.advance(seconds(10));
    expect(scene.venue.cancels).toEqual([]);
    expect(scene.world.orders.lastLook.isOver).toBe(true);
  });

  test('is what an earlier run of ours looks like whose journal is gone: with unknownRuns: ours it is cleared as ours', () => {
    const scene = joined({ ready: false, options: { unknownRuns: 'ours' } });
    scene.venue.put(orderOf(scene.world, theirs));
    scene.world.market();
    scene.venue.up();
    scene.world.clock.advance(seconds(1));
    expect(scene.venue.cancels).toEqual([theirs]);
    expect(ofKind(scene.world, 'otherGodwit')).toEqual([]);
  });

  test('is none of the runs of our journal, of which even an order that was forgotten is ours, under any prefix', () => {
    const before = new World({ run: 'mb3x1k2z' });
    before.step({ kind: 'runStarted', ...before.times, run: before.run, mode: 'live' });
    const carrier = new World({ run: 'mb3x1k30', after: before });
    carrier.step({ kind: 'stateCarried', ...carrier.times, state: carrier.state.carry() });
    expect(carrier.state.carry().runs).toEqual(['mb3x1k2z']);
    const scene = joined({ after: carrier, ready: false, options: { idPrefix: 'x1' } });
    scene.venue.put(orderOf(scene.world, theirs));
    scene.world.market();
    scene.venue.up();
    scene.world.clock.advance(seconds(1));
    expect(scene.venue.cancels).toEqual([theirs]);
  });
});

describe('rows of orders.others that make no sense are refused in one sentence', () => {
  test.each([
    [[{ prefix: 'gw', policy: 'claim' }], /^orders\.others\.0\.prefix: .*with which own ids begin/],
    [[{ prefix: 'gw-', policy: 'leave' }], /^orders\.others\.0\.prefix: .*with which own ids begin/],
    [[{ prefix: 'g', policy: 'leave' }], /^orders\.others\.0\.prefix: .*with which own ids begin/],
    [
      [{ prefix: 'bot', policy: 'adopt', strategy: 'mekar' }],
      /^orders\.others\.0\.strategy: expected a strategy of this configuration \(maker, taker\), found "mekar"$/,
    ],
    [[{ prefix: 'bot', policy: 'adopt' }], /expected the strategy that adopts these orders/],
    [
      [{ prefix: 'bot', policy: 'leave', strategy: 'maker' }],
      /expected no strategy where the policy is leave/,
    ],
    [[{ prefix: '', policy: 'leave' }], /expected 1 to 32 of A-Za-z0-9_-/],
    [
      [
        { prefix: 'bot', policy: 'leave' },
        { prefix: 'bot', policy: 'claim' },
      ],
      /expected each prefix once/,
    ],
    [Array.from({ length: 101 }, (_, at) => ({ prefix: `b${at}`, policy: 'leave' })), /100/],
  ])('%#', (others, sentence) => {
    expect(() => new World({ options: { others } as never })).toThrow(sentence);
  });

  test('and a run of another under our prefix may be named', () => {
    const scene = joined({ options: { others: [{ prefix: 'gw-mb3x1k2z-', policy: 'claim' }] } });
    placedByOthers(scene, theirs);
    expect(ofKind(scene.world, 'otherGodwit')).toEqual([]);
    end(scene.world, 'halt');
    scene.world.clock.advance(seconds(1));
    expect(scene.venue.cancels).toEqual([theirs]);
  });
});

function end(world: World, act: 'halt' | 'stop' | 'cancelAll' | 'flatten'): void {
  if (act === 'halt' || act === 'stop')
    world.step({
      kind: 'modeChanged',
      ...world.times,
      mode: 'halted',
      why: act,
      latched: act === 'halt',
    });
  else if (act === 'flatten') world.operate({ act, strategy: undefined });
  else world.operate({ act, strategy: undefined, instrument: undefined });
}
