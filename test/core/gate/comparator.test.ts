import { describe, expect, test } from 'vitest';
import { millis } from '../../../src/core/base/clock.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import { Door, someId } from './support/door.ts';

describe('the comparator at the last hop', () => {
  test.each([
    ['price', { price: 98 as Ticks }],
    ['quantity', { quantity: 1_000 as Lots }],
    ['side', { side: 'sell' as const }],
    ['time in force', { timeInForce: 'IOC' as const }],
    ['post-only', { postOnly: true }],
  ])('denies an order whose %s is not what was asked for, and halts', (_what, changes) => {
    const door = new Door();
    door.order(changes);
    expect(door.sentIds).toEqual([]);
    expect(door.denialCodes).toEqual(['COMPARATOR']);
    expect(door.state.mode).toBe('halted');
    door.order();
    expect(door.denialCodes).toEqual(['COMPARATOR', 'MODE_HALTED']);
  });

  test('denies an order that no intent asked for', () => {
    const door = new Door();
    door.pendingOrder(door.request());
    expect(door.denialCodes).toEqual(['COMPARATOR']);
    expect(door.published).toContainEqual(
      expect.objectContaining({ kind: 'modeChanged', mode: 'halted', latched: true }),
    );
  });

  test('denies an order that already left: an intent is sent once', () => {
    const door = new Door();
    const request = door.request();
    door.order();
    const { clock } = door;
    clock.advance(millis(10));
    // The verdict comes a second time, under another command id.
    const again = { kind: 'newOrder', commandId: 99, strategy: 'maker', request } as const;
    door.gate.observe({ kind: 'orderPending', command: again, ...door.times });
    expect(door.sentIds).toEqual([1]);
    expect(door.denialCodes).toEqual(['COMPARATOR']);
  });

  test('gives the budget of a denied order back', () => {
    const door = new Door();
    door.order({ price: 98 as Ticks });
    expect(door.denials[0]?.clientOrderId).toBe(someId);
    expect(door.gate.waiting.inFlight).toBe(0);
  });
});
