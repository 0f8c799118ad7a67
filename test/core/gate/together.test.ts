import { expect, test } from 'vitest';
import { millis } from '../../../src/core/base/clock.ts';
import type { ClientOrderId } from '../../../src/core/model/order.ts';
import { GateRig, instrument } from './support/rig.ts';

const ids = ['gw-r1-maker-0000a', 'gw-r1-maker-0000b', 'gw-r1-maker-0000c'] as ClientOrderId[];

function cancel(rig: GateRig, from: number, to: number, scope: 'symbol' | 'product' = 'symbol'): void {
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
    rig.step({ kind: 'cancelPending', command, ...rig.times });
  }
}

test('cancels that belong together leave in one request when the first is recorded, in one slot of the budget', () => {
  const rig = new GateRig();
  cancel(rig, 0, 1);
  expect(rig.sent).toHaveLength(1);
  cancel(rig, 1, 3);
  expect(rig.sent).toMatchObject([{ kind: 'cancelOrders', commandId: 21, instrument }]);
  const [request] = rig.sent;
  expect(
    request?.kind === 'cancelOrders' && request.cancels.map(({ clientOrderId }) => clientOrderId),
  ).toEqual(ids);
  expect(rig.budgets.usageOf('spotOrderPath').inUse).toBe(1);
  expect(rig.gate.waiting.inFlight).toBe(3);
  for (const commandId of [21, 22, 23]) rig.settle(commandId);
  expect(rig.gate.waiting.inFlight).toBe(0);
});

test('one for a whole product names no symbol', () => {
  const rig = new GateRig();
  cancel(rig, 0, 3, 'product');
  expect(rig.sent).toMatchObject([{ kind: 'cancelOrders', instrument: undefined }]);
});

test('one that could not leave in time is denied order by order', () => {
  const rig = new GateRig({
    gate: { cancelDeadlineMs: 1 },
    budgets: { spotOrderPath: { rate: 1, burst: 0 }, mode: 'window' },
  });
  rig.cancel('gw-r1-maker-0000d' as ClientOrderId);
  cancel(rig, 0, 3);
  rig.clock.advance(millis(5));
  expect(rig.denials.map(({ clientOrderId }) => clientOrderId)).toEqual(ids);
  expect(rig.denialCodes).toEqual(['BUDGET_DEADLINE', 'BUDGET_DEADLINE', 'BUDGET_DEADLINE']);
});

test('one for which there is no room is denied order by order', () => {
  const rig = new GateRig({
    gate: { queueMax: 1 },
    budgets: { spotOrderPath: { rate: 1, burst: 0 }, mode: 'window' },
  });
  rig.cancel('gw-r1-maker-0000d' as ClientOrderId);
  rig.cancel('gw-r1-maker-0000e' as ClientOrderId);
  cancel(rig, 0, 3);
  expect(rig.denials.map(({ clientOrderId }) => clientOrderId)).toEqual(ids);
  expect(rig.denialCodes).toEqual(['GATE_OVERFLOW', 'GATE_OVERFLOW', 'GATE_OVERFLOW']);
});
