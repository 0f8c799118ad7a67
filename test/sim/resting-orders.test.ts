import { expect, test } from 'vitest';
import type { Micros } from '../../src/core/base/clock.ts';
import type { InstrumentId, Lots, Ticks } from '../../src/core/model/instrument.ts';
import type { ClientOrderId } from '../../src/core/model/order.ts';
import { RestingOrders, RestingOrder } from '../../src/sim/fill-models/queue/resting-orders.ts';

function order(price: number): RestingOrder {
  return new RestingOrder({
    clientOrderId: `at-${price}` as ClientOrderId,
    instrument: 0 as InstrumentId,
    side: 'buy',
    type: 'limit',
    timeInForce: 'GTC',
    quantity: 1 as Lots,
    cumulative: 0 as Lots,
    remaining: 1 as Lots,
    price: price as Ticks,
    postOnly: false,
    createdAt: 0 as Micros,
  });
}

test.each(['buy', 'sell'] as const)('a side knows by one bit for a key where orders rest: %s', (side) => {
  const own = new RestingOrders(side);
  const bitsOf = (...prices: number[]): number => {
    let bits = 0;
    for (const price of prices) bits |= 1 << (own.keyOf(price) & 31);
    return bits;
  };
  const [near, far, again] = [order(64_001), order(63_990), order(64_001)];
  expect(own.keyBits).toBe(0);
  for (const one of [near, far, again]) own.add(one);
  expect(own.keyBits).toBe(bitsOf(64_001, 63_990));
  own.remove(near.order);
  expect(own.keyBits).toBe(bitsOf(64_001, 63_990));
  own.remove(again.order);
  expect([own.keyBits, own.bestKey]).toEqual([bitsOf(63_990), own.keyOf(63_990)]);
  own.remove(far.order);
  expect([own.keyBits, own.bestKey]).toEqual([0, Number.NEGATIVE_INFINITY]);
});
