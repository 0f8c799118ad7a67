import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Lots } from '../../src/model/instrument.ts';
import { logModel, powerModel, queueModelOf } from '../../src/sim/queue-model.ts';
import { queueRuleNames, queueRuleOf, reached } from '../../src/sim/queue-position.ts';

const lots = (count: number) => count as Lots;

describe('an estimated place in a queue', () => {
  test('risk-averse: trades move it, a shrunk level caps it', () => {
    const rule = queueRuleOf('risk-averse', 1);
    const place = { ahead: 10, traded: 0 };
    rule.trade(place, 4);
    rule.change(place, 20, 16);
    expect(place.ahead).toBe(6);
    rule.change(place, 16, 5);
    expect(place.ahead).toBe(5);
  });

  test('probability-power: cancels come from ahead with the chance of what stands there', () => {
    const rule = queueRuleOf('probability-power', 1);
    const place = { ahead: 30, traded: 0 };
    // 10 ahead of 40 behind: 30 of 40, so three quarters of what left stood ahead.
    rule.change(place, 40, 36);
    expect(place.ahead).toBeCloseTo(27, 9);
  });

  test('what was traded is not counted again when the level tells of it', () => {
    const rule = queueRuleOf('probability-power', 3);
    const place = { ahead: 30, traded: 0 };
    rule.trade(place, 5);
    rule.change(place, 40, 35);
    expect(place).toEqual({ ahead: 25, traded: 0 });
  });

  test('probability-log is nearer to halves than the quantities are', () => {
    const rule = queueRuleOf('probability-log', 1);
    const place = { ahead: 30, traded: 0 };
    rule.change(place, 40, 36);
    expect(place.ahead).toBeGreaterThan(27);
    expect(place.ahead).toBeLessThan(28);
  });

  test('only whole lots beyond the queue are ours', () => {
    expect([0.4, 0, -0.4, -0.6, -1, -2.7].map((ahead) => reached({ ahead, traded: 0 }))).toEqual([
      0, 0, 0, 0, 1, 2,
    ]);
  });

  test('whatever happens, no rule moves an order back, or behind more than stands there', () => {
    const step = fc.record({ trade: fc.boolean(), lots: fc.integer({ min: 0, max: 50 }) });
    fc.assert(
      fc.property(fc.constantFrom(...queueRuleNames), fc.array(step, { maxLength: 40 }), (name, steps) => {
        const rule = queueRuleOf(name, 3);
        const place = { ahead: 40, traded: 0 };
        let standing = 40;
        for (const one of steps) {
          const before = place.ahead;
          if (one.trade) rule.trade(place, one.lots);
          else {
            rule.change(place, standing, one.lots);
            standing = one.lots;
            expect(place.ahead).toBeLessThanOrEqual(standing);
          }
          expect(place.ahead).toBeLessThanOrEqual(before);
        }
      }),
      { seed: 20_240_719 },
    );
  });
});

describe('where cancelled quantity stood among recorded orders', () => {
  test('the power model is proportional at 1 and takes from the longer end above', () => {
    expect(powerModel(1).ahead(lots(4), lots(30), lots(10))).toBe(3);
    expect(powerModel(3).ahead(lots(100), lots(30), lots(10))).toBe(96);
    expect(powerModel(3).ahead(lots(4), lots(0), lots(0))).toBe(0);
  });

  test('the log model is nearer to halves', () => {
    expect(logModel.ahead(lots(100), lots(30), lots(10))).toBe(58);
  });

  test('each name gives its model', () => {
    expect(queueModelOf('conservative', 3).ahead(lots(4), lots(30), lots(10))).toBe(0);
    expect(queueModelOf('proportional', 3).ahead(lots(4), lots(30), lots(10))).toBe(3);
    expect(queueModelOf('power', 1).ahead(lots(4), lots(30), lots(10))).toBe(3);
    expect(queueModelOf('log', 1)).toBe(logModel);
  });
});
