import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Amount } from '../../../../src/core/base/amount.ts';
import { zero } from '../../../../src/core/base/amount.ts';
import { millis } from '../../../../src/core/base/clock.ts';
import * as answers from '../../../../src/venues/hitbtc/wire/answers.ts';
import { walletBalance } from '../../../../src/venues/hitbtc/wire/resources/account.ts';
import type { WalletTransaction } from '../../../../src/venues/hitbtc/wire/resources/wallet.ts';
import * as resources from '../../../../src/venues/hitbtc/wire/resources/wallet.ts';

const amount = fc.bigInt({ min: 0n, max: 10n ** 40n }).map((value) => value as Amount);
const time = fc.integer({ min: 0, max: 4_000_000_000_000 }).map((ms) => millis(ms));
const text = fc.string({ minLength: 1, maxLength: 20 });
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined });

const { inV2Words, transaction, transactionStatuses, transactionSubtypes, transactionTypes } = resources;

const anyTransaction: fc.Arbitrary<WalletTransaction> = fc.record({
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
      fc.property(anyTransaction, (given) => {
        expect(transaction.v3.read(overWire(transaction.v3.write(given)))).toEqual(given);
      }),
    );
  });

  test('v2 reads back what it knows of a transaction', () => {
    fc.assert(
      fc.property(anyTransaction, (given) => {
        const read = transaction.v2.read(overWire(transaction.v2.write(inV2Words(given, true))));
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
    const read = transaction.v3.read(JSON.parse(sample));
    expect(read).toMatchObject({ id: 901, native: { fee: zero, confirmations: 12, networkCode: 'NET' } });
    expect(JSON.stringify(transaction.v3.write(read))).toBe(sample);
    const unknown = { ...(JSON.parse(sample) as object), subtype: 'NEW_KIND', meta: {} };
    expect(transaction.v3.read(unknown).subtype).toBe('UNCLASSIFIED');
    expect(() => transaction.v3.read({ ...unknown, id: 'x' })).toThrow('member id');
    const v2 =
      '{"id":"76b00000-0000-0000-0000-000000000001","index":7173000001,"type":"bankToExchange","status":"success","currency":"BBB","amount":"0.00001000","createdAt":"2021-01-31T08:19:33.892Z","updatedAt":"2021-01-31T08:19:33.967Z"}';
    expect(transaction.v2.read(JSON.parse(v2))).toMatchObject({ type: 'bankToExchange', index: 7173000001 });
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
    expect(resources.address.v3.read(overWire(resources.address.v3.write(address)))).toEqual(address);
    const { currency: _, ...rest } = address;
    expect(resources.address.v2.read(overWire(resources.address.v2.write(address)))).toEqual(rest);
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
    expect(resources.amountLock.v3.readList(overWire([resources.amountLock.v3.write(lock)]))).toEqual([lock]);
    const claimed = {
      id: 3,
      currency: 'LTC',
      amount: 9n as Amount,
      description: '',
      status: 'claimed',
      createdAt: millis(1),
      claimedAt: millis(2),
      txId: 'x',
    } as const;
    expect(resources.airdrop.v3.read(overWire(resources.airdrop.v3.write(claimed)))).toEqual(claimed);
    const estimate = { currency: 'BTC', amount: 4n as Amount, fee: 2n as Amount, networkFee: undefined };
    expect(resources.feeEstimate.v3.readList(overWire([resources.feeEstimate.v3.write(estimate)]))).toEqual([
      estimate,
    ]);
  });

  test('a transfer is answered by a list with one id, or by an object', () => {
    expect(answers.readTransferId(['2d'])).toBe('2d');
    expect(answers.readTransferId({ id: '2d' })).toBe('2d');
    expect(() => answers.readTransferId(['a', 'b'])).toThrow('a list with one id');
    expect(() => answers.readTransferId([])).toThrow('a list with one id');
    expect(answers.readFlag({ result: true })).toBe(true);
    expect(() => answers.readFlag({ result: 'yes' })).toThrow('result');
  });
});

test('balances of the wallet sockets are read back', () => {
  const balance = { currency: 'BTC', available: 7n as Amount, reserved: zero };
  expect(walletBalance.v3.decodeList([walletBalance.v3.write(balance)])).toEqual([balance]);
  expect(walletBalance.v2.decodeList([walletBalance.v2.write(balance)])).toEqual([balance]);
});
