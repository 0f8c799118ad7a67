import { expect } from 'vitest';
import { parseAmount } from '../../../src/venues/hitbtc/typed/index.ts';
import type { V3Input } from '../../../src/venues/hitbtc/typed/index.ts';
import { codeOf } from './order-errors.ts';
import type { RowCase } from './row-case.ts';
import { rowCase } from './row-case.ts';
import type { Talk } from './talk.ts';

const root = '/api/3/wallet';
export const outside = 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq';
const wallet = (talk: Talk) => talk.us.v3.wallet;
const none = { currency: 'NOPE' };
const badAmount = { currency: 'BTC', amount: 'much' };
const out = { currency: 'BTC', amount: '0.01', address: outside };

/** Has a withdrawal wait to be committed or rolled back. */
const waiting = async (talk: Talk): Promise<string> => {
  const id = await wallet(talk).withdraw({ ...out, autoCommit: false });
  talk.notes.set('waiting', id);
  return id;
};
const waits = (talk: Talk): string => talk.notes.get('waiting') ?? '';
const withdrawRefused = (change: object) => (talk: Talk) =>
  codeOf(wallet(talk).withdraw({ ...out, ...change }));

const addresses: readonly RowCase[] = [
  rowCase(
    `POST ${root}/crypto/address`,
    ({ v3 }) => v3.wallet.createAddress({ currency: 'BTC' }),
    (address, talk) => {
      talk.notes.set('address', address.address);
      expect(address).toMatchObject({ currency: 'BTC', networkCode: 'BTC' });
    },
    {
      bad: { network_code: 'BTC' },
      errors: { 2002: (talk) => codeOf(wallet(talk).createAddress(none)) },
    },
  ),
  rowCase(
    `GET ${root}/crypto/address`,
    ({ v3 }) => v3.wallet.addresses({ currency: 'BTC' }),
    (found, talk) => expect(found.map(({ address }) => address)).toEqual([talk.notes.get('address')]),
    { errors: { 2002: (talk) => codeOf(wallet(talk).addresses(none)) } },
  ),
  rowCase(
    `GET ${root}/crypto/address/recent-deposit`,
    ({ v3 }) => v3.wallet.recentDepositAddresses({ currency: 'BTC' }),
    (found, talk) => expect(found.map(({ address }) => address)).toContain(talk.notes.get('address')),
    { bad: {}, errors: { 2002: (talk) => codeOf(wallet(talk).recentDepositAddresses(none)) } },
  ),
  rowCase(
    `GET ${root}/crypto/address/check-mine`,
    ({ v3 }, talk) => v3.wallet.isMine({ address: talk.notes.get('address') ?? outside }),
    (mine) => expect(mine).toBe(true),
    { bad: {} },
  ),
  rowCase(
    `GET ${root}/crypto/address/white-list`,
    ({ v3 }) => v3.wallet.whiteList(),
    (list) => expect(list).toMatchObject([{ name: 'friend', currency: 'BTC' }]),
  ),
];

const withdrawals: readonly RowCase[] = [
  rowCase(
    `POST ${root}/crypto/withdraw`,
    ({ v3 }) => v3.wallet.withdraw(out),
    async (id, talk) =>
      expect(await wallet(talk).transaction({ txId: id })).toMatchObject({
        type: 'WITHDRAW',
        native: { address: outside },
      }),
    {
      bad: { ...badAmount, address: outside },
      errors: {
        2002: withdrawRefused(none),
        20_001: withdrawRefused({ amount: '100' }),
        20_003: withdrawRefused({ amount: '6' }),
        20_011: withdrawRefused({ address: 'nowhere' }),
        20_014: withdrawRefused({ useOffchain: 'required' }),
        20_018: withdrawRefused({ currency: 'EUR' }),
      },
    },
  ),
  rowCase(
    `PUT ${root}/crypto/withdraw/{}`,
    ({ v3 }, talk) => v3.wallet.commitWithdraw({ id: waits(talk) }),
    (done) => expect(done).toBe(true),
    {
      before: waiting,
      errors: {
        20_005: (talk) => codeOf(wallet(talk).commitWithdraw({ id: 'nobody-knows-it' })),
        20_007: async (talk) => {
          const id = await waiting(talk);
          await wallet(talk).rollBackWithdraw({ id });
          return codeOf(wallet(talk).commitWithdraw({ id }));
        },
      },
    },
  ),
  rowCase(
    `DELETE ${root}/crypto/withdraw/{}`,
    ({ v3 }, talk) => v3.wallet.rollBackWithdraw({ id: waits(talk) }),
    async (done, talk) => {
      expect(done).toBe(true);
      expect(await wallet(talk).transaction({ txId: waits(talk) })).toMatchObject({ status: 'ROLLED_BACK' });
    },
    {
      before: waiting,
      errors: {
        20_005: (talk) => codeOf(wallet(talk).rollBackWithdraw({ id: 'nobody-knows-it' })),
        20_006: async (talk) => {
          const id = await waiting(talk);
          await wallet(talk).commitWithdraw({ id });
          return codeOf(wallet(talk).rollBackWithdraw({ id }));
        },
      },
    },
  ),
  rowCase(
    `GET ${root}/crypto/address/recent-withdraw`,
    ({ v3 }) => v3.wallet.recentWithdrawAddresses({ currency: 'BTC' }),
    (found) => expect(found.map(({ address }) => address)).toEqual([outside]),
    { bad: {}, errors: { 2002: (talk) => codeOf(wallet(talk).recentWithdrawAddresses(none)) } },
  ),
  rowCase(
    `POST ${root}/internal/withdraw`,
    ({ v3 }) =>
      v3.wallet.internalWithdraw({ currency: 'USDT', amount: '1', by: 'username', identifier: 'demo-two' }),
    async (id, talk) =>
      expect(await wallet(talk).transaction({ txId: id })).toMatchObject({
        subtype: 'OFFCHAIN',
        status: 'SUCCESS',
      }),
    {
      bad: { ...badAmount, by: 'name', identifier: 'x' },
      errors: {
        2002: internalRefused(none),
        20_001: internalRefused({ amount: '99999999' }),
        22_004: internalRefused({ identifier: 'nobody' }),
      },
    },
  ),
];

function internalRefused(change: object) {
  const asked = { currency: 'USDT', amount: '1', by: 'username', identifier: 'demo-two' } as const;
  return (talk: Talk) => codeOf(wallet(talk).internalWithdraw({ ...asked, ...change }));
}

const item = { currency: 'BTC', amount: '1' };
const fees: readonly RowCase[] = [
  rowCase(
    `GET ${root}/crypto/fee/estimate`,
    ({ v3 }) => v3.wallet.estimateFee(item),
    (fee) => expect(fee).toBeGreaterThan(0n),
    { bad: badAmount, errors: { 2002: (talk) => codeOf(wallet(talk).estimateFee({ ...item, ...none })) } },
  ),
  rowCase(
    `POST ${root}/crypto/fees/estimate`,
    ({ v3 }) => v3.wallet.estimateFees([item]),
    (rows) => expect(rows).toMatchObject([{ currency: 'BTC', amount: parseAmount('1') }]),
    {
      bad: [{ currency: 'BTC', amount: 'much' }],
      errors: { 2002: (talk) => codeOf(wallet(talk).estimateFees([{ ...item, ...none }])) },
    },
  ),
  rowCase(
    `POST ${root}/crypto/fee/estimate/bulk`,
    ({ v3 }) => v3.wallet.estimateFeesBulk([item]),
    (rows) => expect(rows).toMatchObject([{ currency: 'BTC' }]),
    {
      bad: [{ currency: 'BTC', amount: 'much' }],
      errors: { 2002: (talk) => codeOf(wallet(talk).estimateFeesBulk([{ ...item, ...none }])) },
    },
  ),
  rowCase(
    `GET ${root}/crypto/fee/withdraw/hash`,
    ({ v3 }) => v3.wallet.feesHash(),
    (hash) => expect(hash).toMatch(/^\w{8,}$/),
  ),
  rowCase(
    `POST ${root}/crypto/check-offchain-available`,
    ({ v3 }) => v3.wallet.isOffchainAvailable({ currency: 'BTC', address: outside }),
    (available) => expect(available).toBe(false),
    {
      bad: { currency: 'BTC' },
      errors: { 2002: (talk) => codeOf(wallet(talk).isOffchainAvailable({ ...none, address: outside })) },
    },
  ),
];

const transferred = { currency: 'USDT', amount: '10', source: 'spot', destination: 'wallet' } as const;
const converted = { fromCurrency: 'BTC', toCurrency: 'USDT', amount: '0.1' };
const refusedTransfer = (change: Partial<V3Input<'walletTransfer'>>) => (talk: Talk) =>
  codeOf(wallet(talk).transfer({ ...transferred, ...change }));

const money: readonly RowCase[] = [
  rowCase(
    `GET ${root}/balance`,
    ({ v3 }) => v3.wallet.balances(),
    (balances) => expect(balances.map(({ currency }) => currency)).toContain('XRP'),
  ),
  rowCase(
    `GET ${root}/balance/{}`,
    ({ v3 }) => v3.wallet.balance({ currency: 'XRP' }),
    (balance) => expect(balance).toMatchObject({ currency: 'XRP', available: parseAmount('1000') }),
    { errors: { 2002: (talk) => codeOf(wallet(talk).balance(none)) } },
  ),
  rowCase(
    `POST ${root}/transfer`,
    ({ v3 }) => v3.wallet.transfer(transferred),
    async (txId, talk) => {
      talk.notes.set('transfer', txId);
      expect(await wallet(talk).transaction({ txId })).toMatchObject({ subtype: 'SPOT_TO_WALLET' });
    },
    {
      bad: { ...badAmount, source: 'spot', destination: 'moon' },
      errors: { 2002: refusedTransfer(none), 20_001: refusedTransfer({ amount: '999999999' }) },
    },
  ),
  rowCase(
    `POST ${root}/convert`,
    ({ v3 }) => v3.wallet.convert(converted),
    (ids) => expect(ids).toHaveLength(2),
    {
      bad: { from_currency: 'BTC', to_currency: 'USDT', amount: 'much' },
      errors: {
        2002: (talk) => codeOf(wallet(talk).convert({ ...converted, toCurrency: 'NOPE' })),
        20_001: (talk) => codeOf(wallet(talk).convert({ ...converted, amount: '1000' })),
      },
    },
  ),
  rowCase(
    `GET ${root}/transactions`,
    ({ v3 }) => v3.wallet.transactions({ types: ['SWAP'] }),
    (rows) => expect(rows.map(({ type }) => type)).toEqual(['SWAP', 'SWAP']),
    { bad: { limit: '1001' } },
  ),
  rowCase(
    `GET ${root}/transactions/{}`,
    ({ v3 }, talk) => v3.wallet.transaction({ txId: talk.notes.get('transfer') ?? 'none' }),
    (row) => expect(row).toMatchObject({ type: 'TRANSFER', native: { amount: parseAmount('10') } }),
    { errors: { 20_004: (talk) => codeOf(wallet(talk).transaction({ txId: 'nobody-knows-it' })) } },
  ),
  rowCase(
    `GET ${root}/amount-locks`,
    ({ v3 }) => v3.wallet.amountLocks({ currency: 'LTC' }),
    (locks) => expect(locks).toMatchObject([{ amount: parseAmount('1'), description: 'for an hour' }]),
    { bad: { limit: '1001' } },
  ),
  rowCase(
    `GET ${root}/airdrops`,
    ({ v3 }) => v3.wallet.airdrops(),
    (gifts) => expect(gifts.map(({ status }) => status)).toEqual(['available', 'available']),
  ),
  rowCase(
    `POST ${root}/airdrops/{}/claim`,
    ({ v3 }) => v3.wallet.claimAirdrop({ id: '1' }),
    (gift) => expect(gift).toMatchObject({ status: 'claimed', amount: parseAmount('5') }),
    { errors: { 20_004: (talk) => codeOf(wallet(talk).claimAirdrop({ id: '99' })) } },
  ),
];

/** The wallet of v3 over REST. */
export const walletV3: readonly RowCase[] = [...addresses, ...withdrawals, ...fees, ...money];
