import { describe, expect, test } from 'vitest';
import type { Ticks } from '../../../src/core/model/instrument.ts';
import type { ClientOrderId, OrderRequest } from '../../../src/core/model/order.ts';
import { GateRig } from './support/rig.ts';

const ids = ['gw-r1-maker-0000a', 'gw-r1-maker-0000b'] as ClientOrderId[];

/** Two orders of which one cancels the other: asked for as they are, pending as `change` has them. */
function list(rig: GateRig, change: Partial<OrderRequest> = {}): readonly OrderRequest[] {
  const contingency = 'oneCancelOther';
  const requests = ids.map((clientOrderId, at) => ({
    ...rig.request(),
    clientOrderId,
    price: (98 + at) as Ticks,
    list: { contingency, orders: ids } as const,
  }));
  const intent = { action: 'placeList', strategy: 'maker', contingency, requests } as const;
  rig.step({ kind: 'intent', intent, ...rig.times });
  return requests.map((request) => ({ ...request, ...change }));
}

function pend(rig: GateRig, request: OrderRequest | undefined): void {
  if (request === undefined) throw new Error('no such order');
  const command = { kind: 'newOrder', commandId: 7, strategy: 'maker', request } as const;
  rig.step({ kind: 'orderPending', command, ...rig.times });
}

describe('a list at the gate', () => {
  test('leaves once, in one command, when its last order is pending and all are durable', () => {
    const rig = new GateRig();
    rig.journal.slow = true;
    const [first, second] = list(rig);
    pend(rig, first);
    rig.journal.sync();
    expect(rig.sent).toEqual([]);
    pend(rig, second);
    expect(rig.sent).toEqual([]);
    rig.journal.sync();
    expect(rig.sent).toMatchObject([
      { kind: 'newOrderList', commandId: 7, contingency: 'oneCancelOther', requests: [first, second] },
    ]);
    rig.settle(7);
    expect(rig.gate.waiting).toMatchObject({ new: 0, inFlight: 0 });
  });

  test('that is not what was asked for is denied order by order, and trading halts', () => {
    const rig = new GateRig();
    for (const request of list(rig, { price: 97 as Ticks })) pend(rig, request);
    expect(rig.sent).toEqual([]);
    expect(rig.denials.map(({ clientOrderId }) => clientOrderId)).toEqual(ids);
    expect(rig.denialCodes).toEqual(['COMPARATOR', 'COMPARATOR']);
    expect(rig.state.mode).toBe('halted');
  });

  test('waits for nothing when its book goes stale: every order is denied', () => {
    const rig = new GateRig();
    rig.journal.slow = true;
    for (const request of list(rig)) pend(rig, request);
    rig.stale();
    rig.journal.sync();
    expect(rig.sent).toEqual([]);
    expect(rig.denialCodes).toEqual(['INPUT_STALE', 'INPUT_STALE']);
  });

  test('of which an order is canceled before it left stays here whole', () => {
    const rig = new GateRig();
    rig.journal.slow = true;
    for (const request of list(rig)) pend(rig, request);
    rig.cancel(ids[1] as ClientOrderId);
    rig.journal.sync();
    expect(rig.sent).toEqual([]);
    expect(rig.denials.map(({ clientOrderId }) => clientOrderId)).toEqual(ids);
    expect(rig.denialCodes).toEqual(['CANCELED_UNSENT', 'CANCELED_UNSENT']);
  });

  test('of which an order was denied on the way never becomes whole', () => {
    const rig = new GateRig();
    const [first] = list(rig);
    pend(rig, first);
    const single = rig.order();
    expect(rig.sentIds).toEqual([single]);
  });
});
