import { describe, expect, test } from 'vitest';
import { parseAmount } from '../../../../src/core/base/amount.ts';
import { parseTime } from '../../../../src/venues/hitbtc/wire/formats.ts';
import { v2ErrorWords } from '../../../../src/venues/hitbtc/wire/error-bodies.ts';
import { readParams } from '../../../../src/venues/hitbtc/wire/param-fields.ts';
import { decodeTransferResult } from '../../../../src/venues/hitbtc/wire/sub-accounts.ts';
import * as v2 from '../../../../src/venues/hitbtc/wire/v2/sub-accounts.ts';
import { v2Endpoints } from '../../../../src/venues/hitbtc/wire/v2/rest.ts';
import { decodeV3ApiKeys, encodeV3ApiKey } from '../../../../src/venues/hitbtc/wire/v3/api-keys.ts';
import { v3Endpoints } from '../../../../src/venues/hitbtc/wire/v3/rest.ts';
import * as v3 from '../../../../src/venues/hitbtc/wire/v3/sub-accounts.ts';

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
    const rows = [{ id: 'a1', email: 'a@b.c', status: 'frozen' as const }];
    const list = rows.map(v3.encodeV3SubAccount);
    expect(v3.decodeV3SubAccounts(list)).toEqual(rows);
    expect(v3.decodeV3SubAccounts({ result: list })).toEqual(rows);
    const numbered = [{ id: '7001', email: 'a@b.c', status: 'active' as const }];
    expect(v2.encodeV2SubAccounts(numbered)).toEqual({
      result: [{ id: 7001, email: 'a@b.c', status: 'active' }],
    });
    expect(v2.decodeV2SubAccounts(v2.encodeV2SubAccounts(numbered))).toEqual(numbered);
  });

  test('rights', () => {
    expect(v3.decodeV3Acls(v3.encodeV3Acls([acl]))).toEqual([acl]);
    const numbered = { ...acl, id: '7001' };
    expect(v2.decodeV2Acls(v2.encodeV2Acls([numbered]))).toEqual([
      { id: '7001', isPayoutEnabled: false, description: 'd' },
    ]);
  });

  test('balances to the last digit, and a list that is left out has none', () => {
    const balances = {
      wallet: [balance('AAA', '0.000000000000000000000001', '0'), balance('BBB', '0', '7')],
      spot: [],
    };
    expect(v3.encodeV3SubAccountBalances(balances)).not.toHaveProperty('result.spot');
    expect(v3.decodeV3SubAccountBalances(v3.encodeV3SubAccountBalances(balances))).toEqual(balances);
    expect(v2.decodeV2SubAccountBalances(v2.encodeV2SubAccountBalances(balances))).toEqual(balances);
  });

  test('addresses', () => {
    const address = { address: 'x', paymentId: '7', publicKey: undefined, networkCode: undefined };
    expect(v3.decodeV3SubAccountAddress(v3.encodeV3SubAccountAddress(address))).toEqual(address);
    const onNetwork = { ...address, networkCode: 'NET' };
    expect(v2.decodeV2SubAccountAddress(v2.encodeV2SubAccountAddress(onNetwork))).toEqual(onNetwork);
  });

  test('API keys', () => {
    const key = { apiKey: 'k', rights: ['R1', 'R3'] as const };
    expect(decodeV3ApiKeys([encodeV3ApiKey(key)])).toEqual([key]);
  });
});

test('an answer that is none of the documents is refused with the member', () => {
  expect(() => v3.decodeV3SubAccounts([{ sub_account_id: 'a', email: 'b', status: 'odd' }])).toThrow(
    'v3 sub-accounts',
  );
  expect(() => decodeTransferResult({ response: 'id' })).toThrow('member result');
});

test('parameters are read in both spellings of an id, and v2 words refusals its own way', () => {
  const { params } = v3Endpoints.subAccountTransfer;
  const given = { sub_account_id: 7001, amount: 0.5, currency: 'BTC', type: 'to_sub_account' };
  expect(readParams(params, given)).toEqual({
    ok: true,
    params: { subAccountId: '7001', amount: parseAmount('0.5'), currency: 'BTC', type: 'to_sub_account' },
  });
  const raw = { ids: '' };
  const missing = readParams(v2Endpoints.freezeSubAccounts.params, raw);
  expect(!missing.ok && v2ErrorWords(missing.error)).toEqual({
    code: 10001,
    message: 'Validation error',
    description: "Param 'ids' required",
  });
  const odd = { subAccountId: '1', amount: 'x', currency: 'BTC', type: 'deposit' };
  const broken = readParams(v2Endpoints.subAccountTransfer.params, odd);
  expect(!broken.ok && v2ErrorWords(broken.error).description).toBe(
    "Bad request parameter [amount]. Can't parse value from string: x",
  );
});
