import { describe, expect, test } from 'vitest';
import { rejectionCodes } from '../../src/sim/rejection-codes.ts';
import { BarWorld } from './bar-world.ts';

/** An entry at 95 with its take profit at 105 and its stop at 90. */
const bracket = [
  { side: 'buy', quantity: 2, price: 95 },
  { side: 'sell', quantity: 2, price: 105 },
  { side: 'sell', quantity: 2, type: 'stopMarket', stop: 90 },
] as const;
const exits = [
  { side: 'sell', quantity: 2, price: 105 },
  { side: 'sell', quantity: 2, type: 'stopMarket', stop: 95 },
] as const;

/** A world that has bought two at 100, at the open of its second bar. */
function holding(...fills: ConstructorParameters<typeof BarWorld>): BarWorld {
  const world = new BarWorld(...fills);
  world.bar(100, 101, 99, 100);
  world.order({ side: 'buy', quantity: 2 });
  return world;
}

describe('one cancels the other', () => {
  test('two exits share what is sold, and the first to execute ends the other', () => {
    const world = holding();
    const [profit = '', stop = ''] = world.list('oneCancelOther', ...exits);
    expect(world.reports(profit)).toEqual(['new']);
    expect(world.reports(stop)).toEqual(['suspended']);
    expect(world.balance('ABC')).toEqual({ available: 0, reserved: 2 });
    world.bar(100, 106, 99, 104);
    world.bar(104, 104, 94, 94);
    world.venue.finish();
    expect(world.fills).toEqual(['buy 2 at 100.0', 'sell 2 at 105.0']);
    expect(world.reports(profit)).toEqual(['new', 'trade']);
    expect(world.reports(stop)).toEqual(['suspended', 'canceled']);
    expect(world.balance('ABC')).toEqual({ available: 0, reserved: 0 });
    expect(world.figures.total).toBe(10_010);
  });

  test.each([
    ['highFirst', 'sell 2 at 105.0'],
    ['lowFirst', 'sell 2 at 95.0'],
    ['pessimistic', 'sell 2 at 95.0'],
  ] as const)('a bar that meets both fills the one its path comes to first: %s', (path, fill) => {
    const world = holding({ path });
    world.list('oneCancelOther', ...exits);
    world.bar(100, 106, 94, 100);
    world.venue.finish();
    expect(world.fills).toEqual(['buy 2 at 100.0', fill]);
  });

  test('one that is cancelled leaves the other, and what both held back', () => {
    const world = holding();
    const [profit = '', stop = ''] = world.list('oneCancelOther', ...exits);
    world.cancel(profit);
    expect(world.balance('ABC')).toEqual({ available: 0, reserved: 2 });
    world.bar(100, 106, 94, 100);
    world.venue.finish();
    expect(world.reports(profit)).toEqual(['new', 'canceled']);
    expect(world.reports(stop)).toEqual(['suspended', 'trade']);
    expect(world.fills).toEqual(['buy 2 at 100.0', 'sell 2 at 95.0']);
  });

  test('neither can be replaced while they depend on each other', () => {
    const world = holding();
    const [profit = ''] = world.list('oneCancelOther', ...exits);
    const id = world.replace(profit, 2, 110);
    expect(world.reports(id)).toEqual([`rejected ${rejectionCodes.LIST_BOUND}`]);
    expect(world.reports(profit)).toEqual(['new']);
  });

  test('without what it would sell nothing of the list is placed', () => {
    const world = new BarWorld();
    world.bar(100, 101, 99, 100);
    const ids = world.list('oneCancelOther', ...exits);
    expect(ids.map((id) => world.reports(id))).toEqual([['rejected 20001'], ['rejected 20001']]);
    expect(world.balance('USD')).toEqual({ available: 10_000, reserved: 0 });
  });
});

describe('one triggers others', () => {
  test('the exits wait for the entry, and then exclude each other', () => {
    const world = new BarWorld();
    world.bar(100, 101, 99, 100);
    const [entry = '', profit = '', stop = ''] = world.list('oneTriggerOneCancelOther', ...bracket);
    expect([entry, profit, stop].map((id) => world.reports(id))).toEqual([
      ['new'],
      ['suspended'],
      ['suspended'],
    ]);
    expect(world.balance('USD')).toEqual({ available: 9_810, reserved: 190 });
    // Both exits lie inside this bar, which never comes to the entry.
    world.bar(104, 106, 96, 104);
    world.bar(104, 104, 94, 96);
    world.bar(96, 106, 95, 100);
    world.venue.finish();
    expect(world.fills).toEqual(['buy 2 at 95.0', 'sell 2 at 105.0']);
    expect(world.reports(profit)).toEqual(['suspended', 'new', 'trade']);
    expect(world.reports(stop)).toEqual(['suspended', 'suspended', 'canceled']);
    expect(world.figures.total).toBe(10_020);
  });

  test.each([
    // Up first: the entry is met on the way down, and the stop below it.
    ['pessimistic', ['buy 2 at 95.0', 'sell 2 at 90.0']],
    // Down first: entry and stop are met before the price ever rises.
    ['lowFirst', ['buy 2 at 95.0', 'sell 2 at 90.0']],
  ] as const)('entry and exit fill in one bar where its path comes to both: %s', (path, fills) => {
    const world = new BarWorld({ path });
    world.bar(100, 101, 99, 100);
    world.list('oneTriggerOneCancelOther', ...bracket);
    world.bar(100, 106, 89, 100);
    world.venue.finish();
    expect(world.fills).toEqual(fills);
  });

  test('an exit that the market has passed when it wakes executes at once', () => {
    const world = new BarWorld();
    world.bar(100, 101, 99, 100);
    world.list('oneTriggerOther', { side: 'buy', quantity: 1 }, { side: 'sell', quantity: 1, price: 98 });
    expect(world.fills).toEqual(['buy 1 at 100.0', 'sell 1 at 100.0']);
  });

  test('an entry that is cancelled, or expires, takes its exits with it', () => {
    const world = new BarWorld();
    world.bar(100, 101, 99, 100);
    const cancelled = world.list('oneTriggerOneCancelOther', ...bracket);
    world.cancel(cancelled[0] ?? '');
    const [entry, ...rest] = bracket;
    const expired = world.list(
      'oneTriggerOneCancelOther',
      { ...entry, timeInForce: 'GTD', expireTime: world.clock.now() },
      ...rest,
    );
    world.bar(100, 106, 89, 100);
    world.venue.finish();
    expect(world.fills).toEqual([]);
    expect(cancelled.map((id) => world.reports(id).at(-1))).toEqual(['canceled', 'canceled', 'canceled']);
    expect(expired.map((id) => world.reports(id).at(-1))).toEqual(['expired', 'canceled', 'canceled']);
    expect(world.balance('USD')).toEqual({ available: 10_000, reserved: 0 });
  });

  test('on a margin account the exits close a short position', () => {
    const world = new BarWorld({ account: { kind: 'margin', leverage: '10' }, path: 'lowFirst' });
    world.bar(100, 101, 99, 100);
    world.list(
      'oneTriggerOneCancelOther',
      { side: 'sell', quantity: 3, price: 105 },
      { side: 'buy', quantity: 3, price: 100 },
      { side: 'buy', quantity: 3, type: 'stopMarket', stop: 110 },
    );
    world.bar(101, 112, 101, 111);
    world.venue.finish();
    expect(world.fills).toEqual(['sell 3 at 105.0', 'buy 3 at 110.0']);
    expect(world.figures.equity).toBe(10_000 - 15);
  });
});

test('all or none is refused with a reason: bars do not tell what markets did at one moment', () => {
  const world = holding();
  const ids = world.list(
    'allOrNone',
    { side: 'sell', quantity: 1, price: 100, timeInForce: 'FOK' },
    ...exits,
  );
  expect(ids.map((id) => world.reports(id))).toEqual([
    ['rejected 10001'],
    ['rejected 10001'],
    ['rejected 10001'],
  ]);
  expect(world.balance('ABC')).toEqual({ available: 2, reserved: 0 });
});
