import { describe, expect, test } from 'vitest';
import { parseAmount, zero } from '../../../src/core/base/amount.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import type { AccountId, ListedOrder } from '../../../src/exchange/matching/accounts/command.ts';
import { Exchange } from '../../../src/exchange/matching/exchange.ts';
import type { Outcome } from '../../../src/exchange/matching/accounts/outcome.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import type { InstrumentId, Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { ContingencyType } from '../../../src/core/model/order-list.ts';
import type { ClientOrderId, OrderRequest } from '../../../src/core/model/order.ts';
import { spotSpec } from '../../support/markets.ts';

const us = 1 as AccountId;
const others = 2 as AccountId;

/** Two markets, AAABBB and CCCBBB, and two accounts with 1,000 of everything. */
class Scene {
  readonly exchange = new Exchange({
    instruments: new Instruments([spotSpec('AAABBB'), spotSpec('CCCBBB', { baseCurrency: 'CCC' })]),
  });
  now = 1_000_000 as Micros;
  delivered: string[] = [];

  constructor() {
    this.#do({
      kind: 'adjustBalance',
      account: others,
      currency: 'BBB',
      change: parseAmount('100000'),
    });
    for (const account of [us, others])
      for (const currency of ['AAA', 'BBB', 'CCC'])
        this.#do({ kind: 'adjustBalance', account, currency, change: parseAmount('1000') });
  }

  list(contingency: ContingencyType, ...orders: ListedOrder[]): string[] {
    const listId = orders[0]?.request.clientOrderId ?? '';
    return this.#do({ kind: 'placeList', account: us, listId, contingency, orders });
  }

  /** Somebody else's order. */
  they(change: Partial<OrderRequest>): string[] {
    const { request } = order('theirs', change);
    const clientOrderId = `theirs-${this.exchange.activeCount(others)}-${this.now}` as ClientOrderId;
    this.now = (this.now + 1) as Micros;
    const plain = { account: others, takeMarkup: zero, makeMarkup: zero };
    return this.#do({ kind: 'place', request: { ...request, clientOrderId }, ...plain });
  }

  cancel(id: string): string[] {
    return this.#do({ kind: 'cancel', account: us, clientOrderId: id });
  }

  replace(id: string): string[] {
    return this.#do({
      kind: 'replace',
      account: us,
      clientOrderId: id,
      newClientOrderId: `${id}-next`,
      quantity: 3 as Lots,
      price: undefined,
      stopPrice: undefined,
    });
  }

  reserved(currency: string): number {
    return Number(this.exchange.balance(us, currency).reserved / parseAmount('1'));
  }

  #do(command: Parameters<Exchange['handle']>[0]): string[] {
    return this.exchange.handle(command, this.now).flatMap((outcome) => received(outcome));
  }
}

function received(outcome: Outcome): string[] {
  if (outcome.kind === 'refused' && outcome.account === us) return [`refused ${outcome.code}`];
  if (outcome.kind !== 'report' || outcome.account !== us) return [];
  const { order: about, reportType, list } = outcome;
  return [`${about.clientOrderId} ${reportType}${list?.inactive === true ? ' inactive' : ''}`];
}

function order(id: string, change: Partial<OrderRequest> = {}): ListedOrder {
  const request: OrderRequest = {
    clientOrderId: id as ClientOrderId,
    instrument: 0 as InstrumentId,
    side: 'sell',
    type: 'limit',
    timeInForce: 'GTC',
    quantity: 10 as Lots,
    price: 100 as Ticks,
    stopPrice: undefined,
    expireTime: undefined,
    postOnly: false,
    ...change,
  };
  return { request, takeMarkup: zero, makeMarkup: zero };
}

const second = { instrument: 1 as InstrumentId };
const fok = { timeInForce: 'FOK' as const, side: 'buy' as const, price: 10 as Ticks };
const stop = {
  type: 'stopMarket' as const,
  price: undefined,
  stopPrice: 50 as Ticks,
  timeInForce: 'FOK' as const,
};

describe('all or none', () => {
  test('executes every order in one transaction when each can be filled', () => {
    const scene = new Scene();
    scene.they({ price: 9 as Ticks });
    scene.they({ ...second, price: 10 as Ticks });
    const delivered = scene.list('allOrNone', order('one', fok), order('two', { ...fok, ...second }));
    expect(delivered).toEqual(['one new', 'two new', 'one trade', 'two trade']);
    expect(scene.exchange.balance(us, 'BBB')).toMatchObject({
      available: parseAmount('810'),
      reserved: zero,
    });
  });

  test('expires every order when one cannot be filled, and returns the funds', () => {
    const scene = new Scene();
    scene.they({ price: 9 as Ticks });
    scene.they({ ...second, price: 10 as Ticks, quantity: 9 as Lots });
    const delivered = scene.list('allOrNone', order('one', fok), order('two', { ...fok, ...second }));
    expect(delivered).toEqual(['one new', 'two new', 'one expired', 'two expired']);
    expect(scene.exchange.balance(us, 'BBB')).toMatchObject({
      available: parseAmount('1000'),
      reserved: zero,
    });
    expect(scene.exchange.lastPrice(0 as InstrumentId)).toBeUndefined();
  });

  test('needs different symbols, limit or market, and fill or kill', () => {
    const scene = new Scene();
    const one = order('one', fok);
    expect(scene.list('allOrNone', one, order('two', fok))).toEqual(['refused LIST_INVALID']);
    const late = order('two', { ...second, ...fok, timeInForce: 'GTC' });
    expect(scene.list('allOrNone', one, late)).toEqual(['refused TIME_IN_FORCE_INVALID']);
    expect(scene.list('allOrNone', one, order('two', { ...second, ...stop }))).toEqual([
      'refused ORDER_TYPE_INVALID',
    ]);
    expect(scene.exchange.balances(us).every(({ reserved }) => reserved === zero)).toBe(true);
  });
});

describe('one cancels other', () => {
  test('sell legs share one reservation, the larger of both', () => {
    const scene = new Scene();
    expect(
      scene.list('oneCancelOther', order('high'), order('low', { ...stop, quantity: 990 as Lots })),
    ).toEqual(['high new', 'low suspended']);
    expect(scene.reserved('AAA')).toBe(990);
    expect(scene.cancel('low')).toEqual(['low canceled']);
    expect(scene.reserved('AAA')).toBe(10);
    expect(scene.exchange.activeCount(us)).toBe(1);
  });

  test('a partial execution is enough to cancel the other', () => {
    const scene = new Scene();
    scene.list('oneCancelOther', order('high'), order('low', { ...stop, quantity: 500 as Lots }));
    expect(scene.they({ side: 'buy', quantity: 4 as Lots })).toEqual(['high trade', 'low canceled']);
    expect(scene.reserved('AAA')).toBe(6);
  });

  test('the stop leg executing cancels the resting one', () => {
    const scene = new Scene();
    scene.they({ side: 'buy', price: 45 as Ticks, quantity: 30 as Lots });
    scene.list('oneCancelOther', order('high'), order('low', stop));
    expect(scene.they({ side: 'sell', price: 45 as Ticks, quantity: 5 as Lots })).toEqual([
      'low new',
      'low trade',
      'high canceled',
    ]);
    expect(scene.reserved('AAA')).toBe(0);
  });

  test('an order that fills at once cancels one that was not yet reported', () => {
    const scene = new Scene();
    scene.they({ side: 'buy', price: 100 as Ticks });
    expect(scene.list('oneCancelOther', order('high'), order('low', stop))).toEqual([
      'high new',
      'high trade',
      'low canceled',
    ]);
  });

  test('a taker does not count on two orders of which one cancels the other', () => {
    const scene = new Scene();
    scene.list('oneCancelOther', order('a'), order('b', { price: 101 as Ticks }));
    const buy = { side: 'buy', price: 101 as Ticks, quantity: 20 as Lots, timeInForce: 'FOK' } as const;
    expect(scene.they(buy)).toEqual([]);
    expect(scene.they({ ...buy, quantity: 10 as Lots })).toEqual(['a trade', 'b canceled']);
  });

  test('an order that would meet its own sibling cancels it instead of trading with it', () => {
    const scene = new Scene();
    const delivered = scene.list(
      'oneCancelOther',
      order('ask'),
      order('bid', { side: 'buy', price: 100 as Ticks, quantity: 1 as Lots }),
    );
    expect(delivered).toEqual(['ask new', 'bid new', 'ask canceled']);
  });

  test('takes no market order and no limit order that cannot rest', () => {
    const scene = new Scene();
    const market = { type: 'market', price: undefined, timeInForce: 'FOK' } as const;
    expect(scene.list('oneCancelOther', order('a'), order('b', market))).toEqual([
      'refused ORDER_TYPE_INVALID',
    ]);
    expect(scene.list('oneCancelOther', order('a'), order('b', { timeInForce: 'IOC' }))).toEqual([
      'refused TIME_IN_FORCE_INVALID',
    ]);
  });
});

describe('one triggers others', () => {
  const buy = order('first', { side: 'buy', price: 40 as Ticks });
  const sell = order('then', { price: 60 as Ticks });

  test('secondaries wait without a reservation and wake when the primary is filled', () => {
    const scene = new Scene();
    expect(scene.list('oneTriggerOther', buy, sell)).toEqual(['then suspended inactive', 'first new']);
    expect(scene.reserved('AAA')).toBe(0);
    expect(scene.exchange.order(us, 'then')).toMatchObject({ state: 'suspended', orderListId: 'first' });
    expect(scene.exchange.listMark(us, 'then')).toEqual({ contingency: 'oneTriggerOther', inactive: true });
    expect(scene.they({ price: 40 as Ticks, quantity: 4 as Lots })).toEqual(['first trade']);
    expect(scene.they({ price: 40 as Ticks, quantity: 6 as Lots })).toEqual(['first trade', 'then new']);
    expect(scene.reserved('AAA')).toBe(10);
    expect(scene.exchange.listMark(us, 'then')).toEqual({ contingency: 'oneTriggerOther', inactive: false });
  });

  test('the end of the primary ends those that wait for it', () => {
    const scene = new Scene();
    scene.list('oneTriggerOther', buy, sell);
    expect(scene.cancel('first')).toEqual(['first canceled', 'then canceled inactive']);
    scene.now = (scene.now + 120_000_000) as Micros;
    const ioc = order('first', { ...buy.request, timeInForce: 'IOC' });
    expect(scene.list('oneTriggerOther', ioc, sell)).toEqual([
      'then suspended inactive',
      'first new',
      'first expired',
      'then canceled inactive',
    ]);
  });

  test('what cannot be paid for when its turn comes is canceled by the system', () => {
    const scene = new Scene();
    scene.list('oneTriggerOther', buy, order('then', { quantity: 1_011 as Lots }));
    expect(scene.they({ price: 40 as Ticks })).toEqual(['first trade', 'then canceled']);
  });

  test('what would wake on a symbol in clearing is canceled by the system', () => {
    const scene = new Scene();
    scene.list('oneTriggerOther', buy, order('then', second));
    scene.exchange.handle(
      { kind: 'setStatus', instrument: second.instrument, status: 'clearing' },
      scene.now,
    );
    expect(scene.they({ price: 40 as Ticks })).toEqual(['first trade', 'then canceled']);
  });

  test('an order that others depend on cannot be replaced', () => {
    const scene = new Scene();
    scene.list('oneTriggerOther', buy, sell);
    expect(scene.replace('first')).toEqual(['refused LIST_BOUND']);
    expect(scene.replace('then')).toEqual(['refused LIST_BOUND']);
    scene.they({ price: 40 as Ticks });
    expect(scene.replace('then')).toEqual(['then-next replaced']);
  });

  test('with one-cancels-other, the secondaries exclude each other once awake', () => {
    const scene = new Scene();
    const loss = order('loss', { ...stop, stopPrice: 30 as Ticks });
    expect(scene.list('oneTriggerOneCancelOther', buy, sell, loss)).toEqual([
      'then suspended inactive',
      'loss suspended inactive',
      'first new',
    ]);
    expect(scene.they({ price: 40 as Ticks })).toEqual(['first trade', 'then new', 'loss suspended']);
    expect(scene.reserved('AAA')).toBe(10);
    expect(scene.they({ side: 'buy', price: 60 as Ticks, quantity: 1 as Lots })).toEqual([
      'then trade',
      'loss canceled',
    ]);
  });

  test('needs exactly three orders of one symbol', () => {
    const scene = new Scene();
    expect(scene.list('oneTriggerOneCancelOther', buy, sell)).toEqual(['refused LIST_INVALID']);
    expect(scene.list('oneTriggerOneCancelOther', buy, sell, order('far', second))).toEqual([
      'refused LIST_INVALID',
    ]);
    expect(scene.list('oneTriggerOther', buy)).toEqual(['refused LIST_INVALID']);
    expect(scene.list('oneTriggerOther', buy, buy)).toEqual(['refused DUPLICATE_CLIENT_ORDER_ID']);
  });
});
