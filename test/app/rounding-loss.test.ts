import { expect, test } from 'vitest';
import { slipRounding } from '../../src/app/backtest/bar-run.ts';
import type { Amount } from '../../src/core/base/amount.ts';
import { formatAmount, parseAmount } from '../../src/core/base/amount.ts';
import type { Micros } from '../../src/core/base/clock.ts';
import type { Lots, Ticks } from '../../src/core/model/instrument.ts';
import { SessionHolding } from '../../src/research/report/fold/holdings.ts';
import type { BarFill } from '../../src/sim/fill-models/bars/engine.ts';
import { oneMarket } from '../support/markets.ts';

const instruments = oneMarket({ tickSize: '0.01', quantityIncrement: '0.001', takeRate: '0.0025' });
const [instrument] = instruments.all as [(typeof instruments.all)[number]];
let trades = 0;
const fill = (price: number, quantity: number, fee: string) => ({
  tradeId: String((trades += 1)),
  price: price as Ticks,
  quantity: quantity as Lots,
  fee: parseAmount(fee),
  taker: true,
  time: 0 as Micros,
});
const feeRounding = (...fills: readonly ReturnType<typeof fill>[]): string => {
  const holding = new SessionHolding(instrument);
  for (const one of fills) holding.book(one, 'buy');
  return formatAmount(holding.feeRounding);
};

test('a fee that was rounded at the venue costs the difference to the exact one', () => {
  // 100.01 x 0.123 x 0.25 % is 0.030753075.
  expect(feeRounding(fill(10_001, 123, '0.030753075'))).toBe('0');
  expect(feeRounding(fill(10_001, 123, '0.03075308'))).toBe('0.000000005');
  expect(feeRounding(fill(10_001, 123, '0.03075307'))).toBe('-0.000000005');
  expect(feeRounding(fill(10_001, 123, '0.03075308'), fill(10_001, 123, '0.03075308'))).toBe('0.00000001');
});

test('a fee of another rate is no rounding, and nor is none at all', () => {
  expect(feeRounding(fill(10_001, 123, '0.02'), fill(10_001, 123, '0.03075308'))).not.toContain('0.0107');
  expect(feeRounding(fill(10_001, 123, '0.01230123'))).toBe('0');
  expect(feeRounding(fill(10_001, 123, '0'))).toBe('0');
});

test('a slipped price costs what it goes on to the next tick', () => {
  const slipped = (price: number): BarFill =>
    ({ ...fill(price, 2_000, '0'), instrument, side: 'buy', request: {} }) as unknown as BarFill;
  const slippage = parseAmount('0.0001') as Amount;
  // 0.01 % of 100.01 is 0.010001: two ticks, of which 0.009999 is rounding, of 2 units.
  expect(formatAmount(slipRounding(slipped(10_003), 10_001, slippage))).toBe('0.019998');
  expect(formatAmount(slipRounding(slipped(10_001), 10_001, slippage))).toBe('0');
});
