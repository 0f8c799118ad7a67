import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatAmount, parseAmount } from '../../../src/core/base/amount.ts';
import { Decimal } from '../../../src/core/base/decimal.ts';
import { BadInput } from '../../../src/core/base/errors.ts';
import type { InstrumentSpec, Lots, Ticks } from '../../../src/core/model/instrument.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';

const spec: InstrumentSpec = {
  symbol: 'ETHBTC',
  type: 'spot',
  baseCurrency: 'ETH',
  quoteCurrency: 'BTC',
  feeCurrency: 'BTC',
  tickSize: '0.000001',
  quantityIncrement: '0.0001',
  takeRate: '0.0025',
  makeRate: '0.001',
  status: 'working',
  marginTrading: false,
};

describe('an instrument', () => {
  const [ethbtc, half] = new Instruments([
    spec,
    { ...spec, symbol: 'HALF', tickSize: '0.05', quantityIncrement: '5' },
  ]).all as [ReturnType<Instruments['at']>, ReturnType<Instruments['at']>];

  test('converts text to ticks and lots and back', () => {
    expect(ethbtc.ticks('0.053120')).toBe(53_120);
    expect(ethbtc.priceText(53_120 as Ticks)).toBe('0.053120');
    expect(half.ticks('1.15')).toBe(23);
    expect(half.priceText(23 as Ticks)).toBe('1.15');
    expect(half.lots('25')).toBe(5);
    expect(half.quantityText(5 as Lots)).toBe('25');
  });

  test('speaks its rounding aloud, and refuses to round in silence', () => {
    expect(ethbtc.ticks('0.0531239', 'down')).toBe(53_123);
    expect(ethbtc.ticks('0.0531231', 'up')).toBe(53_124);
    expect(ethbtc.ticks('0.0531235', 'nearest')).toBe(53_124);
    expect(() => ethbtc.ticks('0.0531239')).toThrow(
      'expected the price of ETHBTC to be a multiple of 0.000001, found 0.0531239',
    );
    expect(() => half.ticks('1.17')).toThrow(BadInput);
    expect(half.readTicks('1.17')).toBeNaN();
    expect(half.readLots('7')).toBeNaN();
  });

  test('takes units on the grid alone, up to the largest whole number', () => {
    const { tickSize } = half.spec;
    const step = Math.round(Number(tickSize) * 10 ** half.priceDecimals);
    expect(step).toBeGreaterThan(1);
    const largest = Number.MAX_SAFE_INTEGER - (Number.MAX_SAFE_INTEGER % step);
    for (const units of [0, step, 12_345 * step, largest - 7 * step, largest]) {
      expect(half.ticksOfUnits(units)).toBe(units / step);
      for (let off = 1; off < step; off++) expect(half.ticksOfUnits(units - off)).toBeNaN();
    }
  });

  test.each([
    ['1e-5', 10],
    ['1E-5', 10],
    ['1.50e-05', 15],
    ['2e+1', 20_000_000],
    ['53.12e-3', 53_120],
  ])('takes %s as its exact value', (text, ticks) => {
    expect(ethbtc.ticks(text)).toBe(ticks);
    expect(ethbtc.ticks(new Decimal(text))).toBe(ticks);
    expect(ethbtc.ticks(text, 'down')).toBe(ticks);
    // Messages of a venue are read as they come.
    expect(ethbtc.readTicks(text)).toBeNaN();
  });

  test.each([
    '-1',
    '-1e-5',
    '1e-7',
    '1e99',
    '1e999',
    '1e',
    'e-5',
    '1e-5x',
    'NaN',
    'Infinity',
    '',
    '0x10',
    '1,5',
  ])('refuses %j as a price', (text) => {
    expect(() => ethbtc.ticks(text)).toThrow(BadInput);
    expect(ethbtc.readTicks(text)).toBeNaN();
  });

  test('multiplies exactly', () => {
    expect(formatAmount(ethbtc.notional(103_569 as Ticks, 550_000 as Lots))).toBe('5.696295');
    expect(formatAmount(ethbtc.fee(103_569 as Ticks, 550_000 as Lots, parseAmount('0.0025')))).toBe(
      '0.0142407375',
    );
  });

  test('takes no fee in a third currency for one in quote currency, and prints what is held to its last digit', () => {
    const third = new Instruments([{ ...spec, feeCurrency: 'FEE' }]).get('ETHBTC');
    expect(third.feesInThird).toBe(true);
    expect(formatAmount(third.feeInQuote(parseAmount('3'), 103_569 as Ticks))).toBe('0');
    expect(third.heldText(third.quantityAmount(-70 as Lots))).toBe(third.quantityText(-70 as Lots));
    expect(third.heldText(parseAmount('-0.000000012345'))).toBe('-0.000000012345');
  });

  test('reads back every price it prints', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 40), (value) => {
        for (const instrument of [ethbtc, half]) {
          expect(instrument.readTicks(instrument.priceText(value as Ticks))).toBe(value);
          expect(instrument.readLots(instrument.quantityText(value as Lots))).toBe(value);
          expect(instrument.ticks(instrument.priceText(value as Ticks))).toBe(value);
        }
      }),
    );
  });

  test('is refused with a grid that is none', () => {
    expect(() => new Instruments([{ ...spec, tickSize: '0' }])).toThrow('symbol ETHBTC: expected tick size');
    expect(() => new Instruments([{ ...spec, quantityIncrement: '1e-8' }])).toThrow(BadInput);
    expect(() => new Instruments([spec, spec])).toThrow('listed twice');
  });
});
