import { describe, expect, test } from 'vitest';
import { seconds } from '../../../src/core/base/clock.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { ClientOrderId, OrderRequest } from '../../../src/core/model/order.ts';
import { holdMargin, isolated, margined, marginWorld, reducing, reportAccount } from './support/margin.ts';
import type { World } from './support/world.ts';

const sell: Partial<OrderRequest> = { side: 'sell', price: 10_100 as Ticks, margin: reducing };

function reduce(world: World, lots: number, changes: Partial<OrderRequest> = {}): string {
  const instrument = world.instrument(margined).id;
  return world.place({ ...sell, instrument, quantity: lots as Lots, ...changes });
}

function whyDenied(world: World): string | undefined {
  return world.ofKind('orderDenied').at(-1)?.denial.why;
}

describe('a reduce-only order', () => {
  test('without a position is denied', () => {
    const world = marginWorld();
    reportAccount(world);
    expect(reduce(world, 1)).toBe('REDUCE_ONLY');
    expect(whyDenied(world)).toBe(
      'expected an order that shrinks the isolated position of 0 lots (0 lots already working), found sell 1',
    );
  });

  test('takes the whole position, and not a lot more', () => {
    const world = marginWorld();
    holdMargin(world, 10);
    expect(reduce(world, 11)).toBe('REDUCE_ONLY');
    expect(reduce(world, 10)).toMatch(/^gw-/);
  });

  test('on the side of the position is denied', () => {
    const world = marginWorld();
    holdMargin(world, 10);
    expect(reduce(world, 1, { side: 'buy', price: 9_900 as Ticks })).toBe('REDUCE_ONLY');
  });

  test('of a short position buys', () => {
    const world = marginWorld();
    holdMargin(world, -10);
    expect(reduce(world, 11, { side: 'buy', price: 9_900 as Ticks })).toBe('REDUCE_ONLY');
    expect(reduce(world, 10, { side: 'buy', price: 9_900 as Ticks })).toMatch(/^gw-/);
  });

  test('counts what orders in flight may close, until they are rejected', () => {
    const world = marginWorld();
    holdMargin(world, 10);
    const first = reduce(world, 6) as ClientOrderId;
    expect(reduce(world, 5)).toBe('REDUCE_ONLY');
    expect(reduce(world, 4)).toMatch(/^gw-/);
    world.rejected(first);
    expect(reduce(world, 5)).toMatch(/^gw-/);
  });

  test('counts an unknown order in its worst case', () => {
    const world = marginWorld();
    holdMargin(world, 10);
    world.unanswered(reduce(world, 6) as ClientOrderId);
    expect(reduce(world, 5)).toBe('REDUCE_ONLY');
    expect(reduce(world, 4)).toMatch(/^gw-/);
  });

  test('counts what is left of an order that executed in part', () => {
    const world = marginWorld();
    holdMargin(world, 10);
    const first = reduce(world, 6) as ClientOrderId;
    world.report(first, 'new');
    world.fill(first, 4);
    // 6 lots are left, 2 of them may still be closed by the first order.
    expect(reduce(world, 5, { price: 10_101 as Ticks })).toBe('REDUCE_ONLY');
    expect(reduce(world, 4, { price: 10_101 as Ticks })).toMatch(/^gw-/);
  });

  test('finds the position that a fill has just made, before the account shows it', () => {
    const world = marginWorld();
    reportAccount(world);
    const instrument = world.instrument(margined).id;
    const id = world.rest({ instrument, price: 10_000 as Ticks, margin: isolated });
    world.fill(id, 10);
    expect(reduce(world, 10)).toMatch(/^gw-/);
  });

  test('takes no more than the venue says is there, once it can know', () => {
    const world = marginWorld();
    holdMargin(world, 10);
    reportAccount(world, { lots: 4 });
    expect(reduce(world, 5)).toBe('REDUCE_ONLY');
    expect(reduce(world, 4)).toMatch(/^gw-/);
  });

  test('takes what its own strategy holds, not what others hold in the account', () => {
    const world = marginWorld();
    holdMargin(world, 10);
    const clientOrderId = world.idOf('taker');
    const instrument = world.instrument(margined).id;
    expect(world.place({ ...sell, clientOrderId, instrument, quantity: 1 as Lots }, 'taker')).toBe(
      'REDUCE_ONLY',
    );
  });

  test('takes no more than strategies together hold, what works beside it counted', () => {
    const world = marginWorld();
    holdMargin(world, 10, { balance: '1000' });
    const instrument = world.instrument(margined).id;
    const short = { side: 'sell', instrument, price: 10_000 as Ticks, margin: isolated } as const;
    const id = world.rest({ ...short, clientOrderId: world.idOf('taker'), quantity: 4 as Lots }, 'taker');
    world.fill(id, 4);
    reportAccount(world, { lots: 6, balance: '1000' }, { reason: 'closeTrade' });
    expect(reduce(world, 7)).toBe('REDUCE_ONLY');
    expect(reduce(world, 4)).toMatch(/^gw-/);
    expect(reduce(world, 3)).toBe('REDUCE_ONLY');
    expect(reduce(world, 2)).toMatch(/^gw-/);
  });

  test('a position is closed by one order of each account', () => {
    const world = marginWorld();
    holdMargin(world, 10);
    reportAccount(world, { mode: 'cross' });
    expect(reduce(world, 1, { margin: { ...reducing, mode: 'cross' } })).toBe('REDUCE_ONLY');
  });

  test('orders that cancel one another close the position once', () => {
    const world = marginWorld({ options: { marketOrders: true } });
    holdMargin(world, 10);
    const instrument = world.instrument(margined).id;
    const orders = [
      world.request({ ...sell, instrument, quantity: 10 as Lots }),
      world.request({
        ...sell,
        instrument,
        quantity: 10 as Lots,
        type: 'stopLimit',
        stopPrice: 9_800 as Ticks,
        price: 9_790 as Ticks,
      }),
    ];
    const list = {
      contingency: 'oneCancelOther',
      orders: orders.map((order) => order.clientOrderId),
    } as const;
    const requests = orders.map((order) => ({ ...order, list }));
    const verdicts = world.want({
      action: 'placeList',
      strategy: 'maker',
      contingency: 'oneCancelOther',
      requests,
    });
    expect(verdicts.map(({ kind }) => kind)).toEqual(['orderPending', 'orderPending']);
    expect(reduce(world, 1, { price: 10_110 as Ticks })).toBe('REDUCE_ONLY');
  });

  test('a replacement gives back what it replaces', () => {
    const world = marginWorld();
    holdMargin(world, 10);
    const clientOrderId = reduce(world, 10) as ClientOrderId;
    world.report(clientOrderId, 'new');
    const change = { action: 'replace', strategy: 'maker', clientOrderId, stopPrice: undefined } as const;
    const replaced = (quantity: number) =>
      world.want({
        ...change,
        newClientOrderId: world.ids.next(),
        quantity: quantity as Lots,
        price: 10_050 as Ticks,
      });
    expect(replaced(11)[0]).toMatchObject({ kind: 'orderDenied', denial: { code: 'REDUCE_ONLY' } });
    const [pending] = replaced(10);
    expect(pending).toMatchObject({ kind: 'replacePending', command: { product: 'margin' } });
    const next = world.ofKind('replacePending').at(-1)?.command.newClientOrderId as ClientOrderId;
    expect(world.state.order(next)?.margin).toEqual(reducing);
  });
});

describe('when only what reduces may be done', () => {
  test('mode reducing lets pass what shrinks the position of the account', () => {
    const world = marginWorld();
    holdMargin(world, 10);
    world.hold(5, 'maker', margined);
    world.step({ kind: 'modeChanged', ...world.times, mode: 'reducing', why: 'risk', latched: false });
    const plain = { margin: isolated };
    expect(reduce(world, 11, plain)).toBe('MODE_REDUCING');
    expect(reduce(world, 10, plain)).toMatch(/^gw-/);
    expect(reduce(world, 1, plain)).toBe('MODE_REDUCING');
    expect(reduce(world, 5, { margin: undefined })).toMatch(/^gw-/);
  });

  test('a margin call denies what does not shrink the position, on its account alone', () => {
    const world = marginWorld();
    holdMargin(world, 10, { balance: '1000' });
    reportAccount(world, { lots: 10, balance: '1000', changes: { called: true } });
    const buy: Partial<OrderRequest> = { side: 'buy', price: 9_900 as Ticks, margin: isolated };
    expect(reduce(world, 1, buy)).toBe('MARGIN_CALL');
    expect(whyDenied(world)).toBe(
      'a margin call stands on the isolated margin account of CCCBBB: expected an order that shrinks the isolated position of 10 lots (0 lots already working), found buy 1',
    );
    expect(reduce(world, 10, { margin: isolated })).toMatch(/^gw-/);
    reportAccount(world, { mode: 'cross' });
    expect(reduce(world, 1, { ...buy, margin: { ...isolated, mode: 'cross' } })).toMatch(/^gw-/);
    world.clock.advance(seconds(2));
    reportAccount(world, { lots: 10, balance: '1000' });
    expect(reduce(world, 1, buy)).toMatch(/^gw-/);
  });

  test('an order that closes the position passes whatever works beside it', () => {
    const world = marginWorld({ options: { marketOrders: true, marketSpreadPercentMax: 5 } });
    holdMargin(world, 10);
    expect(reduce(world, 10)).toMatch(/^gw-/);
    world.step({ kind: 'modeChanged', ...world.times, mode: 'reducing', why: 'risk', latched: false });
    const closing: Partial<OrderRequest> = {
      type: 'stopMarket',
      timeInForce: 'FOK',
      price: undefined,
      stopPrice: 9_500 as Ticks,
      margin: { ...isolated, closePosition: true },
    };
    expect(reduce(world, 0, closing)).toMatch(/^gw-/);
  });
});
