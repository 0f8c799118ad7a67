import { expect } from 'vitest';
import { codeOf } from './order-errors.ts';
import type { RowCase } from './row-case.ts';
import { rowCase } from './row-case.ts';
import type { Talk } from './talk.ts';

const root = '/api/3/sub-account';
const subs = (talk: Talk) => talk.us.v3.subAccounts;

/** The id of a sub-account by the name of its account; it has the address NAME@example.com. */
const idOf = async (talk: Talk, name: string): Promise<string> => {
  const known = talk.notes.get(name);
  if (known !== undefined) return known;
  const rows = await talk.us.v3.subAccounts.list();
  for (const { id, email } of rows) talk.notes.set(email.split('@')[0] ?? '', id);
  return talk.notes.get(name) ?? '';
};
const known = (talk: Talk) => idOf(talk, 'sub-one');
const noteOf = (talk: Talk, name: string): string => talk.notes.get(name) ?? 'none';
const nobody = 'f'.repeat(32);
const money = { amount: '1', currency: 'USDT' };
const toSub = { ...money, type: 'to_sub_account' } as const;

const people: readonly RowCase[] = [
  rowCase(
    `GET ${root}`,
    ({ v3 }) => v3.subAccounts.list(),
    (rows) => expect(rows.map(({ status }) => status)).toEqual(['active', 'active', 'disable', 'frozen']),
  ),
  rowCase(
    `POST ${root}/freeze`,
    ({ v3 }, talk) => v3.subAccounts.freeze({ subAccountIds: [noteOf(talk, 'sub-two')] }),
    (done) => expect(done).toBe(true),
    {
      before: known,
      bad: {},
      errors: {
        21_001: (talk) => codeOf(subs(talk).freeze({ subAccountIds: [nobody] })),
        21_003: (talk) => codeOf(subs(talk).freeze({ subAccountIds: [noteOf(talk, 'sub-two')] })),
      },
    },
  ),
  rowCase(
    `POST ${root}/activate`,
    ({ v3 }, talk) => v3.subAccounts.activate({ subAccountIds: [noteOf(talk, 'sub-two')] }),
    (done) => expect(done).toBe(true),
    {
      before: known,
      bad: {},
      errors: { 21_001: (talk) => codeOf(subs(talk).activate({ subAccountIds: [nobody] })) },
    },
  ),
];

const refusedTransfer = (change: object) => async (talk: Talk) =>
  codeOf(subs(talk).transfer({ subAccountId: await known(talk), ...toSub, ...change }));
const toFrozen = async (talk: Talk) => ({ subAccountId: await idOf(talk, 'sub-cold') });
const fromSub = (talk: Talk) => talk.sub.v3.subAccounts;

const transfers: readonly RowCase[] = [
  rowCase(
    `POST ${root}/transfer`,
    ({ v3 }, talk) => v3.subAccounts.transfer({ subAccountId: noteOf(talk, 'sub-one'), ...toSub }),
    async (txId, talk) =>
      expect(await talk.us.v3.wallet.transaction({ txId })).toMatchObject({ subtype: 'SUB_ACCOUNT' }),
    {
      before: known,
      bad: { ...money, type: 'sideways', sub_account_id: '1' },
      errors: {
        2002: refusedTransfer({ currency: 'NOPE' }),
        20_001: refusedTransfer({ amount: '99999999' }),
        21_001: refusedTransfer({ subAccountId: nobody }),
        21_004: async (talk) => refusedTransfer(await toFrozen(talk))(talk),
      },
    },
  ),
  rowCase(
    `POST ${root}/transfer/sub-to-super`,
    // Only a sub-account can do it, so it is asked by one; what is refused whoever asks is asked by ours.
    (client, talk) => (client === talk.us ? talk.sub : client).v3.subAccounts.transferToSuper(money),
    (txId) => expect(txId).toMatch(/^[\da-f-]{36}$/),
    {
      bad: { ...money, amount: 'much' },
      errors: {
        600: (talk) => codeOf(subs(talk).transferToSuper(money)),
        2002: (talk) => codeOf(fromSub(talk).transferToSuper({ ...money, currency: 'NOPE' })),
        20_001: (talk) => codeOf(fromSub(talk).transferToSuper({ ...money, amount: '99999999' })),
      },
    },
  ),
  rowCase(
    `POST ${root}/transfer/sub-to-sub`,
    (client, talk) =>
      (client === talk.us ? talk.sub : client).v3.subAccounts.transferToSub({
        ...money,
        subAccountId: noteOf(talk, 'sub-two'),
      }),
    (txId) => expect(txId).toMatch(/^[\da-f-]{36}$/),
    {
      before: known,
      bad: { ...money, sub_account_id: '1', amount: 'much' },
      errors: {
        2002: (talk) => refusedAcross(talk, { currency: 'NOPE' }),
        20_001: (talk) => refusedAcross(talk, { amount: '99999999' }),
        21_001: (talk) => refusedAcross(talk, { subAccountId: nobody }),
        21_004: async (talk) => refusedAcross(talk, await toFrozen(talk)),
      },
    },
  ),
];

function refusedAcross(talk: Talk, change: object): Promise<unknown> {
  const asked = { ...money, subAccountId: noteOf(talk, 'sub-two'), ...change };
  return codeOf(fromSub(talk).transferToSub(asked));
}

const acls: readonly RowCase[] = [
  rowCase(
    `GET ${root}/acl`,
    ({ v3 }) => v3.subAccounts.acl(),
    (rows) => expect(rows.map(({ withdrawEnabled }) => withdrawEnabled)).toEqual([false, false]),
    {
      errors: {
        21_001: (talk) => codeOf(subs(talk).acl({ subAccountIds: [nobody] })),
        21_004: async (talk) => codeOf(subs(talk).acl({ subAccountIds: [await idOf(talk, 'sub-cold')] })),
      },
    },
  ),
  rowCase(
    `POST ${root}/acl`,
    ({ v3 }, talk) =>
      v3.subAccounts.changeAcl({ subAccountIds: [noteOf(talk, 'sub-one')], withdrawEnabled: true }),
    (rows) => expect(rows).toMatchObject([{ withdrawEnabled: true }]),
    {
      before: known,
      bad: { withdraw_enabled: 'maybe' },
      errors: {
        21_001: (talk) => codeOf(subs(talk).changeAcl({ subAccountIds: [nobody] })),
        21_004: async (talk) =>
          codeOf(subs(talk).changeAcl({ subAccountIds: [await idOf(talk, 'sub-cold')] })),
      },
    },
  ),
  rowCase(
    `GET ${root}/balance/{}`,
    ({ v3 }, talk) => v3.subAccounts.balance({ subAccId: noteOf(talk, 'sub-one') }),
    ({ spot }) => expect(spot.map(({ currency }) => currency)).toEqual(['USDT', 'BTC']),
    { before: known, errors: { 21_001: (talk) => codeOf(subs(talk).balance({ subAccId: nobody })) } },
  ),
  rowCase(
    `GET ${root}/crypto/address/{}/{}`,
    ({ v3 }, talk) => v3.subAccounts.cryptoAddress({ subAccId: noteOf(talk, 'sub-one'), currency: 'BTC' }),
    ({ address }) => expect(address.length).toBeGreaterThan(20),
    {
      before: known,
      errors: {
        2002: async (talk) =>
          codeOf(subs(talk).cryptoAddress({ subAccId: await known(talk), currency: 'NOPE' })),
        21_001: (talk) => codeOf(subs(talk).cryptoAddress({ subAccId: nobody, currency: 'BTC' })),
      },
    },
  ),
];

const provider = '/api/3/buy-crypto/provider';
const purchase = { providerId: 1, source: 'EUR', target: 'BTC', sourceAmount: '100', paymentMethodId: 101 };

const buying: readonly RowCase[] = [
  rowCase(
    `GET ${provider}`,
    ({ v3 }) => v3.buyCrypto.providers({ source: 'GBP' }),
    (rows) => expect(rows.map(({ providerName }) => providerName)).toEqual(['Paybridge']),
  ),
  rowCase(
    `GET ${provider}/{}/rate`,
    ({ v3 }) => v3.buyCrypto.rates({ providerId: 1, source: 'EUR', target: 'BTC', sourceAmount: '100' }),
    ({ prices }) => expect(prices.map(({ paymentMethodId }) => paymentMethodId)).toEqual(['101', '102']),
    { path: ['1'], bad: { source_amount: 'much' } },
  ),
  rowCase(
    `POST ${provider}/{}/order`,
    ({ v3 }) => v3.buyCrypto.createOrder(purchase),
    (order) => expect(order).toMatchObject({ status: 'initial', sourceCode: 'EUR', targetCode: 'BTC' }),
    {
      path: ['1'],
      bad: { source: 'EUR', target: 'BTC', source_amount: 'much', payment_method_id: 101 },
      errors: { 2002: (talk) => codeOf(talk.us.v3.buyCrypto.createOrder({ ...purchase, source: 'NOPE' })) },
    },
  ),
  rowCase(
    `GET ${provider}/{}/order`,
    ({ v3 }) => v3.buyCrypto.orders({ providerId: 1, targetCode: 'BTC' }),
    (rows) => expect(rows[0]).toMatchObject({ providerId: '1', orderType: 'buy' }),
    { path: ['1'], bad: { limit: '1001' } },
  ),
  rowCase(
    'GET /api/3/user/api-keys',
    ({ v3 }) => v3.user.apiKeys(),
    (keys) => expect(keys.map(({ rights }) => rights.length)).toEqual([4, 0]),
  ),
];

/** Sub-accounts, purchases and keys of v3 over REST. */
export const accountsV3: readonly RowCase[] = [...people, ...transfers, ...acls, ...buying];
