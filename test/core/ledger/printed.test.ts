import { expect, test } from 'vitest';
import { formatAmount, parseAmount, zero } from '../../../src/core/base/amount.ts';
import type { InstrumentSpec, Lots, Ticks } from '../../../src/core/model/instrument.ts';
import { chargedFee } from '../../../src/core/ledger/printed.ts';
import { movesOfTrade } from '../../../src/core/ledger/wallet-moves.ts';
import type { OwnTrade } from '../../../src/core/model/event.ts';
import { oneMarket } from '../../support/markets.ts';

const grid = { tickSize: '0.000001', quantityIncrement: '0.0000001', takeRate: '0.0025' };
const noted = { price: 103_569 as Ticks, quantity: 12_345_679 as Lots };

function charged(feeCurrency: string, fee: string, more: Partial<InstrumentSpec> = {}): string {
  const [instrument] = oneMarket({ ...grid, feeCurrency, ...more }).all;
  if (instrument === undefined) throw new Error('no instrument');
  return formatAmount(chargedFee(instrument, { ...noted, fee: parseAmount(fee) }));
}

test.each([
  ['the quote currency', 'BBB', '0.000319657407', '0.00031965740708775'],
  ['the quote currency, as a rebate', 'BBB', '-0.000319657407', '-0.00031965740708775'],
  ['the base currency', 'AAA', '0.003086419750', '0.00308641975'],
  ['the base currency, as a rebate', 'AAA', '-0.003086419750', '-0.00308641975'],
  // The same digits mean nothing there: the rate between the currencies is not reported.
  ['a third currency', 'CCC', '0.000319657407', '0.000319657407'],
  ['a third currency, as a rebate', 'CCC', '-0.000319657407', '-0.000319657407'],
])('a fee in %s is what was charged', (_, feeCurrency, fee, expected) => {
  expect(charged(feeCurrency, fee)).toBe(expected);
});

test.each([
  ['0.5', '-0.5'],
  ['-0.5', '0.5'],
])('a fee of %s in a third currency moves the wallet of that currency by %s, and no other', (fee, moved) => {
  const instruments = oneMarket({ ...grid, feeCurrency: 'CCC' });
  const trade = {
    ...noted,
    instrument: 0,
    side: 'buy',
    tradeId: '1',
    fee: parseAmount(fee),
    taker: true,
    time: 0,
  } as unknown as OwnTrade;
  const moves = movesOfTrade(trade, zero, instruments).map(({ currency, amount }) => [
    currency,
    formatAmount(amount),
  ]);
  expect(moves).toEqual([
    ['AAA', '1.2345679'],
    ['BBB', '-0.1278629628351'],
    ['CCC', moved],
  ]);
});
