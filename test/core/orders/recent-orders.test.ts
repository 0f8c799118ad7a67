import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Micros } from '../../../src/core/base/clock.ts';
import type { InstrumentId, Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { ClientOrderId, OrderRequest } from '../../../src/core/model/order.ts';
import { RecentOrders } from '../../../src/core/orders/base/recent.ts';

function requestOf(number: number, price: number, quantity: number, buys: boolean): OrderRequest {
  return {
    clientOrderId: `order-${number}` as ClientOrderId,
    instrument: (price % 2) as InstrumentId,
    side: buys ? 'buy' : 'sell',
    type: price === 0 ? 'market' : 'limit',
    timeInForce: 'GTC',
    quantity: quantity as Lots,
    price: price === 0 ? undefined : (price as Ticks),
    stopPrice: undefined,
    expireTime: undefined,
    postOnly: false,
  };
}

/** The last `max` orders, looked through one by one. */
function plainly(
  added: readonly { readonly request: OrderRequest; readonly time: number }[],
  max: number,
  asked: OrderRequest,
  now: number,
  window: number,
): OrderRequest | undefined {
  return added.slice(-max).findLast(({ request, time }) => {
    const { instrument, side, price, quantity } = request;
    const equal = instrument === asked.instrument && side === asked.side;
    return equal && price === asked.price && quantity === asked.quantity && now - time < window;
  })?.request;
}

test('the equal order found is the one a look through all of them finds, however long the ring has gone round', () => {
  const step = fc.record({
    price: fc.nat({ max: 4 }),
    quantity: fc.integer({ min: 1, max: 3 }),
    buys: fc.boolean(),
    pause: fc.nat({ max: 4 }),
    keep: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 12 }),
      fc.nat({ max: 20 }),
      fc.array(step, { maxLength: 80 }),
      (max, window, steps) => {
        const recent = new RecentOrders(max);
        const added: { request: OrderRequest; time: number }[] = [];
        let now = 0;
        for (const [number, { price, quantity, buys, pause, keep }] of steps.entries()) {
          now += pause;
          const request = requestOf(number, price, quantity, buys);
          const found = recent.equalTo(request, now as Micros, window as Micros);
          expect(found).toBe(plainly(added, max, request, now, window));
          if (!keep) continue;
          recent.placed(request, now as Micros);
          added.push({ request, time: now });
        }
      },
    ),
  );
});
