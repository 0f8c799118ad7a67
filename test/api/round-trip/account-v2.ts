import { expect } from 'vitest';
import { parseAmount } from '../../../src/venues/hitbtc/typed/index.ts';
import { codeOf } from './order-errors.ts';
import type { RowCase } from './row-case.ts';
import { rowCase } from './row-case.ts';
import type { Talk } from './talk.ts';
import { outside } from './wallet-v3.ts';

const root = '/api/2/account';
const account = (talk: Talk) => talk.us.v2.account;
const none = { currency: 'NOPE' };
const out = { currency: 'BTC', amount: '0.01', address: outside };
const bad = { currency: 'BTC', amount: 'much' };
const waiting = async (talk: Talk): Promise<string> => {
  const id = await account(talk).withdraw({ ...out, autoCommit: false });
  talk.notes.set('waiting', id);
  return id;
};
const waits = (talk: Talk): string => talk.notes.get('waiting') ?? '';
const nobody = { id: 'nobody-knows-it' };
const withdrawRefused = (change: object) => (talk: Talk) =>
  codeOf(account(talk).withdraw({ ...out, ...change }));
const transfer = { currency: 'USDT', amount: '10', type: 'exchangeToBank' } as const;
const internal = { currency: 'USDT', amount: '1', by: 'email', identifier: 'demo-two@example.com' } as const;
const convert = { fromCurrency: 'BTC', toCurrency: 'USDT', amount: '0.1' };

const addresses: readonly RowCase[] = [
  rowCase(
    `POST ${root}/crypto/address/{}`,
    ({ v2 }) => v2.account.createAddress({ currency: 'BTC' }),
    ({ address }, talk) => {
      talk.notes.set('address', address);
      expect(address.length).toBeGreaterThan(20);
    },
    { errors: { 2002: (talk) => codeOf(account(talk).createAddress(none)) } },
  ),
  rowCase(
    `GET ${root}/crypto/address/{}`,
    ({ v2 }) => v2.account.address({ currency: 'BTC' }),
    ({ address }, talk) => expect(address).toBe(talk.notes.get('address')),
    { errors: { 2002: (talk) => codeOf(account(talk).address(none)) } },
  ),
  rowCase(
    `GET ${root}/crypto/addresses/{}`,
    ({ v2 }) => v2.account.addresses({ currency: 'BTC' }),
    (rows, talk) => expect(rows.map(({ address }) => address)).toContain(talk.notes.get('address')),
    { errors: { 2002: (talk) => codeOf(account(talk).addresses(none)) } },
  ),
  rowCase(
    `GET ${root}/crypto/is-mine/{}`,
    ({ v2 }, talk) => v2.account.isMine({ address: talk.notes.get('address') ?? outside }),
    (mine) => expect(mine).toBe(true),
  ),
];

const withdrawals: readonly RowCase[] = [
  rowCase(
    `POST ${root}/crypto/withdraw`,
    ({ v2 }) => v2.account.withdraw(out),
    async (id, talk) => expect(await account(talk).transaction({ id })).toMatchObject({ type: 'payout' }),
    {
      bad: { ...bad, address: outside },
      errors: {
        2002: withdrawRefused(none),
        20_001: withdrawRefused({ amount: '100' }),
        20_003: withdrawRefused({ amount: '6' }),
        20_011: withdrawRefused({ address: 'nowhere' }),
        20_018: withdrawRefused({ currency: 'EUR' }),
      },
    },
  ),
  rowCase(
    `PUT ${root}/crypto/withdraw/{}`,
    ({ v2 }, talk) => v2.account.commitWithdraw({ id: waits(talk) }),
    (done) => expect(done).toBe(true),
    {
      before: waiting,
      errors: {
        20_005: (talk) => codeOf(account(talk).commitWithdraw(nobody)),
        20_007: async (talk) => {
          const id = await waiting(talk);
          await account(talk).rollBackWithdraw({ id });
          return codeOf(account(talk).commitWithdraw({ id }));
        },
      },
    },
  ),
  rowCase(
    `DELETE ${root}/crypto/withdraw/{}`,
    ({ v2 }, talk) => v2.account.rollBackWithdraw({ id: waits(talk) }),
    (done) => expect(done).toBe(true),
    {
      before: waiting,
      errors: {
        20_005: (talk) => codeOf(account(talk).rollBackWithdraw(nobody)),
        20_006: async (talk) => {
          const id = await waiting(talk);
          await account(talk).commitWithdraw({ id });
          return codeOf(account(talk).rollBackWithdraw({ id }));
        },
      },
    },
  ),
  rowCase(
    `GET ${root}/crypto/used-addresses/{}`,
    ({ v2 }) => v2.account.usedAddresses({ currency: 'BTC' }),
    (rows) => expect(rows.map(({ address }) => address)).toEqual([outside]),
    { errors: { 2002: (talk) => codeOf(account(talk).usedAddresses(none)) } },
  ),
  rowCase(
    `GET ${root}/crypto/estimate-withdraw`,
    ({ v2 }) => v2.account.estimateWithdraw({ currency: 'BTC', amount: '1' }),
    (fee) => expect(fee).toBeGreaterThan(0n),
    { bad, errors: { 2002: (talk) => codeOf(account(talk).estimateWithdraw({ ...none, amount: '1' })) } },
  ),
  rowCase(
    `GET ${root}/crypto/estimate-withdraw-levels`,
    ({ v2 }) => v2.account.estimateWithdrawLevels({ currency: 'BTC', amount: '1' }),
    (levels) => expect(levels).toHaveLength(3),
    {
      bad,
      errors: { 2002: (talk) => codeOf(account(talk).estimateWithdrawLevels({ ...none, amount: '1' })) },
    },
  ),
];

const money: readonly RowCase[] = [
  rowCase(
    `GET ${root}/balance`,
    ({ v2 }) => v2.account.balances(),
    (rows) => expect(rows.map(({ currency }) => currency)).toContain('XRP'),
  ),
  rowCase(
    `POST ${root}/transfer`,
    ({ v2 }) => v2.account.transfer(transfer),
    async (id, talk) =>
      expect(await account(talk).transaction({ id })).toMatchObject({ type: 'exchangeToBank' }),
    {
      bad: { ...bad, type: 'sideways' },
      errors: {
        2002: (talk) => codeOf(account(talk).transfer({ ...transfer, ...none })),
        20_001: (talk) => codeOf(account(talk).transfer({ ...transfer, amount: '999999999' })),
      },
    },
  ),
  rowCase(
    `POST ${root}/transfer/internal`,
    ({ v2 }) => v2.account.transferInternal(internal),
    async (id, talk) => expect(await account(talk).transaction({ id })).toMatchObject({ status: 'success' }),
    {
      bad: { ...bad, by: 'name', identifier: 'x' },
      errors: {
        2002: (talk) => codeOf(account(talk).transferInternal({ ...internal, ...none })),
        20_001: (talk) => codeOf(account(talk).transferInternal({ ...internal, amount: '99999999' })),
        22_004: (talk) => codeOf(account(talk).transferInternal({ ...internal, identifier: 'x@y.z' })),
      },
    },
  ),
  rowCase(
    `POST ${root}/crypto/transfer-convert`,
    ({ v2 }) => v2.account.convert(convert),
    (ids) => expect(ids).toHaveLength(2),
    {
      bad: { ...convert, amount: 'much' },
      errors: {
        2002: (talk) => codeOf(account(talk).convert({ ...convert, toCurrency: 'NOPE' })),
        20_001: (talk) => codeOf(account(talk).convert({ ...convert, amount: '1000' })),
      },
    },
  ),
  rowCase(
    `GET ${root}/transactions`,
    ({ v2 }) => v2.account.transactions({ currency: 'BTC', limit: 2 }),
    (rows, talk) => {
      talk.notes.set('transaction', rows[0]?.id ?? '');
      expect(rows).toHaveLength(2);
    },
    { bad: { limit: '1001' } },
  ),
  rowCase(
    `GET ${root}/transactions/{}`,
    ({ v2 }, talk) => v2.account.transaction({ id: talk.notes.get('transaction') ?? 'none' }),
    (row) => expect(row).toMatchObject({ currency: 'BTC', amount: parseAmount('0.1') }),
    { errors: { 20_004: (talk) => codeOf(account(talk).transaction(nobody)) } },
  ),
];

/** The account of v2 over REST. */
export const accountV2: readonly RowCase[] = [...addresses, ...withdrawals, ...money];
