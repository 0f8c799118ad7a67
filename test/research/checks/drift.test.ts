import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Amount } from '../../../src/core/base/amount.ts';
import { parseAmount, zero } from '../../../src/core/base/amount.ts';
import type { InstrumentId, Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { DriftSides } from '../../../src/research/checks/drift.ts';
import { attributeDrift, driftScore } from '../../../src/research/checks/drift.ts';
import type { DriftFill } from '../../../src/research/checks/drift-fills.ts';
import { pairFills, fillsProfit } from '../../../src/research/checks/drift-fills.ts';
import { oneMarket } from '../../support/markets.ts';

const instruments = oneMarket({ tickSize: '0.01', quantityIncrement: '0.001' });
const instrument = 0 as InstrumentId;
const marks = new Map([[instrument, 2_001]]);

function fill(change: Partial<Record<keyof DriftFill, unknown>> = {}): DriftFill {
  return {
    instrument,
    side: 'buy',
    price: 1_000 as Ticks,
    quantity: 10 as Lots,
    fee: parseAmount('0.0001'),
    taker: true,
    time: 1_000_000,
    ...change,
  } as DriftFill;
}

function causesOf(change: Partial<DriftSides>): Record<string, Amount> {
  const one = [fill()];
  const sides = { live: one, configured: one, timed: one, charged: one, missing: [], departed: undefined };
  const { currencies } = attributeDrift({ instruments, marks, ...sides, ...change });
  const [first] = currencies;
  const entries = [...(first?.causes ?? [])].filter(([, amount]) => amount !== zero);
  return Object.fromEntries(entries);
}

describe('each difference goes to its cause', () => {
  const other = [fill({ price: 1_005 })];
  const none: readonly DriftFill[] = [];

  test('none where all sides are alike', () => expect(causesOf({})).toEqual({}));
  test('latency: what changed with the latencies of the session', () =>
    expect(Object.keys(causesOf({ configured: other, charged: other }))).toEqual(['latency']));
  test('fee: what changed with its fee rates', () => {
    const dear = [fill({ fee: parseAmount('0.0003') })];
    expect(causesOf({ configured: dear })).toEqual({ fee: parseAmount('0.0002') });
  });
  test('rounding: the same fill at the same rate, and another last digit of the fee', () =>
    expect(causesOf({ live: [fill({ fee: parseAmount('0.00011') })] })).toEqual({
      rounding: parseAmount('-0.00001'),
    }));
  test('queue: a fill that only one side made', () =>
    expect(Object.keys(causesOf({ live: none }))).toEqual(['queue']));
  test('missing data: the same in a time the recording does not cover', () =>
    expect(
      Object.keys(
        causesOf({
          charged: none,
          timed: none,
          configured: none,
          missing: [{ instrument, from: 1, to: 2e6 }],
        }),
      ),
    ).toEqual(['missing data']));
  test('nondeterminism: the same after the replay took another course', () =>
    expect(Object.keys(causesOf({ live: none, departed: 1 }))).toEqual(['nondeterminism']));
});

test('the causes add up to the difference, to the last digit, and no quantity is lost in pairing', () => {
  const fills = fc.array(
    fc
      .record({
        side: fc.constantFrom('buy', 'sell'),
        price: fc.integer({ min: 998, max: 1_002 }),
        quantity: fc.integer({ min: 1, max: 30 }),
        fee: fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
        taker: fc.boolean(),
        time: fc.integer({ min: 0, max: 20_000_000 }),
      })
      .map((change) => fill(change)),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(
      fills,
      fills,
      fills,
      fills,
      fc.integer({ min: 0, max: 2e7 }),
      (live, configured, timed, charged, at) => {
        const missing = [{ instrument: 0, from: at, to: at + 3e6 }];
        const drift = attributeDrift({
          instruments,
          marks,
          live,
          configured,
          timed,
          charged,
          missing,
          departed: at,
        });
        const total = fillsProfit(live, instruments, marks) - fillsProfit(configured, instruments, marks);
        const received = drift.currencies.flatMap(({ causes }) => [...causes.values()]);
        expect(received.reduce((sum, amount) => sum + amount, 0n)).toBe(total);
        const lots = (side: readonly (DriftFill | undefined)[]) =>
          side.reduce((sum, one) => sum + (one?.quantity ?? 0), 0);
        const pairs = pairFills(live, timed);
        expect(lots(pairs.map((pair) => pair.live))).toBe(lots(live));
        expect(lots(pairs.map((pair) => pair.simulated))).toBe(lots(timed));
      },
    ),
  );
});

describe('the score', () => {
  const currencies = (total: string, traded: string, currency = 'BTC') => ({
    currencies: [
      {
        currency,
        live: zero,
        simulated: zero,
        total: parseAmount(total),
        traded: parseAmount(traded),
        causes: new Map(),
      },
    ],
  });

  test('is the difference as a share of what was traded, of the worst currency', () => {
    expect(driftScore([])).toBe(0);
    expect(driftScore([currencies('0', '0')])).toBe(0);
    expect(driftScore([currencies('-0.002', '4')])).toBe(0.0005);
    expect(driftScore([currencies('0.001', '2'), currencies('9', '1000', 'USDT')])).toBe(0.009);
  });

  test('of several sessions: their differences do not cancel each other', () => {
    expect(driftScore([currencies('0.001', '1'), currencies('-0.001', '3')])).toBe(0.0005);
  });

  test('counts what was traded on the side that traded more', () => {
    const one = [fill()];
    const sides = { charged: one, timed: one, missing: [], departed: undefined, instruments, marks };
    const traded = attributeDrift({ ...sides, live: [], configured: one }).currencies[0]?.traded;
    expect(traded).toBe(instruments.at(instrument).notional(1_000 as Ticks, 10 as Lots));
    expect(attributeDrift({ ...sides, live: [...one, ...one], configured: one }).currencies[0]?.traded).toBe(
      (traded ?? zero) * 2n,
    );
  });
});
