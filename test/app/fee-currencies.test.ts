import { expect, test } from 'vitest';
import { checkFeeCurrencies, thirdFeeNotes } from '../../src/app/run/fee-currencies.ts';
import { Instruments } from '../../src/core/model/instrument.ts';
import { spotSpec } from '../support/markets.ts';

const instruments = new Instruments([
  spotSpec('AAABBB', { feeCurrency: 'CCC' }),
  spotSpec('DDDBBB', { baseCurrency: 'DDD', feeCurrency: 'DDD' }),
]);

test('a simulated venue refuses a symbol with fees in a third currency once a strategy follows it', () => {
  const follow = (...symbols: string[]) =>
    checkFeeCurrencies(instruments, [{ feeds: symbols.map((symbol) => ({ symbol, book: true })) as never }]);
  expect(() => follow('DDDBBB', 'ABSENT')).not.toThrow();
  expect(() => follow('DDDBBB', 'AAABBB')).toThrow(
    'fees of AAABBB are in CCC, and a simulated venue takes fees in AAA or BBB only',
  );
});

test('a start and its plan say once of each such symbol that profit leaves its fees out', () => {
  expect(thirdFeeNotes(['AAABBB', 'DDDBBB', 'AAABBB', 'ABSENT'], instruments)).toEqual([
    'fees of AAABBB are in CCC: profit and limits on loss in BBB leave them out, positions and balances show them',
  ]);
});
