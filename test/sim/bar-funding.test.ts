import { describe, expect, test } from 'vitest';
import { readBarFills } from '../support/bar-fills.ts';
import { MarginWorld } from './margin-world.ts';

const flat = [100, 100, 100, 100] as const;
const minutely = { funding: { rate: '0.001', every: '1m' } };

describe('funding', () => {
  test.each([
    { side: 'buy', rate: '0.001', paid: 1.1, total: 998.9 },
    { side: 'sell', rate: '0.001', paid: -1.1, total: 1_001.1 },
    { side: 'buy', rate: '-0.001', paid: -1.1, total: 1_001.1 },
  ] as const)('takes the rate of the notional at the present price: $side at $rate', (one) => {
    const world = new MarginWorld({ funding: { rate: one.rate, every: '1m' } });
    world.whole(0, flat);
    world.order({ side: one.side, quantity: 10 });
    world.whole(1, [100, 111, 99, 110]);
    expect(world.funded).toEqual([one.paid]);
    expect(world.total).toBe(one.total);
    const gain = one.side === 'buy' ? 100 : -100;
    // Reported with the balances: buying power, without a bound while short.
    if (one.side === 'buy') expect(world.notedPower).toBeCloseTo((one.total + gain - 100) * 10, 6);
    expect(world.venue.sessionRoll.funding?.paid.get('USD')).toBe(BigInt(one.paid * 10) * 10n ** 23n);
  });

  test('takes it at every time within a gap of the data, at the last price', () => {
    const world = new MarginWorld(minutely);
    world.whole(0, flat);
    world.order({ side: 'buy', quantity: 10 });
    world.whole(1, [100, 110, 100, 110]);
    world.bar(5, [120, 120, 120, 120]);
    // At the minutes 2, 3, 4 and 5: the price before is 110.
    expect(world.funded).toEqual([1.1, 1.1, 1.1, 1.1]);
    const times = world.noted.flatMap((event) => (event.kind === 'balances' ? event.exchangeTime : []));
    expect(times.slice(-4).map((time) => (time / 60_000_000) % 1_440)).toEqual([2, 3, 4, 5]);
  });

  test('is due before the bar that opens at that time, and by multiples since the epoch', () => {
    const world = new MarginWorld(
      { funding: { rate: '0.001', every: '8h' } },
      { fills: { market: 'open' }, period: 'H1' },
    );
    world.bar(6 * 60, flat);
    world.order({ side: 'buy', quantity: 10 });
    world.bar(7 * 60, [100, 105, 100, 105]);
    expect(world.funded).toEqual([]);
    world.bar(8 * 60, [90, 90, 90, 90]);
    expect(world.funded).toEqual([1.05]);
  });

  test('within a long bar meets the point of the path that the price has come to', () => {
    const world = new MarginWorld({ funding: { rate: '0.001', every: '8h' } }, { period: 'D1' });
    world.whole(0, flat);
    world.order({ side: 'buy', quantity: 10 });
    // Low first, at 08:00; high at 16:00. The price that stands is the one before.
    world.whole(1_440, [100, 130, 90, 120]);
    expect(world.funded).toEqual([1, 0.9, 1.2]);
    expect(world.total).toBe(996.9);
  });

  test('takes nothing from an account without a position, and nothing when it is off', () => {
    const world = new MarginWorld(minutely);
    world.whole(0, flat);
    world.whole(9, flat);
    expect(world.funded).toEqual([]);
    expect(world.venue.sessionRoll.funding?.count).toBe(0);
    const tell = (account: ConstructorParameters<typeof MarginWorld>[0]): MarginWorld => {
      const other = new MarginWorld(account);
      other.whole(0, flat);
      other.order({ side: 'buy', quantity: 10 });
      other.whole(1, [100, 110, 90, 100]);
      return other;
    };
    expect(tell({ funding: { rate: '0.001', every: '1d' } }).noted).toEqual(tell({}).noted);
  });

  test('may be what the margin no longer bears', () => {
    const world = new MarginWorld({ liquidation: { rate: '0.5' }, funding: { rate: '0.01', every: '1m' } });
    world.whole(0, flat);
    world.order({ side: 'buy', quantity: 50 });
    // 1000 - 50 x 14.9 = 255 are enough; 42.55 of funding leave 212.45.
    world.whole(1, [100, 100, 85.1, 85.1]);
    expect(world.fills).toEqual(['buy 50 at 100.0', '!sell 50 at 85.1']);
    expect(world.total).toBe(212.45);
    expect(world.filledAt[1]).toBe(2);
  });
});

test.each([
  [{ liquidation: { rate: '1.5' } }, /from .*0.* to .*1.* as text/],
  [{ liquidation: { rate: '-0.5' } }, /from .*0.* to .*1.* as text/],
  [{ funding: { rate: '0.0001', every: '30s' } }, /1m or more/],
  [{ funding: { rate: '0.0001', every: '8' } }, /length of time/],
])('rules that make no sense are refused: %j', (rules, why) => {
  expect(() => readBarFills({ account: { kind: 'margin', ...rules } })).toThrow(why);
});
