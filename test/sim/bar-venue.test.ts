import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amountToNumber, zero } from '../../src/core/base/amount.ts';
import type { Micros } from '../../src/core/base/clock.ts';
import type { Event } from '../../src/core/model/event.ts';
import { refusalNumbers } from '../../src/exchange/matching/accounts/outcome.ts';
import { BarWorld } from './bar-world.ts';

/** Places one order when the first candle after `bars` closed ones is reported. */
function afterBars(world: BarWorld, bars: number, act: () => void): void {
  let received = 0;
  world.hear = (event: Event) => {
    if (event.kind !== 'candles') return;
    received += event.candles.length - 1;
    if (received === bars && event.candles.length === 2) act();
  };
}

describe('market orders', () => {
  test('fill at the open of the bar that follows the closed one', () => {
    const world = new BarWorld({ market: 'open' });
    afterBars(world, 1, () => world.order({ side: 'buy', quantity: 2 }));
    world.bar(100, 110, 90, 105);
    world.bar(107, 120, 101, 118);
    expect(world.fills).toEqual(['buy 2 at 107.0']);
  });

  test('fill at the close of the bar that was delivered, when the rule says close', () => {
    const world = new BarWorld({ market: 'close' });
    afterBars(world, 1, () => world.order({ side: 'buy', quantity: 2 }));
    world.bar(100, 110, 90, 105);
    world.bar(107, 120, 101, 118);
    expect(world.fills).toEqual(['buy 2 at 105.0']);
  });

  test('slip against us to the next tick, exits too unless only entries do', () => {
    for (const on of ['all', 'entries'] as const) {
      const world = new BarWorld({ market: 'close', slippage: { rate: '0.0015', on } });
      world.bar(100, 100, 100, 100);
      world.venue.finish();
      world.order({ side: 'buy', quantity: 1 });
      world.order({ side: 'sell', quantity: 1 });
      expect(world.fills).toEqual(['buy 1 at 100.2', on === 'all' ? 'sell 1 at 99.8' : 'sell 1 at 100.0']);
    }
  });

  test('and limit orders that take at once slip too, up to their limit', () => {
    const world = new BarWorld({ market: 'close', slippage: { rate: '0.0015', on: 'all' } });
    world.bar(100, 100, 100, 100);
    world.venue.finish();
    world.order({ side: 'buy', quantity: 2, price: 100.1, timeInForce: 'IOC' });
    world.order({ side: 'buy', quantity: 1, price: 101, timeInForce: 'IOC' });
    world.order({ side: 'sell', quantity: 1, price: 99.9 });
    expect(world.fills).toEqual(['buy 2 at 100.1', 'buy 1 at 100.2', 'sell 1 at 99.9']);
  });

  test('sent between bars wait for the next open', () => {
    const world = new BarWorld({ market: 'open' });
    world.bar(100, 110, 90, 105);
    world.venue.finish();
    world.order({ side: 'buy', quantity: 1 });
    expect(world.fills).toEqual([]);
    world.bar(103, 110, 90, 105);
    expect(world.fills).toEqual(['buy 1 at 103.0']);
  });
});

describe('what a timer asks for between two bars', () => {
  const half = 30_000_000 as Micros;
  const answeredAt = (world: BarWorld): readonly number[] =>
    world.noted.flatMap((event) => (event.kind === 'commandSettled' ? event.receiveTime - begin : []));
  const begin = 1_600_000_020_000_000;

  test.each([
    { market: 'nextOpen', fill: 'buy 1 at 107.0', filledAt: 60_000_000 },
    { market: 'open', fill: 'buy 1 at 107.0', filledAt: 60_000_000 },
    { market: 'close', fill: 'buy 1 at 105.0', filledAt: 60_000_000 },
  ] as const)('is answered at once and meets the next price: $market', ({ market, fill, filledAt }) => {
    const world = new BarWorld({ market });
    world.clock.after(half, () => world.order({ side: 'buy', quantity: 1 }));
    world.bar(100, 110, 90, 105);
    world.bar(107, 120, 101, 118);
    world.venue.finish();
    expect(answeredAt(world)).toEqual([half]);
    expect(world.fills).toEqual([fill]);
    const filled = world.noted.find((event) => event.kind === 'orderReport' && event.fill !== undefined);
    expect((filled?.receiveTime ?? 0) - begin).toBe(filledAt);
  });

  test('a cancel comes before the price that would have filled the order', () => {
    const world = new BarWorld();
    world.bar(100, 101, 99, 100);
    const id = world.order({ side: 'buy', quantity: 1, price: 98 });
    world.clock.after((60_000_000 + 1_000) as Micros, () => world.cancel(id));
    world.bar(100, 101, 97, 100);
    world.venue.finish();
    expect(world.fills).toEqual([]);
    expect(world.reports(id)).toEqual(['new', 'canceled']);
  });
});

describe('resting orders', () => {
  test('a limit fills at its price where the bar reaches it, and at the open where the bar opens through it', () => {
    const world = new BarWorld();
    world.bar(100, 101, 99, 100);
    world.order({ side: 'buy', quantity: 1, price: 98 });
    world.bar(100, 101, 98, 100);
    world.order({ side: 'buy', quantity: 1, price: 97 });
    world.bar(95, 101, 94, 100);
    expect(world.fills).toEqual(['buy 1 at 98.0', 'buy 1 at 95.0']);
  });

  test('a limit that was only reached stays when the rule wants the price to go through', () => {
    const world = new BarWorld({ limits: 'through' });
    world.bar(100, 101, 99, 100);
    world.order({ side: 'buy', quantity: 1, price: 98 });
    world.bar(100, 101, 98, 100);
    world.bar(100, 101, 97.9, 100);
    world.venue.finish();
    expect(world.fills).toEqual(['buy 1 at 98.0']);
  });

  test('a stop fills at its price, and at the open where the bar opens beyond it', () => {
    const world = new BarWorld({ account: { kind: 'margin' } });
    world.bar(100, 101, 99, 100);
    world.order({ side: 'sell', quantity: 1, type: 'stopMarket', stop: 98 });
    world.bar(99, 101, 97, 100);
    world.order({ side: 'sell', quantity: 1, type: 'stopMarket', stop: 96 });
    world.bar(90, 95, 89, 91);
    expect(world.fills).toEqual(['sell 1 at 98.0', 'sell 1 at 90.0']);
  });

  test('a stop-limit triggers and then waits for its limit', () => {
    const world = new BarWorld({ path: 'lowFirst', account: { kind: 'margin' } });
    world.bar(100, 101, 99, 100);
    const id = world.order({ side: 'sell', quantity: 1, type: 'stopLimit', stop: 98, price: 99 });
    world.bar(100, 100, 97, 98.5);
    expect(world.fills).toEqual([]);
    world.bar(98.5, 99.5, 98, 98.5);
    world.venue.finish();
    expect(world.reports(id)).toEqual(['suspended', 'new', 'trade']);
    expect(world.fills).toEqual(['sell 1 at 99.0']);
  });

  test('a stop-limit that can fill as it triggers takes, worse by no more than its limit allows', () => {
    const world = new BarWorld({ slippage: { rate: '0.001' } });
    world.bar(100, 101, 99, 100);
    world.order({ side: 'buy', quantity: 1, type: 'stopLimit', stop: 104, price: 105 });
    world.order({ side: 'buy', quantity: 1, type: 'stopLimit', stop: 104, price: 104.1 });
    world.bar(100, 106, 99, 105);
    world.venue.finish();
    expect(world.fills).toEqual(['buy 1 at 104.2', 'buy 1 at 104.1']);
    expect(world.takers).toEqual([true, true]);
  });

  test('a stop-limit that triggers is post-only, or at once, as any limit is', () => {
    const world = new BarWorld({ path: 'highFirst', account: { kind: 'margin' } });
    world.bar(100, 101, 99, 100);
    const postOnly = world.order({
      side: 'buy',
      quantity: 1,
      type: 'stopLimit',
      stop: 104,
      price: 105,
      postOnly: true,
    });
    const rests = world.order({ side: 'buy', quantity: 1, type: 'stopLimit', stop: 104, price: 103 });
    const atOnce = world.order({
      side: 'buy',
      quantity: 1,
      type: 'stopLimit',
      stop: 104,
      price: 103,
      timeInForce: 'IOC',
    });
    world.bar(100, 106, 99, 105);
    world.venue.finish();
    expect(world.reports(postOnly)).toEqual(['suspended', 'expired']);
    expect(world.reports(atOnce)).toEqual(['suspended', 'new', 'expired']);
    expect(world.reports(rests)).toEqual(['suspended', 'new', 'trade']);
    expect(world.takers).toEqual([false]);
  });

  test('a price of one tick has a quote of both sides', () => {
    const world = new BarWorld();
    world.bar(0.1, 0.1, 0.1, 0.1);
    world.venue.finish();
    const books = world.noted.flatMap((event) =>
      event.kind === 'bookSnapshot' ? [[...event.levels.subarray(event.start, event.end)]] : [],
    );
    expect(books[0]?.filter((_, at) => at % 3 !== 2)).toEqual([0, 1, 1, 2]);
  });

  test('a Day order ends at 23:59', () => {
    const world = new BarWorld();
    world.bar(100, 101, 99, 100);
    const id = world.order({ side: 'buy', quantity: 1, price: 50, timeInForce: 'Day' });
    const end = 86_400_000_000 * (Math.floor(world.clock.now() / 86_400_000_000) + 1) - 60_000_000;
    while (world.clock.now() < end - 60_000_000) world.bar(100, 101, 99, 100);
    expect(world.reports(id)).toEqual(['new']);
    while (world.clock.now() < end) world.bar(100, 101, 99, 100);
    expect(world.reports(id)).toEqual(['new', 'expired']);
  });

  test('a post-only order that would take expires, and one that cannot execute at once does too when it must', () => {
    const world = new BarWorld();
    world.bar(100, 101, 99, 100);
    const postOnly = world.order({ side: 'buy', quantity: 1, price: 101, postOnly: true });
    const atOnce = world.order({ side: 'buy', quantity: 1, price: 50, timeInForce: 'IOC' });
    expect(world.reports(postOnly)).toEqual(['expired']);
    expect(world.reports(atOnce)).toEqual(['new', 'expired']);
  });

  test('a cancelled order never fills, and its money is free again', () => {
    const world = new BarWorld();
    world.bar(100, 101, 99, 100);
    const id = world.order({ side: 'buy', quantity: 10, price: 90 });
    expect(world.figures.locked).toBe(900);
    world.cancel(id);
    world.bar(90, 91, 80, 85);
    world.venue.finish();
    expect(world.fills).toEqual([]);
    expect(world.figures).toMatchObject({ locked: 0, free: 10_000 });
  });
});

describe('a replacement', () => {
  test('takes the place of the order, and holds back what it may take', () => {
    const world = new BarWorld();
    world.bar(100, 101, 99, 100);
    const first = world.order({ side: 'buy', quantity: 10, price: 90 });
    const second = world.replace(first, 5, 95);
    expect(world.figures.locked).toBe(475);
    world.bar(100, 101, 89, 100);
    world.venue.finish();
    expect(world.reports(first)).toEqual(['new']);
    expect(world.reports(second)).toEqual(['replaced', 'trade']);
    expect(world.fills).toEqual(['buy 5 at 95.0']);
  });

  test('that cannot be held back for leaves nothing; one of an order that is gone is refused', () => {
    const world = new BarWorld();
    world.bar(100, 101, 99, 100);
    const first = world.order({ side: 'buy', quantity: 10, price: 90 });
    const second = world.replace(first, 1_000, 90);
    expect(world.reports(first)).toEqual(['new', 'canceled']);
    expect(world.reports(second)).toEqual(['rejected 20001']);
    expect(world.reports(world.replace(first, 1, 90))).toEqual(['rejected 20002']);
    expect(world.figures).toMatchObject({ locked: 0, free: 10_000 });
  });
});

describe('orders are kept as at the embedded exchange', () => {
  test('an id that lives is refused, and is free once its order has ended', () => {
    const world = new BarWorld();
    world.bar(100, 101, 99, 100);
    const id = world.order({ side: 'buy', quantity: 1, price: 90 });
    world.order({ side: 'buy', quantity: 2, price: 91, id });
    expect(world.reports(id)).toEqual(['new', `rejected ${refusalNumbers.DUPLICATE_CLIENT_ORDER_ID}`]);
    world.cancel(id);
    world.order({ side: 'buy', quantity: 2, price: 91, id });
    expect(world.reports(id).slice(2)).toEqual(['canceled', 'new']);
  });

  test('a replacement inherits creation time and expiry, and may not begin to take when it is post-only', () => {
    const world = new BarWorld();
    world.bar(100, 101, 99, 100);
    const created = world.clock.now();
    const first = world.order({ side: 'buy', quantity: 1, price: 90, postOnly: true });
    world.bar(100, 101, 99, 100);
    const second = world.replace(first, 1, 91);
    const replaced = world.noted.find(
      (event) => event.kind === 'orderReport' && event.reportType === 'replaced',
    );
    expect(replaced).toMatchObject({ order: { createdAt: created, originalClientOrderId: first } });
    const third = world.replace(second, 1, 101);
    expect(world.reports(second)).toEqual(['replaced', 'canceled']);
    expect(world.reports(third)).toEqual([`rejected ${refusalNumbers.INSUFFICIENT_FUNDS}`]);
  });

  test('an order that is over in time is refused as it comes', () => {
    const world = new BarWorld();
    world.bar(100, 101, 99, 100);
    const expireTime = world.clock.now();
    const id = world.order({ side: 'buy', quantity: 1, price: 90, timeInForce: 'GTD', expireTime });
    expect(world.reports(id)).toEqual([`rejected ${refusalNumbers.EXPIRE_TIME_INVALID}`]);
  });

  test('a command between bars expires nothing: bars alone do', () => {
    const world = new BarWorld();
    world.bar(100, 101, 99, 100);
    const expireTime = (world.clock.now() + 30_000_000) as Micros;
    const id = world.order({ side: 'buy', quantity: 1, price: 98, timeInForce: 'GTD', expireTime });
    world.clock.after(45_000_000 as Micros, () => world.order({ side: 'buy', quantity: 1, price: 80 }));
    world.venue.finish();
    world.clock.advanceTo((world.clock.now() + 59_000_000) as Micros);
    expect(world.reports(id)).toEqual(['new']);
    world.bar(97, 101, 97, 100);
    expect(world.reports(id)).toEqual(['new', 'expired']);
  });
});

test('an order with an end expires with the first bar after it, and gives back what was held', () => {
  const world = new BarWorld();
  world.bar(100, 101, 99, 100);
  const expireTime = (world.clock.now() + 30_000_000) as Micros;
  const id = world.order({ side: 'buy', quantity: 1, price: 90, timeInForce: 'GTD', expireTime });
  world.bar(80, 81, 79, 80);
  expect(world.reports(id)).toEqual(['new', 'expired']);
  expect(world.figures.locked).toBe(0);
});

describe('the path of a bar', () => {
  /** Long one, with a stop at 95 and a target at 105, in a bar that meets both. */
  function bracket(
    path: 'nearest' | 'highFirst' | 'lowFirst' | 'pessimistic',
    high: number,
  ): readonly string[] {
    const world = new BarWorld({ path, account: { kind: 'margin' } });
    world.bar(100, 100, 100, 100);
    world.order({ side: 'buy', quantity: 1 });
    const stop = world.order({ side: 'sell', quantity: 1, type: 'stopMarket', stop: 95 });
    const target = world.order({ side: 'sell', quantity: 1, price: 105 });
    world.hear = (event) => {
      if (event.kind === 'orderReport' && event.order.clientOrderId === stop && event.fill !== undefined)
        world.cancel(target);
      if (event.kind === 'orderReport' && event.order.clientOrderId === target && event.fill !== undefined)
        world.cancel(stop);
    };
    world.bar(100, high, 90, 100);
    world.venue.finish();
    return world.fills.slice(1);
  }

  test('decides which of two orders is met: the nearer extreme first, or as the rule says', () => {
    expect(bracket('nearest', 106)).toEqual(['sell 1 at 105.0']);
    expect(bracket('nearest', 112)).toEqual(['sell 1 at 95.0']);
    expect(bracket('highFirst', 112)).toEqual(['sell 1 at 105.0']);
    expect(bracket('lowFirst', 106)).toEqual(['sell 1 at 95.0']);
    expect(bracket('pessimistic', 106)).toEqual(['sell 1 at 95.0']);
  });

  test('is delivered point by point when asked for, and an order sent at a point fills there', () => {
    const world = new BarWorld({ points: true, path: 'highFirst' });
    const points: number[] = [];
    world.hear = (event) => {
      if (event.kind !== 'ticker') return;
      points.push(amountToNumber(event.ticker.last ?? zero));
      if (points.at(-1) === 112) world.order({ side: 'buy', quantity: 1 });
    };
    world.bar(100, 112, 95, 101);
    world.venue.finish();
    expect(points.slice(1)).toEqual([100, 112, 95, 101]);
    expect(world.fills).toEqual(['buy 1 at 112.0']);
  });
});

test('the close of a bar is never delivered before the bar has ended', () => {
  for (const market of ['nextOpen', 'open', 'close'] as const) {
    const world = new BarWorld({ market });
    let last = 0;
    world.hear = (event) => {
      expect(event.exchangeTime).toBeGreaterThanOrEqual(last);
      last = event.exchangeTime;
      if (event.kind !== 'candles') return;
      const running = event.candles.at(-1);
      expect(running?.min).toBe(running?.max);
      const closed = event.candles.length === 2 ? event.candles[0] : undefined;
      if (closed !== undefined) expect(event.exchangeTime).toBeGreaterThanOrEqual(closed.time + 60_000_000);
    };
    for (let i = 0; i < 5; i++) world.bar(100 + i, 110 + i, 90 + i, 105 + i);
    world.venue.finish();
    expect(world.noted.filter(({ kind }) => kind === 'candles').length).toBeGreaterThanOrEqual(5);
  }
});

test('bars that go back in time are refused with both times', () => {
  const world = new BarWorld();
  world.bar(100, 110, 90, 105);
  world.bar(100, 110, 90, 105);
  const [first] = world.noted.flatMap((event) => (event.kind === 'candles' ? event.candles : []));
  if (first === undefined) throw new Error('nothing was told');
  const event = {
    kind: 'candles',
    instrument: first.instrument,
    snapshot: false,
    exchangeTime: first.time,
    receiveTime: first.time,
  } as const;
  expect(() => world.venue.accept({ ...event, candles: [first] })).toThrow(
    /expected bars in the order of time/,
  );
});

test('a bar whose close lies outside its extremes is widened to hold it', () => {
  const world = new BarWorld({ account: { kind: 'margin' } });
  world.bar(100, 101, 99, 100);
  world.order({ side: 'buy', quantity: 1, type: 'stopMarket', stop: 104 });
  world.bar(100, 101, 99, 105);
  world.venue.finish();
  expect(world.fills).toEqual(['buy 1 at 104.0']);
});

test('trades alone: a market order fills at the next print, a limit when a print reaches it', () => {
  const world = new BarWorld();
  const print = (price: number, second: number): void => {
    const time = (1_600_000_020_000_000 + second * 1_000_000) as never;
    const trade = { tradeId: String(second), price: price * 10, quantity: 1, side: 'buy', time } as never;
    world.venue.accept({
      kind: 'trades',
      instrument: 0 as never,
      snapshot: false,
      trades: [trade],
      exchangeTime: time,
      receiveTime: time,
    });
  };
  print(100, 1);
  world.order({ side: 'buy', quantity: 1 });
  world.order({ side: 'buy', quantity: 1, price: 99 });
  print(101, 2);
  print(98, 3);
  expect(world.fills).toEqual(['buy 1 at 101.0', 'buy 1 at 98.0']);
});

test('whatever is asked for, equity changes by profit and fees alone, and no fill lies outside its bar', () => {
  const price = fc.integer({ min: 500, max: 1_500 });
  const step = fc.record({
    bar: fc.tuple(price, price, price, price),
    side: fc.constantFrom('buy' as const, 'sell' as const),
    quantity: fc.integer({ min: 1, max: 5 }),
    type: fc.constantFrom('market' as const, 'limit' as const, 'stopMarket' as const),
    level: price,
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => {
      const world = new BarWorld({
        path: 'pessimistic',
        fees: { fixed: '1', rate: '0.001' },
        account: { kind: 'margin', leverage: '5' },
      });
      let range = [0, 0];
      let cash = 0;
      let position = 0;
      world.hear = (event) => {
        if (event.kind !== 'orderReport' || event.fill === undefined) return;
        const { fill, order } = event;
        expect(fill.price).toBeGreaterThanOrEqual(range[0] ?? 0);
        expect(fill.price).toBeLessThanOrEqual(range[1] ?? 0);
        const sign = order.side === 'buy' ? 1 : -1;
        position += sign * fill.quantity;
        cash -= (sign * fill.quantity * fill.price) / 10 + amountToNumber(fill.fee);
      };
      let last = 0;
      for (const { bar, side, quantity, type, level } of steps) {
        const [low, high] = [Math.min(...bar), Math.max(...bar)];
        const [open, , , close] = bar;
        // What the bar before leaves to do happens before this one opens.
        world.venue.finish();
        range = [low, high];
        world.bar(open / 10, high / 10, low / 10, close / 10);
        last = close / 10;
        if (type === 'market') world.order({ side, quantity });
        else if (type === 'limit') world.order({ side, quantity, price: level / 10 });
        else world.order({ side, quantity, type, stop: level / 10 });
      }
      world.venue.finish();
      expect(world.figures.equity).toBeCloseTo(10_000 + cash + position * last, 6);
    }),
    { numRuns: 150 },
  );
});
