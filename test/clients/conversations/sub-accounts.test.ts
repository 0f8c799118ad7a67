import assert from 'node:assert/strict';
import type { Client, models } from 'cryptomarket';
import { constants } from 'cryptomarket';
import type { Ccxt } from '../support/ccxt-client.ts';
import { ccxt, ccxtClient } from '../support/ccxt-client.ts';
import { restClient } from '../support/cryptomarket-client.ts';
import { exact, plain } from '../support/decimals.ts';
import type { RunningExchange } from '../support/exchange.ts';
import { startExchange, still } from '../support/exchange.ts';
import { after, before, describe, test } from '../support/talk.ts';

const { SIDE, TRANSFER_TYPE } = constants;

interface SubAccount {
  readonly subAccountId: string;
  readonly email: string;
  readonly status: string;
}

describe('cryptomarket manages sub-accounts', () => {
  let exchange: RunningExchange;
  let parent: Client;
  let child: Client;
  let childToo: Ccxt;
  let one = '';
  let two = '';

  before(async () => {
    exchange = await startExchange(still);
    parent = restClient(exchange, exchange.key('demo'));
    child = restClient(exchange, exchange.key('demo-sub-one'));
    childToo = await ccxtClient(exchange, exchange.key('demo-sub-one'));
    for (const [client, amount] of [
      [parent, 500],
      [child, 500],
    ] as const) {
      await client.transferBetweenWalletAndExchange({
        currency: 'USDT',
        amount,
        source: constants.ACCOUNT.SPOT,
        destination: constants.ACCOUNT.WALLET,
      });
    }
  });

  after(async () => {
    await childToo?.close();
    await exchange?.stop();
  });

  const sum = (rows: readonly models.Balance[] | undefined): bigint => {
    const row = rows?.find(({ currency }) => currency === 'USDT');
    return row === undefined ? 0n : exact(row.available) + exact(row.reserved);
  };
  const held = async (id: string): Promise<bigint> => {
    const { wallet, spot } = await parent.getSubAccountBalance(id);
    return sum(wallet) + sum(spot);
  };
  const own = async (client: Client): Promise<bigint> =>
    sum(await client.getWalletBalances()) + sum(await client.getSpotTradingBalances());

  test('they are listed as the document says', async () => {
    // The class expects {result:[…]}; the document says a list. See docs/assumptions.md.
    const list = (await parent.get('sub-account')) as SubAccount[];
    assert.ok(Array.isArray(list) && list.length >= 2);
    for (const { subAccountId, email, status } of list) {
      assert.match(subAccountId, /^[0-9a-f]+$/);
      assert.match(email, /@/);
      assert.equal(status, 'active');
    }
    [one = '', two = ''] = list.map(({ subAccountId }) => subAccountId);
    assert.equal(await held(one), await own(child), 'the first one is the account its own key sees');
  });

  test('money goes down, up and across, exact', async () => {
    const before = [await own(parent), await held(one), await held(two)] as const;
    const moved = async (): Promise<string[]> => {
      const now = [await own(parent), await held(one), await held(two)];
      return now.map((amount, index) => plain(amount - (before[index] ?? 0n)));
    };
    const transfer = { subAccountId: one as unknown as number, currency: 'USDT' };
    await parent.transferFunds({ ...transfer, amount: 125.5, type: TRANSFER_TYPE.TO_SUB_ACCOUNT });
    assert.deepEqual(await moved(), ['-125.5', '125.5', '0']);
    await parent.transferFunds({ ...transfer, amount: 25.5, type: TRANSFER_TYPE.FROM_SUB_ACCOUNT });
    assert.deepEqual(await moved(), ['-100', '100', '0']);
    await child.transferToAnotherSubAccount({
      subAccountId: two as unknown as number,
      currency: 'USDT',
      amount: 40,
    });
    assert.deepEqual(await moved(), ['-100', '60', '40']);
    await child.transferToSuperAccount({ currency: 'USDT', amount: 60 });
    assert.deepEqual(await moved(), ['-40', '0', '40']);
    await assert.rejects(
      parent.transferFunds({ ...transfer, amount: 1e9, type: TRANSFER_TYPE.TO_SUB_ACCOUNT }),
      /code=20001/,
    );
  });

  test('a frozen one loses its orders and its keys, and gets the keys back', async () => {
    await child.createNewSpotOrder({ symbol: 'BTCUSDT', side: SIDE.BUY, quantity: '0.01', price: '10000' });
    assert.equal((await parent.getOrderBook('BTCUSDT')).bid.length, 1);
    assert.equal(await parent.freezeSubAccounts([one]), true);
    assert.deepEqual((await parent.getOrderBook('BTCUSDT')).bid, [], 'its orders are canceled');
    await assert.rejects(child.getSpotTradingBalances(), /code=10021/);
    await assert.rejects(childToo.fetchBalance(), ccxt.AccountSuspended);
    const { spot } = await parent.getSubAccountBalance(one);
    assert.equal(sum(spot), 0n, 'its money is off the trading balance');
    await assert.rejects(parent.freezeSubAccounts([one]), /code=21003/);
    await assert.rejects(
      parent.transferFunds({
        subAccountId: one as unknown as number,
        currency: 'USDT',
        amount: 1,
        type: TRANSFER_TYPE.TO_SUB_ACCOUNT,
      }),
      /code=21004/,
    );
    assert.equal(await parent.activateSubAccounts([one]), true);
    assert.ok(Array.isArray(await child.getSpotTradingBalances()));
  });

  test('what a sub-account may do is read and changed', async () => {
    const [before] = await parent.getACLSettings([one]);
    assert.equal(before?.withdrawEnabled, false);
    const [changed] = await parent.changeACLSettings({
      subAccountIds: [one],
      depositAddressGenerationEnabled: true,
      withdrawEnabled: true,
      description: 'trades by itself',
    });
    assert.deepEqual([changed?.withdrawEnabled, changed?.description], [true, 'trades by itself']);
    assert.deepEqual(await parent.getACLSettings([one]), [changed]);
  });

  test('a sub-account has addresses of its own', async () => {
    const address = (await parent.getSubAccountCryptoAddress(one, 'BTC')) as unknown as { address: string };
    assert.equal(await child.checkIfCryptoAddressBelongsToCurrentAccount(address.address), true);
    assert.equal(await parent.checkIfCryptoAddressBelongsToCurrentAccount(address.address), false);
  });

  test('an unknown one is refused', async () => {
    await assert.rejects(parent.freezeSubAccounts(['ffffffffffffffffffffffff']), /code=21001/);
    await assert.rejects(parent.getSubAccountBalance('ffffffffffffffffffffffff'), /code=21001/);
  });
});
