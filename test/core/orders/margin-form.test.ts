import { describe, expect, test } from 'vitest';
import type { Denial } from '../../../src/core/model/denial.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { MarginMark } from '../../../src/core/model/margin.ts';
import type { OrderRequest } from '../../../src/core/model/order.ts';
import { World } from './support/world.ts';

const margined = 1;
const contract = 2;
const auto: MarginMark = { mode: 'isolated', reduceOnly: false, closePosition: false, auto: true };
const closing: Partial<OrderRequest> = {
  side: 'sell',
  type: 'stopMarket',
  timeInForce: 'FOK',
  quantity: 0 as Lots,
  price: undefined,
  stopPrice: 9_000 as Ticks,
  margin: { ...auto, closePosition: true },
};

function worldOf(): World {
  const world = new World({ products: ['spot', 'margin', 'futures'], options: { marketOrders: true } });
  world.market(contract);
  return world;
}

function denialOf(world: World, changes: Partial<OrderRequest>): Denial | undefined {
  const instrument = world.instrument(margined).id;
  const request = world.request({ instrument, margin: auto, ...changes });
  const [verdict] = world.want({ action: 'place', strategy: 'maker', request });
  return verdict?.kind === 'orderDenied' ? verdict.denial : undefined;
}

describe('the form of a margin order', () => {
  test('a margin mode is one of those there are', () => {
    const margin = { ...auto, mode: 'portfolio' as 'cross' };
    expect(denialOf(worldOf(), { margin })).toEqual({
      code: 'MARGIN_MODE_UNKNOWN',
      why: 'expected a margin mode of isolated, cross, found portfolio',
    });
  });

  test('an order that closes the position is a stop market order', () => {
    const limit: Partial<OrderRequest> = {
      ...closing,
      type: 'limit',
      price: 10_000 as Ticks,
      stopPrice: undefined,
    };
    expect(denialOf(worldOf(), limit)).toEqual({
      code: 'CLOSE_POSITION',
      why: 'expected type stopMarket for an order that closes the position, found limit',
    });
  });

  test('it names no quantity', () => {
    expect(denialOf(worldOf(), { ...closing, quantity: 5 as Lots })).toEqual({
      code: 'CLOSE_POSITION',
      why: 'expected no quantity for an order that closes the position, found 5 lots',
    });
  });

  test('any other order names one', () => {
    expect(denialOf(worldOf(), { ...closing, margin: auto })?.code).toBe('QUANTITY_NOT_POSITIVE');
  });
});

describe('a list of orders', () => {
  function listDenials(
    world: World,
    requests: readonly Partial<OrderRequest>[],
  ): readonly (Denial | undefined)[] {
    const orders = requests.map((changes) => world.request(changes));
    const ids = orders.map(({ clientOrderId }) => clientOrderId);
    const list = { contingency: 'oneTriggerOther', orders: ids } as const;
    const intent = {
      action: 'placeList',
      strategy: 'maker',
      contingency: 'oneTriggerOther',
      requests: orders.map((request) => ({ ...request, list })),
    } as const;
    return world.want(intent).map((verdict) => (verdict.kind === 'orderDenied' ? verdict.denial : undefined));
  }

  test('trades one product', () => {
    const world = worldOf();
    const instrument = world.instrument(margined).id;
    const why = 'expected the orders of a list to trade one product, found spot and margin';
    const denial = { code: 'LIST_PRODUCTS', why };
    expect(listDenials(world, [{ instrument }, { instrument, margin: auto }])).toEqual([denial, denial]);
  });

  test('holds no order that closes a position', () => {
    const world = worldOf();
    const instrument = world.instrument(margined).id;
    const [first, second] = listDenials(world, [
      { instrument, margin: auto },
      { instrument, ...closing },
    ]);
    expect(first?.code).toBe('LIST_ORDER_DENIED');
    expect(second).toEqual({
      code: 'CLOSE_POSITION',
      why: 'expected an order that closes the position to be placed alone, found a list',
    });
  });
});

test('equal orders of two accounts are no duplicates', () => {
  const world = worldOf();
  const instrument = world.instrument(margined).id;
  expect(denialOf(world, { instrument, margin: undefined })).toBeUndefined();
  expect(denialOf(world, { instrument })).toBeUndefined();
  expect(denialOf(world, { instrument })?.code).toBe('DUPLICATE_ORDER');
});
