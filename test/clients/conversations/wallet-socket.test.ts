import assert from 'node:assert/strict';
import type { Client, WSWalletClient } from 'cryptomarket';
import { constants } from 'cryptomarket';
import { refusalOf, restClient, walletSocket } from '../support/cryptomarket-client.ts';
import { exact, plain } from '../support/decimals.ts';
import type { RunningExchange } from '../support/exchange.ts';
import { startExchange, still } from '../support/exchange.ts';
import { Received } from '../support/received.ts';
import { after, before, describe, test } from '../support/talk.ts';
import { pause, within } from '../support/waiting.ts';

const { ACCOUNT } = constants;

interface Balance {
  readonly currency: string;
  readonly available: string;
  readonly reserved: string;
}
interface Transaction {
  readonly id: number;
  readonly type: string;
  readonly subtype: string;
  readonly status: string;
  readonly native: { readonly txId: string; readonly currency: string; readonly amount: string };
}

describe('cryptomarket follows the wallet over its socket', () => {
  let exchange: RunningExchange;
  let socket: WSWalletClient;
  let rest: Client;
  const balances = new Received<Balance[]>();
  const transactions = new Received<Transaction>();

  before(async () => {
    exchange = await startExchange(still);
    rest = restClient(exchange, exchange.key('demo'));
    await toWallet('LTC', 100);
    socket = await walletSocket(exchange, exchange.key('demo'));
  });

  after(async () => {
    await socket?.close();
    await exchange?.stop();
  });

  function toWallet(currency: string, amount: number): Promise<string> {
    return rest.transferBetweenWalletAndExchange({
      currency,
      amount,
      source: ACCOUNT.SPOT,
      destination: ACCOUNT.WALLET,
    });
  }

  test('balances are those of REST', async () => {
    assert.deepEqual(await within('balances', socket.getWalletBalances()), await rest.getWalletBalances());
    assert.deepEqual(
      await within('a balance', socket.getWalletBalance('LTC')),
      await rest.getWalletBalance('LTC'),
    );
    assert.equal((await refusalOf(() => socket.getWalletBalance('NOSUCH'))).code, 2_002);
  });

  test('a change is pushed as a transaction and as a balance', async () => {
    await within('the reply', socket.subscribeToBalance(balances.callback as never));
    await within('the reply', socket.subscribeToTransactions(transactions.callback as never));
    const opening = await balances.first('the whole list', (value, type) =>
      type === 'snapshot' ? value : undefined,
    );
    const held = opening.find(({ currency }) => currency === 'LTC');
    await toWallet('LTC', 2.5);
    const changed = await balances.first('the new balance', (value, type) =>
      type === 'update' && value[0]?.currency === 'LTC' ? value[0] : undefined,
    );
    assert.equal(plain(exact(changed.available) - exact(held?.available ?? '0')), '2.5');
    const moved = await transactions.first('the transaction', (value) =>
      value.status === 'SUCCESS' ? value : undefined,
    );
    assert.deepEqual(
      [moved.type, moved.subtype, moved.native.currency, Number(moved.native.amount)],
      ['TRANSFER', 'SPOT_TO_WALLET', 'LTC', 2.5],
    );
  });

  test('the history is that of REST', async () => {
    const [newest, ...others] = await within(
      'the history',
      socket.getTransactions({ currencies: ['LTC', 'XRP'], limit: 1 }),
    );
    assert.deepEqual(others, []);
    const [received] = await rest.getTransactionHistory({ currencies: ['LTC', 'XRP'], limit: 1 });
    assert.deepEqual(newest, received);
  });

  test('after unsubscribing nothing more is reported', async () => {
    assert.equal(await within('the reply', socket.unsubscribeToBalance()), true);
    assert.equal(await within('the reply', socket.unsubscribeToTransactions()), true);
    const before = [balances.all.length, transactions.all.length];
    await toWallet('LTC', 1);
    await pause(200);
    await within('a balance', socket.getWalletBalance('LTC'));
    assert.deepEqual([balances.all.length, transactions.all.length], before);
  });
});
