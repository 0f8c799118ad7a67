import { describe, expect, test } from 'vitest';
import { parseAmount } from '../../../../src/core/base/amount.ts';
import { parseTime } from '../../../../src/venues/hitbtc/wire/formats.ts';
import { v2ErrorWords } from '../../../../src/venues/hitbtc/wire/error-bodies.ts';
import { readRequestParams } from '../../../../src/venues/hitbtc/wire/param-fields.ts';
import {
  readBalances,
  subAccount,
  subAccountAcl,
  subAccountAddress,
  subAccountBalances,
  subAccountStatuses,
} from '../../../../src/venues/hitbtc/wire/resources/sub-accounts.ts';
import { v2Endpoints } from '../../../../src/venues/hitbtc/wire/v2/rest.ts';
import { apiKeyRow } from '../../../../src/venues/hitbtc/wire/resources/account.ts';
import { v3Endpoints } from '../../../../src/venues/hitbtc/wire/v3/rest.ts';

const balance = (currency: string, available: string, reserved: string) => ({
  currency,
  available: parseAmount(available),
  reserved: parseAmount(reserved),
});
const acl = {
  id: 'a1',
  depositAddressGenerationEnabled: true,
  withdrawEnabled: false,
  description: 'd',
  createdAt: parseTime('2024-01-02T03:04:05.678Z'),
  updatedAt: parseTime('2024-01-02T03:04:06.1Z'),
};

describe('what the server writes, the client reads', () => {
  test('sub-accounts, as the list of the documents and wrapped as a client of the venue expects it', () => {
    const rows = subAccountStatuses.map((status) => ({ id: 'a1', email: 'a@b.c', status }));
    const list = rows.map((row) => subAccount.v3.write(row));
    const { answer } = v3Endpoints.subAccounts;
    expect(answer(list, {})).toEqual(rows);
    expect(answer({ result: list }, {})).toEqual(rows);
    const numbered = rows.map((row) => ({ ...row, id: '7001' }));
    const result = numbered.map((row) => subAccount.v2.write(row));
    expect(result).toEqual(
      ['new', 'active', 'disable', 'frozen'].map((status) => ({ id: 7001, email: 'a@b.c', status })),
    );
    expect(v2Endpoints.subAccounts.answer({ result }, {})).toEqual(numbered);
  });

  test('rights', () => {
    expect(v3Endpoints.subAccountAcl.answer({ result: [subAccountAcl.v3.write(acl)] }, {})).toEqual([acl]);
    const numbered = { ...acl, id: '7001', isPayoutEnabled: false };
    const result = [subAccountAcl.v2.write(numbered)];
    expect(v2Endpoints.subAccountAcl.answer({ result }, {})).toEqual([
      { id: '7001', isPayoutEnabled: false, description: 'd' },
    ]);
  });

  test('balances to the last digit, and a list that is left out has none', () => {
    const balances = {
      wallet: [balance('AAA', '0.000000000000000000000001', '0'), balance('BBB', '0', '7')],
      spot: [],
    };
    const leftOut = subAccountBalances.v3.write({ wallet: balances.wallet });
    expect(leftOut).not.toHaveProperty('spot');
    expect(readBalances('v3')(leftOut)).toEqual(balances);
    expect(readBalances('v2')(subAccountBalances.v2.write(balances))).toEqual(balances);
  });

  test('addresses', () => {
    const address = { address: 'x', paymentId: '7', publicKey: undefined, networkCode: undefined };
    expect(subAccountAddress.v3.decode(subAccountAddress.v3.write(address))).toEqual(address);
    const onNetwork = { ...address, networkCode: 'NET' };
    expect(subAccountAddress.v2.decode(subAccountAddress.v2.write(onNetwork))).toEqual(onNetwork);
  });

  test('API keys', () => {
    const key = { apiKey: 'k', rights: ['R1' as const, 'R3' as const] };
    expect(apiKeyRow.v3.decodeList([apiKeyRow.v3.write(key)])).toEqual([key]);
  });
});

test('an answer that is none of the documents is refused with the member', () => {
  const odd = [{ sub_account_id: 'a', email: 'b', status: 7 }];
  expect(() => v3Endpoints.subAccounts.answer(odd, {})).toThrow('v3 sub-account: member status');
  expect(() => v3Endpoints.subAccountTransfer.answer({ response: 'id' }, {})).toThrow('member result');
});

test('parameters are read in both spellings of an id, and v2 words refusals its own way', () => {
  const { params } = v3Endpoints.subAccountTransfer;
  const given = { sub_account_id: 7001, amount: 0.5, currency: 'BTC', type: 'to_sub_account' };
  expect(readRequestParams(params, given)).toEqual({
    ok: true,
    params: { subAccountId: '7001', amount: parseAmount('0.5'), currency: 'BTC', type: 'to_sub_account' },
  });
  const raw = { ids: '' };
  const missing = readRequestParams(v2Endpoints.freezeSubAccounts.params, raw);
  expect(!missing.ok && v2ErrorWords(missing.error)).toEqual({
    code: 10001,
    message: 'Validation error',
    description: "Param 'ids' required",
  });
  const odd = { subAccountId: '1', amount: 'x', currency: 'BTC', type: 'deposit' };
  const broken = readRequestParams(v2Endpoints.subAccountTransfer.params, odd);
  expect(!broken.ok && v2ErrorWords(broken.error).description).toBe(
    "Bad request parameter [amount]. Can't parse value from string: x",
  );
});
