import assert from 'node:assert/strict';
import type { Client } from 'cryptomarket';
import { constants } from 'cryptomarket';
import type { Ccxt } from '../support/ccxt-client.ts';
import { ccxt, ccxtClient } from '../support/ccxt-client.ts';
import { restClient } from '../support/cryptomarket-client.ts';
import { exact, plain } from '../support/decimals.ts';
import type { RunningExchange } from '../support/exchange.ts';
import { startExchange, still } from '../support/exchange.ts';
import { after, before, describe, test } from '../support/talk.ts';
import { pause, until } from '../support/waiting.ts';

const { ACCOUNT, IDENTIFY_BY, SIDE, SORT, TRANSACTION_STATUS, TRANSACTION_SUBTYPE, TRANSACTION_TYPE } =
  constants;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** An address of somebody else: the sample of the document that introduced this form. */
const foreign = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
/** Withdrawals that end soon; and no limits, because one of the clients does not mind them and 10 a second are few. */
const quick = { wallet: { acceptMs: [10, 50], processMs: [50, 200] }, limits: { enabled: false } };

describe('ccxt and cryptomarket use the wallet over REST', () => {
  let exchange: RunningExchange;
  let alice: Ccxt;
  let aliceToo: Client;
  let bob: Client;

  before(async () => {
    exchange = await startExchange({ ...still, ...quick });
    alice = await ccxtClient(exchange, exchange.key('demo'));
    aliceToo = restClient(exchange, exchange.key('demo'));
    bob = restClient(exchange, exchange.key('demo-two'));
    // Every conversation below has the money it speaks of, whatever the wallet opened with.
    for (const [currency, amount] of [
      ['BTC', 5],
      ['USDT', 50_000],
      ['XRP', 1_000],
    ] as const) {
      await aliceToo.transferBetweenWalletAndExchange({
        currency,
        amount,
        source: ACCOUNT.SPOT,
        destination: ACCOUNT.WALLET,
      });
    }
  });

  after(async () => {
    await alice?.close();
    await exchange?.stop();
  });

  async function inWallet(client: Client, currency: string): Promise<bigint> {
    const { available, reserved } = await client.getWalletBalance(currency);
    return exact(available) + exact(reserved);
  }

  async function inSpot(client: Client, currency: string): Promise<bigint> {
    return exact((await client.getSpotTradingBalance(currency)).available);
  }

  test('both clients read the same balances of the wallet', async () => {
    const all = await aliceToo.getWalletBalances();
    const unified = await alice.fetchBalance({ type: 'funding' });
    for (const { currency, available } of all) assert.equal(unified[currency]?.free, Number(available));
    assert.ok(all.every(({ available, reserved }) => Number(available) + Number(reserved) > 0));
  });

  test('a transfer moves money between wallet and trading account, exact and both ways', async () => {
    const before = [await inWallet(aliceToo, 'BTC'), await inSpot(aliceToo, 'BTC')] as const;
    const transfer = await alice.transfer('BTC', 1.23456789, 'funding', 'spot');
    assert.match(String(transfer.id), uuid);
    assert.equal(plain((await inSpot(aliceToo, 'BTC')) - before[1]), '1.23456789');
    assert.equal(plain(before[0] - (await inWallet(aliceToo, 'BTC'))), '1.23456789');
    await alice.transfer('BTC', 1.23456789, 'spot', 'funding');
    assert.deepEqual([await inWallet(aliceToo, 'BTC'), await inSpot(aliceToo, 'BTC')], before);
    await assert.rejects(alice.transfer('BTC', 1_000, 'funding', 'spot'), ccxt.InsufficientFunds);
  });

  test('deposit addresses are made, remembered and known as own', async () => {
    const made = await alice.createDepositAddress('BTC');
    assert.equal(made.currency, 'BTC');
    assert.equal((await alice.fetchDepositAddress('BTC')).address, made.address);
    const another = await aliceToo.createDepositCryptoAddress('BTC');
    assert.notEqual(another.address, made.address);
    assert.equal((await aliceToo.getDepositCryptoAddress('BTC')).address, another.address);
    const recent = await aliceToo.getLast10DepositCryptoAddresses('BTC');
    assert.deepEqual(
      recent.slice(0, 2).map(({ address }) => address),
      [another.address, made.address],
    );
    const tagged = await alice.createDepositAddress('XRP');
    assert.match(String(tagged.tag), /^\d+$/, 'XRP needs an extra identifier');
    assert.equal(await aliceToo.checkIfCryptoAddressBelongsToCurrentAccount(String(made.address)), true);
    assert.equal(await bob.checkIfCryptoAddressBelongsToCurrentAccount(String(made.address)), false);
    assert.equal(await aliceToo.checkIfCryptoAddressBelongsToCurrentAccount(foreign), false);
    assert.ok((await aliceToo.getDepositCryptoAddresses()).some(({ currency }) => currency === 'XRP'));
    await assert.rejects(aliceToo.createDepositCryptoAddress('NOSUCH'), /code=2002/);
  });

  test('a withdrawal costs its amount and the fee of the network', async () => {
    const before = await inWallet(aliceToo, 'BTC');
    const fee = await aliceToo.getEstimateWithdrawalFee({ currency: 'BTC', amount: '0.5' });
    const sent = await alice.withdraw('BTC', 0.5, foreign);
    assert.match(String(sent.info.id), uuid);
    const done = await until('the withdrawal to succeed', async () => {
      await pause(100);
      const found = (await alice.fetchWithdrawals('BTC')).find(
        ({ info }) => info.native.tx_id === sent.info.id,
      );
      return found?.status === 'ok' ? found : undefined;
    });
    assert.deepEqual(
      [done.type, done.currency, done.amount, done.address, done.fee?.cost],
      ['withdrawal', 'BTC', 0.5, foreign, Number(fee)],
    );
    assert.ok(String(done.txid).length > 10, 'the hash on the network');
    assert.equal(plain(before - (await inWallet(aliceToo, 'BTC'))), plain(exact('0.5') + exact(fee)));
    const [used] = await aliceToo.getLast10WithdrawalCryptoAddresses('BTC');
    assert.equal(used?.address, foreign);
    await assert.rejects(alice.withdraw('BTC', 100, foreign), ccxt.InsufficientFunds);
  });

  test('a withdrawal in two phases waits for its commit, or is rolled back whole', async () => {
    const order = { currency: 'BTC', amount: '0.1', address: foreign, autoCommit: false };
    const before = await aliceToo.getWalletBalance('BTC');
    const first = await aliceToo.withdrawCrypto(order);
    const held = await aliceToo.getWalletBalance('BTC');
    assert.ok(exact(held.reserved) > exact(before.reserved), 'the money is held');
    assert.equal(await aliceToo.withdrawCryptoRollback(first), true);
    assert.deepEqual(await aliceToo.getWalletBalance('BTC'), before);
    assert.equal((await aliceToo.getTransaction(first)).status, 'ROLLED_BACK');
    const second = await aliceToo.withdrawCrypto(order);
    assert.equal(await aliceToo.withdrawCryptoCommit(second), true);
    await until('the withdrawal to succeed', async () => {
      await pause(100);
      return (await aliceToo.getTransaction(second)).status === 'SUCCESS' ? true : undefined;
    });
    await assert.rejects(
      aliceToo.withdrawCryptoCommit('00000000-0000-4000-8000-000000000000'),
      /code=2000[45]/,
    );
  });

  test('fees are estimated one by one and in bulk', async () => {
    const asked = [
      { currency: 'BTC', amount: '0.5' },
      { currency: 'XRP', amount: '100' },
    ];
    const fees = await aliceToo.getBulkEstimateWithdrawalFees(asked);
    assert.deepEqual(
      fees.map(({ currency, amount }) => [currency, Number(amount)]),
      [
        ['BTC', 0.5],
        ['XRP', 100],
      ],
    );
    assert.equal(fees[0]?.fee, await aliceToo.getEstimateWithdrawalFee({ currency: 'BTC', amount: '0.5' }));
    assert.deepEqual(await aliceToo.getEstimateWithdrawalFees(asked), fees);
    const hash = await aliceToo.getWithdrawalFeesHash();
    assert.ok(String(hash).length > 0);
    assert.deepEqual(await aliceToo.getWithdrawalFeesHash(), hash, 'the same fees, the same hash');
  });

  test('a conversion takes from one currency and gives to the other', async () => {
    // The rate is the market's, so there must be one.
    for (const [client, side] of [
      [bob, SIDE.SELL],
      [aliceToo, SIDE.BUY],
    ] as const) {
      await client.createNewSpotOrder({ symbol: 'ETHUSDT', side, quantity: '1', price: '3200' });
    }
    const before = [await inWallet(aliceToo, 'USDT'), await inWallet(aliceToo, 'ETH')] as const;
    const ids = await aliceToo.convertBetweenCurrencies({
      fromCurrency: 'USDT',
      toCurrency: 'ETH',
      amount: '1000',
    });
    assert.equal(ids.length, 2);
    for (const id of ids) assert.match(id, uuid);
    await until('both sides of the conversion', async () => {
      await pause(50);
      const given = before[0] - (await inWallet(aliceToo, 'USDT'));
      const got = (await inWallet(aliceToo, 'ETH')) - before[1];
      return plain(given) === '1000' && got > 0n ? true : undefined;
    });
    const parts = await aliceToo.getTransactionHistory({ types: [TRANSACTION_TYPE.SWAP] });
    assert.deepEqual(new Set(parts.map(({ native }) => native.txId)), new Set(ids));
  });

  test('money is sent to another user inside the exchange', async () => {
    const before = [await inWallet(aliceToo, 'USDT'), await inWallet(bob, 'USDT')] as const;
    const id = await aliceToo.transferMoneyToAnotherUser({
      currency: 'USDT',
      amount: 250,
      by: IDENTIFY_BY.USERNAME,
      identifier: 'demo-two',
    });
    assert.match(id, uuid);
    await until('the money to arrive', async () => {
      await pause(50);
      const moved = [
        before[0] - (await inWallet(aliceToo, 'USDT')),
        (await inWallet(bob, 'USDT')) - before[1],
      ];
      return moved.every((amount) => plain(amount) === '250') ? true : undefined;
    });
    await assert.rejects(
      aliceToo.transferMoneyToAnotherUser({
        currency: 'USDT',
        amount: 1,
        by: IDENTIFY_BY.EMAIL,
        identifier: 'nobody@example.com',
      }),
      /code=22004/,
    );
  });

  test('transactions are filtered, sorted, paged and read alone', async () => {
    const transfers = await aliceToo.getTransactionHistory({
      types: [TRANSACTION_TYPE.TRANSFER],
      subtypes: [TRANSACTION_SUBTYPE.SPOTTOWALLET],
      statuses: [TRANSACTION_STATUS.SUCCESS],
      currencies: ['BTC'],
      sort: SORT.ASC,
    });
    assert.deepEqual(
      transfers.map(({ native }) => String(native.amount)),
      ['5', '1.23456789'],
    );
    const [first] = transfers;
    assert.ok(first !== undefined);
    assert.deepEqual(await aliceToo.getTransaction(first.native.txId), first);
    const two = await aliceToo.getTransactionHistory({ limit: 2 });
    const next = await aliceToo.getTransactionHistory({ limit: 1, offset: 1 });
    assert.deepEqual(next[0], two[1]);
    assert.ok(Number(two[0]?.id) > Number(two[1]?.id), 'newest first');
    const both = await alice.fetchDepositsWithdrawals();
    assert.ok(both.every(({ type }) => type === 'deposit' || type === 'withdrawal'));
    await assert.rejects(aliceToo.getTransaction('00000000-0000-4000-8000-000000000000'), /code=20004/);
  });

  test('locks, the white list and off-chain reachability can be asked for', async () => {
    assert.deepEqual(await aliceToo.getAmountLocks({ currency: 'BTC', active: true }), []);
    assert.ok(Array.isArray(await aliceToo.getWhitelistedAddresses()));
    const { address } = await bob.createDepositCryptoAddress('BTC');
    assert.equal(await aliceToo.checkIfOffchainIsAvailable({ currency: 'BTC', address }), true);
    assert.equal(await aliceToo.checkIfOffchainIsAvailable({ currency: 'BTC', address: foreign }), false);
  });

  test('a key without the right is refused', async () => {
    const trader = restClient(exchange, exchange.key('demo', 'R1 R2'));
    await assert.rejects(trader.getWalletBalances(), /code=1003/);
    const payer = restClient(exchange, exchange.key('demo-three', 'R1 R2 R3'));
    assert.ok(Array.isArray(await payer.getWalletBalances()));
    await assert.rejects(
      payer.withdrawCrypto({ currency: 'BTC', amount: '0.1', address: foreign }),
      /code=1003/,
    );
  });
});
