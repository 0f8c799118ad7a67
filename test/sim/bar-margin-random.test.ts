import fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountToNumber } from '../../src/core/base/amount.ts';
import { isLiquidation } from '../../src/core/model/liquidation.ts';
import { BarWorld } from './bar-world.ts';

test('whatever is asked for, a liquidation leaves nothing open, nothing stays below the margin, and money is fills, fees and funding', () => {
  const price = fc.integer({ min: 700, max: 1_300 });
  const step = fc.record({
    bar: fc.tuple(price, price, price, price),
    side: fc.constantFrom('buy' as const, 'sell' as const),
    quantity: fc.integer({ min: 1, max: 300 }),
    type: fc.constantFrom('market' as const, 'limit' as const, 'stopMarket' as const),
    level: price,
  });
  let liquidations = 0;
  let payments = 0;
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 25 }),
      fc.constantFrom('0.001', '-0.002'),
      fc.constantFrom('0', '0.5', '1'),
      (steps, funding, rate) => {
        const account = { kind: 'margin', leverage: '10', rate: '1' } as const;
        const world = new BarWorld({
          path: 'pessimistic',
          fees: { rate: '0.001' },
          account: { ...account, liquidation: { rate }, funding: { rate: funding, every: '3m' } },
        });
        let cash = 0;
        let position = 0;
        world.hear = (event) => {
          if (event.kind !== 'orderReport' || event.fill === undefined) return;
          const { fill, order } = event;
          const sign = order.side === 'buy' ? 1 : -1;
          position += sign * fill.quantity;
          cash -= (sign * fill.quantity * fill.price) / 10 + amountToNumber(fill.fee);
          if (!isLiquidation(order.clientOrderId)) return;
          liquidations += 1;
          expect(position).toBe(0);
        };
        let last = 0;
        for (const { bar, side, quantity, type, level } of steps) {
          const [low, high] = [Math.min(...bar), Math.max(...bar)];
          const [open, , , close] = bar;
          world.venue.finish();
          world.bar(open / 10, high / 10, low / 10, close / 10);
          last = close / 10;
          if (type === 'market') world.order({ side, quantity });
          else if (type === 'limit') world.order({ side, quantity, price: level / 10 });
          else world.order({ side, quantity, type, stop: level / 10 });
          world.venue.finish();
          const { equity, locked } = world.figures;
          if (position !== 0) expect(equity).toBeGreaterThan(Number(rate) * locked);
        }
        const { sessionRoll } = world.venue;
        payments += sessionRoll.funding?.count ?? 0;
        const paid = amountToNumber(sessionRoll.funding?.paid.get('USD') ?? (0n as never));
        expect(world.figures.equity).toBeCloseTo(10_000 + cash + position * last - paid, 6);
      },
    ),
    { numRuns: 200 },
  );
  // Not a test of an account that never comes near.
  expect(liquidations).toBeGreaterThan(20);
  expect(payments).toBeGreaterThan(100);
});
