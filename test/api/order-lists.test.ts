import { describe, expect, test } from 'vitest';
import type { Contingency, OrderList } from '../../src/venues/hitbtc/typed/index.ts';
import { listFault } from '../../src/venues/hitbtc/typed/index.ts';

type Order = OrderList['orders'][number];
const order: Order = { symbol: 'AAABBB', side: 'buy', quantity: '1', price: '2' };
const other: Order = { ...order, symbol: 'CCCDDD' };
const fok = { timeInForce: 'FOK' } as const;
const stop: Order = { ...order, type: 'stopMarket', stopPrice: '3' };

function codeOf(list: OrderList): string | undefined {
  return listFault('spotNewOrderList', list)?.failure.code as string | undefined;
}

function listOf(contingencyType: Contingency, ...orders: Order[]): OrderList {
  return { contingencyType, orders };
}

describe('an order list', () => {
  test.each<[string, OrderList]>([
    ['allOrNone', listOf('allOrNone', { ...order, ...fok }, { ...other, ...fok, type: 'market' })],
    ['oneCancelOther', listOf('oneCancelOther', order, stop)],
    ['oneTriggerOther', listOf('oneTriggerOther', order, other, stop)],
    [
      'oneTriggerOneCancelOther',
      listOf('oneTriggerOneCancelOther', { ...order, type: 'market' }, order, stop),
    ],
    [
      'one with its id',
      {
        ...listOf(
          'oneCancelOther',
          { ...order, clientOrderId: 'list-0001' },
          { ...stop, clientOrderId: 'list-0002' },
        ),
        orderListId: 'list-0001',
      },
    ],
  ])('as the documents have it passes: %s', (_name, list) => {
    expect(codeOf(list)).toBeUndefined();
  });

  test.each<[string, OrderList]>([
    ['LIST_CONTINGENCY', listOf('any' as Contingency, order, stop)],
    ['LIST_COUNT', listOf('oneCancelOther', order)],
    ['LIST_COUNT', listOf('oneTriggerOther', order, order, order, order)],
    ['LIST_COUNT', listOf('oneTriggerOneCancelOther', order, stop)],
    ['LIST_ID_NOT_FIRST', { ...listOf('oneCancelOther', order, stop), orderListId: 'list-0001' }],
    [
      'LIST_IDS_NOT_DISTINCT',
      listOf(
        'oneCancelOther',
        { ...order, clientOrderId: 'list-0001' },
        { ...stop, clientOrderId: 'list-0001' },
      ),
    ],
    ['ORDER_QUANTITY', listOf('oneCancelOther', { symbol: 'AAABBB', side: 'buy', price: '1' }, stop)],
    ['ORDER_PRICE_MISSING', listOf('oneCancelOther', { symbol: 'AAABBB', side: 'buy', quantity: '1' }, stop)],
    ['ORDER_STOP_PRICE_MISSING', listOf('oneCancelOther', order, { ...order, type: 'takeProfitLimit' })],
    ['ORDER_EXPIRE_TIME_MISSING', listOf('oneCancelOther', { ...order, timeInForce: 'GTD' }, stop)],
    [
      'ORDER_TIME_IN_FORCE',
      listOf('oneTriggerOther', { ...order, type: 'market', timeInForce: 'GTC' }, order),
    ],
    ['LIST_SYMBOLS_NOT_DISTINCT', listOf('allOrNone', { ...order, ...fok }, { ...order, ...fok })],
    ['LIST_TYPE', listOf('allOrNone', { ...order, ...fok }, { ...stop, symbol: 'CCCDDD', ...fok })],
    ['LIST_NOT_FOK', listOf('allOrNone', { ...order, ...fok }, other)],
    ['LIST_TYPE', listOf('oneCancelOther', order, { ...order, type: 'market' })],
    ['LIST_TIME_IN_FORCE', listOf('oneCancelOther', order, { ...order, timeInForce: 'IOC' })],
    ['LIST_SYMBOLS_NOT_EQUAL', listOf('oneTriggerOneCancelOther', order, other, stop)],
    ['LIST_TYPE', listOf('oneTriggerOneCancelOther', order, stop, { ...order, type: 'market' })],
  ])('is denied by one rule: %s', (code, list) => {
    expect(codeOf(list)).toBe(code);
  });
});
