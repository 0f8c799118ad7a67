import assert from 'node:assert/strict';
import type { CcxtV2 } from '../support/ccxt-v2-client.ts';
import { ccxtV2, ccxtV2Client } from '../support/ccxt-v2-client.ts';
import type { RunningExchange } from '../support/exchange.ts';
import { startExchange, still } from '../support/exchange.ts';
import { after, before, describe, test } from '../support/talk.ts';
import { pause, until } from '../support/waiting.ts';

/** An address of somebody else: the sample of the document that introduced this form. */
const foreign = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

describe('ccxt of API v2 uses the account over REST', () => {
  let exchange: RunningExchange;
  let client: CcxtV2;

  before(async () => {
    exchange = await startExchange({
      ...still,
      wallet: { acceptMs: [10, 50], processMs: [50, 200] },
      limits: { enabled: false },
    });
    client = ccxtV2Client(exchange, exchange.key('demo'));
    await client.loadMarkets();
  });

  after(async () => {
    await client?.close();
    await exchange?.stop();
  });

  const held = async (type: 'main' | 'trading', currency: string): Promise<number> =>
    (await client.fetchBalance({ type }))[currency]?.total ?? 0;

  test('a transfer moves money between the main and the trading account', async () => {
    const before = [await held('main', 'BTC'), await held('trading', 'BTC')] as const;
    const down = await client.transfer('BTC', 5, 'spot', 'funding');
    assert.match(down.id, /^[0-9a-f]{8}-/);
    assert.deepEqual(
      [await held('main', 'BTC'), await held('trading', 'BTC')],
      [before[0] + 5, before[1] - 5],
    );
    await client.transfer('BTC', 2, 'funding', 'spot');
    assert.deepEqual(
      [await held('main', 'BTC'), await held('trading', 'BTC')],
      [before[0] + 3, before[1] - 3],
    );
    await assert.rejects(
      client.transfer('BTC', 1_000, 'funding', 'spot'),
      (error: Error) => error.constructor === ccxtV2['InsufficientFunds'],
    );
  });

  test('deposit addresses are made and remembered', async () => {
    const made = await client.createDepositAddress('BTC');
    assert.equal((await client.fetchDepositAddress('BTC')).address, made.address);
    assert.match(String((await client.createDepositAddress('XRP')).tag), /^\d+$/);
  });

  test('a withdrawal is found among the transactions, with its fee', async () => {
    const before = await held('main', 'BTC');
    const { id } = await client.withdraw('BTC', 0.5, foreign);
    const done = await until('the withdrawal to succeed', async () => {
      await pause(50);
      const found = (await client.fetchTransactions('BTC')).find((each) => each.id === id);
      return found?.status === 'ok' ? found : undefined;
    });
    assert.deepEqual(
      [done.type, done.currency, done.amount, done.address],
      ['withdrawal', 'BTC', 0.5, foreign],
    );
    const cost = done.fee?.cost ?? 0;
    assert.ok(cost > 0);
    assert.equal((await held('main', 'BTC')).toFixed(8), (before - 0.5 - cost).toFixed(8));
  });
});
