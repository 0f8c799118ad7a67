import { describe, expect, test } from 'vitest';
import { formatAmount } from '../../../../../src/core/base/amount.ts';
import { BadInput } from '../../../../../src/core/base/errors.ts';
import { OwnRows } from '../../../../../src/venues/hitbtc/client/account/own-rows.ts';
import { twoInstruments } from '../support/instruments.ts';

function rows(traded: readonly string[] = ['AAA', 'BBB']) {
  const noted: string[] = [];
  const own = new OwnRows({
    instruments: twoInstruments(),
    isTraded: (currency) => traded.includes(currency),
    onSkipped: (_what, why) => noted.push(why),
  });
  return { own, noted };
}

const row = (currency: string, available: unknown, reserved: unknown = '0') => ({
  currency,
  available,
  reserved,
});

describe('balances', () => {
  test.each(['1E-8', '0.123456789012345678901234567890', 'NaN', '', null, 'abc', {}])(
    'of a currency that nothing is traded for are left out when they say %j, and reported once with row and currency',
    (odd) => {
      const { own, noted } = rows();
      const read = () => own.balances([row('AAA', '1'), row('XYZ', odd), row('BBB', '2')]);
      for (const list of [read(), read()])
        expect(list.map(({ currency }) => currency)).toEqual(['AAA', 'BBB']);
      expect(noted).toHaveLength(1);
      expect(noted[0]).toMatch(/^balances, row 2 \(XYZ\): /);
    },
  );

  test.each([
    ['1E-8', '0.00000001'],
    ['2.5e+3', '2500'],
    ['12.5e-1', '1.25'],
    ['1e-30', '0'],
    ['0.123456789012345678901234567890', '0.123456789012345678901234'],
    ['-1e-2', '-0.01'],
    [1e-8, '0.00000001'],
  ])('of a traded currency that say %j are read as %s', (text, amount) => {
    const { own, noted } = rows();
    expect(own.balances([row('AAA', text)]).map(({ available }) => formatAmount(available))).toEqual([
      amount,
    ]);
    expect(noted).toEqual([]);
  });

  test.each(['abc', '', 'NaN', '1e', '0x10', {}])(
    'of a traded currency that say %j are refused by name',
    (odd) => {
      const { own } = rows();
      expect(() => own.balances([row('BBB', '1'), row('AAA', odd)])).toThrow(BadInput);
      expect(() => own.balances([row('BBB', '1'), row('AAA', odd)])).toThrow(/^balances, row 2 \(AAA\): /);
    },
  );

  test('without a currency are refused by their row', () => {
    expect(() => rows().own.balances([{ available: '1', reserved: '0' }])).toThrow(/^balances, row 1: /);
  });
});

describe('other rows', () => {
  const refuse = (): never => {
    throw new BadInput('order: status: expected one of new, filled, found "odd"');
  };

  test('of a traded symbol are refused with row and symbol', () => {
    expect(() => rows().own.each('orders', [{ symbol: 'AAABBB' }], refuse)).toThrow(
      'orders, row 1 (AAABBB): order: status: expected one of new, filled, found "odd"',
    );
  });

  test('of a symbol of which neither currency is traded are left out and reported once', () => {
    const { own, noted } = rows(['ZZZ']);
    expect(own.each('orders', [{ symbol: 'AAABBB' }, { symbol: 'AAABBB' }], refuse)).toEqual([]);
    expect(noted).toEqual([
      'orders, row 1 (AAABBB): order: status: expected one of new, filled, found "odd"',
    ]);
  });
});
