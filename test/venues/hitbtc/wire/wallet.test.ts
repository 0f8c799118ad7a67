import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Amount } from '../../../../src/core/base/amount.ts';
import { zero } from '../../../../src/core/base/amount.ts';
import { millis } from '../../../../src/core/base/clock.ts';
import { decodeAirdrop, encodeAirdrop } from '../../../../src/venues/hitbtc/wire/airdrop.ts';
import { decodeAmountLocks, encodeAmountLock } from '../../../../src/venues/hitbtc/wire/amount-lock.ts';
import {
  decodeV2Address,
  decodeV3Address,
  encodeV2Address,
} from '../../../../src/venues/hitbtc/wire/deposit-address.ts';
import { encodeV3Address } from '../../../../src/venues/hitbtc/wire/deposit-address.ts';
import {
  decodeV2Transaction,
  encodeV2Transaction,
} from '../../../../src/venues/hitbtc/wire/v2/account-transactions.ts';
import {
  decodeV3Transaction,
  encodeV3Transaction,
} from '../../../../src/venues/hitbtc/wire/v3/wallet-transactions.ts';
import * as answers from '../../../../src/venues/hitbtc/wire/wallet-answers.ts';
import type { WalletTransaction } from '../../../../src/venues/hitbtc/wire/wallet-transaction.ts';
import {
  transactionStatuses,
  transactionSubtypes,
  transactionTypes,
} from '../../../../src/venues/hitbtc/wire/wallet-transaction.ts';
import { walletBalance } from '../../../../src/venues/hitbtc/wire/resources/account.ts';

const amount = fc.bigInt({ min: 0n, max: 10n ** 40n }).map((value) => value as Amount);
const time = fc.integer({ min: 0, max: 4_000_000_000_000 }).map((ms) => millis(ms));
const text = fc.string({ minLength: 1, maxLength: 20 });
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined });

const transaction: fc.Arbitrary<WalletTransaction> = fc.record({
  id: fc.nat(),
  status: fc.constantFrom(...transactionStatuses),
  type: fc.constantFrom(...transactionTypes),
  subtype: fc.constantFrom(...transactionSubtypes),
  createdAt: time,
  updatedAt: time,
  lastActivityAt: time,
  operationId: text,
  commitRisk: maybe(
    fc.record({ score: fc.integer({ min: 0, max: 100 }), rbf: fc.boolean(), lowFee: fc.boolean() }),
  ),
  native: fc.record({
    txId: text,
    index: fc.nat(),
    currency: text,
    amount,
    fee: maybe(amount),
    address: maybe(text),
    paymentId: maybe(text),
    hash: maybe(text),
    offchainId: maybe(text),
    confirmations: maybe(fc.nat()),
    publicComment: maybe(text),
    errorCode: maybe(text),
    senders: maybe(fc.array(text, { maxLength: 3 })),
    operationType: maybe(text),
    networkCode: maybe(text),
    attemptHashes: maybe(fc.array(text, { maxLength: 3 })),
  }),
});
const overWire = (value: object): unknown => JSON.parse(JSON.stringify(value));

describe('transactions on the wire', () => {
  test('v3 reads back exactly what it writes', () => {
    fc.assert(
      fc.property(transaction, (given) => {
        expect(decodeV3Transaction(overWire(encodeV3Transaction(given)))).toEqual(given);
      }),
    );
  });

  test('v2 reads back what it knows of a transaction', () => {
    fc.assert(
      fc.property(transaction, (given) => {
        const read = decodeV2Transaction(overWire(encodeV2Transaction(given, true)));
        expect(read).toMatchObject({
          id: given.native.txId,
          index: given.native.index,
          amount: given.native.amount,
          createdAt: given.createdAt,
          updatedAt: given.updatedAt,
        });
        expect(read.fee).toBe(given.native.fee);
        expect(read.commitRisk).toEqual(given.commitRisk);
      }),
    );
  });

  test('the sample of the facts file is read, whatever optional members it has', () => {
    const sample =
      '{"id":901,"status":"SUCCESS","type":"DEPOSIT","subtype":"BLOCKCHAIN","created_at":"2024-01-02T03:04:05.678Z","updated_at":"2024-01-02T03:10:05.678Z","last_activity_at":"2024-01-02T03:10:05.678Z","operation_id":"op-1","commit_risk":{"score":0,"rbf":false,"low_fee":false},"native":{"tx_id":"4a0","index":17,"currency":"BBB","amount":"1.5","fee":"0","address":"addr","payment_id":"77","hash":"0x","confirmations":12,"senders":["s1"],"network_code":"NET"}}';
    const read = decodeV3Transaction(JSON.parse(sample));
    expect(read).toMatchObject({ id: 901, native: { fee: zero, confirmations: 12, networkCode: 'NET' } });
    expect(JSON.stringify(encodeV3Transaction(read))).toBe(sample);
    const unknown = { ...(JSON.parse(sample) as object), subtype: 'NEW_KIND', meta: {} };
    expect(decodeV3Transaction(unknown).subtype).toBe('UNCLASSIFIED');
    expect(() => decodeV3Transaction({ ...unknown, id: 'x' })).toThrow('member id');
    const v2 =
      '{"id":"76b00000-0000-0000-0000-000000000001","index":7173000001,"type":"bankToExchange","status":"success","currency":"BBB","amount":"0.00001000","createdAt":"2021-01-31T08:19:33.892Z","updatedAt":"2021-01-31T08:19:33.967Z"}';
    expect(decodeV2Transaction(JSON.parse(v2))).toMatchObject({ type: 'bankToExchange', index: 7173000001 });
  });
});

describe('small answers of the wallet', () => {
  test('are read back as they were written', () => {
    const address = {
      currency: 'XRP',
      address: 'r1',
      paymentId: '7',
      publicKey: undefined,
      networkCode: 'XRP',
    };
    expect(decodeV3Address(overWire(encodeV3Address(address)))).toEqual(address);
    const { currency: _, ...rest } = address;
    expect(decodeV2Address(overWire(encodeV2Address(address)))).toEqual(rest);
    const lock = {
      id: 1,
      currency: 'BTC',
      amount: 5n as Amount,
      dateEnd: millis(7_000),
      description: 'why',
      cancelled: true,
      cancelledAt: millis(6_000),
      cancelDescription: 'over',
      createdAt: millis(5_000),
    };
    expect(decodeAmountLocks(overWire([encodeAmountLock(lock)]))).toEqual([lock]);
    const gift = {
      id: 3,
      currency: 'LTC',
      amount: 9n as Amount,
      description: '',
      status: 'claimed',
      createdAt: millis(1),
      claimedAt: millis(2),
      txId: 'x',
    } as const;
    expect(decodeAirdrop(overWire(encodeAirdrop(gift)))).toEqual(gift);
    const estimate = { currency: 'BTC', amount: 4n as Amount, fee: 2n as Amount, networkFee: undefined };
    expect(answers.decodeFeeEstimates(overWire([answers.encodeFeeEstimate(estimate)]))).toEqual([estimate]);
  });

  test('a transfer is answered by a list with one id, or by an object', () => {
    expect(answers.decodeTransferId(['2d'])).toBe('2d');
    expect(answers.decodeTransferId({ id: '2d' })).toBe('2d');
    expect(() => answers.decodeTransferId(['a', 'b'])).toThrow('a list with one id');
    expect(() => answers.decodeTransferId([])).toThrow('a list with one id');
    expect(answers.decodeFlag({ result: true })).toBe(true);
    expect(() => answers.decodeFlag({ result: 'yes' })).toThrow('result');
  });
});

test('balances of the wallet sockets are read back', () => {
  const balance = { currency: 'BTC', available: 7n as Amount, reserved: zero };
  expect(walletBalance.v3.decodeList([walletBalance.v3.write(balance)])).toEqual([balance]);
  expect(walletBalance.v2.decodeList([walletBalance.v2.write(balance)])).toEqual([balance]);
});
