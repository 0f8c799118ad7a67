import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Amount } from '../../../src/core/base/amount.ts';
import { formatAmount } from '../../../src/core/base/amount.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import type { ClientOrderId } from '../../../src/core/model/order.ts';
import { costOf, Reservations, roughUnitCost } from '../../../src/core/orders/base/reservations.ts';
import { specs } from './support/world.ts';

const instruments = new Instruments(specs);
const count = fc.integer({ min: 1, max: 2 ** 40 });
/** Amounts near what the order costs, and far from it. */
const near = fc.oneof(
  fc.bigInt({ min: -2_000n, max: 2_000n }),
  fc.bigInt({ min: -(10n ** 12n), max: 10n ** 30n }),
);

test('funds that cover an order plainly cover it exactly', () => {
  let covered = 0;
  fc.assert(
    fc.property(
      fc.nat(instruments.all.length - 1),
      fc.constantFrom('buy' as const, 'sell' as const),
      fc.record({ price: count, lots: count, spare: near, held: fc.bigInt({ min: 0n, max: 10n ** 26n }) }),
      fc.boolean(),
      (which, side, { price, lots, spare, held }, inFlight) => {
        const instrument = instruments.at(which as never);
        const cost = costOf({ side }, instrument, price as Ticks, lots as Lots);
        const reservations = new Reservations();
        reservations.set('other-order' as ClientOrderId, {
          account: cost.currency,
          strategy: 'other',
          amount: held as Amount,
          inFlight,
        });
        const available = cost.amount + held + spare;
        const balance = {
          currency: cost.currency,
          available: (available > 0n ? available : 0n) as Amount,
          reserved: 0n as Amount,
        };
        const rough = roughUnitCost(instrument, side) * lots * (side === 'buy' ? price : 1);
        if (!reservations.plainlyCover(rough, balance, 0 as Micros)) return;
        covered += 1;
        const free = reservations.free(cost.currency, balance, 0 as Micros);
        expect(free > cost.amount, `${formatAmount(free)} for ${formatAmount(cost.amount)}`).toBe(true);
      },
    ),
  );
  expect(covered).toBeGreaterThan(0);
});
