import { expect, test } from 'vitest';
import { millis } from '../../../src/core/base/clock.ts';
import type { ClientOrderId } from '../../../src/core/model/order.ts';
import { Door, instrument } from './support/door.ts';

const ids = ['gw-r1-maker-0000a', 'gw-r1-maker-0000b', 'gw-r1-maker-0000c'] as ClientOrderId[];

function cancel(door: Door, from: number, to: number, scope: 'symbol' | 'product' = 'symbol'): void {
  for (let at = from; at < to; at++) {
    const clientOrderId = ids[at] as ClientOrderId;
    const together = { first: 21, count: ids.length, scope };
    const command = {
      kind: 'cancelOrder',
      commandId: 21 + at,
      strategy: 'maker',
      clientOrderId,
      instrument,
      together,
    } as const;
    door.step({ kind: 'cancelPending', command, ...door.times });
  }
}

test('cancels that belong together leave in one request when the last is recorded, in one slot of the budget', () => {
  const door = new Door();
  cancel(door, 0, 2);
  expect(door.sent).toEqual([]);
  cancel(door, 2, 3);
  expect(door.sent).toMatchObject([{ kind: 'cancelOrders', commandId: 21, instrument }]);
  const [request] = door.sent;
  expect(
    request?.kind === 'cancelOrders' && request.cancels.map(({ clientOrderId }) => clientOrderId),
  ).toEqual(ids);
  expect(door.budgets.usageOf('spotOrderPath').inUse).toBe(1);
  expect(door.gate.waiting.inFlight).toBe(3);
  for (const commandId of [21, 22, 23]) door.settle(commandId);
  expect(door.gate.waiting.inFlight).toBe(0);
});

test('one for a whole product names no symbol', () => {
  const door = new Door();
  cancel(door, 0, 3, 'product');
  expect(door.sent).toMatchObject([{ kind: 'cancelOrders', instrument: undefined }]);
});

test('one that could not leave in time is denied order by order', () => {
  const door = new Door({
    gate: { cancelDeadlineMs: 1 },
    budgets: { spotOrderPath: { rate: 1, burst: 0 }, mode: 'window' },
  });
  door.cancel('gw-r1-maker-0000d' as ClientOrderId);
  cancel(door, 0, 3);
  door.clock.advance(millis(5));
  expect(door.denials.map(({ clientOrderId }) => clientOrderId)).toEqual(ids);
  expect(door.denialCodes).toEqual(['BUDGET_DEADLINE', 'BUDGET_DEADLINE', 'BUDGET_DEADLINE']);
});
