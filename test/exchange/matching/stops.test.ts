import { describe, expect, test } from 'vitest';
import { ladder, others, us } from '../../support/ladder.ts';

describe('stop and take-profit orders', () => {
  const drawn = `
      | 105 | 9
      | 103 | 1
      | 102 | 1
      | 101 | 1
    1 | 100 |
    1 | 99  |
    1 | 98  |
    9 | 95  |
  `;
  const rise = { price: 103, quantity: 3, account: others, timeInForce: 'IOC' } as const;
  const fall = { price: 98, quantity: 3, account: others, timeInForce: 'IOC' } as const;

  test.each([
    ['a buy stop fires when the last price rises to it', 'buy', 'stopMarket', 103, 'rise', 105],
    ['a sell stop fires when the last price falls to it', 'sell', 'stopMarket', 98, 'fall', 95],
    [
      'a sell take-profit fires when the last price rises to it',
      'sell',
      'takeProfitMarket',
      103,
      'rise',
      100,
    ],
    ['a buy take-profit fires when the last price falls to it', 'buy', 'takeProfitMarket', 98, 'fall', 101],
  ] as const)('%s', (_title, side, type, stopPrice, way, tradedAt) => {
    const market = ladder(drawn);
    expect(market[side]({ type, stopPrice, quantity: 1 })).toEqual(['suspended']);
    if (way === 'rise') market.buy(rise);
    else market.sell(fall);
    expect(market.received(us)).toEqual(['new', `trade 1@${tradedAt} filled`]);
  });

  test('a stop with a limit rests at its limit when that cannot be executed', () => {
    const market = ladder(drawn);
    market.buy({ type: 'stopLimit', stopPrice: 103, price: 104, quantity: 2 });
    market.buy(rise);
    expect(market.received(us)).toEqual(['new']);
    expect(market.exchange.best(0 as never, 'buy')).toBe(104);
  });

  test('it does not fire before the price is reached, and can be canceled', () => {
    const market = ladder(drawn);
    market.buy({ type: 'stopMarket', stopPrice: 103, quantity: 1, id: 'stop' });
    market.buy({ ...rise, price: 102, quantity: 2 });
    expect(market.received(us)).toEqual([]);
    expect(market.cancel('stop')).toEqual(['canceled']);
    market.buy({ ...rise, quantity: 1 });
    expect(market.received(us)).toEqual([]);
  });

  test('it fires at once when the last price is there already', () => {
    const market = ladder(drawn);
    market.buy(rise);
    expect(market.buy({ type: 'stopMarket', stopPrice: 103, quantity: 1 })).toEqual([
      'suspended',
      'new',
      'trade 1@105 filled',
    ]);
  });

  test('fired orders execute nearest stop first, and may fire others', () => {
    const market = ladder(drawn);
    market.buy({ type: 'stopMarket', stopPrice: 105, quantity: 1, id: 'last' });
    market.buy({ type: 'stopMarket', stopPrice: 102, quantity: 1, id: 'first' });
    market.buy({ type: 'stopMarket', stopPrice: 103, quantity: 1, id: 'second' });
    market.buy({ ...rise, price: 102, quantity: 2 });
    const order = market.outcomes.flatMap((o) =>
      o.kind === 'report' && o.reportType === 'trade' && o.account === us ? [o.order.clientOrderId] : [],
    );
    expect(order).toEqual(['first', 'second', 'last']);
  });

  test('a market buy that cannot be paid when it fires is canceled by the system', () => {
    const market = ladder(drawn, { funds: '1000' });
    market.buy({ type: 'stopMarket', stopPrice: 103, quantity: 9, id: 'stop' });
    market.buy(rise);
    expect(market.received(us)).toEqual(['new', 'trade 9@105 filled']);
    const poor = ladder(drawn, { funds: '930' });
    poor.buy({ type: 'stopMarket', stopPrice: 103, quantity: 9, id: 'stop' });
    poor.buy(rise);
    expect(poor.received(us)).toEqual(['canceled']);
    expect(poor.funds('BBB').reserved).toBe(0n);
  });
});
