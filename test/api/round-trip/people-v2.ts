import { expect } from 'vitest';
import { codeOf } from './order-errors.ts';
import type { RowCase } from './row-case.ts';
import { rowCase } from './row-case.ts';
import type { Talk } from './talk.ts';

const root = '/api/2/sub-acc';
const subs = (talk: Talk) => talk.us.v2.subAccounts;
const nobody = '999999';

const known = async (talk: Talk): Promise<void> => {
  for (const { id, email } of await subs(talk).list()) talk.notes.set(email.split('@')[0] ?? '', id);
};
const one = (talk: Talk): string => talk.notes.get('sub-one') ?? nobody;
const two = (talk: Talk): string => talk.notes.get('sub-two') ?? nobody;
const transfer = { amount: '1', currency: 'USDT', type: 'deposit' } as const;

const people: readonly RowCase[] = [
  rowCase(
    `GET ${root}`,
    ({ v2 }) => v2.subAccounts.list(),
    (rows) => expect(rows).toHaveLength(4),
  ),
  rowCase(
    `POST ${root}/freeze`,
    ({ v2 }, talk) => v2.subAccounts.freeze({ ids: [two(talk)] }),
    (done) => expect(done).toBe(true),
    {
      before: known,
      bad: {},
      errors: { 500: (talk) => codeOf(subs(talk).freeze({ ids: [two(talk)] })) },
    },
  ),
  rowCase(
    `POST ${root}/activate`,
    ({ v2 }, talk) => v2.subAccounts.activate({ ids: [two(talk)] }),
    (done) => expect(done).toBe(true),
    { before: known, bad: {}, errors: { 500: (talk) => codeOf(subs(talk).activate({ ids: [nobody] })) } },
  ),
  rowCase(
    `POST ${root}/transfer`,
    ({ v2 }, talk) => v2.subAccounts.transfer({ ...transfer, subAccountId: one(talk) }),
    (id) => expect(id).toMatch(/^[\da-f-]{36}$/),
    {
      before: known,
      bad: { ...transfer, type: 'sideways', subAccountId: '1' },
      errors: {
        500: (talk) => codeOf(subs(talk).transfer({ ...transfer, subAccountId: nobody })),
        2002: (talk) =>
          codeOf(subs(talk).transfer({ ...transfer, subAccountId: one(talk), currency: 'NOPE' })),
        20_001: (talk) =>
          codeOf(subs(talk).transfer({ ...transfer, subAccountId: one(talk), amount: '9999999' })),
      },
    },
  ),
  rowCase(
    `GET ${root}/acl`,
    ({ v2 }, talk) => v2.subAccounts.acl({ subAccountIds: [one(talk)] }),
    (rows) => expect(rows).toMatchObject([{ isPayoutEnabled: false }]),
    { before: known },
  ),
  rowCase(
    `PUT ${root}/acl/{}`,
    ({ v2 }, talk) =>
      v2.subAccounts.changeAcl({
        subAccountUserId: one(talk),
        isPayoutEnabled: true,
        description: 'trusted',
      }),
    (rows) => expect(rows).toMatchObject([{ isPayoutEnabled: true, description: 'trusted' }]),
    {
      before: known,
      errors: {
        500: (talk) => codeOf(subs(talk).changeAcl({ subAccountUserId: nobody, isPayoutEnabled: true })),
      },
    },
  ),
  rowCase(
    `GET ${root}/balance/{}`,
    ({ v2 }, talk) => v2.subAccounts.balance({ subAccountUserID: one(talk) }),
    ({ wallet }) => expect(wallet.map(({ currency }) => currency)).toEqual(['USDT']),
    { before: known, errors: { 500: (talk) => codeOf(subs(talk).balance({ subAccountUserID: nobody })) } },
  ),
  rowCase(
    `GET ${root}/deposit-address/{}/{}`,
    ({ v2 }, talk) => v2.subAccounts.depositAddress({ subAccountUserId: one(talk), currency: 'BTC' }),
    ({ address }) => expect(address.length).toBeGreaterThan(20),
    {
      before: known,
      errors: {
        500: (talk) => codeOf(subs(talk).depositAddress({ subAccountUserId: nobody, currency: 'BTC' })),
      },
    },
  ),
];

const provider = '/api/2/buy-crypto/provider';
const purchase = { providerID: 1, source: 'EUR', target: 'BTC', sourceAmount: '100', paymentMethodId: 101 };
const span = { providerID: 1, from: 1_600_000_000, till: 4_000_000_000 };

const buying: readonly RowCase[] = [
  rowCase(
    `GET ${provider}`,
    ({ v2 }) => v2.buyCrypto.providers({ source: 'GBP' }),
    (rows) => expect(rows.map(({ providerName }) => providerName)).toEqual(['Paybridge']),
  ),
  rowCase(
    `GET ${provider}/{}/rate`,
    ({ v2 }) => v2.buyCrypto.rates({ providerID: 1, source: 'EUR', target: 'BTC', sourceAmount: '100' }),
    ({ prices }) => expect(prices.length).toBeGreaterThan(0),
    { path: ['1'], bad: { source: 'EUR' } },
  ),
  rowCase(
    `POST ${provider}/{}/order`,
    ({ v2 }) => v2.buyCrypto.createOrder(purchase),
    (order) => expect(order).toMatchObject({ status: 'initial', targetCode: 'BTC' }),
    {
      path: ['1'],
      bad: { source: 'EUR' },
      errors: { 2002: (talk) => codeOf(talk.us.v2.buyCrypto.createOrder({ ...purchase, source: 'NOPE' })) },
    },
  ),
  rowCase(
    `GET ${provider}/{}/order`,
    ({ v2 }) => v2.buyCrypto.orders(span),
    (rows) => expect(rows[0]).toMatchObject({ providerId: '1' }),
    { path: ['1'], bad: {} },
  ),
];

/** Sub-accounts and purchases of v2 over REST. */
export const peopleV2: readonly RowCase[] = [...people, ...buying];
