import { describe, expect, test } from 'vitest';
import { seconds } from '../../../src/core/base/clock.ts';
import type { InstrumentId } from '../../../src/core/model/instrument.ts';
import { ladder, others, us } from '../../support/ladder.ts';

const instrument = 0 as InstrumentId;

describe('replace', () => {
  test('cancels and places in one turn; the quantity is the total, what was executed is inherited', () => {
    const market = ladder('');
    market.now = seconds(1);
    market.buy({ price: 100, quantity: 10, id: 'old' });
    market.sell({ price: 100, quantity: 4, account: others });
    market.now = seconds(2);
    expect(market.replace('old', { id: 'new', quantity: 7, price: 99 })).toEqual(['replaced']);
    expect(market).toLookLike('3 | 99 |');
    expect(market.exchange.order(us, 'old')).toBeUndefined();
    expect(market.exchange.order(us, 'new')).toMatchObject({
      originalClientOrderId: 'old',
      state: 'partiallyFilled',
      cumulative: 4,
      quantity: 7,
      createdAt: seconds(1),
      updatedAt: seconds(2),
    });
  });

  test('always queues anew, even at the same price with less quantity', () => {
    const market = ladder('');
    market.buy({ price: 100, quantity: 5, id: 'old' });
    market.buy({ price: 100, quantity: 5, id: 'rival', account: others });
    market.replace('old', { id: 'new', quantity: 4, price: 100 });
    market.sell({ price: 100, quantity: 5, account: others });
    expect(market.exchange.order(us, 'new')?.cumulative).toBe(0);
  });

  test('may take at its new price', () => {
    const market = ladder('| 101 | 2');
    market.buy({ price: 100, quantity: 5, id: 'old' });
    expect(market.replace('old', { id: 'new', quantity: 5, price: 101 })).toEqual([
      'replaced',
      'trade 2@101',
    ]);
  });

  test('without a change, of an unknown order, or to a taken id is refused and changes nothing', () => {
    const market = ladder('');
    market.buy({ price: 100, quantity: 5, id: 'old' });
    expect(market.replace('old', { id: 'new', quantity: 5, price: 100 })).toEqual(['refused NOT_CHANGED']);
    expect(market.replace('old', { id: 'new', quantity: 5 })).toEqual(['refused NOT_CHANGED']);
    expect(market.replace('gone', { id: 'new', quantity: 5 })).toEqual(['refused ORDER_NOT_FOUND']);
    expect(market.replace('old', { id: 'old', quantity: 6 })).toEqual(['refused DUPLICATE_CLIENT_ORDER_ID']);
    expect(market.replace('old', { id: 'new', quantity: 0 })).toEqual(['refused BAD_QUANTITY']);
    expect(market).toLookLike('5 | 100 |');
  });

  test.each([
    ['its funds do not suffice', { id: 'new', quantity: 11, price: 100 }, {}],
    ['nothing is left to execute', { id: 'new', quantity: 2, price: 100 }, { executed: 2 }],
    ['it is post-only and would take', { id: 'new', quantity: 5, price: 110 }, { postOnly: true }],
  ])(
    'reports the old order canceled when %s',
    (_why, change, { executed, postOnly }: { executed?: number; postOnly?: boolean }) => {
      const market = ladder('| 110 | 1', { funds: '1000' });
      market.buy({ price: 100, quantity: 5, id: 'old', postOnly: postOnly ?? false });
      if (executed !== undefined) market.sell({ price: 100, quantity: executed, account: others });
      expect(market.replace('old', change)).toEqual(['canceled']);
      expect(market.exchange.activeOrders(us)).toEqual([]);
      expect(market.funds('BBB').reserved).toBe(0n);
    },
  );

  test('moves the stop price of a suspended order', () => {
    const market = ladder(`
        | 101 | 1
        | 102 | 5
    `);
    market.buy({ type: 'stopMarket', stopPrice: 150, quantity: 1, id: 'old' });
    expect(market.replace('old', { id: 'new', quantity: 1, stopPrice: 101 })).toEqual(['replaced']);
    market.buy({ price: 101, quantity: 1, account: others });
    expect(market.received(us)).toEqual(['new', 'trade 1@102 filled']);
  });

  test('cannot move the expiry', () => {
    const market = ladder('');
    market.buy({ price: 100, quantity: 5, id: 'old', timeInForce: 'GTD', expireTime: seconds(60) });
    market.now = seconds(30);
    market.replace('old', { id: 'new', quantity: 6, price: 100 });
    expect(market.exchange.nextExpiry()).toBe(seconds(60));
  });
});

describe('identity and limits', () => {
  test('an id is taken while its order lives and for a time after', () => {
    const market = ladder('', { options: { idReuseAfter: seconds(60) } });
    market.buy({ price: 100, quantity: 5, id: 'mine' });
    expect(market.buy({ price: 100, quantity: 5, id: 'mine' })).toEqual([
      'refused DUPLICATE_CLIENT_ORDER_ID',
    ]);
    market.cancel('mine');
    market.now = seconds(59);
    expect(market.buy({ price: 100, quantity: 5, id: 'mine' })).toEqual([
      'refused DUPLICATE_CLIENT_ORDER_ID',
    ]);
    market.now = seconds(60);
    expect(market.buy({ price: 100, quantity: 5, id: 'mine' })).toEqual(['new']);
  });

  test('other accounts have ids of their own', () => {
    const market = ladder('');
    market.buy({ price: 100, quantity: 5, id: 'mine' });
    expect(market.buy({ price: 100, quantity: 5, id: 'mine', account: others })).toEqual(['new']);
  });

  test('2,000 active and suspended orders per symbol, and the next is refused', () => {
    const market = ladder('');
    for (let i = 0; i < 1_000; i++) market.buy({ price: 1, quantity: 1 });
    for (let i = 0; i < 1_000; i++) market.buy({ type: 'stopLimit', stopPrice: 500, price: 1, quantity: 1 });
    expect(market.exchange.activeCount(us, instrument)).toBe(2_000);
    expect(market.buy({ price: 1, quantity: 1 })).toEqual(['refused ORDER_LIMIT']);
    expect(market.buy({ price: 1, quantity: 1, account: others })).toEqual(['new']);
  });

  test('a symbol that is not working takes no orders and no replacements, but cancels', () => {
    const market = ladder('');
    market.buy({ price: 100, quantity: 5, id: 'mine' });
    market.do({ kind: 'setStatus', instrument, status: 'clearing' });
    expect(market.exchange.status(instrument)).toBe('clearing');
    expect(market.buy({ price: 100, quantity: 5 })).toEqual(['refused SYMBOL_NOT_WORKING']);
    expect(market.replace('mine', { id: 'new', quantity: 6 })).toEqual(['refused SYMBOL_NOT_WORKING']);
    expect(market.cancel('mine')).toEqual(['canceled']);
  });

  test('a price too far on the wrong side of the market is refused when the limit is on', () => {
    const market = ladder('| 100 | 5', { options: { fatFingerFraction: 0.1 } });
    expect(market.buy({ price: 111, quantity: 1 })).toEqual(['refused FAT_FINGER']);
    expect(market.buy({ price: 110, quantity: 1 })).toEqual(['new', 'trade 1@100 filled']);
    expect(market.sell({ price: 89, quantity: 1 })).toEqual(['refused FAT_FINGER']);
    expect(market.buy({ price: 1, quantity: 1 })).toEqual(['new']);
  });

  test('active orders are listed in order of creation, by instrument or all; cancel all ends them in that order', () => {
    const market = ladder('');
    for (const id of ['a', 'b', 'c', 'd']) market.buy({ price: 100, quantity: 1, id });
    market.cancel('b');
    market.replace('a', { id: 'e', quantity: 2 });
    expect(market.exchange.activeOrders(us).map((o) => o.clientOrderId)).toEqual(['c', 'd', 'e']);
    expect(market.exchange.activeOrders(us, 1 as InstrumentId)).toEqual([]);
    expect(market.do({ kind: 'cancelAll', account: us, instrument: undefined })).toEqual([
      'canceled',
      'canceled',
      'canceled',
    ]);
    expect(market.exchange.activeCount(us)).toBe(0);
  });
});
