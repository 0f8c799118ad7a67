import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Micros } from '../../src/core/base/clock.ts';
import { refusalNumbers } from '../../src/exchange/matching/accounts/outcome.ts';
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
    expect(world.reports(id)).toEqual([`rejected ${refusalNumbers.LIST_BOUND}`]);
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

describe('orders that pay from different wallets, or cannot be paid', () => {
  test('when one of them is not there, nothing is held for the others', () => {
    const world = new BarWorld({}, { USD: '0', ABC: '5' });
    world.bar(100, 101, 99, 100);
    const ids = world.list(
      'oneCancelOther',
      { side: 'sell', quantity: 2, price: 105 },
      { side: 'buy', quantity: 2, price: 95 },
    );
    expect(ids.map((id) => world.reports(id))).toEqual([['rejected 20001'], ['rejected 20001']]);
    expect(world.balance('ABC')).toEqual({ available: 5, reserved: 0 });
  });

  test('one that the account cannot bear where it is met expires, and the other lives on with its money', () => {
    const world = new BarWorld({}, { USD: '215' });
    world.bar(100, 101, 99, 100);
    const [stop = '', limit = ''] = world.list(
      'oneCancelOther',
      { side: 'buy', quantity: 2, type: 'stopMarket', stop: 105 },
      { side: 'buy', quantity: 2, price: 95 },
    );
    expect(world.balance('USD')).toEqual({ available: 5, reserved: 210 });
    // The bar opens beyond the stop: 220 is more than there is.
    world.bar(110, 111, 109, 110);
    world.bar(110, 111, 109, 110);
    expect(world.reports(stop)).toEqual(['suspended', 'expired']);
    expect(world.balance('USD')).toEqual({ available: 25, reserved: 190 });
    world.bar(100, 100, 94, 96);
    world.venue.finish();
    expect(world.reports(limit)).toEqual(['new', 'trade']);
    expect(world.fills).toEqual(['buy 2 at 95.0']);
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
      { ...entry, timeInForce: 'GTD', expireTime: (world.clock.now() + 1) as Micros },
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

test('all or none is refused with a reason: bars do not show what markets did at one moment', () => {
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

/** What each list has come to, from what was reported: filled, ended otherwise, alive. */
function outcomes(world: BarWorld, ids: readonly string[]): readonly string[] {
  return ids.map((id) => {
    const last = world.reports(id).at(-1) ?? 'silent';
    return last === 'trade' ? 'filled' : ['canceled', 'expired'].includes(last) ? 'over' : last;
  });
}

test('whatever becomes of lists, exclusive orders never both fill, none outlives what it waits for, and no money stays held', () => {
  const price = fc.integer({ min: 80, max: 120 });
  const bar = fc.tuple(price, price, price, price);
  const step = fc.record({
    bar,
    kind: fc.constantFrom('oneCancelOther', 'oneTriggerOther', 'oneTriggerOneCancelOther'),
    levels: fc.tuple(price, price, price),
    isMarket: fc.boolean(),
    quantity: fc.integer({ min: 1, max: 4 }),
    cancels: fc.option(fc.nat({ max: 2 }), { nil: undefined }),
  });
  const seen = new Set<string>();
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 20 }), (steps) => {
      const world = new BarWorld({ path: 'pessimistic', fees: { fixed: '1' } }, { USD: '5000', ABC: '5' });
      const lists: { readonly kind: string; readonly ids: readonly string[] }[] = [];
      for (const { bar: prices, kind, levels, isMarket, quantity, cancels } of steps) {
        const [open, , , close] = prices;
        world.bar(open, Math.max(...prices), Math.min(...prices), close);
        const [first, second, third] = levels;
        const entry = isMarket
          ? ({ side: 'buy', quantity } as const)
          : ({ side: 'buy', quantity, price: first } as const);
        const profit = { side: 'sell', quantity, price: second } as const;
        const stop = { side: 'sell', quantity, type: 'stopMarket', stop: third } as const;
        const asked =
          kind === 'oneCancelOther'
            ? [profit, stop]
            : kind === 'oneTriggerOther'
              ? [entry, profit]
              : [entry, profit, stop];
        const ids = world.list(kind, ...asked);
        lists.push({ kind, ids });
        const cancelled = cancels === undefined ? undefined : ids[cancels];
        if (cancelled !== undefined) world.cancel(cancelled);
      }
      world.venue.finish();
      for (const { kind, ids } of lists) {
        const [first = '', ...others] = outcomes(world, ids);
        seen.add(`${kind} ${first} ${others.join(' ')}`);
        if (kind === 'oneCancelOther')
          expect([first, ...others].filter((one) => one === 'filled').length).toBeLessThan(2);
        else {
          if (first === 'over') expect(others.every((one) => one === 'over')).toBe(true);
          if (first !== 'filled') expect(others).not.toContain('filled');
          if (kind === 'oneTriggerOneCancelOther')
            expect(others.filter((one) => one === 'filled').length).toBeLessThan(2);
        }
        for (const id of ids) world.cancel(id);
        expect(
          outcomes(world, ids).every(
            (one) => one === 'filled' || one === 'over' || one.startsWith('rejected'),
          ),
        ).toBe(true);
      }
      for (const currency of ['USD', 'ABC']) {
        expect(world.balance(currency)?.reserved).toBe(0);
        expect(world.balance(currency)?.available).toBeGreaterThanOrEqual(0);
      }
    }),
    { numRuns: 200 },
  );
  // It has been everywhere: exits and entries filled, ended and rejected.
  expect(seen.size).toBeGreaterThan(12);
});
