import { describe, expect, test } from 'vitest';
import { parseAmount, zero } from '../../../src/core/base/amount.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { millis, seconds } from '../../../src/core/base/clock.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { BuyingPower } from '../../../src/core/model/market.ts';
import type { ClientOrderId } from '../../../src/core/model/order.ts';
import { World } from './support/world.ts';

const ticks = (value: number): Ticks => value as Ticks;
const lots = (value: number): Lots => value as Lots;
const passed = /^gw-/;

describe('limits pass at the limit and refuse one increment more', () => {
  test('maximum quantity', () => {
    const world = new World({ options: { limits: { AAABBB: { quantityMax: '2.5' } } } });
    expect(world.place({ quantity: lots(25) })).toMatch(passed);
    expect(world.place({ quantity: lots(26) })).toBe('QUANTITY_MAX');
    expect(world.place({ quantity: lots(26), instrument: world.instrument(1).id })).toMatch(passed);
  });

  test('maximum notional, by symbol and by quote currency', () => {
    const world = new World({
      options: { limits: { AAABBB: { notionalMax: '99' } }, notionalMax: { BBB: '198' } },
    });
    // 99.00 x 1.0 is 99; one tick or one lot more is too much.
    expect(world.place({ quantity: lots(10), price: ticks(9_900) })).toMatch(passed);
    expect(world.place({ quantity: lots(10), price: ticks(9_901) })).toBe('NOTIONAL_MAX');
    expect(world.place({ quantity: lots(11), price: ticks(9_900) })).toBe('NOTIONAL_MAX');
    const other = { instrument: world.instrument(1).id };
    expect(world.place({ ...other, quantity: lots(20), price: ticks(9_900) })).toMatch(passed);
    expect(world.place({ ...other, quantity: lots(21), price: ticks(9_900) })).toBe('NOTIONAL_MAX');
  });

  test('price collar against mid and last trade', () => {
    const world = new World();
    expect(world.place({ price: ticks(10_500) })).toMatch(passed);
    expect(world.place({ price: ticks(10_501) })).toBe('PRICE_COLLAR');
    expect(world.place({ price: ticks(9_500) })).toMatch(passed);
    expect(world.place({ price: ticks(9_499) })).toBe('PRICE_COLLAR');
    world.trade(0, 9_900);
    expect(world.place({ price: ticks(10_395) })).toMatch(passed);
    expect(world.place({ price: ticks(10_396) })).toBe('PRICE_COLLAR');
  });

  test('stop prices have their own collar, and a stop limit is held against its stop price', () => {
    const world = new World();
    const stop = { type: 'stopLimit', side: 'buy' } as const;
    expect(world.place({ ...stop, stopPrice: ticks(15_000), price: ticks(15_000) })).toMatch(passed);
    expect(world.place({ ...stop, stopPrice: ticks(15_001), price: ticks(15_001) })).toBe('PRICE_COLLAR');
    expect(world.place({ ...stop, stopPrice: ticks(12_000), price: ticks(12_600) })).toMatch(passed);
    expect(world.place({ ...stop, stopPrice: ticks(12_000), price: ticks(12_601) })).toBe('PRICE_COLLAR');
  });

  test('without a mid price or a young trade there is no reference', () => {
    const world = new World({ options: { referenceAgeMsMax: 1_000 } });
    world.clock.advance(seconds(1));
    expect(world.place()).toMatch(passed);
    world.clock.advance(1 as Micros);
    expect(world.place({ price: ticks(9_901) })).toBe('REFERENCE_PRICE_MISSING');
    world.trade(0, 10_000);
    expect(world.place({ price: ticks(9_901) })).toMatch(passed);
    world.book(0, 9_900, 0);
    expect(world.place({ price: ticks(9_902) })).toBe('REFERENCE_PRICE_MISSING');
  });

  test('on data of books alone the mid price may be enough, and a young trade still counts', () => {
    const world = new World({ options: { referenceAgeMsMax: 1_000, lastTradeNeeded: false } });
    world.clock.advance(seconds(2));
    expect(world.place({ price: ticks(9_501) })).toMatch(passed);
    expect(world.place({ price: ticks(9_499) })).toBe('PRICE_COLLAR');
    world.trade(0, 11_000);
    expect(world.place({ price: ticks(9_502) })).toBe('PRICE_COLLAR');
    world.book(0, 9_900, 0);
    expect(world.place({ price: ticks(9_902) })).toBe('REFERENCE_PRICE_MISSING');
  });

  test('market types are off by default, and need two sides and a narrow spread', () => {
    const market = { type: 'market', timeInForce: 'IOC', price: undefined } as const;
    expect(new World().place(market)).toBe('MARKET_ORDERS_OFF');
    const world = new World({ options: { marketOrders: true, marketSpreadPercentMax: 2 } });
    // 200 ticks on a mid of 10,000 are exactly 2 %.
    expect(world.place(market)).toMatch(passed);
    world.book(0, 9_900, 10_101);
    expect(world.place({ ...market, quantity: lots(11) })).toBe('MARKET_SPREAD_MAX');
    world.book(0, 9_900, 0);
    expect(world.place({ ...market, quantity: lots(12) })).toBe('REFERENCE_PRICE_MISSING');
  });

  test('funds: a buy needs more than its cost with the larger fee rate, a sell its quantity', () => {
    const world = new World();
    // 100.00 x 1.0 x 1.002 = 100.2.
    world.money({ BBB: '100.2', AAA: '1' });
    expect(world.place({ price: ticks(10_000) })).toBe('FUNDS');
    world.money({ BBB: '100.200000000001' });
    expect(world.place({ price: ticks(10_000) })).toMatch(passed);
    expect(world.place({ side: 'sell', price: ticks(10_100), quantity: lots(11) })).toBe('FUNDS');
    expect(world.place({ side: 'sell', price: ticks(10_100), quantity: lots(10) })).toMatch(passed);
  });

  test('funds: a fee rate that an order asks for is added to that of the symbol', () => {
    const world = new World();
    const markup = { takeRate: parseAmount('0.001') };
    // 100.00 x 1.0 x 1.003 = 100.3.
    world.money({ BBB: '100.3' });
    expect(world.place({ price: ticks(10_000), ...markup })).toBe('FUNDS');
    world.money({ BBB: '200.48998' });
    expect(world.place({ price: ticks(10_000), ...markup })).toMatch(passed);
    // Without an answer it holds its 100.3; the next one needs more than 99.99 x 1.002 = 100.18998.
    expect(world.place({ price: ticks(9_999) })).toBe('FUNDS');
    world.money({ BBB: '200.48998000001' });
    expect(world.place({ price: ticks(9_999) })).toMatch(passed);
  });

  test('funds: where an account reports buying power, that counts instead of its balance', () => {
    const world = new World();
    const received = (quote: BuyingPower, base: BuyingPower): void => {
      const power = (currency: string, buyingPower: BuyingPower) => ({
        currency,
        available: zero,
        reserved: zero,
        buyingPower,
      });
      const balances = [power('BBB', quote), power('AAA', base)];
      world.step({ kind: 'balances', ...world.times, complete: true, balances });
    };
    received(parseAmount('100.2'), parseAmount('0.9'));
    expect(world.place({ price: ticks(10_000) })).toBe('FUNDS');
    expect(world.place({ side: 'sell', price: ticks(10_100) })).toBe('FUNDS');
    received(parseAmount('100.3'), parseAmount('1'));
    expect(world.place({ price: ticks(10_000) })).toMatch(passed);
    expect(world.place({ side: 'sell', price: ticks(10_100) })).toMatch(passed);
    received('unlimited', 'unlimited');
    expect(world.place({ price: ticks(9_999), quantity: lots(1_000) })).toMatch(passed);
    expect(world.place({ side: 'sell', price: ticks(10_101), quantity: lots(1_000) })).toMatch(passed);
  });

  test('open orders of a strategy, a symbol and the account', () => {
    const world = new World({
      options: { openOrdersSymbolMax: 3, openOrdersAccountMax: 4 },
      limits: { maker: { openOrdersMax: 2 } },
    });
    const other = (price: number, index = 0): string =>
      world.place(
        { clientOrderId: world.idOf('taker'), price: ticks(price), instrument: world.instrument(index).id },
        'taker',
      );
    const first = world.place({ price: ticks(9_801) }) as ClientOrderId;
    expect(world.place({ price: ticks(9_802) })).toMatch(passed);
    expect(world.place({ price: ticks(9_803) })).toBe('OPEN_ORDERS_STRATEGY');
    expect(other(9_804)).toMatch(passed);
    expect(other(9_805)).toBe('OPEN_ORDERS_SYMBOL');
    expect(other(9_806, 1)).toMatch(passed);
    expect(other(9_807, 1)).toBe('OPEN_ORDERS_ACCOUNT');
    world.rejected(first);
    expect(other(9_807, 1)).toMatch(passed);
  });

  test('position of the strategy and of the account, what works on the side included', () => {
    const world = new World({
      options: { limits: { AAABBB: { positionMax: '3' } } },
      limits: { maker: { positionMax: { AAABBB: '2' } } },
    });
    world.hold(5);
    expect(world.place({ quantity: lots(15), price: ticks(9_801) })).toMatch(passed);
    expect(world.place({ quantity: lots(1), price: ticks(9_802) })).toBe('POSITION_MAX');
    const taker = (quantity: number): string =>
      world.place(
        { clientOrderId: world.idOf('taker'), quantity: lots(quantity), price: ticks(9_803) },
        'taker',
      );
    expect(taker(11)).toBe('POSITION_MAX');
    expect(taker(10)).toMatch(passed);
    // Selling goes the other way: 5 held, so 25 lots lead to 20 short.
    expect(world.place({ side: 'sell', quantity: lots(26), price: ticks(10_300) })).toBe('POSITION_MAX');
    expect(world.place({ side: 'sell', quantity: lots(25), price: ticks(10_300) })).toMatch(passed);
  });

  test('gross exposure in a quote currency over all its symbols', () => {
    const world = new World({ options: { exposureMax: { BBB: '300' } } });
    const other = world.instrument(1).id;
    expect(world.place({ instrument: other, quantity: lots(20), price: ticks(9_900) })).toMatch(passed);
    // 20 lots at a mid of 100.00 are 200; 10 more lots of the first symbol are 100.
    expect(world.place({ quantity: lots(11), price: ticks(9_900) })).toBe('EXPOSURE_MAX');
    expect(world.place({ quantity: lots(10), price: ticks(9_900) })).toMatch(passed);
    expect(world.place({ quantity: lots(1), price: ticks(9_901) })).toBe('EXPOSURE_MAX');
  });

  test('what is exposed in a symbol whose book is crossed is valued at the higher side', () => {
    const world = new World({ options: { exposureMax: { BBB: '300' } } });
    const other = world.instrument(1).id;
    expect(world.place({ instrument: other, quantity: lots(20), price: ticks(9_900) })).toMatch(passed);
    // The mid would still be 100.00, and the 20 lots worth 200.
    world.book(1, 19_900, 100);
    expect(world.place({ quantity: lots(1), price: ticks(9_900) })).toBe('EXPOSURE_MAX');
    world.book(1, 9_900, 10_100);
    expect(world.place({ quantity: lots(1), price: ticks(9_900) })).toMatch(passed);
  });

  test('an order that shrinks what is exposed passes whatever the limit', () => {
    const world = new World({ options: { exposureMax: { BBB: '1000' } } });
    world.hold(100);
    world.market(0, 19_900, 20_100);
    expect(world.place({ side: 'buy', quantity: lots(1), price: ticks(19_900) })).toBe('EXPOSURE_MAX');
    expect(world.place({ side: 'sell', quantity: lots(50), price: ticks(20_100) })).toMatch(passed);
  });

  test('an order that leads away from flat is exposed whatever works on the other side', () => {
    const world = new World({ options: { exposureMax: { BBB: '200' } } });
    world.hold(10);
    world.rest({ side: 'sell', quantity: lots(29), price: ticks(10_500) });
    world.market(0, 10_500, 10_700);
    // 19 lots short are worth 201.4 by now.
    expect(world.place({ side: 'buy', quantity: lots(5), price: ticks(10_400) })).toBe('EXPOSURE_MAX');
  });

  test('an exit beyond the limit is replaced by one at another price', () => {
    const world = new World({ options: { exposureMax: { BBB: '1000' } } });
    world.hold(100);
    const exit = world.rest({ side: 'sell', quantity: lots(50), price: ticks(10_300) });
    world.market(0, 10_100, 10_200);
    const [verdict] = world.want({
      action: 'replace',
      strategy: 'maker',
      clientOrderId: exit,
      newClientOrderId: world.ids.next(),
      quantity: lots(50),
      price: ticks(10_200),
      stopPrice: undefined,
    });
    expect(verdict?.kind).toBe('replacePending');
  });

  test('messages of a strategy and of the account inside any second', () => {
    const world = new World({
      options: { messagesPerSecondMax: 3 },
      limits: { maker: { messagesPerSecondMax: 2 } },
    });
    const other = (price: number): string =>
      world.place({ clientOrderId: world.idOf('taker'), price: ticks(price) }, 'taker');
    world.place({ price: ticks(9_801) });
    world.clock.advance(millis(500));
    world.place({ price: ticks(9_802) });
    expect(world.place({ price: ticks(9_803) })).toBe('MESSAGE_THROTTLE');
    expect(other(9_804)).toMatch(passed);
    expect(other(9_805)).toBe('MESSAGE_THROTTLE');
    world.clock.advance((500_000 - 1) as Micros);
    expect(world.place({ price: ticks(9_806) })).toBe('MESSAGE_THROTTLE');
    world.clock.advance(1 as Micros);
    expect(world.place({ price: ticks(9_806) })).toMatch(passed);
    expect(world.place({ price: ticks(9_807) })).toBe('MESSAGE_THROTTLE');
  });

  test('a hundred thousand orders at once: no more pass than the throttle allows', () => {
    const world = new World({ limits: { maker: { openOrdersMax: 25_000, messagesPerSecondMax: 100 } } });
    let count = 0;
    for (let i = 0; i < 100_000; i++) {
      if (world.place({ price: ticks(9_600 + (i % 400)) }).startsWith('gw')) count += 1;
    }
    expect(count).toBe(100);
    expect(world.state.openCount()).toBe(100);
  });
});

describe('what is on its way counts', () => {
  test('orders without an answer yet hold funds back', () => {
    const world = new World();
    world.money({ BBB: '250' });
    expect(world.place({ price: ticks(10_000) })).toMatch(passed);
    expect(world.place({ price: ticks(9_999) })).toMatch(passed);
    expect(world.place({ price: ticks(9_998) })).toBe('FUNDS');
  });

  test('what others reserved at the venue and what is in flight are both gone', () => {
    const world = new World();
    world.step({
      kind: 'balances',
      ...world.times,
      complete: false,
      balances: [{ currency: 'BBB', available: parseAmount('150'), reserved: parseAmount('1000') }],
    });
    expect(world.place({ price: ticks(10_000) })).toMatch(passed);
    expect(world.place({ price: ticks(9_999) })).toBe('FUNDS');
  });

  test('a market order that the venue has answered is not in flight, although its book has gone empty', () => {
    const world = new World({ options: { marketOrders: true, marketSpreadPercentMax: 5 } });
    world.money({ BBB: '260' });
    const id = world.place({ type: 'market', timeInForce: 'IOC', price: undefined }) as ClientOrderId;
    expect(id).toMatch(passed);
    world.book(0, 0, 0);
    world.report(id, 'new');
    world.money({ BBB: '150' }, '110');
    expect(world.place({ instrument: world.instrument(1).id })).toMatch(passed);
  });

  test('an unknown order reservations funds back until evidence ends it', () => {
    const world = new World();
    world.money({ BBB: '150' });
    const id = world.place({ price: ticks(10_000) }) as ClientOrderId;
    const command = world.ofKind('orderPending')[0]?.command;
    world.step({
      kind: 'commandSettled',
      ...world.times,
      commandId: command?.commandId ?? 0,
      lane: 'new',
      outcome: 'unanswered',
      clientOrderId: id,
    });
    expect(world.state.order(id)?.state).toBe('unknown');
    expect(world.place({ price: ticks(9_999) })).toBe('FUNDS');
    world.report(id, 'canceled');
    expect(world.place({ price: ticks(9_999) })).toMatch(passed);
  });

  test('an accepted order is counted once, whether or not the balance shows it already', () => {
    const world = new World();
    world.money({ BBB: '250' });
    world.rest({ price: ticks(10_000) });
    // The balance does not show the reservation yet.
    expect(world.place({ price: ticks(9_999), quantity: lots(15) })).toBe('FUNDS');
    world.step({
      kind: 'balances',
      ...world.times,
      complete: false,
      balances: [{ currency: 'BBB', available: parseAmount('149.8'), reserved: parseAmount('100.2') }],
    });
    expect(world.place({ price: ticks(9_999), quantity: lots(15) })).toBe('FUNDS');
    expect(world.place({ price: ticks(9_999), quantity: lots(14) })).toMatch(passed);
  });

  test('a fill that the balance does not show yet is spent', () => {
    const world = new World();
    world.money({ BBB: '150' });
    const id = world.rest({ price: ticks(10_000) });
    world.fill(id, 10);
    expect(world.place({ price: ticks(9_999) })).toBe('FUNDS');
    world.clock.advance(millis(1));
    world.money({ BBB: '150' });
    expect(world.place({ price: ticks(9_999) })).toMatch(passed);
  });

  test('a replacement may use what its original holds', () => {
    const world = new World();
    world.money({ BBB: '150' });
    const id = world.rest({ price: ticks(10_000) });
    const replace = (quantity: number): string | undefined =>
      world.want({
        action: 'replace',
        strategy: 'maker',
        clientOrderId: id,
        newClientOrderId: world.ids.next(),
        quantity: lots(quantity),
        price: ticks(9_990),
        stopPrice: undefined,
      })[0]?.kind;
    expect(replace(15)).toBe('orderDenied');
    expect(replace(14)).toBe('replacePending');
    expect(world.place({ quantity: lots(1) })).toBe('FUNDS');
  });

  test('a replacement on its way holds back no more than its original has left, whatever that executes meanwhile', () => {
    const world = new World();
    const shows = (available: string, reserved: string): void => {
      world.clock.advance(millis(1));
      const balances = [
        { currency: 'BBB', available: parseAmount(available), reserved: parseAmount(reserved) },
      ];
      world.step({ kind: 'balances', ...world.times, complete: false, balances });
    };
    const id = world.rest({ price: ticks(10_000) });
    shows('99.8', '100.2');
    const [verdict] = world.want({
      action: 'replace',
      strategy: 'maker',
      clientOrderId: id,
      newClientOrderId: world.ids.next(),
      quantity: lots(10),
      price: ticks(9_999),
      stopPrice: undefined,
    });
    expect(verdict?.kind).toBe('replacePending');
    world.fill(id, 4);
    shows('99.8', '60.12');
    expect(world.place({ price: ticks(9_998), quantity: lots(9) })).toMatch(passed);
  });

  test('a rejected or denied order gives everything back', () => {
    const world = new World({ options: { openOrdersSymbolMax: 1 } });
    world.money({ BBB: '101' });
    const first = world.place({ price: ticks(10_000) }) as ClientOrderId;
    world.rejected(first);
    const second = world.place({ price: ticks(9_999) }) as ClientOrderId;
    expect(second).toMatch(passed);
    world.step({
      kind: 'orderDenied',
      ...world.times,
      strategy: 'maker',
      action: 'place',
      clientOrderId: second,
      originalClientOrderId: undefined,
      denial: { code: 'BUDGET_DEADLINE', why: 'test' },
    });
    expect(world.state.order(second)?.state).toBe('denied');
    expect(world.place({ price: ticks(9_998) })).toMatch(passed);
  });
});
