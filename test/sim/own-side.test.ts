import { expect, test } from 'vitest';
import type { Micros } from '../../src/core/base/clock.ts';
import type { InstrumentId, Lots, Ticks } from '../../src/core/model/instrument.ts';
import type { ClientOrderId, OrderRequest } from '../../src/core/model/order.ts';
import { OwnSide } from '../../src/sim/own-side.ts';
import { QueueOrder } from '../../src/sim/queue-order.ts';

function order(price: number): QueueOrder {
  const request = {
    clientOrderId: `at-${price}` as ClientOrderId,
    instrument: 0 as InstrumentId,
    side: 'buy',
    type: 'limit',
    timeInForce: 'GTC',
    quantity: 1 as Lots,
    price: price as Ticks,
    postOnly: false,
  } as OrderRequest;
  const born = { number: price, now: 0 as Micros, cumulative: 0, originalClientOrderId: undefined };
  return new QueueOrder(request, born);
}

test.each(['buy', 'sell'] as const)('a side knows by one bit for a key where orders rest: %s', (side) => {
  const own = new OwnSide(side);
  const bitsOf = (...prices: number[]): number => {
    let bits = 0;
    for (const price of prices) bits |= 1 << (own.keyOf(price) & 31);
    return bits;
  };
  const [near, far, again] = [order(64_001), order(63_990), order(64_001)];
  expect(own.keyBits).toBe(0);
  for (const one of [near, far, again]) own.add(one);
  expect(own.keyBits).toBe(bitsOf(64_001, 63_990));
  own.remove(near);
  expect(own.keyBits).toBe(bitsOf(64_001, 63_990));
  own.remove(again);
  expect([own.keyBits, own.bestKey]).toEqual([bitsOf(63_990), own.keyOf(63_990)]);
  own.remove(far);
  expect([own.keyBits, own.bestKey]).toEqual([0, Number.NEGATIVE_INFINITY]);
});
