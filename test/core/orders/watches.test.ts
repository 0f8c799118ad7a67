import { describe, expect, test } from 'vitest';
import { millis, seconds } from '../../../src/core/base/clock.ts';
import { heldStates } from '../../../src/core/state/safe-states.ts';
import type { Ticks } from '../../../src/core/model/instrument.ts';
import type { ClientOrderId } from '../../../src/core/model/order.ts';
import { FakeVenue } from './support/fake-venue.ts';
import { World } from './support/world.ts';

const ticks = (value: number): Ticks => value as Ticks;

describe('watches', () => {
  test('orders that become unknown one by one, others being answered: as many as allowed are borne, one more halts', () => {
    const world = new World({ options: { unknownOrdersMax: 3 } });
    const live: ClientOrderId[] = [];
    const ids: ClientOrderId[] = [];
    for (let i = 0; i < 4; i++) {
      live.push(world.rest({ price: ticks(9_700 + i) }));
      ids.push(world.place({ price: ticks(9_800 + i) }) as ClientOrderId);
      world.clock.advance(millis(1));
      live.push(world.rest({ price: ticks(9_600 + i) }));
    }
    for (const id of ids.slice(0, 3)) world.unanswered(id);
    expect(world.state.mode).toBe('active');
    expect(world.place({ price: ticks(9_850) })).toBe('UNANSWERED_ORDERS');
    world.unanswered(ids[3] as ClientOrderId);
    expect(world.state.mode).toBe('halted');
    expect(world.ofKind('modeChanged')).toMatchObject([{ latched: false, manyUnknown: true }]);
    const cancelled = world.ofKind('cancelPending').map(({ command }) => command.clientOrderId);
    expect([...cancelled].sort()).toEqual([...live, ...ids].sort());
  });

  test('a halt for unknown orders is over once reads have shown what became of each, begun after it', () => {
    const world = new World({ options: { unknownOrdersMax: 1 } });
    const venue = new FakeVenue(world);
    venue.readOutcome = 'unanswered';
    const placeAs = (answer: 'reports' | 'unanswered', price: number): void => {
      venue.manner = { landsAfterMs: 3, answer };
      world.place({ price: ticks(price) });
      world.clock.advance(millis(4));
    };
    placeAs('unanswered', 9_700);
    placeAs('reports', 9_701);
    placeAs('unanswered', 9_702);
    world.clock.advance(millis(20));
    expect(world.state.awaits('manyUnknown')).toContain('2 orders are unknown by 2 events');
    expect(world.state).toMatchObject({ mode: 'halted', modeLatched: false });
    expect(heldStates(world.state)).toMatchObject([
      {
        kind: 'manyUnknown',
        endsWhen: 'reads of the account show what became of every order without an answer',
        needsOperator: false,
      },
    ]);
    expect(world.place({ price: ticks(9_703) })).toBe('MODE_HALTED');
    world.clock.advance(seconds(5));
    expect(world.state.mode).toBe('halted');
    venue.readOutcome = 'answered';
    world.clock.advance(seconds(60));
    expect(world.state.unknownCount()).toBe(0);
    expect(world.state.mode).toBe('active');
    expect(world.ofKind('modeChanged').at(-1)).toMatchObject({
      mode: 'active',
      manyUnknown: false,
      why: 'reads of the account have shown what became of every order',
    });
    world.market();
    expect(world.place({ price: ticks(9_704) })).toMatch(/^gw/);
  });

  test.each([
    [1_002, 'Authorization is required or has been failed'],
    [1_003, 'Action is forbidden for this API key'],
    [10_021, 'User disabled'],
  ])(
    'a refusal of the key or the account (%i) halts at once, until a look is answered 90 s later or more',
    (code, why) => {
      const world = new World();
      const resting = world.rest({ price: ticks(9_700) });
      const refused = world.place({ price: ticks(9_701) }) as ClientOrderId;
      const venue = new FakeVenue(world);
      venue.readOutcome = 'unanswered';
      world.rejected(refused, code, why);
      expect(world.state.awaits('forbidden')).toBe(
        `the venue serves this key or its account no longer (${code}: ${why})`,
      );
      expect(world.ofKind('cancelPending').map(({ command }) => command.clientOrderId)).toEqual([resting]);
      expect(heldStates(world.state)).toMatchObject([{ kind: 'forbidden', needsOperator: false }]);
      expect(world.place({ price: ticks(9_702) })).toBe('MODE_HALTED');
      venue.readOutcome = 'answered';
      world.clock.advance(seconds(85));
      expect(world.state.mode).toBe('halted');
      world.clock.advance(seconds(70));
      expect(world.state.mode).toBe('active');
    },
  );

  test('a refusal of one order halts nothing', () => {
    const world = new World();
    world.rejected(world.place({ price: ticks(9_701) }) as ClientOrderId, 20_001);
    expect(world.state.mode).toBe('active');
  });

  test('a halt for unknown orders begins beneath one for an unreadable message, too', () => {
    const world = new World({ options: { unknownOrdersMax: 1 } });
    const ids: ClientOrderId[] = [];
    for (let i = 0; i < 2; i++) {
      ids.push(world.place({ price: ticks(9_800 + i) }) as ClientOrderId);
      world.clock.advance(millis(1));
      world.rest({ price: ticks(9_700 + i) });
    }
    const halt = { mode: 'halted', why: 'odd', latched: false, unread: true } as const;
    world.step({ kind: 'modeChanged', ...world.times, ...halt });
    for (const id of ids) world.unanswered(id);
    expect(world.state.awaits('manyUnknown')).toContain('2 orders are unknown');
    expect(world.state.modeWithout('unread').mode).toBe('halted');
  });

  test('each of two halts that wait for evidence holds for itself, and neither takes the halt of an operator away', () => {
    const world = new World();
    const change = (changes: object) =>
      world.step({
        kind: 'modeChanged',
        ...world.times,
        mode: 'halted',
        latched: false,
        why: '',
        ...changes,
      });
    change({ why: 'odd', unread: true });
    change({ why: 'many', manyUnknown: true });
    expect(world.state.modeWithout('unread')).toEqual({ mode: 'halted', why: 'many', latched: false });
    change({ ...world.state.modeWithout('unread'), unread: false });
    expect(world.state).toMatchObject({ mode: 'halted', modeWhy: 'many', modeLatched: false });
    change({ why: 'kill', latched: true });
    expect(world.state.modeWithout('manyUnknown')).toEqual({ mode: 'halted', why: 'kill', latched: true });
    change({ ...world.state.modeWithout('manyUnknown'), manyUnknown: false });
    expect(world.state).toMatchObject({ mode: 'halted', modeWhy: 'kill', modeLatched: true });
  });

  test('a disk without room for the journal halts until all is written, and an operator is not needed', () => {
    const world = new World();
    world.orders.journalWaits('no room');
    expect(world.state).toMatchObject({ mode: 'halted', modeWhy: 'no room', modeLatched: false });
    expect(world.place({ price: ticks(9_700) })).toBe('MODE_HALTED');
    world.orders.journalWaits(undefined);
    expect(world.ofKind('modeChanged').at(-1)).toMatchObject({
      mode: 'active',
      why: 'the journal is written again',
      unwritten: false,
    });
    expect(world.state.mode).toBe('active');
    expect(heldStates(world.state)).toEqual([]);
    // Below it the halt of an operator stays.
    world.orders.journalWaits('no room');
    world.step({
      kind: 'modeChanged',
      ...world.times,
      mode: 'halted',
      latched: true,
      why: 'kill',
    });
    world.orders.journalWaits(undefined);
    expect(world.state).toMatchObject({ mode: 'halted', modeWhy: 'kill', modeLatched: true });
  });

  test('an outage is one event, however many orders it leaves unknown, and new ones wait for its end', () => {
    const world = new World({ options: { unknownOrdersMax: 3, reconcile: { answerMsMax: 5_000 } } });
    const venue = new FakeVenue(world);
    world.rest({ price: ticks(9_600) });
    venue.manner = { landsAfterMs: 3, answer: 'silent' };
    venue.readOutcome = 'unanswered';
    const verdicts: string[] = [];
    for (let i = 0; i < 25; i++) {
      // A burst at once, then one a second.
      for (let n = 0; n < (i === 0 ? 5 : 1); n++)
        verdicts.push(world.place({ price: ticks(9_700 + i * 5 + n) }));
      world.clock.advance(seconds(1));
    }
    expect(world.state.unknownCount()).toBeGreaterThan(3);
    expect(world.state.mode).toBe('active');
    expect(verdicts.slice(-15).every((verdict) => verdict === 'UNANSWERED_ORDERS')).toBe(true);
    venue.manner = { landsAfterMs: 3, answer: 'reports' };
    venue.readOutcome = 'answered';
    world.clock.advance(seconds(6));
    expect(world.state.unknownCount()).toBe(0);
    world.market();
    expect(world.place({ price: ticks(9_690) })).toMatch(/^gw/);
    expect(world.ofKind('modeChanged')).toEqual([]);
  });

  test('orders on their way hold none back while the oldest of them is young', () => {
    const world = new World({ options: { unknownOrdersMax: 3 } });
    const place = (i: number) => world.place({ price: ticks(9_700 + i) });
    for (let i = 0; i < 10; i++) expect(place(i)).toMatch(/^gw/);
    world.clock.advance(millis(2_000));
    expect(place(10)).toMatch(/^gw/);
    world.clock.advance(millis(1));
    expect(place(11)).toBe('UNANSWERED_ORDERS');
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
    // The venue refuses the cancel that overtook the order; when the order is reported, it is cancelled again.
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
