import { expect, test } from 'vitest';
import type { FromWorker } from '../../../src/core/strategy/worker-messages.ts';
import { fromWorker } from '../../../src/core/strategy/worker-messages.ts';
import { intentOf } from '../../../src/core/strategy/worker-copy.ts';

const request = (clientOrderId: string, more: Record<string, unknown> = {}) => ({
  clientOrderId,
  instrument: 0,
  side: 'buy',
  type: 'limit',
  timeInForce: 'GTC',
  quantity: 10,
  price: 100,
  postOnly: false,
  ...more,
});

const ids = ['gw-r1-st-00001', 'gw-r1-st-00002'];

function said(intent: unknown): FromWorker & { type: 'intent' } {
  const message = fromWorker.parse({ type: 'intent', of: 0, intent });
  if (message.type !== 'intent') throw new Error('no intent');
  return message;
}

test('a worker’s list names itself by its orders, whatever the worker wrote', () => {
  const list = { contingency: 'allOrNone', orders: ['gw-r1-st-99999'] };
  const requests = ids.map((id) => request(id, { list }));
  const { intent } = said({ action: 'placeList', strategy: 'x', contingency: 'oneCancelOther', requests });
  expect(intentOf(intent, 'st')).toMatchObject({
    action: 'placeList',
    strategy: 'st',
    contingency: 'oneCancelOther',
    requests: ids.map((clientOrderId) => ({
      clientOrderId,
      stopPrice: undefined,
      list: { contingency: 'oneCancelOther', orders: ids },
    })),
  });
});

test('a worker’s single order belongs to no list, or it would wait for others for ever', () => {
  const list = { contingency: 'oneCancelOther', orders: ids };
  const { intent } = said({ action: 'place', strategy: 'x', request: request('gw-r1-st-00001', { list }) });
  expect(intentOf(intent, 'st')).not.toHaveProperty('request.list');
});

test('a worker’s list of unknown kind, or longer than any, is not believed', () => {
  const requests = ids.map((id) => request(id));
  const list = { action: 'placeList', strategy: 'x', contingency: 'oneCancelOther', requests };
  const parses = (changes: object): boolean =>
    fromWorker.safeParse({ type: 'intent', of: 0, intent: { ...list, ...changes } }).success;
  expect(parses({})).toBe(true);
  expect(parses({ contingency: 'allForOne' })).toBe(false);
  expect(parses({ requests: Array.from({ length: 17 }, () => requests[0]) })).toBe(false);
});
