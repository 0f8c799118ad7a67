import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BadInput } from '../../../src/core/base/errors.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import { denialCodes } from '../../../src/core/model/denial.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import type { InstrumentId, Lots } from '../../../src/core/model/instrument.ts';
import type { OrderRequest } from '../../../src/core/model/order.ts';
import {
  controlTable,
  judgeCandidate,
  rememberedStates,
  ruleKinds,
  ruleWays,
} from '../../../src/core/orders/controls/table.ts';
import { Memory } from '../../../src/core/orders/base/memory.ts';
import type { StrategyMemory } from '../../../src/core/orders/base/memory.ts';
import { strategyLimits } from '../../../src/core/orders/base/options.ts';
import { liveLimits, orderOptions } from '../../../src/core/orders/options.ts';
import { specs, start, World } from './support/world.ts';

const entry = (name: string, tag?: string) => ({
  name,
  ...(tag === undefined ? {} : { tag }),
  declared: [0, 1].map((id) => id as InstrumentId),
  limits: strategyLimits.parse({}),
});

function memory(options: object = {}, strategies = [entry('maker')]): Memory {
  return new Memory({
    states: rememberedStates,
    instruments: new Instruments(specs),
    options: orderOptions.parse(options),
    clock: new VirtualClock(start),
    run: 'r1',
    strategies,
  });
}

/** A request that throws when one of its fields is read. */
function failingAt(request: OrderRequest, field: string): OrderRequest {
  const get = (): never => {
    throw new Error(`nobody may read ${field}`);
  };
  return Object.defineProperty({ ...request }, field, { get });
}

describe('the table of controls', () => {
  const world = new World();
  const remembered = memory();
  const strategy = remembered.strategies.get('maker');
  if (strategy === undefined) throw new Error('no strategy');
  const request = world.request();
  const instrument = world.instrument();
  const candidate = { strategy, instrument, request, lots: 10 as Lots, replaces: undefined };

  test('a control that throws denies with the code of its row', () => {
    for (const { code } of controlTable) {
      const control = (): never => {
        throw new Error('a bug');
      };
      const denial = judgeCandidate(candidate, world.state, remembered, [{ control, code }]);
      expect(denial).toEqual({ code, why: 'the control failed: a bug' });
    }
  });

  test('controls after the first denial are not asked', () => {
    const asked: string[] = [];
    const denial = judgeCandidate(candidate, world.state, remembered, [
      { control: () => void asked.push('first'), code: 'FUNDS' },
      { control: () => ({ code: 'FUNDS', why: 'second' }), code: 'FUNDS' },
      { control: () => void asked.push('third'), code: 'FUNDS' },
    ]);
    expect(denial?.why).toBe('second');
    expect(asked).toEqual(['first']);
  });

  test('asked in one go they answer as asked row by row, a failing one included', () => {
    const rows = [...controlTable];
    const oneOf = (...values: readonly unknown[]) => fc.constantFrom(...values);
    const asked = fc.record({
      type: oneOf('limit', 'market', 'stopLimit', 'stopMarket', 'nonsense'),
      side: oneOf('buy', 'sell', 'both'),
      timeInForce: oneOf('GTC', 'IOC', 'FOK', 'Day', 'GTD', 'never'),
      quantity: oneOf(10, 0, -1, 1.5, 1_000_000_000, '10'),
      price: oneOf(10_000, 10_001, 9_000, 20_000, 2 ** 52, 0, 0.5, undefined),
      stopPrice: oneOf(undefined, undefined, 10_000, 12_000, 0),
      expireTime: oneOf(undefined, undefined, start + 1, start - 1),
      postOnly: fc.boolean(),
    });
    const settings = fc.record({
      fails: fc.constantFrom(undefined, undefined, 'timeInForce', 'expireTime', 'side'),
      live: fc.boolean(),
      reconciled: fc.boolean(),
      positionMax: oneOf(undefined, '0.5', '5'),
      exposureMax: oneOf(undefined, '10', '100000'),
    });
    fc.assert(
      fc.property(asked, settings, (fields, { fails, live, reconciled, positionMax, exposureMax }) => {
        const judged = memory({
          limits: { '*': positionMax === undefined ? {} : { positionMax } },
          exposureMax: exposureMax === undefined ? {} : { BBB: exposureMax },
        });
        judged.reconciled = reconciled;
        const owner = judged.strategies.get('maker');
        const { state } = live ? world : new World({ ready: false });
        const wild = { ...request, ...fields } as unknown as OrderRequest;
        const wanted = fails === undefined ? wild : failingAt(wild, fails);
        const one = { ...candidate, strategy: owner as StrategyMemory, request: wanted };
        expect(judgeCandidate(one, state, judged)).toEqual(judgeCandidate(one, state, judged, rows));
      }),
      { numRuns: 2_000 },
    );
  });

  test('every setting of a rule is an option of orders, is taken over while a run goes on, and stands in docs/errors.md', () => {
    const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8');
    const names = Object.keys(ruleKinds);
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) {
      expect(orderOptions.shape).toHaveProperty(name);
      expect(liveLimits.orders).toContain(name);
      expect(ruleWays[name]).toMatch(/^(more|less)$/);
      expect(page).toMatch(new RegExp(`orders\\.${name}\\b`));
    }
  });

  test('every row names a known code', () => {
    for (const { code } of controlTable) expect(denialCodes).toContain(code);
  });
});

describe('options', () => {
  test('defaults stand on their own, unknown keys are refused', () => {
    expect(orderOptions.parse({}).reconcile.absentMs).toBe(90_000);
    expect(() => orderOptions.parse({ colarPercent: 5 })).toThrow();
    for (const text of ['1e', '-1e3', '1e99', 'NaN'])
      expect(() => orderOptions.parse({ limits: { AAABBB: { quantityMax: text } } })).toThrow();
    // Text of decimal libraries is written out.
    const { limits } = orderOptions.parse({
      limits: { AAABBB: { quantityMax: '1e3', positionMax: '1E-7' } },
    });
    expect(limits['AAABBB']).toEqual({ quantityMax: '1000', positionMax: '0.0000001' });
    expect(() => orderOptions.parse({ openOrdersSymbolMax: 2_001 })).toThrow();
  });

  test('limits of an unknown symbol, or missing where they are required, refuse the start', () => {
    expect(() => memory({ limits: { NOPE: {} } })).toThrow(BadInput);
    expect(() => memory({ symbols: ['NOPE'] })).toThrow(BadInput);
    expect(() => memory({ requireLimits: true })).toThrow(/AAABBB.*quantityMax/);
    const limits = { '*': { quantityMax: '1', notionalMax: '100', positionMax: '2' } };
    expect(memory({ requireLimits: true, limits }).instruments[1]?.quantityMax).toBe(10);
  });

  test('a limit between two lots is cut down', () => {
    expect(memory({ limits: { AAABBB: { quantityMax: '1.29' } } }).instruments[0]?.quantityMax).toBe(12);
  });

  test('two strategies may not share a name or an id tag', () => {
    expect(() => memory({}, [entry('maker'), entry('maker')])).toThrow(/listed twice/);
    expect(() => memory({}, [entry('maker-1'), entry('maker1')])).toThrow(/share the order id tag/);
    expect(() => memory({}, [entry('maker', 'too-long-tag')])).toThrow(/tag of 1 to 8/);
    expect(memory({}, [entry('maker-1'), entry('maker1', 'm1')]).strategies.size).toBe(2);
  });
});
