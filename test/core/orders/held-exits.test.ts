import { describe, expect, test } from 'vitest';
import { millis, seconds } from '../../../src/core/base/clock.ts';
import type { Event } from '../../../src/core/model/event.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { ClientOrderId, OrderRequest } from '../../../src/core/model/order.ts';
import { operatorTag } from '../../../src/core/model/operator.ts';
import { ClientOrderIds } from '../../../src/core/model/client-order-id.ts';
import { isDeniedExit } from '../../../src/core/orders/controls/exits.ts';
import { Incidents } from '../../../src/app/live/incidents.ts';
import { contract, holdMargin, marginWorld, reducing } from './support/margin.ts';
import { World } from './support/world.ts';

const ticks = (price: number): Ticks => price as Ticks;
const lots = (count: number): Lots => count as Lots;

/** What became of an order: its state and the code of its denial, or `waiting` without any verdict. */
function fateOf(world: World, id: ClientOrderId): string {
  const order = world.state.order(id);
  return order === undefined ? 'waiting' : [order.state, order.code].filter((part) => part).join(' ');
}

function ask(world: World, changes: Partial<OrderRequest>, strategy = 'maker'): ClientOrderId {
  const request = world.request(changes);
  world.want({ action: 'place', strategy, request });
  return request.clientOrderId;
}

const cancelAll = (world: World, strategy = 'maker'): readonly Event[] =>
  world.want({ action: 'cancelAll', strategy, instrument: undefined });

/** A strategy that holds 10 lots and has bids at 99.00 and 98.50. */
function ladder(parts: ConstructorParameters<typeof World>[0] = {}): {
  readonly world: World;
  readonly bids: readonly ClientOrderId[];
} {
  const world = new World(parts);
  world.hold(10);
  const bids = [9_900, 9_850].map((price) => world.rest({ price: ticks(price) }));
  return { world, bids };
}

describe('an exit that would meet own orders under cancel', () => {
  test('is held until these have ended, and leaves then', () => {
    const { world, bids } = ladder();
    cancelAll(world);
    const exit = ask(world, { side: 'sell', price: ticks(9_800) });
    expect(fateOf(world, exit)).toBe('waiting');
    world.report(bids[0] as ClientOrderId, 'canceled');
    expect(fateOf(world, exit)).toBe('waiting');
    world.report(bids[1] as ClientOrderId, 'canceled');
    expect(fateOf(world, exit)).toBe('pending');
    const noted = world.ofKind('strategyNoted').map(({ text }) => text);
    expect(noted).toEqual([
      `exit ${exit} is held until own orders have ended that are being cancelled: ${bids.join(', ')}`,
    ]);
  });

  test('is a safe state with its cause, since when, its next look, and what ends it', () => {
    const { world, bids } = ladder();
    cancelAll(world);
    const exit = ask(world, { side: 'sell', price: ticks(9_800) });
    const since = world.clock.now();
    expect(world.orders.held).toMatchObject([
      {
        clientOrderId: exit,
        code: 'SELF_TRADE',
        endsWhen: `own orders have ended that are being cancelled: ${bids.join(', ')}`,
        since,
        nextLook: since + seconds(2),
      },
    ]);
    expect(world.orders.held[0]?.cause).toMatch(new RegExp(`^exit ${exit} is held: `));
    world.clock.advance(seconds(3));
    expect(world.orders.held[0]).toMatchObject({ since });
    expect(world.orders.held[0]?.nextLook).toBeGreaterThan(world.clock.now());
    for (const id of bids) world.report(id, 'canceled');
    expect(world.orders.held).toEqual([]);
  });

  test('is held as a market order too, and for a short one against own asks', () => {
    const world = new World({ options: { marketOrders: true, marketSpreadPercentMax: 5 } });
    world.hold(-10);
    const asked = world.rest({ side: 'sell', price: ticks(10_100) });
    world.want({ action: 'cancel', strategy: 'maker', clientOrderId: asked });
    const exit = ask(world, { type: 'market', timeInForce: 'FOK', price: undefined });
    expect(fateOf(world, exit)).toBe('waiting');
    world.report(asked, 'canceled');
    expect(fateOf(world, exit)).toBe('pending');
  });

  test('is held when it is a replacement', () => {
    const { world, bids } = ladder();
    const profit = world.rest({ side: 'sell', price: ticks(10_300) });
    for (const clientOrderId of bids) world.want({ action: 'cancel', strategy: 'maker', clientOrderId });
    const newClientOrderId = world.ids.next();
    world.want({
      action: 'replace',
      strategy: 'maker',
      clientOrderId: profit,
      newClientOrderId,
      quantity: lots(10),
      price: ticks(9_800),
      stopPrice: undefined,
    });
    expect(fateOf(world, newClientOrderId)).toBe('waiting');
    for (const id of bids) world.report(id, 'canceled');
    expect(fateOf(world, newClientOrderId)).toBe('pending');
  });

  test('is held with the list that it stands in', () => {
    const { world, bids } = ladder();
    cancelAll(world);
    const ids = [world.ids.next(), world.ids.next()] as const;
    const list = { contingency: 'oneCancelOther', orders: ids } as const;
    const requests = [
      world.request({ clientOrderId: ids[0], side: 'sell', price: ticks(9_850), list }),
      world.request({
        clientOrderId: ids[1],
        side: 'sell',
        type: 'stopLimit',
        stopPrice: ticks(9_700),
        price: ticks(9_690),
        list,
      }),
    ];
    world.want({ action: 'placeList', strategy: 'maker', contingency: 'oneCancelOther', requests });
    expect(ids.map((id) => fateOf(world, id))).toEqual(['waiting', 'waiting']);
    for (const id of bids) world.report(id, 'canceled');
    expect(ids.map((id) => fateOf(world, id))).toEqual(['pending', 'pending']);
  });

  test('is denied while another of these orders is not under cancel, and so is what is no exit', () => {
    const { world, bids } = ladder();
    world.want({ action: 'cancel', strategy: 'maker', clientOrderId: bids[0] as ClientOrderId });
    expect(fateOf(world, ask(world, { side: 'sell', price: ticks(9_800) }))).toBe('denied SELF_TRADE');
    world.want({ action: 'cancel', strategy: 'maker', clientOrderId: bids[1] as ClientOrderId });
    const opening = { side: 'sell', price: ticks(9_800), quantity: lots(11) } as const;
    expect(fateOf(world, ask(world, opening))).toBe('denied SELF_TRADE');
    const others = { clientOrderId: world.idOf('taker'), side: 'sell', price: ticks(9_800) } as const;
    expect(fateOf(world, ask(world, others, 'taker'))).toBe('denied SELF_TRADE');
  });

  test('is judged anew when it leaves: what fills meanwhile and stops trading counts', () => {
    const { world, bids } = ladder();
    cancelAll(world);
    const exit = ask(world, { side: 'sell', price: ticks(9_800) });
    world.operate({ act: 'pause', strategy: undefined });
    expect(fateOf(world, exit)).toBe('denied PAUSED');
    world.operate({ act: 'resume', strategy: undefined });
    world.clock.advance(seconds(2));
    const other = ask(world, { side: 'sell', price: ticks(9_800) });
    expect(fateOf(world, other)).toBe('waiting');
    world.fill(bids[0] as ClientOrderId, 10);
    world.report(bids[1] as ClientOrderId, 'canceled');
    expect(fateOf(world, other)).toBe('pending');
  });

  test('is denied once a cancel is waited for no longer, and reported as a warning before', () => {
    const { world, bids } = ladder({ options: { reconcile: { answerMsMax: 5_000 } } });
    cancelAll(world);
    const exit = ask(world, { side: 'sell', price: ticks(9_800) });
    world.clock.advance(millis(4_999));
    expect(fateOf(world, exit)).toBe('waiting');
    expect(world.ofKind('strategyNoted').map(({ level }) => level)).toEqual(['info', 'warn']);
    world.clock.advance(millis(1));
    expect(fateOf(world, exit)).toBe('denied SELF_TRADE');
    expect(world.state.order(exit)?.why).toContain(`the exit was held 5000 ms until own orders have ended`);
    for (const id of bids) world.report(id, 'canceled');
    expect(fateOf(world, exit)).toBe('denied SELF_TRADE');
  });

  test('can be cancelled while it is held, by its strategy and by an operator', () => {
    const { world } = ladder();
    cancelAll(world);
    const first = ask(world, { side: 'sell', price: ticks(9_800) });
    expect(world.want({ action: 'cancel', strategy: 'maker', clientOrderId: first }).length).toBe(1);
    expect(fateOf(world, first)).toBe('denied CANCELED_UNSENT');
    expect(world.state.inFlight.intents()).toEqual([]);
    const second = ask(world, { side: 'sell', price: ticks(9_800) });
    world.operate({ act: 'cancelAll', strategy: 'maker', instrument: undefined });
    expect(fateOf(world, second)).toBe('denied CANCELED_UNSENT');
    const third = ask(world, { side: 'sell', price: ticks(9_800) });
    cancelAll(world);
    expect(fateOf(world, third)).toBe('denied CANCELED_UNSENT');
  });

  test('keeps other orders from meeting it while it is held', () => {
    const { world } = ladder();
    cancelAll(world);
    const exit = ask(world, { side: 'sell', price: ticks(9_800) });
    const bid = { clientOrderId: world.idOf('taker'), price: ticks(9_800) } as const;
    expect(fateOf(world, ask(world, bid, 'taker'))).toBe('denied SELF_TRADE');
    const below = { clientOrderId: world.idOf('taker'), price: ticks(9_799) } as const;
    expect(fateOf(world, ask(world, below, 'taker'))).toBe('pending');
    expect(fateOf(world, exit)).toBe('waiting');
  });
});

describe('an exit for which own orders under cancel leave nothing', () => {
  test('is held until what they reserve is free: its balance comes after their reports', () => {
    const world = new World();
    world.hold(10);
    world.money({ AAA: '1' });
    const profit = world.rest({ side: 'sell', price: ticks(10_300), quantity: lots(10) });
    world.money({ AAA: '0' }, '1');
    cancelAll(world);
    const exit = ask(world, { side: 'sell', price: ticks(9_900) });
    expect(fateOf(world, exit)).toBe('waiting');
    world.report(profit, 'canceled');
    expect(fateOf(world, exit)).toBe('waiting');
    world.money({ AAA: '1' });
    expect(fateOf(world, exit)).toBe('pending');
  });

  test('is denied when no balance comes', () => {
    const world = new World();
    world.hold(10);
    world.money({ AAA: '1' });
    const profit = world.rest({ side: 'sell', price: ticks(10_300), quantity: lots(10) });
    world.money({ AAA: '0' }, '1');
    cancelAll(world);
    const exit = ask(world, { side: 'sell', price: ticks(9_900) });
    world.report(profit, 'canceled');
    world.clock.advance(seconds(1));
    expect(fateOf(world, exit)).toBe('denied FUNDS');
  });

  test('is held while a reduce-only order under cancel may still close the position', () => {
    const world = marginWorld();
    holdMargin(world, 10, { index: contract });
    const instrument = world.instrument(contract).id;
    const reduce = { instrument, margin: reducing, side: 'sell' } as const;
    const profit = world.rest({ ...reduce, price: ticks(10_300) });
    cancelAll(world);
    const exit = ask(world, { ...reduce, price: ticks(9_900) });
    expect(fateOf(world, exit)).toBe('waiting');
    world.report(profit, 'canceled');
    expect(fateOf(world, exit)).toBe('pending');
  });

  test('is held when the strategy has as many orders as it may have', () => {
    const world = new World({ limits: { maker: { openOrdersMax: 2 } } });
    world.hold(10);
    const bids = [9_900, 9_850].map((price) => world.rest({ price: ticks(price) }));
    cancelAll(world);
    const exit = ask(world, { side: 'sell', price: ticks(10_200) });
    expect(fateOf(world, exit)).toBe('waiting');
    world.report(bids[0] as ClientOrderId, 'canceled');
    expect(fateOf(world, exit)).toBe('pending');
  });

  test.each([
    ['the last of those under cancel', 1, 'canceled', 'SYMBOL'],
    ['one that was not to go', 2, 'expired', 'SYMBOL'],
    ['the last of those under cancel', 1, 'canceled', 'STRATEGY'],
    ['one that was not to go', 2, 'expired', 'STRATEGY'],
    ['one that was not to go', 2, 'expired', 'ACCOUNT'],
  ] as const)('leaves as soon as %s has ended (%d, %s), by the limit of the %s', (_, index, how, scope) => {
    const options = {
      ...(scope === 'SYMBOL' && { openOrdersSymbolMax: 3 }),
      ...(scope === 'ACCOUNT' && { openOrdersAccountMax: 3 }),
    };
    const limits = { maker: { openOrdersMax: scope === 'STRATEGY' ? 3 : 10 } };
    const world = new World({ limits, options });
    world.hold(10);
    const bids = [9_900, 9_850, 9_800].map((price) => world.rest({ price: ticks(price) }));
    for (const clientOrderId of bids.slice(0, 2))
      world.want({ action: 'cancel', strategy: 'maker', clientOrderId });
    const exit = ask(world, { side: 'sell', price: ticks(10_200) });
    expect(fateOf(world, exit)).toBe('waiting');
    expect(world.orders.held[0]?.code).toBe(`OPEN_ORDERS_${scope}`);
    world.report(bids[index] as ClientOrderId, how);
    expect(fateOf(world, exit)).toBe('pending');
  });
});

describe('a protective stop', () => {
  const stop = {
    side: 'sell',
    type: 'stopLimit',
    stopPrice: ticks(9_700),
    price: ticks(9_690),
  } as const;

  test('below own bids is accepted, whatever its type, and so is one above own asks', () => {
    const { world } = ladder({ options: { marketOrders: true, marketSpreadPercentMax: 5 } });
    expect(fateOf(world, ask(world, { ...stop, quantity: lots(5) }))).toBe('pending');
    const market = { ...stop, type: 'stopMarket', price: undefined, timeInForce: 'IOC' } as const;
    expect(fateOf(world, ask(world, { ...market, quantity: lots(4) }))).toBe('pending');
    const short = new World();
    short.hold(-10);
    short.rest({ side: 'sell', price: ticks(10_100) });
    const buy = { type: 'stopLimit', stopPrice: ticks(10_300), price: ticks(10_310) } as const;
    expect(fateOf(short, ask(short, buy))).toBe('pending');
  });

  test('is accepted as a leg of a bracket beside other bids', () => {
    const { world } = ladder();
    const ids = [world.ids.next(), world.ids.next(), world.ids.next()] as const;
    const list = { contingency: 'oneTriggerOneCancelOther', orders: ids } as const;
    const requests = [
      world.request({ clientOrderId: ids[0], price: ticks(9_800), list }),
      world.request({ clientOrderId: ids[1], side: 'sell', price: ticks(10_300), list }),
      world.request({ clientOrderId: ids[2], ...stop, list }),
    ];
    world.want({ action: 'placeList', strategy: 'maker', contingency: list.contingency, requests });
    expect(ids.map((id) => fateOf(world, id))).toEqual(['pending', 'pending', 'pending']);
  });

  test('whose price is reached already is judged as what it becomes', () => {
    const { world } = ladder();
    const reached = { ...stop, stopPrice: ticks(10_050), price: ticks(9_800) };
    expect(fateOf(world, ask(world, reached))).toBe('denied SELF_TRADE');
    cancelAll(world);
    expect(fateOf(world, ask(world, reached))).toBe('waiting');
  });

  test('cancels what it would meet once it is triggered, of every strategy, and nothing before', () => {
    const { world, bids } = ladder();
    const others = world.rest({ clientOrderId: world.idOf('taker'), price: ticks(9_690) }, 'taker');
    const below = world.rest({ clientOrderId: world.idOf('taker'), price: ticks(9_680) }, 'taker');
    const id = ask(world, stop);
    world.report(id, 'suspended');
    expect(world.ofKind('cancelPending')).toEqual([]);
    world.report(id, 'new');
    const going = world.ofKind('cancelPending').map(({ command }) => command.clientOrderId);
    expect(going.toSorted()).toEqual([...bids, others].toSorted());
    expect(world.state.order(below)?.cancelPending).toBe(false);
  });
});

describe('a denied exit', () => {
  test('is one that would close what its strategy holds, beside what is closed already', () => {
    const { world } = ladder();
    const lastIsExit = (): boolean => {
      const event = world.ofKind('orderDenied').at(-1);
      return event !== undefined && isDeniedExit(event, world.state);
    };
    ask(world, { side: 'sell', price: ticks(9_800) });
    expect(lastIsExit()).toBe(true);
    ask(world, { side: 'sell', price: ticks(9_800), quantity: lots(11) });
    expect(lastIsExit()).toBe(false);
    ask(world, { clientOrderId: world.idOf('taker'), side: 'sell', price: ticks(9_800) }, 'taker');
    expect(lastIsExit()).toBe(false);
    const profit = world.rest({ side: 'sell', price: ticks(10_300), quantity: lots(6) });
    ask(world, { side: 'sell', price: ticks(9_800), quantity: lots(4) });
    expect(lastIsExit()).toBe(true);
    ask(world, { side: 'sell', price: ticks(9_800), quantity: lots(5) });
    expect(lastIsExit()).toBe(false);
    world.want({
      action: 'replace',
      strategy: 'maker',
      clientOrderId: profit,
      newClientOrderId: world.ids.next(),
      quantity: lots(6),
      price: ticks(9_800),
      stopPrice: undefined,
    });
    expect(lastIsExit()).toBe(true);
    // What it replaces has executed in full meanwhile: it would have closed nothing more.
    world.fill(profit, 6);
    world.want({
      action: 'replace',
      strategy: 'maker',
      clientOrderId: profit,
      newClientOrderId: world.ids.next(),
      quantity: lots(6),
      price: ticks(10_200),
      stopPrice: undefined,
    });
    expect(world.ofKind('orderDenied').at(-1)?.denial.code).toBe('ORDER_NOT_LIVE');
    expect(lastIsExit()).toBe(false);
  });

  test('is shown once a minute by itself, whatever other denials were', () => {
    const { world } = ladder();
    const incidents = new Incidents(world.state);
    const lineOf = (): string | undefined => {
      const event = world.ofKind('orderDenied').at(-1);
      return event && incidents.of(event);
    };
    ask(world, { side: 'sell', price: ticks(9_800), quantity: lots(11) });
    expect(lineOf()).toContain('an order was denied, SELF_TRADE');
    const exit = ask(world, { side: 'sell', price: ticks(9_800) });
    expect(lineOf()).toContain(
      `strategy maker: exit ${exit} was denied, the position stays open, SELF_TRADE: the order would trade`,
    );
    ask(world, { side: 'sell', price: ticks(9_810) });
    expect(lineOf()).toBeUndefined();
  });
});

test('an order by which an operator closes a position goes before what strategies have in the book', () => {
  const { world, bids } = ladder();
  const others = world.rest({ clientOrderId: world.idOf('taker'), price: ticks(9_900) }, 'taker');
  const id = new ClientOrderIds('gw', world.run, operatorTag).next();
  ask(world, { clientOrderId: id, side: 'sell', price: ticks(9_900), timeInForce: 'IOC' });
  expect(fateOf(world, id)).toBe('waiting');
  world.report(bids[0] as ClientOrderId, 'canceled');
  world.report(others, 'canceled');
  expect(fateOf(world, id)).toBe('pending');
});
