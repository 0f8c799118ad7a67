import { describe, expect, test } from 'vitest';
import type { Command } from '../../../src/core/model/command.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { seconds } from '../../../src/core/base/clock.ts';
import type { DenialCode } from '../../../src/core/model/denial.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { ClientOrderId, OrderRequest } from '../../../src/core/model/order.ts';
import { start, World } from './support/world.ts';

const ticks = (value: unknown): Ticks => value as Ticks;
const lots = (value: unknown): Lots => value as Lots;

describe('the form of an order', () => {
  const cases: readonly (readonly [string, Partial<OrderRequest>, DenialCode])[] = [
    ['an id that is too short', { clientOrderId: 'short' as ClientOrderId }, 'ID_MALFORMED'],
    ['an id with a space', { clientOrderId: 'gw-r1-maker 0001' as ClientOrderId }, 'ID_MALFORMED'],
    ['an id that is no text', { clientOrderId: 17 as unknown as ClientOrderId }, 'ID_MALFORMED'],
    ['an id of another strategy', { clientOrderId: 'gw-r1-taker-00001' as ClientOrderId }, 'ID_MALFORMED'],
    ['an id of another run', { clientOrderId: 'gw-r0-maker-00001' as ClientOrderId }, 'ID_MALFORMED'],
    ['quantity 0', { quantity: lots(0) }, 'QUANTITY_NOT_POSITIVE'],
    ['a negative quantity', { quantity: lots(-1) }, 'QUANTITY_NOT_POSITIVE'],
    ['a quantity of minus infinity', { quantity: lots(Number.NEGATIVE_INFINITY) }, 'QUANTITY_NOT_POSITIVE'],
    ['a quantity between two lots', { quantity: lots(1.5) }, 'OFF_GRID'],
    ['a quantity that is no number', { quantity: lots(Number.NaN) }, 'OFF_GRID'],
    ['a quantity as text', { quantity: lots('1e1') }, 'OFF_GRID'],
    ['an infinite quantity', { quantity: lots(Number.POSITIVE_INFINITY) }, 'OFF_GRID'],
    ['a quantity beyond exact integers', { quantity: lots(2 ** 53) }, 'OFF_GRID'],
    ['no price', { price: undefined }, 'PRICE_MISSING'],
    ['price 0', { price: ticks(0) }, 'PRICE_NOT_POSITIVE'],
    ['a negative price', { price: ticks(-9_900) }, 'PRICE_NOT_POSITIVE'],
    ['a price between two ticks', { price: ticks(9_900.5) }, 'OFF_GRID'],
    ['a price that is no number', { price: ticks(Number.NaN) }, 'OFF_GRID'],
    ['a price as text', { price: ticks('9900') }, 'OFF_GRID'],
    ['a market order with a price', { type: 'market', timeInForce: 'FOK' }, 'PRICE_NOT_ALLOWED'],
    ['a stop order without a stop price', { type: 'stopLimit' }, 'STOP_PRICE_MISSING'],
    ['a limit order with a stop price', { stopPrice: ticks(9_900) }, 'STOP_PRICE_NOT_ALLOWED'],
    ['a stop price between two ticks', { type: 'stopLimit', stopPrice: ticks(1.5) }, 'OFF_GRID'],
    ['a stop price of 0', { type: 'takeProfitLimit', stopPrice: ticks(0) }, 'PRICE_NOT_POSITIVE'],
    ['GTD without an expire time', { timeInForce: 'GTD' }, 'EXPIRE_TIME_MISSING'],
    ['GTC with an expire time', { expireTime: (start + 60e6) as Micros }, 'EXPIRE_TIME_NOT_ALLOWED'],
    ['an expire time that has come', { timeInForce: 'GTD', expireTime: start }, 'EXPIRE_TIME_PAST'],
    ['a market order that rests', { type: 'market', price: undefined }, 'TIME_IN_FORCE_NOT_ALLOWED'],
    [
      'a stop market order for the day',
      { type: 'stopMarket', timeInForce: 'Day', price: undefined, stopPrice: ticks(9_900) },
      'TIME_IN_FORCE_NOT_ALLOWED',
    ],
    ['an unknown time in force', { timeInForce: 'GFD' as 'GTC' }, 'TIME_IN_FORCE_NOT_ALLOWED'],
    ['an unknown type', { type: 'iceberg' as 'limit' }, 'ORDER_KIND_UNKNOWN'],
    ['an unknown side', { side: 'short' as 'sell' }, 'ORDER_KIND_UNKNOWN'],
    ['post-only with IOC', { postOnly: true, timeInForce: 'IOC' }, 'POST_ONLY_NOT_ALLOWED'],
    ['post-only with FOK', { postOnly: true, timeInForce: 'FOK' }, 'POST_ONLY_NOT_ALLOWED'],
    [
      'a post-only market order',
      { postOnly: true, type: 'market', price: undefined, timeInForce: 'FOK' },
      'POST_ONLY_NOT_ALLOWED',
    ],
  ];

  test.each(cases)('%s is denied', (_name, changes, code) => {
    const world = new World();
    expect(world.place(changes)).toBe(code);
    expect(world.state.openCount()).toBe(0);
  });

  test('a well-formed order of every resting kind passes', () => {
    const world = new World();
    const later = (start + 60e6) as Micros;
    for (const changes of [
      {},
      { timeInForce: 'Day', price: ticks(9_901) },
      { timeInForce: 'GTD', expireTime: later, price: ticks(9_902) },
      { postOnly: true, price: ticks(9_903) },
      { type: 'stopLimit', stopPrice: ticks(9_904), price: ticks(9_904) },
      { type: 'takeProfitLimit', stopPrice: ticks(9_905), price: ticks(9_905) },
    ] as const) {
      expect(world.place(changes)).toMatch(/^gw-r1-maker-/);
    }
    expect(world.state.openCount()).toBe(6);
  });

  test('an id in use is denied, and the order that has it stays as it is', () => {
    const world = new World();
    const pending = world.place() as ClientOrderId;
    expect(world.place({ clientOrderId: pending, price: ticks(9_800) })).toBe('ID_REUSED');
    expect(world.state.order(pending)?.state).toBe('pending');
    world.report(pending, 'new');
    expect(world.place({ clientOrderId: pending, quantity: lots(0) })).toBe('ID_REUSED');
    expect(world.state.order(pending)?.state).toBe('new');
    world.report(pending, 'canceled');
    expect(world.place({ clientOrderId: pending })).toBe('ID_REUSED');
    expect(world.state.order(pending)?.state).toBe('canceled');
  });
});

describe('whether orders may be sent at all', () => {
  test('a symbol that is not on the list, not of the strategy, a contract of a strategy for spot, or no symbol is denied', () => {
    const world = new World({
      options: { symbols: ['AAABBB', 'AAABBB_PERP'] },
      limits: { taker: { symbols: ['CCCBBB'] } },
    });
    expect(world.place({ instrument: world.instrument(1).id })).toBe('SYMBOL_NOT_ALLOWED');
    expect(world.place({ instrument: world.instrument(2).id })).toBe('PRODUCT_NOT_DECLARED');
    expect(world.place({ instrument: 99 as never })).toBe('SYMBOL_NOT_ALLOWED');
    expect(world.place({ clientOrderId: world.idOf('taker') }, 'taker')).toBe('SYMBOL_NOT_ALLOWED');
  });

  test('a symbol that does not work is denied until it works again', () => {
    const world = new World();
    const { id } = world.instrument();
    world.step({ kind: 'instrumentChanged', ...world.times, instrument: id, status: 'suspended' });
    expect(world.place()).toBe('SYMBOL_NOT_WORKING');
    world.step({ kind: 'instrumentChanged', ...world.times, instrument: id, status: 'clearing' });
    expect(world.place()).toBe('SYMBOL_NOT_WORKING');
    world.step({ kind: 'instrumentChanged', ...world.times, instrument: id, status: 'working' });
    expect(world.place()).toMatch(/^gw/);
  });

  test('a stopped or unknown strategy is denied', () => {
    const world = new World();
    expect(world.place({}, 'nobody')).toBe('STRATEGY_STOPPED');
    world.step({ kind: 'strategyStopped', ...world.times, strategy: 'maker', why: 'it threw' });
    expect(world.place()).toBe('STRATEGY_STOPPED');
    expect(world.place({ clientOrderId: world.idOf('taker') }, 'taker')).toMatch(/^gw/);
    expect(world.place({ clientOrderId: world.idOf('op') })).toMatch(/^gw/);
  });

  test('while halted every order is denied', () => {
    const world = new World();
    world.step({ kind: 'modeChanged', ...world.times, mode: 'halted', why: 'test', latched: true });
    expect(world.place()).toBe('MODE_HALTED');
  });

  test('while reducing only what shrinks the position passes, working orders counted', () => {
    const world = new World();
    world.hold(10);
    world.step({ kind: 'modeChanged', ...world.times, mode: 'reducing', why: 'test', latched: false });
    expect(world.place({ side: 'buy', quantity: lots(1) })).toBe('MODE_REDUCING');
    expect(world.place({ side: 'sell', quantity: lots(11), price: ticks(10_100) })).toBe('MODE_REDUCING');
    expect(world.place({ side: 'sell', quantity: lots(6), price: ticks(10_100) })).toMatch(/^gw/);
    expect(world.place({ side: 'sell', quantity: lots(5), price: ticks(10_101) })).toBe('MODE_REDUCING');
    expect(world.place({ side: 'sell', quantity: lots(4), price: ticks(10_101) })).toMatch(/^gw/);
  });

  test('without a trading session, and until the comparison after it came up, orders are denied', () => {
    const world = new World({ ready: false });
    world.market();
    world.money({ BBB: '1000' });
    expect(world.place()).toBe('SESSION_DOWN');
    const reads: string[] = [];
    world.onCommand = (command) => reads.push(command.kind === 'read' ? command.what.of : command.kind);
    world.step({ kind: 'sessionUp', ...world.times, session: 'trading' });
    expect(reads).toEqual(['activeOrders', 'balances', 'tradeHistory']);
    expect(world.place()).toBe('NOT_RECONCILED');
  });

  test('an order on a stale, empty or crossed book, or with one that it is priced from, is denied', () => {
    const world = new World({ needs: [0, 1] });
    const stale = (index: number): void =>
      world.step({
        kind: 'bookStale',
        ...world.times,
        instrument: world.instrument(index).id,
        reason: 'gap',
        expected: 2,
        found: 4,
      });
    stale(1);
    expect(world.place()).toBe('INPUT_STALE');
    world.market();
    expect(world.place()).toMatch(/^gw/);
    stale(0);
    expect(world.place({ price: ticks(9_901) })).toBe('INPUT_STALE');
    world.book(0, 10_100, 9_900);
    expect(world.place({ price: ticks(9_901) })).toBe('INPUT_STALE');
  });

  describe('a symbol that is gone, or has no book', () => {
    const gone = (world: World, index: number): void => {
      const { id } = world.instrument(index);
      world.step({ kind: 'instrumentChanged', ...world.times, instrument: id, status: 'expired' });
      const times = world.times;
      world.step({ kind: 'bookStale', ...times, instrument: id, reason: 'refused', expected: 0, found: 0 });
    };

    test('leaves orders on others alone that are not priced from it', () => {
      const world = new World();
      gone(world, 1);
      expect(world.place()).toMatch(/^gw/);
      expect(world.place({ instrument: world.instrument(1).id })).toBe('SYMBOL_NOT_WORKING');
    });

    test('denies orders that are priced from it, with its name', () => {
      const world = new World({ needs: [0, 1] });
      gone(world, 1);
      const [denied] = world.want({ action: 'place', strategy: 'maker', request: world.request() });
      const [one, other] = [world.instrument(0).symbol, world.instrument(1).symbol];
      expect(denied).toMatchObject({
        denial: {
          code: 'INPUT_STALE',
          why: `expected a live book of ${other}, which orders of ${one} are priced from, found it expired`,
        },
      });
    });

    test('lets what is held be sold, and no more than that', () => {
      const world = new World({ needs: [0, 1] });
      const commands: Command[] = [];
      world.hold(5);
      world.market();
      gone(world, 1);
      world.onCommand = (command) => commands.push(command);
      const exit = { side: 'sell', price: ticks(10_100) } as const;
      expect(world.place({ ...exit, quantity: lots(6) })).toBe('INPUT_STALE');
      expect(world.place({ ...exit, quantity: lots(5) })).toMatch(/^gw/);
      expect(world.place({ ...exit, quantity: lots(1), price: ticks(10_200) })).toBe('INPUT_STALE');
      // The gate asks again.
      const left = commands.flatMap((one) => (one.kind === 'newOrder' ? [world.orders.inputsOf(one)] : []));
      expect(left).toEqual([[world.instrument(0).id]]);
    });
  });

  test('the first denial wins: standing before form, form before limits', () => {
    const world = new World({ options: { limits: { AAABBB: { quantityMax: '0.1' } } } });
    expect(world.place({ quantity: lots(1.5) })).toBe('OFF_GRID');
    world.step({ kind: 'strategyStopped', ...world.times, strategy: 'maker', why: 'test' });
    expect(world.place({ quantity: lots(1.5) })).toBe('STRATEGY_STOPPED');
  });
});

describe('duplicates and self-trades', () => {
  test('the same order inside a second is denied, a second later it passes', () => {
    const world = new World();
    world.place();
    world.clock.advance((1e6 - 1) as Micros);
    expect(world.place()).toBe('DUPLICATE_ORDER');
    expect(world.place({ quantity: lots(11) })).toMatch(/^gw/);
    expect(world.place({ price: ticks(9_899) })).toMatch(/^gw/);
    expect(world.place({ instrument: world.instrument(1).id })).toMatch(/^gw/);
    expect(world.place({ clientOrderId: world.idOf('taker') }, 'taker')).toMatch(/^gw/);
    world.clock.advance(1 as Micros);
    expect(world.place()).toMatch(/^gw/);
  });

  test('an order that would cross an own one, in flight or of another strategy, is denied', () => {
    const world = new World();
    world.place({ side: 'sell', price: ticks(10_000) });
    expect(world.place({ price: ticks(10_000) })).toBe('SELF_TRADE');
    expect(world.place({ price: ticks(9_999) })).toMatch(/^gw/);
    const other = { clientOrderId: world.idOf('taker'), side: 'sell', price: ticks(9_999) } as const;
    expect(world.place(other, 'taker')).toBe('SELF_TRADE');
  });

  test('an order that would cross an own one is sent where that is allowed', () => {
    const world = new World({ options: { selfTrades: true } });
    world.place({ side: 'sell', price: ticks(10_000) });
    expect(world.place({ price: ticks(10_000) })).toMatch(/^gw/);
  });

  test('a market order is denied while an own order stands on the other side', () => {
    const world = new World({ options: { marketOrders: true, marketSpreadPercentMax: 5 } });
    const market = { type: 'market', timeInForce: 'FOK', price: undefined } as const;
    world.rest({ side: 'sell', price: ticks(10_100) });
    expect(world.place(market)).toBe('SELF_TRADE');
    expect(world.place({ ...market, side: 'sell' })).toMatch(/^gw/);
  });
});

describe('cancels and replacements', () => {
  const cancel = (world: World, clientOrderId: ClientOrderId, strategy = 'maker'): string => {
    const [verdict] = world.want({ action: 'cancel', strategy, clientOrderId });
    return verdict?.kind === 'orderDenied' ? verdict.denial.code : (verdict?.kind ?? 'nothing');
  };
  const replace = (world: World, clientOrderId: ClientOrderId, changes: object = {}): string => {
    const [verdict] = world.want({
      action: 'replace',
      strategy: 'maker',
      clientOrderId,
      newClientOrderId: world.ids.next(),
      quantity: lots(10),
      price: ticks(9_950),
      stopPrice: undefined,
      ...changes,
    });
    return verdict?.kind === 'orderDenied' ? verdict.denial.code : (verdict?.kind ?? 'nothing');
  };

  test('an unknown, foreign or ended order cannot be cancelled or replaced', () => {
    const world = new World();
    expect(cancel(world, 'gw-r1-maker-zzzzz' as ClientOrderId)).toBe('ORDER_NOT_FOUND');
    expect(replace(world, 'gw-r1-maker-zzzzz' as ClientOrderId)).toBe('ORDER_NOT_FOUND');
    const foreign = world.rest({ clientOrderId: world.idOf('taker') }, 'taker');
    expect(cancel(world, foreign)).toBe('ORDER_NOT_OWN');
    expect(replace(world, foreign)).toBe('ORDER_NOT_OWN');
    const ended = world.rest();
    world.report(ended, 'canceled');
    expect(cancel(world, ended)).toBe('ORDER_NOT_LIVE');
    expect(replace(world, ended)).toBe('ORDER_NOT_LIVE');
  });

  test('one cancel at a time, and no replacement of an order that is being cancelled', () => {
    const world = new World();
    const id = world.rest();
    expect(cancel(world, id)).toBe('cancelPending');
    expect(cancel(world, id)).toBe('CANCEL_UNDER_WAY');
    expect(replace(world, id)).toBe('CANCEL_UNDER_WAY');
  });

  test('one replacement at a time, and none before the order is known to live', () => {
    const world = new World();
    expect(replace(world, world.place() as ClientOrderId)).toBe('ORDER_NOT_LIVE');
    const id = world.rest({ price: ticks(9_901) });
    expect(replace(world, id)).toBe('replacePending');
    expect(replace(world, id, { price: ticks(9_951) })).toBe('REPLACE_UNDER_WAY');
  });

  test('a replacement is judged like a new order of the new values', () => {
    const world = new World({ options: { limits: { AAABBB: { quantityMax: '2' } } } });
    const id = world.rest();
    expect(replace(world, id, { quantity: lots(21) })).toBe('QUANTITY_MAX');
    expect(replace(world, id, { quantity: lots(1.5) })).toBe('OFF_GRID');
    expect(replace(world, id, { price: undefined })).toBe('PRICE_MISSING');
    expect(replace(world, id, { price: ticks(9_900) })).toBe('DUPLICATE_ORDER');
    expect(replace(world, id, { newClientOrderId: id })).toBe('ID_REUSED');
    world.fill(id, 4);
    expect(replace(world, id, { quantity: lots(4) })).toBe('QUANTITY_NOT_POSITIVE');
    expect(replace(world, id, { quantity: lots(5) })).toBe('replacePending');
    expect(world.state.order(id)?.state).toBe('partiallyFilled');
  });

  test('cancelAll cancels every live order of the strategy, on one instrument or on all', () => {
    const world = new World();
    const first = world.rest();
    const second = world.rest({ instrument: world.instrument(1).id });
    const pending = world.place({ price: ticks(9_902) }) as ClientOrderId;
    const foreign = world.rest({ clientOrderId: world.idOf('taker') }, 'taker');
    const cancelled = (instrument: number | undefined): readonly string[] =>
      world
        .want({
          action: 'cancelAll',
          strategy: 'maker',
          instrument: instrument === undefined ? undefined : world.instrument(instrument).id,
        })
        .flatMap((event) => (event.kind === 'cancelPending' ? [event.command.clientOrderId] : []));
    expect(cancelled(1)).toEqual([second]);
    expect(cancelled(undefined)).toEqual([first, pending]);
    expect(world.state.order(foreign)?.cancelPending).toBe(false);
  });

  test('cancelling an order whose replacement is under way cancels the replacement when it is reported', () => {
    const world = new World();
    const id = world.rest();
    expect(replace(world, id)).toBe('replacePending');
    expect(cancel(world, id)).toBe('cancelPending');
    const pending = world.ofKind('replacePending')[0]?.command;
    const order = world.state.order(id);
    if (pending === undefined || order === undefined) throw new Error('no replacement');
    world.step({
      kind: 'orderReport',
      ...world.times,
      reportType: 'replaced',
      order: {
        ...order,
        clientOrderId: pending.newClientOrderId,
        originalClientOrderId: id,
        state: 'new',
        venueOrderId: 'v2',
        orderListId: undefined,
      },
      fill: undefined,
    });
    expect(world.ofKind('cancelPending').at(-1)?.command.clientOrderId).toBe(pending.newClientOrderId);
  });

  test('cancels are accepted while halted, throttled or without a session', () => {
    const world = new World({ limits: { maker: { messagesPerSecondMax: 1 } } });
    const id = world.place() as ClientOrderId;
    world.step({ kind: 'sessionDown', ...world.times, session: 'trading', why: 'test' });
    expect(cancel(world, id)).toBe('cancelPending');
    world.clock.advance(seconds(1));
  });
});
