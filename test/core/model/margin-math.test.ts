import { expect, test } from 'vitest';
import { parseAmount } from '../../../src/core/base/amount.ts';
import type { InstrumentId, InstrumentSpec, Lots, Ticks } from '../../../src/core/model/instrument.ts';
import { Instrument } from '../../../src/core/model/instrument.ts';
import { boundaryPrice, resultAt } from '../../../src/core/model/margin-math.ts';

const spec: InstrumentSpec = {
  symbol: 'AAABBB_PERP',
  type: 'futures',
  baseCurrency: 'AAA',
  quoteCurrency: 'BBB',
  feeCurrency: 'BBB',
  tickSize: '0.01',
  quantityIncrement: '0.1',
  takeRate: '0.002',
  makeRate: '0.001',
  status: 'working',
  marginTrading: false,
};

/** Where ten lots, bought at 100.00 with a tenth of their worth as margin, are liquidated. */
function liquidationOf(contractSize: string): Ticks | undefined {
  const instrument = new Instrument(0 as InstrumentId, { ...spec, contractSize });
  const cost = instrument.notional(10_000 as Ticks, 10 as Lots);
  return boundaryPrice({
    instrument,
    quantity: 10 as Lots,
    cost,
    margin: (cost / 10n) as typeof cost,
    terms: { leverage: parseAmount('10'), takeRate: instrument.takeRate },
    multiplier: parseAmount('2'),
  });
}

test('what one contract stands for does not move the price at which a position is liquidated', () => {
  // (100 - 10) / (1 - 1/20 - 0.002) = 94.93
  expect(liquidationOf('1')).toBe(9_493);
  expect(liquidationOf('50')).toBe(9_493);
  expect(liquidationOf('0.001')).toBe(9_493);
});

test('the result of a short position is what it brought less what it is worth', () => {
  const instrument = new Instrument(0 as InstrumentId, spec);
  expect(resultAt(instrument, -10 as Lots, parseAmount('100'), 9_000 as Ticks)).toBe(parseAmount('10'));
});
