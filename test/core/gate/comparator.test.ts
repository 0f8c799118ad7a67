import { describe, expect, test } from 'vitest';
import { millis } from '../../../src/core/base/clock.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import { GateRig, someId } from './support/rig.ts';

describe('the comparator at the last hop', () => {
  test.each([
    ['price', { price: 98 as Ticks }],
    ['quantity', { quantity: 1_000 as Lots }],
    ['side', { side: 'sell' as const }],
    ['time in force', { timeInForce: 'IOC' as const }],
    ['post-only', { postOnly: true }],
  ])('denies an order whose %s is not what was asked for, and halts', (_what, changes) => {
    const rig = new GateRig();
    rig.order(changes);
    expect(rig.sentIds).toEqual([]);
    expect(rig.denialCodes).toEqual(['COMPARATOR']);
    expect(rig.state.mode).toBe('halted');
    rig.order();
    expect(rig.denialCodes).toEqual(['COMPARATOR', 'MODE_HALTED']);
  });

  test('denies an order that no intent asked for', () => {
    const rig = new GateRig();
    rig.pendingOrder(rig.request());
    expect(rig.denialCodes).toEqual(['COMPARATOR']);
    expect(rig.published).toContainEqual(
      expect.objectContaining({ kind: 'modeChanged', mode: 'halted', latched: true }),
    );
  });

  test('denies an order that already left: an intent is sent once', () => {
    const rig = new GateRig();
    const request = rig.request();
    rig.order();
    const { clock } = rig;
    clock.advance(millis(10));
    // The verdict comes a second time, under another command id.
    const again = { kind: 'newOrder', commandId: 99, strategy: 'maker', request } as const;
    rig.gate.observe({ kind: 'orderPending', command: again, ...rig.times });
    expect(rig.sentIds).toEqual([1]);
    expect(rig.denialCodes).toEqual(['COMPARATOR']);
  });

  test('gives the budget of a denied order back', () => {
    const rig = new GateRig();
    rig.order({ price: 98 as Ticks });
    expect(rig.denials[0]?.clientOrderId).toBe(someId);
    expect(rig.gate.waiting.inFlight).toBe(0);
  });
});
