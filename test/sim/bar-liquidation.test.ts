import { describe, expect, test } from 'vitest';
import { amountToNumber } from '../../src/core/base/amount.ts';
import { MarginWorld } from './margin-world.ts';

const half = { liquidation: { rate: '0.5' } };
const flat = [100, 100, 100, 100] as const;

/** 50 lots at 100: 500 are locked, and 250 of equity are the end, which is 15 away. */
function opened(side: 'buy' | 'sell', setup: ConstructorParameters<typeof MarginWorld>[1] = {}): MarginWorld {
  const world = new MarginWorld(half, setup);
  world.whole(0, flat);
  world.order({ side, quantity: 50 });
  return world;
}

describe('a liquidation', () => {
  test('closes a long position at the tick at which equity is the share of the margin', () => {
    const world = opened('buy');
    world.whole(1, [100, 101, 85.1, 95]);
    expect(world.fills).toEqual(['buy 50 at 100.0']);
    world.whole(2, [95, 96, 80, 95]);
    expect(world.fills).toEqual(['buy 50 at 100.0', '!sell 50 at 85.0']);
    expect(world.total).toBe(250);
    expect(world.venue.account.figures('USD')).toMatchObject({ locked: 0n, equity: 250n * 10n ** 24n });
    // The high is nearer to the open: the low is met at two thirds of the bar.
    expect(world.filledAt[1]).toBeCloseTo(2 + 2 / 3, 6);
    expect(world.venue.sessionRoll.liquidation?.log.count).toBe(1);
  });

  test('closes a short position where the price rises to it', () => {
    const world = opened('sell');
    world.whole(1, [100, 114.9, 99, 100]);
    world.whole(2, [100, 115.1, 99, 100]);
    expect(world.fills).toEqual(['sell 50 at 100.0', '!buy 50 at 115.0']);
    expect(world.total).toBe(250);
  });

  test('pays fee and slippage as any market order, and goes to the tick that is beyond', () => {
    const fees = opened('buy', { fills: { fees: { rate: '0.001' } } });
    fees.whole(1, [100, 101, 80, 95]);
    // 995 - 50 x 14.9 = 250; the fee of closing is 50 x 85.1 x 0.001.
    expect(fees.fills).toEqual(['buy 50 at 100.0', '!sell 50 at 85.1']);
    expect(fees.total).toBe(245.745);
    const slips = opened('buy', { fills: { slippage: { rate: '0.001' } } });
    slips.whole(1, [100, 101, 80, 95]);
    // 5005 paid, 500.5 locked: 250.25 are left at 85.105, on the grid 85.1; slipped by 0.0851 to the next tick.
    expect(slips.fills).toEqual(['buy 50 at 100.1', '!sell 50 at 85.0']);
    expect(slips.total).toBe(245);
    const fixed = opened('sell', { fills: { fees: { fixed: '1' } } });
    fixed.whole(1, [100, 120, 99, 100]);
    // 999 - 50 x 14.98 = 250: the tick beyond is 115.0.
    expect(fixed.fills).toEqual(['sell 50 at 100.0', '!buy 50 at 115.0']);
    expect(fixed.total).toBe(248);
  });

  test.each(['10', '0.1'])('is the same where a unit stands for %s', (contract) => {
    const world = new MarginWorld(half, { contract });
    world.whole(0, flat);
    const units = 50 / Number(contract);
    world.order({ side: 'buy', quantity: units });
    world.whole(1, [100, 101, 80, 95]);
    expect(world.fills).toEqual([`buy ${units} at 100.0`, `!sell ${units} at 85.0`]);
    expect(world.total).toBe(250);
  });

  test.each([
    { side: 'buy', open: 70, fill: '!sell 50 at 70.0' },
    { side: 'sell', open: 130, fill: '!buy 50 at 130.0' },
  ] as const)('comes at the open when the bar opens beyond, and may leave a debt: $side', (one) => {
    const world = opened(one.side);
    world.bar(1, [one.open, one.open + 1, one.open - 1, one.open]);
    expect(world.fills.at(-1)).toBe(one.fill);
    expect(world.total).toBe(-500);
    const [first] = world.venue.sessionRoll.liquidation?.log.list ?? [];
    expect(first).toMatchObject({ currency: 'USD', positions: 1, equity: -500n * 10n ** 24n });
    expect(amountToNumber(world.venue.sessionRoll.liquidation?.log.lowest.get('USD') ?? (0n as never))).toBe(
      -500,
    );
    // Nothing can be opened any more.
    world.venue.finish();
    const more = world.order({ side: 'buy', quantity: 1 });
    expect(world.reports(more)).toEqual(['expired']);
  });

  test('comes after orders that the price meets before, and expires those behind', () => {
    const saved = opened('buy');
    saved.order({ side: 'sell', quantity: 50, stop: 90 });
    saved.whole(1, [100, 101, 80, 95]);
    expect(saved.fills).toEqual(['buy 50 at 100.0', 'sell 50 at 90.0']);
    expect(saved.venue.sessionRoll.liquidation?.log.count).toBe(0);
    const world = opened('buy');
    const behind = world.order({ side: 'buy', quantity: 10, price: 74 });
    world.order({ side: 'sell', quantity: 25, stop: 90 });
    world.whole(1, [100, 101, 70, 95]);
    // 750 in the wallet, and of 250 locked half are left at 75.
    expect(world.fills).toEqual(['buy 50 at 100.0', 'sell 25 at 90.0', '!sell 25 at 75.0']);
    expect(world.reports(behind)).toEqual(['new', 'expired']);
    const expired = world.noted.findIndex(
      (event) => event.kind === 'orderReport' && event.reportType === 'expired',
    );
    const liquidated = world.noted.findLastIndex((event) => event.kind === 'orderReport');
    expect(expired).toBeLessThan(liquidated);
  });

  test('comes before an order at the same price', () => {
    const world = opened('buy');
    const stop = world.order({ side: 'sell', quantity: 50, stop: 85 });
    world.whole(1, [100, 101, 80, 95]);
    expect(world.fills.at(-1)).toBe('!sell 50 at 85.0');
    expect(world.reports(stop)).toEqual(['suspended', 'expired']);
  });

  test('is seen in trades alone at the first price beyond', () => {
    const world = new MarginWorld(half);
    world.trade(0, 100);
    world.order({ side: 'buy', quantity: 50 });
    world.trade(1, 85.1);
    expect(world.fills).toHaveLength(1);
    world.trade(2, 84);
    expect(world.fills).toEqual(['buy 50 at 100.0', '!sell 50 at 84.0']);
    expect(world.total).toBe(200);
  });

  test('of several positions comes at the point of the path, the first instrument first, each at its own price', () => {
    const world = new MarginWorld(half);
    for (const instrument of [0, 1]) world.bar(0, flat, instrument);
    world.venue.finish();
    world.order({ side: 'buy', quantity: 30, instrument: 1 });
    world.order({ side: 'sell', quantity: 20 });
    const rests = world.order({ side: 'buy', quantity: 1, price: 50 });
    for (const instrument of [0, 1])
      world.bar(1, instrument === 0 ? [101, 101, 101, 101] : [100, 100.5, 70, 90], instrument);
    world.venue.finish();
    // At the low: 1000 - 20 - 900 = 80, of 500 locked.
    expect(world.fills.slice(2)).toEqual(['!buy 20 at 101.0', '!sell 30 XYZ at 70.0']);
    expect(world.total).toBe(80);
    expect(world.reports(rests)).toEqual(['new', 'expired']);
    expect(world.venue.sessionRoll.liquidation?.log.list[0]?.positions).toBe(2);
  });

  test('is reported with the balances that are left', () => {
    const world = opened('buy');
    world.whole(1, [100, 101, 80, 95]);
    expect(world.notedPower).toBe(2_500);
    const report = world.noted.findLast((event) => event.kind === 'orderReport');
    expect(report).toMatchObject({
      reportType: 'trade',
      order: { clientOrderId: 'liquidation-000001', type: 'market', side: 'sell', state: 'filled' },
      fill: { taker: true },
    });
  });

  test('changes nothing where it is off, or is never met', () => {
    const tell = (account: ConstructorParameters<typeof MarginWorld>[0]): MarginWorld => {
      const world = new MarginWorld(account);
      world.whole(0, flat);
      world.order({ side: 'buy', quantity: 50 });
      world.order({ side: 'sell', quantity: 25, price: 110 });
      world.whole(1, [100, 112, 86, 100]);
      world.whole(2, [99, 99, 98, 98]);
      return world;
    };
    expect(tell(half).noted).toEqual(tell({}).noted);
    const off = new MarginWorld({});
    off.whole(0, flat);
    off.order({ side: 'buy', quantity: 50 });
    off.whole(1, [100, 100, 20, 20]);
    expect(off.fills).toEqual(['buy 50 at 100.0']);
    expect(off.venue.sessionRoll).toEqual({ liquidation: undefined, funding: undefined });
  });
});
