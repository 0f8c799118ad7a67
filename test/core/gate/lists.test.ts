import { describe, expect, test } from 'vitest';
import type { Ticks } from '../../../src/core/model/instrument.ts';
import type { ClientOrderId, OrderRequest } from '../../../src/core/model/order.ts';
import { Door } from './support/door.ts';

const ids = ['gw-r1-maker-0000a', 'gw-r1-maker-0000b'] as ClientOrderId[];

/** Two orders of which one cancels the other: asked for as they are, pending as `change` has them. */
function list(door: Door, change: Partial<OrderRequest> = {}): readonly OrderRequest[] {
  const contingency = 'oneCancelOther';
  const requests = ids.map((clientOrderId, at) => ({
    ...door.request(),
    clientOrderId,
    price: (98 + at) as Ticks,
    list: { contingency, orders: ids } as const,
  }));
  const intent = { action: 'placeList', strategy: 'maker', contingency, requests } as const;
  door.step({ kind: 'intent', intent, ...door.times });
  return requests.map((request) => ({ ...request, ...change }));
}

function pend(door: Door, request: OrderRequest | undefined): void {
  if (request === undefined) throw new Error('no such order');
  const command = { kind: 'newOrder', commandId: 7, strategy: 'maker', request } as const;
  door.step({ kind: 'orderPending', command, ...door.times });
}

describe('a list at the gate', () => {
  test('leaves once, in one command, when its last order is pending and all are durable', () => {
    const door = new Door();
    door.journal.slow = true;
    const [first, second] = list(door);
    pend(door, first);
    door.journal.sync();
    expect(door.sent).toEqual([]);
    pend(door, second);
    expect(door.sent).toEqual([]);
    door.journal.sync();
    expect(door.sent).toMatchObject([
      { kind: 'newOrderList', commandId: 7, contingency: 'oneCancelOther', requests: [first, second] },
    ]);
    door.settle(7);
    expect(door.gate.waiting).toMatchObject({ new: 0, inFlight: 0 });
  });

  test('that is not what was asked for is denied order by order, and trading halts', () => {
    const door = new Door();
    for (const request of list(door, { price: 97 as Ticks })) pend(door, request);
    expect(door.sent).toEqual([]);
    expect(door.denials.map(({ clientOrderId }) => clientOrderId)).toEqual(ids);
    expect(door.denialCodes).toEqual(['COMPARATOR', 'COMPARATOR']);
    expect(door.state.mode).toBe('halted');
  });

  test('waits for nothing when its book goes stale: every order is denied', () => {
    const door = new Door();
    door.journal.slow = true;
    for (const request of list(door)) pend(door, request);
    door.stale();
    door.journal.sync();
    expect(door.sent).toEqual([]);
    expect(door.denialCodes).toEqual(['INPUT_STALE', 'INPUT_STALE']);
  });

  test('of which an order is canceled before it left stays here whole', () => {
    const door = new Door();
    door.journal.slow = true;
    for (const request of list(door)) pend(door, request);
    door.cancel(ids[1] as ClientOrderId);
    door.journal.sync();
    expect(door.sent).toEqual([]);
    expect(door.denials.map(({ clientOrderId }) => clientOrderId)).toEqual(ids);
    expect(door.denialCodes).toEqual(['CANCELED_UNSENT', 'CANCELED_UNSENT']);
  });

  test('of which an order was denied on the way never becomes whole', () => {
    const door = new Door();
    const [first] = list(door);
    pend(door, first);
    const single = door.order();
    expect(door.sentIds).toEqual([single]);
  });
});
