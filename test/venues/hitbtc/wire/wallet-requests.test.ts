import { expect, test } from 'vitest';
import { parseAmount } from '../../../../src/core/base/amount.ts';
import { wireParams } from '../../../../src/venues/hitbtc/typed/calls/input.ts';
import { readRequestParams } from '../../../../src/venues/hitbtc/wire/param-fields.ts';
import { v2Endpoints } from '../../../../src/venues/hitbtc/wire/v2/rest.ts';
import { v3Endpoints } from '../../../../src/venues/hitbtc/wire/v3/rest.ts';

const withdrawal = {
  currency: 'BTC',
  amount: parseAmount('0.25'),
  address: 'outside',
  networkCode: 'BTC-LN',
  paymentId: 'memo',
  includeFee: true,
  autoCommit: false,
  publicComment: 'rent',
};

test('a withdrawal is read alike in both versions, and one of v2 never leaves off the chain', () => {
  const v3 = readRequestParams(v3Endpoints.walletWithdraw.params, wireParams(withdrawal, 'snake'));
  expect(v3).toEqual({ ok: true, params: { ...withdrawal, useOffchain: 'never' } });
  expect(readRequestParams(v2Endpoints.accountWithdraw.params, wireParams(withdrawal, 'camel'))).toEqual(v3);
  const v2Asks = { ...wireParams(withdrawal, 'camel'), useOffchain: 'required', use_offchain: 'required' };
  expect(readRequestParams(v2Endpoints.accountWithdraw.params, v2Asks)).toEqual(v3);
});

test('a transfer of v2 is one between the wallet and the spot account of v3', () => {
  const money = { currency: 'BTC', amount: '1' };
  const read = (type: string) => readRequestParams(v2Endpoints.accountTransfer.params, { ...money, type });
  const v3 = (source: string, destination: string) =>
    readRequestParams(v3Endpoints.walletTransfer.params, { ...money, source, destination });
  expect(read('bankToExchange')).toEqual(v3('wallet', 'spot'));
  expect(read('exchangeToBank')).toEqual(v3('spot', 'wallet'));
  expect(read('sideways')).toMatchObject({ ok: false, error: { code: 10_001 } });
});

test('transactions of one currency from a time on are read alike in both versions', () => {
  const from = '2024-01-02T03:04:05.000Z';
  const v2 = { currency: 'BTC', by: 'timestamp', from, limit: 7, sort: 'asc' };
  const v3 = { currencies: 'BTC', order_by: 'CREATED_AT', from, limit: 7, sort: 'asc' };
  const read = readRequestParams(v3Endpoints.walletTransactions.params, v3);
  expect(read).toMatchObject({ ok: true, params: { currencies: ['BTC'], orderBy: 'createdAt', limit: 7 } });
  const given = read.ok ? read.params : {};
  expect(readRequestParams(v2Endpoints.accountTransactions.params, v2)).toEqual({
    ok: true,
    params: { ...given, showSenders: false },
  });
  const byIndex = readRequestParams(v2Endpoints.accountTransactions.params, { ...v2, by: 'index' });
  expect(byIndex).toMatchObject({ ok: false, error: { code: 10_001 } });
  expect(byIndex.ok ? '' : byIndex.error.message).toContain('[from]');
});
