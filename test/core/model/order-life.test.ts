import { describe, expect, test } from 'vitest';
import type { OrderHappening } from '../../../src/core/model/order-life.ts';
import { isTerminal, mayBeLive, orderLife } from '../../../src/core/model/order-life.ts';
import type { OrderState } from '../../../src/core/model/order.ts';

const states = Object.keys(orderLife) as OrderState[];
const marketData: OrderHappening[] = ['new', 'suspended', 'partiallyFilled', 'filled', 'canceled', 'expired'];

describe('the life of an order', () => {
  test('covers every state and every happening', () => {
    expect(states).toHaveLength(10);
    for (const state of states) expect(Object.keys(orderLife[state])).toHaveLength(10);
  });

  test('never leaves a terminal state', () => {
    for (const state of states.filter(isTerminal)) {
      for (const next of Object.values(orderLife[state])) expect(['stay', 'violation']).toContain(next);
    }
  });

  test('a fact about an order we called dead is a violation', () => {
    for (const data of marketData) {
      expect(orderLife.denied[data]).toBe('violation');
      expect(orderLife.rejected[data]).toBe('violation');
    }
  });

  test('unknown ends by evidence only: silence changes nothing', () => {
    expect(orderLife.unknown.unanswered).toBe('stay');
    for (const data of marketData) expect(orderLife.unknown[data]).toBe(data);
    expect(orderLife.pending.unanswered).toBe('unknown');
  });

  test('every state that is not terminal counts as live', () => {
    expect(states.filter(mayBeLive).sort()).toEqual([
      'new',
      'partiallyFilled',
      'pending',
      'suspended',
      'unknown',
    ]);
  });
});
