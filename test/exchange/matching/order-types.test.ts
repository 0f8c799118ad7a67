import { describe, expect, test } from 'vitest';
import { ladder, others, us } from '../../support/ladder.ts';

describe('a limit order', () => {
  test('rests when nothing can be taken', () => {
    const market = ladder(`
        | 101 | 5
      4 | 100 |
    `);
    expect(market.buy({ price: 99, quantity: 3 })).toEqual(['new']);
    expect(market).toLookLike(`
        | 101 | 5
      4 | 100 |
      3 | 99  |
    `);
  });

  test('takes from the best price on, at the prices of those who stood there, and rests with what is left', () => {
    const market = ladder(`
        | 103 | 9
        | 102 | 2
        | 101 | 5
      4 | 100 |
    `);
    expect(market.buy({ price: 102, quantity: 10 })).toEqual(['new', 'trade 5@101', 'trade 2@102']);
    expect(market).toLookLike(`
        | 103 | 9
      3 | 102 |
      4 | 100 |
    `);
  });

  test('meets older orders first at one price', () => {
    const market = ladder('');
    market.sell({ price: 101, quantity: 2, id: 'first' });
    market.sell({ price: 101, quantity: 2, id: 'second' });
    market.buy({ price: 101, quantity: 3, account: others });
    const filled = market.outcomes.flatMap((o) =>
      o.kind === 'report' && o.account === us ? [`${o.order.clientOrderId} ${o.order.state}`] : [],
    );
    expect(filled).toEqual(['first filled', 'second partiallyFilled']);
  });

  test('may trade with its own account', () => {
    const market = ladder('');
    market.sell({ price: 101, quantity: 2 });
    expect(market.buy({ price: 101, quantity: 2 })).toEqual([
      'new',
      'trade 2@101 filled',
      'trade 2@101 filled',
    ]);
  });
});

describe('time in force', () => {
  const drawn = `
      | 102 | 3
      | 101 | 5
    4 | 100 |
  `;

  test('IOC expires with what could not be executed', () => {
    const market = ladder(drawn);
    expect(market.buy({ price: 101, quantity: 7, timeInForce: 'IOC' })).toEqual([
      'new',
      'trade 5@101',
      'expired',
    ]);
    expect(market).toLookLike(`
        | 102 | 3
      4 | 100 |
    `);
  });

  test('FOK executes completely', () => {
    const market = ladder(drawn);
    expect(market.buy({ price: 102, quantity: 8, timeInForce: 'FOK' })).toEqual([
      'new',
      'trade 5@101',
      'trade 3@102 filled',
    ]);
  });

  test('FOK expires and leaves the book as it was when its limit gives too little', () => {
    const market = ladder(drawn);
    expect(market.buy({ price: 101, quantity: 6, timeInForce: 'FOK' })).toEqual(['new', 'expired']);
    expect(market).toLookLike(drawn);
  });

  test('GTD expires at its time, even without a request, before anything else can happen to it', () => {
    const market = ladder(drawn);
    market.buy({ price: 99, quantity: 1, timeInForce: 'GTD', expireTime: 1_000 });
    expect(market.exchange.nextExpiry()).toBe(1_000);
    market.now = 1_000 as typeof market.now;
    market.sell({ price: 99, quantity: 5, account: others });
    expect(market.received(us)).toEqual(['expired']);
    expect(market.exchange.nextExpiry()).toBeUndefined();
  });

  test('Day expires at 23:59 UTC, or the next day when placed after that', () => {
    const market = ladder(drawn);
    const day = Date.UTC(2024, 1, 29) * 1_000;
    market.now = (day + 5) as typeof market.now;
    market.buy({ price: 99, quantity: 1, timeInForce: 'Day' });
    expect(market.exchange.nextExpiry()).toBe(Date.UTC(2024, 1, 29, 23, 59) * 1_000);
    market.now = (Date.UTC(2024, 1, 29, 23, 59) * 1_000) as typeof market.now;
    expect(market.do({ kind: 'expire' })).toEqual(['expired']);
    market.buy({ price: 99, quantity: 1, timeInForce: 'Day' });
    expect(market.exchange.nextExpiry()).toBe(Date.UTC(2024, 2, 1, 23, 59) * 1_000);
  });

  test('a market order is IOC or FOK, a GTD order has a time to come', () => {
    const market = ladder(drawn);
    expect(market.buy({ type: 'market', quantity: 1, timeInForce: 'GTC' })).toEqual([
      'refused TIME_IN_FORCE_INVALID',
    ]);
    expect(market.buy({ price: 99, quantity: 1, timeInForce: 'GTD' })).toEqual([
      'refused EXPIRE_TIME_INVALID',
    ]);
    expect(market.buy({ price: 99, quantity: 1, timeInForce: 'GTD', expireTime: 0 })).toEqual([
      'refused EXPIRE_TIME_INVALID',
    ]);
  });
});

describe('a market order', () => {
  test('is new, then executed completely by default', () => {
    const market = ladder('| 101 | 5');
    expect(market.buy({ type: 'market', quantity: 5 })).toEqual(['new', 'trade 5@101 filled']);
  });

  test('expires when the book is empty or has too little', () => {
    const market = ladder('| 101 | 5');
    expect(market.buy({ type: 'market', quantity: 6 })).toEqual(['new', 'expired']);
    expect(market.sell({ type: 'market', quantity: 6 })).toEqual(['new', 'expired']);
    expect(market.buy({ type: 'market', timeInForce: 'IOC', quantity: 6 })).toEqual([
      'new',
      'trade 5@101',
      'expired',
    ]);
  });
});

describe('post-only', () => {
  test('an order that would take expires and leaves the book as it was', () => {
    const market = ladder(`
        | 101 | 5
      4 | 100 |
    `);
    expect(market.buy({ price: 101, quantity: 2, postOnly: true })).toEqual(['expired']);
    expect(market).toLookLike(`
        | 101 | 5
      4 | 100 |
    `);
  });

  test('an order that would not rests, and may be taken later', () => {
    const market = ladder('| 101 | 5');
    expect(market.buy({ price: 100, quantity: 2, postOnly: true })).toEqual(['new']);
    market.sell({ price: 100, quantity: 2, account: others });
    expect(market.received(us)).toEqual(['trade 2@100 filled']);
  });

  test('a market order cannot be', () => {
    expect(ladder('').buy({ type: 'market', quantity: 2, postOnly: true })).toEqual([
      'refused ORDER_TYPE_INVALID',
    ]);
  });
});
