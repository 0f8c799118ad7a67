import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Lots } from '../../src/core/model/instrument.ts';
import { logModel, powerModel, queueModelOf } from '../../src/sim/queue-model.ts';
import { isNext, queueRuleNames, queueRuleOf, reached } from '../../src/sim/fill-models/queue/position.ts';

const lots = (count: number) => count as Lots;

describe('an estimated place in a queue', () => {
  test('risk-averse: trades move it, a shrunk level caps it', () => {
    const rule = queueRuleOf('risk-averse', 1, 1);
    const place = { ahead: 10, traded: 0 };
    rule.trade(place, 4);
    rule.change(place, 20, 16);
    expect(place.ahead).toBe(6);
    rule.change(place, 16, 5);
    expect(place.ahead).toBe(5);
  });

  test('probability-power: cancels come from ahead with the chance of what stands there', () => {
    const rule = queueRuleOf('probability-power', 1, 1);
    const place = { ahead: 30, traded: 0 };
    // 10 ahead of 40 behind: 30 of 40, so three quarters of what left stood ahead.
    rule.change(place, 40, 36);
    expect(place.ahead).toBeCloseTo(27, 9);
  });

  test('what was traded is not counted again when the level reports it', () => {
    const rule = queueRuleOf('probability-power', 3, 1);
    const place = { ahead: 30, traded: 0 };
    rule.trade(place, 5);
    rule.change(place, 40, 35);
    expect(place).toEqual({ ahead: 25, traded: 0 });
  });

  test('probability-log is nearer to halves than the quantities are', () => {
    const rule = queueRuleOf('probability-log', 1, 1);
    const place = { ahead: 30, traded: 0 };
    rule.change(place, 40, 36);
    expect(place.ahead).toBeGreaterThan(27);
    expect(place.ahead).toBeLessThan(28);
  });

  test('a logarithm is that of a quantity, whatever a lot is', () => {
    const places = ([1, 0.001] as const).map((lot) => {
      const place = { ahead: 30 / lot, traded: 0 };
      queueRuleOf('probability-log', 1, lot).change(place, 40 / lot, 36 / lot);
      return place.ahead * lot;
    });
    expect(places[1]).toBeCloseTo(places[0] as number, 9);
    const model = ([1, 0.001] as const).map((lot) =>
      logModel(lot).ahead(lots(100 / lot), lots(30 / lot), lots(10 / lot)),
    );
    expect(Math.floor((model[1] as number) / 1_000)).toBe(model[0]);
  });

  test('what stands behind is weighed against what stands ahead, or against all', () => {
    const left = (name: Parameters<typeof queueRuleOf>[0], power: number): number => {
      const place = { ahead: 30, traded: 0 };
      queueRuleOf(name, power, 1).change(place, 40, 36);
      return 30 - place.ahead;
    };
    // Of 4 lots that left: 10 of 40 stand behind.
    expect(left('probability-power', 2)).toBeCloseTo(4 * (1 - 100 / (100 + 900)), 9);
    expect(left('probability-power-2', 2)).toBeCloseTo(4 * (1 - 100 / 1_600), 9);
    expect(left('probability-power-3', 2)).toBeCloseTo(4 * (30 / 40) ** 2, 9);
    expect(left('probability-log', 2)).toBeCloseTo(4 * (1 - Math.log(11) / (Math.log(11) + Math.log(31))), 9);
    expect(left('probability-log-2', 2)).toBeCloseTo(4 * (1 - Math.log(11) / Math.log(41)), 9);
  });

  test('an estimate that is no number is the whole level', () => {
    const place = { ahead: -0.4, traded: 0 };
    queueRuleOf('probability-power', 0.5, 1).change(place, 40, 36);
    expect(place.ahead).toBe(36);
  });

  test('only whole lots beyond the queue are ours', () => {
    expect([0.4, 0, -0.4, -0.6, -1, -2.7].map((ahead) => reached({ ahead, traded: 0 }))).toEqual([
      0, 0, 0, 0, 1, 2,
    ]);
  });

  test('an order that fills whole is next when, to the nearest lot, less than nothing stands ahead', () => {
    const next = [0.4, 0, -0.4, -0.5, -0.9, -3].map((ahead) => isNext({ ahead, traded: 0 }));
    expect(next).toEqual([false, false, false, true, true, true]);
  });

  test('whatever happens, no rule puts an order behind more than stands there, and only a chance may move one back that had its turn', () => {
    const step = fc.record({ trade: fc.boolean(), lots: fc.integer({ min: 0, max: 50 }) });
    fc.assert(
      fc.property(fc.constantFrom(...queueRuleNames), fc.array(step, { maxLength: 40 }), (name, steps) => {
        const rule = queueRuleOf(name, 3, 0.001);
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
          if (name === 'risk-averse' || before >= 0) expect(place.ahead).toBeLessThanOrEqual(before);
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
    expect(logModel(1).ahead(lots(100), lots(30), lots(10))).toBe(58);
  });

  test('each name gives its model', () => {
    expect(queueModelOf('conservative', 3, 1).ahead(lots(4), lots(30), lots(10))).toBe(0);
    expect(queueModelOf('proportional', 3, 1).ahead(lots(4), lots(30), lots(10))).toBe(3);
    expect(queueModelOf('power', 1, 1).ahead(lots(4), lots(30), lots(10))).toBe(3);
    expect(queueModelOf('log', 1, 1).ahead(lots(100), lots(30), lots(10))).toBe(58);
  });
});
