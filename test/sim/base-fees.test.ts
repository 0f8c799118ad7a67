import { expect, test } from 'vitest';
import { formatAmount, parseAmount, zero } from '../../src/core/base/amount.ts';
import type { Lots, Ticks } from '../../src/core/model/instrument.ts';
import { SpotAccount } from '../../src/sim/account.ts';
import { FeeSchedule } from '../../src/sim/fee-schedule.ts';
import { oneMarket } from '../support/markets.ts';

const instrument = oneMarket({ takeRate: '0.01', makeRate: '0.002', feeCurrency: 'AAA' }).get('AAABBB');
const fees = new FeeSchedule(instrument, [], { fixed: parseAmount('5'), perLot: zero });
const [price, lots] = [50 as Ticks, 10 as Lots];
const text = (account: SpotAccount) =>
  account.balances().map(({ currency, available }) => `${formatAmount(available)} ${currency}`);

test('a fee in base currency is a share of the quantity; what is fixed is taken at the price', () => {
  expect(formatAmount(fees.charge(price, lots, true))).toBe('0.2');
  expect(formatAmount(fees.charge(price, lots, false))).toBe('0.12');
});

test('an account keeps it back for a sell and takes it from what was bought', () => {
  const balance = { reserved: zero, available: parseAmount('1000') };
  const account = new SpotAccount(['AAA', 'BBB'].map((currency) => ({ currency, ...balance })));
  expect(formatAmount(account.need({ instrument, side: 'buy', price, lots, fees }))).toBe('500');
  expect(formatAmount(account.need({ instrument, side: 'sell', price, lots, fees }))).toBe('10.1');
  account.book({ instrument, side: 'buy', price, lots, fee: parseAmount('0.1') });
  expect(text(account)).toEqual(['1009.9 AAA', '500 BBB']);
  account.book({ instrument, side: 'sell', price, lots, fee: parseAmount('0.1') });
  expect(text(account)).toEqual(['999.8 AAA', '1000 BBB']);
});
