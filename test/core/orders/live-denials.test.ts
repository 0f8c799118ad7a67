import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { OrderRequest } from '../../../src/core/model/order.ts';
import { World } from './support/world.ts';

/** What a run on bars opens. */
const open = {
  marketOrders: true,
  marketReservePercent: 0.01,
  collarPercent: 100,
  stopCollarPercent: 100,
  duplicateMs: 0,
  lastTradeNeeded: false,
};

const strict = {
  duplicateMs: 3_000,
  limits: { AAABBB: { quantityMax: '40', notionalMax: '3000' } },
  exposureMax: { BBB: '6000' },
};

interface Terms {
  readonly side: 'buy' | 'sell';
  readonly type: 'limit' | 'market' | 'stopLimit' | 'stopMarket';
  readonly quantity: number;
  readonly price: number;
  readonly stopPrice: number;
}

const orders = fc.array(
  fc.record<Terms>({
    side: fc.constantFrom('buy', 'sell'),
    type: fc.constantFrom('limit', 'limit', 'market', 'stopLimit', 'stopMarket'),
    quantity: fc.integer({ min: 1, max: 500 }),
    price: fc.integer({ min: 9_000, max: 11_000 }),
    stopPrice: fc.integer({ min: 4_000, max: 16_000 }),
  }),
  { minLength: 1, maxLength: 12 },
);

function requestOf(one: Terms): Partial<OrderRequest> {
  const atMarket = one.type === 'market' || one.type === 'stopMarket';
  return {
    side: one.side,
    type: one.type,
    timeInForce: atMarket ? 'IOC' : 'GTC',
    quantity: one.quantity as Lots,
    price: atMarket ? undefined : (one.price as Ticks),
    stopPrice: one.type.startsWith('stop') ? (one.stopPrice as Ticks) : undefined,
  };
}

test('what other controls would deny is what they deny where they are in force, order by order', () => {
  fc.assert(
    fc.property(orders, (list) => {
      const shared = { limits: strict.limits, exposureMax: strict.exposureMax };
      const counting = new World({
        options: { ...open, ...shared },
        live: { ...strict, messagesPerSecondMax: 250 },
      });
      const enforcing = new World({ options: strict });
      // As far as both have let the same orders pass, they hold the same.
      for (const one of list) {
        const before = Object.fromEntries(counting.live.denials);
        const passed = counting.place(requestOf(one));
        const verdict = enforcing.place(requestOf(one));
        const counted = [...counting.live.denials].filter(([code, count]) => count !== (before[code] ?? 0));
        if (!passed.startsWith('gw-')) {
          expect(verdict).not.toMatch(/^gw-/);
          return;
        }
        if (verdict.startsWith('gw-')) expect(counted).toEqual([]);
        else {
          expect(counted.map(([code]) => code)).toEqual([verdict]);
          return;
        }
      }
    }),
    { numRuns: 300, seed: 5 },
  );
});

test('orders that pass are untouched: other options change no verdict and no limit', () => {
  fc.assert(
    fc.property(orders, (list) => {
      const counting = new World({ options: open, live: strict });
      const plain = new World({ options: open });
      for (const one of list) expect(counting.place(requestOf(one))).toBe(plain.place(requestOf(one)));
      expect(counting.journal).toEqual(plain.journal);
    }),
    { numRuns: 50, seed: 6 },
  );
});

test('one denial denies a list: its order by its code, the others with it', () => {
  const world = new World({ options: open, live: {} });
  const requests = [9_900, 9_300].map((price) =>
    world.request({ price: price as Ticks, timeInForce: 'FOK' }),
  );
  const list = { contingency: 'allOrNone' as const, orders: requests.map((one) => one.clientOrderId) };
  const two = [requests[0], { ...requests[1], instrument: world.instrument(1).id }].map((one) => ({
    ...one,
    list,
  }));
  world.want({
    action: 'placeList',
    strategy: 'maker',
    contingency: 'allOrNone',
    requests: two as unknown as readonly OrderRequest[],
  });
  expect(world.state.openCount()).toBe(2);
  expect([...world.live.denials]).toEqual([
    ['PRICE_COLLAR', 1],
    ['LIST_ORDER_DENIED', 1],
  ]);
  expect(world.live).toMatchObject({ orders: 2, denied: 2 });
});
