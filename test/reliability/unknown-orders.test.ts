import { describe, expect, test } from 'vitest';
import type { DenialCode } from '../../src/core/model/denial.ts';
import type { Lots, Ticks } from '../../src/core/model/instrument.ts';
import type { ClientOrderId, OrderRequest } from '../../src/core/model/order.ts';
import { World } from '../core/orders/support/world.ts';

// Limits that other orders count in: each order is counted from the moment it is admitted, in its worst case, until the venue ends it.

interface Case {
  readonly rule: string;
  readonly code: DenialCode;
  readonly world: () => World;
  /** The order that takes what there is. */
  readonly first: Partial<OrderRequest>;
  /** One that passes beside none, and not beside the first. */
  readonly second: Partial<OrderRequest>;
}

const price = (ticks: number): Partial<OrderRequest> => ({ price: ticks as Ticks });
const lots = (count: number): Partial<OrderRequest> => ({ quantity: count as Lots });

const cases: readonly Case[] = [
  {
    rule: 'openOrdersStrategy',
    code: 'OPEN_ORDERS_STRATEGY',
    world: () => new World({ limits: { maker: { openOrdersMax: 1 } } }),
    first: price(9_801),
    second: price(9_802),
  },
  {
    rule: 'openOrdersSymbol',
    code: 'OPEN_ORDERS_SYMBOL',
    world: () => new World({ options: { openOrdersSymbolMax: 1 } }),
    first: price(9_801),
    second: price(9_802),
  },
  {
    rule: 'openOrdersAccount',
    code: 'OPEN_ORDERS_ACCOUNT',
    world: () => new World({ options: { openOrdersAccountMax: 1 } }),
    first: price(9_801),
    second: price(9_802),
  },
  {
    rule: 'positionMax',
    code: 'POSITION_MAX',
    world: () => new World({ options: { limits: { AAABBB: { positionMax: '2' } } } }),
    first: { ...price(9_801), ...lots(15) },
    second: { ...price(9_802), ...lots(6) },
  },
  {
    rule: 'exposureMax',
    code: 'EXPOSURE_MAX',
    world: () => new World({ options: { exposureMax: { BBB: '300' } } }),
    first: { ...price(9_900), ...lots(20) },
    second: { ...price(9_899), ...lots(11) },
  },
  {
    rule: 'funds',
    code: 'FUNDS',
    world: () => {
      const world = new World();
      world.money({ BBB: '150' });
      return world;
    },
    first: price(10_000),
    second: price(9_999),
  },
  {
    rule: 'selfTrade',
    code: 'SELF_TRADE',
    world: () => new World(),
    first: { ...price(10_000), side: 'sell' },
    second: price(10_000),
  },
];

describe.each(cases)('$rule', ({ code, world, first, second }) => {
  test.each<[string, (at: World, id: ClientOrderId) => void]>([
    ['on its way', () => {}],
    ['without an answer', (at, id) => at.unanswered(id)],
    ['that lives', (at, id) => at.report(id, 'new')],
  ])('counts an order %s, and lets the next one pass once that has ended', (_state, become) => {
    expect(world().place(second)).toMatch(/^gw-/);
    const at = world();
    const id = at.place(first) as ClientOrderId;
    become(at, id);
    expect(at.place(second)).toBe(code);
    at.report(id, 'canceled');
    expect(at.place(second)).toMatch(/^gw-/);
  });
});
