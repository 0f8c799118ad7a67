import { describe, expect, test } from 'vitest';
import { millis } from '../../../src/core/base/clock.ts';
import type { Capabilities } from '../../../src/core/model/capabilities.ts';
import { fullCapabilities } from '../../../src/core/model/capabilities.ts';
import type { OrderDenied } from '../../../src/core/model/event.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { ClientOrderId, OrderRequest } from '../../../src/core/model/order.ts';
import { isDeniedExit } from '../../../src/core/orders/controls/exits.ts';
import type { WorldParts } from './support/world.ts';
import { World } from './support/world.ts';

const worldOf = (changes: Partial<Capabilities>): World =>
  new World({ capabilities: { ...fullCapabilities, ...changes } });

function listVerdicts(world: World, contingency: 'oneCancelOther' | 'allOrNone') {
  const plain = [world.request(), world.request({ side: 'sell', price: 10_200 as Ticks })];
  const orders = plain.map(({ clientOrderId }) => clientOrderId);
  const requests = plain.map((request) => ({ ...request, list: { contingency, orders } }));
  return world.want({ action: 'placeList', strategy: 'maker', contingency, requests });
}

describe('what a venue cannot do', () => {
  test('order lists are denied, one denial for each order', () => {
    const verdicts = listVerdicts(worldOf({ orderLists: [] }), 'oneCancelOther');
    expect(verdicts.map((event) => event.kind === 'orderDenied' && event.denial)).toEqual(
      Array.from({ length: 2 }, () => ({
        code: 'LIST_NOT_OFFERED',
        why: 'the venue takes no order lists, found oneCancelOther',
      })),
    );
  });

  test('of lists the venue takes some kinds, the others are denied', () => {
    const world = worldOf({ orderLists: ['oneCancelOther'] });
    expect(listVerdicts(world, 'oneCancelOther').map(({ kind }) => kind)).toEqual([
      'orderPending',
      'orderPending',
    ]);
    const denied = listVerdicts(world, 'allOrNone')[0];
    expect(denied?.kind === 'orderDenied' && denied.denial.why).toBe(
      'the venue takes oneCancelOther alone, found allOrNone',
    );
  });

  test('an order below the smallest notional is denied, one at it passes', () => {
    const world = worldOf({ minimumNotional: { BBB: '49.5' } });
    expect(world.place({ quantity: 4 as Lots })).toBe('NOTIONAL_MIN');
    expect(world.place({ quantity: 5 as Lots })).toMatch(/^gw-/);
  });

  test('an id that the venue does not take is denied; one of ours passes', () => {
    const clientOrderId = { pattern: /^gw-r1-[a-z0-9-]+$/, lengthMax: 20, text: 'at most 20 small letters' };
    const world = worldOf({ clientOrderId });
    const of = (id: string) =>
      world.want({
        action: 'place',
        strategy: 'maker',
        request: world.request({ clientOrderId: id as ClientOrderId }),
      })[0];
    expect(of('gw-r1-maker-00001')?.kind).toBe('orderPending');
    const denied = of('gw-r1-maker-0000000001');
    expect(denied?.kind === 'orderDenied' && denied.denial).toEqual({
      code: 'ID_MALFORMED',
      why: 'the venue takes at most 20 small letters, found "gw-r1-maker-0000000001"',
    });
  });

  test('a run whose ids the venue does not take is refused before it begins', () => {
    const clientOrderId = { pattern: /^[0-9]+$/, lengthMax: 20, text: 'at most 20 digits' };
    expect(() => worldOf({ clientOrderId })).toThrow(
      'strategy maker: its order ids begin gw-r1-maker-00001, and the venue takes at most 20 digits',
    );
  });
});

describe('a replacement at a venue that offers none', () => {
  /** Asks for a replacement of an order; returns its id. */
  const replaceIn = (world: World, clientOrderId: ClientOrderId, changes: object = {}): ClientOrderId => {
    const newClientOrderId = world.ids.next();
    const values = { quantity: 12 as Lots, price: 9_850 as Ticks, stopPrice: undefined, ...changes };
    world.want({ action: 'replace', strategy: 'maker', clientOrderId, newClientOrderId, ...values });
    return newClientOrderId;
  };
  const replacing = (parts: WorldParts = {}) => {
    const world = new World({ capabilities: { ...fullCapabilities, replace: false }, ...parts });
    const original = world.rest();
    return { world, original, next: replaceIn(world, original) };
  };
  const codeOf = (world: World, id: ClientOrderId) => world.state.order(id)?.code;

  test('a replacement is a cancel, evidence of the end, and a new order of what was not executed', () => {
    const { world, original, next } = replacing();
    expect(world.ofKind('cancelPending').map(({ command }) => command.clientOrderId)).toEqual([original]);
    expect(world.state.order(next)).toBeUndefined();
    world.fill(original, 4);
    expect(world.state.order(next)).toBeUndefined();
    expect(world.state.openCountBy('maker')).toBe(1);
    world.report(original, 'canceled');
    expect(world.state.order(next)).toMatchObject({ state: 'pending', quantity: 8, price: 9_850 });
    expect(world.state.openCountBy('maker')).toBe(1);
    expect(world.ofKind('replacePending')).toEqual([]);
    expect(world.state.inFlight.intents()).toEqual([]);
  });

  test('a replacement of an order that fills whole before its cancel is never sent', () => {
    const { world, original, next } = replacing();
    world.fill(original, 10);
    expect(codeOf(world, next)).toBe('ORDER_NOT_LIVE');
    expect(world.ofKind('orderPending')).toHaveLength(1);
  });

  test.each<[string, (world: World, original: ClientOrderId, next: ClientOrderId) => void, string]>([
    [
      'its cancel',
      (world, _, id) => void world.want({ action: 'cancel', strategy: 'maker', clientOrderId: id }),
      'CANCELED_UNSENT',
    ],
    [
      'a cancel of the other',
      (world, id) => void world.want({ action: 'cancel', strategy: 'maker', clientOrderId: id }),
      'CANCELED_UNSENT',
    ],
    [
      'an operator',
      (world, id) => void world.operate({ act: 'cancel', clientOrderId: id }),
      'CANCELED_UNSENT',
    ],
    ['a pause', (world) => void world.operate({ act: 'pause', strategy: undefined }), 'PAUSED'],
  ])('a replacement that waits is dropped by %s', (_, drop, code) => {
    const { world, original, next } = replacing();
    drop(world, original, next);
    world.report(original, 'canceled');
    expect(codeOf(world, next)).toBe(code);
    expect(world.ofKind('orderPending')).toHaveLength(1);
  });

  test('a replacement that waits when its run is killed ends as unsent in the next', () => {
    const { world, original, next } = replacing();
    const later = new World({
      capabilities: { ...fullCapabilities, replace: false },
      after: world,
      run: 'r2',
      ready: false,
    });
    later.step({ kind: 'runStarted', ...later.times, run: 'r2', mode: 'sim' });
    expect(codeOf(later, next)).toBe('CANCELED_UNSENT');
    later.report(original, 'canceled');
    expect(later.ofKind('orderPending')).toHaveLength(1);
    expect(later.state.inFlight.intents()).toEqual([]);
  });

  /** The order has ended, and the balance that it gives back has not come: 118.2 BBB are needed, and 100 are free. */
  const waitingForBalance = (parts: WorldParts = {}) => {
    const all = replacing(parts);
    all.world.money({ AAA: '1000', BBB: '100' }, '99');
    all.world.report(all.original, 'canceled');
    expect(all.world.state.order(all.next)).toBeUndefined();
    return all;
  };

  test('waits for the balance that its order gives back, and is denied when none comes', () => {
    const { world, next } = waitingForBalance();
    world.clock.advance(millis(900));
    world.money({ AAA: '1000', BBB: '1000' });
    expect(world.state.order(next)).toMatchObject({ state: 'pending', quantity: 12 });
    const poor = waitingForBalance();
    poor.world.clock.advance(millis(1_000));
    expect(codeOf(poor.world, poor.next)).toBe('FUNDS');
    expect(poor.world.ofKind('orderPending')).toHaveLength(1);
  });

  const other = { side: 'sell', price: 10_200 as Ticks } as const;
  test.each<[string, WorldParts, Partial<OrderRequest>, string]>([
    [
      'open orders of its strategy',
      { limits: { maker: { openOrdersMax: 1 } } },
      other,
      'OPEN_ORDERS_STRATEGY',
    ],
    ['open orders of its symbol', { options: { openOrdersSymbolMax: 1 } }, other, 'OPEN_ORDERS_SYMBOL'],
    ['open orders of the account', { options: { openOrdersAccountMax: 1 } }, other, 'OPEN_ORDERS_ACCOUNT'],
    [
      'the position of its strategy',
      { limits: { maker: { positionMax: { AAABBB: '1.2' } } } },
      { quantity: 1 as Lots },
      'POSITION_MAX',
    ],
    [
      'the position of the account',
      { options: { limits: { AAABBB: { positionMax: '1.2' } } } },
      { quantity: 1 as Lots },
      'POSITION_MAX',
    ],
    ['the exposure', { options: { exposureMax: { BBB: '125' } } }, { quantity: 1 as Lots }, 'EXPOSURE_MAX'],
  ])('counts in the limit on %s while it waits, its order alive or not', (_, parts, changes, code) => {
    const { world, next } = waitingForBalance(parts);
    world.money({ AAA: '1000', BBB: '110' });
    expect(world.place(changes)).toBe(code);
    world.money({ AAA: '1000', BBB: '1000' });
    expect(world.state.order(next)?.state).toBe('pending');
    expect(world.place(changes)).toBe(code);
    const alive = replacing(parts);
    expect(alive.world.place(changes)).toBe(code);
  });

  test('holds its money while it waits, beyond what its order holds: no other order takes it', () => {
    const small = { price: 10_000 as Ticks, quantity: 1 as Lots };
    // 118.2 are needed, the order held 98.6, and 110 are free once it has ended.
    const { world, next } = waitingForBalance();
    world.money({ AAA: '1000', BBB: '110' });
    expect(world.place(small)).toBe('FUNDS');
    world.money({ AAA: '1000', BBB: '119' });
    expect(world.state.order(next)?.state).toBe('pending');
    expect(world.place(small)).toBe('FUNDS');
    const alive = replacing();
    const held = 98.6;
    for (const [free, code] of [
      [20, 'FUNDS'],
      [31, undefined],
    ] as const) {
      alive.world.money({ AAA: '1000', BBB: String(free) }, String(held));
      const placed = alive.world.place({ ...small, clientOrderId: alive.world.idOf('maker') });
      expect(placed).toMatch(code ?? /^gw-/);
    }
  });

  test('of an exit closes what no other order may close meanwhile, and is reported when it never leaves', () => {
    const world = new World({ capabilities: { ...fullCapabilities, replace: false } });
    world.hold(10);
    const original = world.rest({ side: 'sell', price: 10_300 as Ticks });
    world.step({ kind: 'modeChanged', ...world.times, mode: 'reducing', why: 'a test', latched: true });
    const next = replaceIn(world, original, { quantity: 10, price: 10_200 });
    world.money({ AAA: '0' });
    world.report(original, 'canceled');
    expect(world.state.order(next)).toBeUndefined();
    expect(world.place({ side: 'sell', price: 10_250 as Ticks })).toBe('MODE_REDUCING');
    world.step({ kind: 'modeChanged', ...world.times, mode: 'halted', why: 'a test', latched: true });
    const denial = world.ofKind('orderDenied').find(({ clientOrderId }) => clientOrderId === next);
    expect(denial?.denial.code).toBe('MODE_HALTED');
    expect(isDeniedExit(denial as OrderDenied, world.state)).toBe(true);
  });

  test('of an order that is not seen to end is denied when a cancel is waited for no longer, and reported before', () => {
    const { world, original, next } = replacing();
    world.clock.advance(millis(14_999));
    expect(world.state.order(next)).toBeUndefined();
    const noted = `replacement ${next} has been held for 2000 ms until own orders have ended that are being cancelled: ${original}`;
    expect(world.ofKind('strategyNoted').map(({ level, text }) => [level, text])).toEqual([['warn', noted]]);
    world.clock.advance(millis(1));
    expect(codeOf(world, next)).toBe('CANCEL_UNDER_WAY');
    world.report(original, 'canceled');
    expect(world.ofKind('orderPending')).toHaveLength(1);
    expect(world.state.openCount()).toBe(0);
  });

  test.each<[string, (world: World) => void, string]>([
    [
      'a halt',
      (world) =>
        world.step({ kind: 'modeChanged', ...world.times, mode: 'halted', why: 'a test', latched: true }),
      'MODE_HALTED',
    ],
    [
      'the end of its strategy',
      (world) => world.step({ kind: 'strategyStopped', ...world.times, strategy: 'maker', why: 'it threw' }),
      'STRATEGY_STOPPED',
    ],
    [
      'a limit on loss',
      (world) => {
        const scope = { strategy: undefined, currency: 'BBB', limit: 'day', action: 'halted' } as const;
        const latch = { ...scope, why: 'a test', since: world.clock.now(), until: undefined };
        world.step({ kind: 'lossLimitReached', ...world.times, latch });
      },
      'LOSS_LIMIT',
    ],
  ])('never leaves after %s, while its order lives or waits for its balance', (_, stop, code) => {
    const alive = replacing();
    stop(alive.world);
    const { world, next } = waitingForBalance();
    stop(world);
    for (const one of [alive, { world, next, original: undefined }]) {
      expect(codeOf(one.world, one.next)).toBe(code);
      if (one.original !== undefined) one.world.report(one.original, 'canceled');
      one.world.money({ BBB: '1000' });
      expect(one.world.ofKind('orderPending')).toHaveLength(1);
      expect(one.world.state.openCount()).toBe(0);
    }
  });

  test('never leaves after a halt that another event brought: no event tells of it', () => {
    const { world, original, next } = replacing();
    world.state.apply({ kind: 'modeChanged', ...world.times, mode: 'halted', why: 'a test', latched: true });
    world.fill(original, 1);
    expect(codeOf(world, next)).toBe('MODE_HALTED');
  });

  test('of an order of a list is denied, and cancels nothing', () => {
    const world = worldOf({ replace: false });
    const ids = listVerdicts(world, 'oneCancelOther').map((event) =>
      event.kind === 'orderPending' ? event.command.request.clientOrderId : ('' as ClientOrderId),
    );
    for (const id of ids) world.report(id, 'new');
    const next = replaceIn(world, ids[0] as ClientOrderId, { quantity: 10 });
    expect(codeOf(world, next)).toBe('REPLACE_NOT_OFFERED');
    expect(world.ofKind('cancelPending')).toEqual([]);
    expect(world.state.openCount()).toBe(2);
  });
});
