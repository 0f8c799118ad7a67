import { describe, expect, test } from 'vitest';
import { formatAmount } from '../../../src/core/base/amount.ts';
import { millis } from '../../../src/core/base/clock.ts';
import { BadInput } from '../../../src/core/base/errors.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import { strategyLimits } from '../../../src/core/orders/base/options.ts';
import { limitsAmong, orderOptions } from '../../../src/core/orders/options.ts';
import { World } from './support/world.ts';

const lots = (value: number): Lots => value as Lots;
const ticks = (value: number): Ticks => value as Ticks;
const passed = /^gw-/;

/** A world in which the first strategy may use that much of an account that has far more. */
function worldOf(
  funds: Readonly<Record<string, string>>,
  more: Readonly<Record<string, object>> = {},
): World {
  const world = new World({ options: { duplicateMs: 0 }, limits: { maker: { funds }, ...more } });
  world.money({ AAA: '1000', BBB: '100000' });
  return world;
}

function freeOf(world: World, currency: string, strategy = 'maker'): string | undefined {
  const funds = world.orders.fundsOf(strategy, currency);
  return funds && formatAmount(funds.free);
}

describe('the share of the balance that a strategy may use', () => {
  test('an order may take all of it with the worst fee, and not one digit more', () => {
    // 100.00 x 1.0 x 1.002 = 100.2.
    const most = worldOf({ BBB: '100.2' });
    expect(most.place({ price: ticks(10_000), quantity: lots(10) })).toMatch(passed);
    const less = worldOf({ BBB: '100.199999999999' });
    expect(less.place({ price: ticks(10_000), quantity: lots(10) })).toBe('FUNDS_STRATEGY');
    expect(
      less.place({ price: ticks(10_000), quantity: lots(10), clientOrderId: less.idOf('taker') }, 'taker'),
    ).toMatch(passed);
  });

  test('what its other orders may take counts from the verdict on, until they have ended', () => {
    const world = worldOf({ BBB: '150' });
    const id = world.place({ price: ticks(10_000), quantity: lots(10) });
    expect(id).toMatch(passed);
    expect(freeOf(world, 'BBB')).toBe('49.8');
    expect(world.place({ price: ticks(9_900), quantity: lots(5) })).toMatch(passed);
    expect(world.place({ price: ticks(9_900), quantity: lots(1) })).toBe('FUNDS_STRATEGY');
    world.report(id as never, 'new');
    expect(world.place({ price: ticks(9_900), quantity: lots(1) })).toBe('FUNDS_STRATEGY');
    world.report(id as never, 'canceled');
    expect(world.place({ price: ticks(9_900), quantity: lots(1) })).toMatch(passed);
  });

  test('an order without an answer keeps what it may take', () => {
    const world = worldOf({ BBB: '150' });
    const id = world.place({ price: ticks(10_000), quantity: lots(10) });
    world.unanswered(id as never);
    expect(world.place({ price: ticks(10_000), quantity: lots(10) })).toBe('FUNDS_STRATEGY');
  });

  test('own trades take from it and add to it; of a currency without a share there is what they left', () => {
    const world = worldOf({ BBB: '150' });
    expect(world.place({ side: 'sell', price: ticks(10_000), quantity: lots(1) })).toBe('FUNDS_STRATEGY');
    const id = world.rest({ price: ticks(10_000), quantity: lots(10) });
    world.fill(id, 4);
    // 40 was paid, and 60 x 1.002 may be.
    expect(freeOf(world, 'BBB')).toBe('49.88');
    expect(freeOf(world, 'AAA')).toBe('0.4');
    world.fill(id, 6);
    expect(freeOf(world, 'BBB')).toBe('50');
    expect(world.place({ side: 'sell', price: ticks(10_000), quantity: lots(11) })).toBe('FUNDS_STRATEGY');
    world.clock.advance(millis(6_000));
    world.market();
    const sale = world.rest({ side: 'sell', price: ticks(10_000), quantity: lots(10) });
    expect(freeOf(world, 'AAA')).toBe('0');
    world.fill(sale, 10);
    expect(freeOf(world, 'BBB')).toBe('150');
  });

  test('what has executed counts before its trade is known', () => {
    const world = worldOf({ BBB: '150' });
    const id = world.rest({ price: ticks(10_000), quantity: lots(10) });
    // Canceled with 6 of 10 lots executed: no trade of them has come.
    world.report(id, 'canceled', 6);
    expect(freeOf(world, 'BBB')).toBe('89.88');
    expect(world.place({ price: ticks(10_000), quantity: lots(9) })).toBe('FUNDS_STRATEGY');
    expect(world.place({ price: ticks(9_900), quantity: lots(8) })).toMatch(passed);
  });

  test('trades of others change nothing of it', () => {
    const world = worldOf({ BBB: '150' });
    world.hold(5, 'taker');
    expect(freeOf(world, 'BBB')).toBe('150');
    expect(freeOf(world, 'BBB', 'taker')).toBeUndefined();
  });

  test('a replacement gives back what its order holds', () => {
    const world = worldOf({ BBB: '150' });
    const id = world.rest({ price: ticks(10_000), quantity: lots(10) });
    const replaced = (quantity: number): string | undefined => {
      const newClientOrderId = world.idOf('maker');
      const events = world.want({
        action: 'replace',
        strategy: 'maker',
        clientOrderId: id,
        newClientOrderId,
        quantity: lots(quantity),
        price: ticks(10_000),
        stopPrice: undefined,
      });
      const verdict = events.find(({ kind }) => kind === 'orderDenied' || kind === 'replacePending');
      return verdict?.kind === 'orderDenied' ? verdict.denial.code : verdict?.kind;
    };
    expect(replaced(15)).toBe('FUNDS_STRATEGY');
    expect(replaced(14)).toBe('replacePending');
    // The original's 100.2 and what the replacement takes beyond it.
    expect(freeOf(world, 'BBB')).toBe('9.72');
  });

  test('what it has is known after a restart', () => {
    const before = worldOf({ BBB: '150' });
    const id = before.rest({ price: ticks(10_000), quantity: lots(10) });
    before.fill(id, 10);
    const world = new World({ after: before, run: 'r2', limits: { maker: { funds: { BBB: '150' } } } });
    expect(freeOf(world, 'BBB')).toBe('50');
    expect(freeOf(world, 'AAA')).toBe('1');
  });

  test('more of it is a looser limit; a currency of no symbol is refused', () => {
    const world = worldOf({ BBB: '150' });
    const loosenedBy = (funds: Readonly<Record<string, string>> | undefined): readonly string[] =>
      world.orders.loosenedBy(
        limitsAmong(orderOptions.parse({}), [
          { name: 'maker', limits: strategyLimits.parse(funds === undefined ? {} : { funds }) },
        ]),
      );
    expect(loosenedBy({ BBB: '150' })).toEqual([]);
    expect(loosenedBy({ BBB: '100' })).toEqual([]);
    expect(loosenedBy({ BBB: '151', AAA: '1' })).toEqual(['funds of strategy maker in BBB, AAA']);
    expect(loosenedBy(undefined)).toEqual(['funds of strategy maker']);
    expect(() => worldOf({ ZZZ: '1' })).toThrow(BadInput);
    expect(() => worldOf({ ZZZ: '1' })).toThrow(
      'strategy maker: limits.funds: no symbol of this run is in ZZZ',
    );
  });
});
