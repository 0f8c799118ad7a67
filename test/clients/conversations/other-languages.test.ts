import assert from 'node:assert/strict';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunningExchange } from '../support/exchange.ts';
import { launchExchange, living, startExchange } from '../support/exchange.ts';
import { javaLibraries, python, talk } from '../support/other-languages.ts';
import { isThrough } from '../support/through.ts';
import { after, before, describe, test } from '../support/talk.ts';

const here = fileURLToPath(new URL('..', import.meta.url));
const sample = fileURLToPath(new URL('../../../backtest/feeds/sample', import.meta.url));
/** XChange reads private members of the runtime, which it must be allowed to. */
const opened = ['java.base/java.net=ALL-UNNAMED', 'java.base/sun.net.www.protocol.https=ALL-UNNAMED'];

describe('clients in other languages', () => {
  let exchange: RunningExchange;

  /** Fetched while the Python packages are. */
  let libraries: Promise<string>;

  before(async () => {
    libraries = javaLibraries();
    libraries.catch(() => {});
    exchange = await startExchange(living);
  });
  after(() => exchange?.stop());

  const where = (account: string) => {
    const { apiKey, secret, at: { rest, ws } = exchange } = exchange.key(account);
    const own = exchange.ownKey(account);
    const owner = { rest: exchange.rest, key: own.apiKey, secret: own.secret };
    const where = { rest, ws, key: apiKey, secret, ...(isThrough && { owner }) };
    return { GODWIT_EXCHANGE: JSON.stringify(where) };
  };

  test('the Python SDK of CryptoMarket (v3): lists, an order, both sockets', async () => {
    const program = join(here, 'python', 'cryptomarket_sdk.py');
    assert.match(await talk(await python(), [program], where('demo')), /all held/);
  });

  test('cryptofeed (v2): books with their sequence, trades, ticker and candles', async () => {
    const program = join(here, 'python', 'cryptofeed_streams.py');
    assert.match(await talk(await python(), [program], where('demo')), /all held/);
  });

  test('XChange (v2): lists, a book, an order', async () => {
    const { apiKey, secret, at: { rest } = exchange } = exchange.key('demo-two');
    const said = await talk('java', [
      ...opened.flatMap((name) => ['--add-opens', name]),
      '-cp',
      join(await libraries, '*'),
      join(here, 'java', 'Conversation.java'),
      rest,
      apiKey,
      secret,
    ]);
    assert.match(said, /all held/);
  });

  test('ccxt for Python (v3) as it is out of the box: markets, prices, money, orders, contracts', async () => {
    const program = join(here, 'python', 'ccxt_default.py');
    assert.match(await talk(await python(), [program], where('demo-two')), /all held/);
  });

  test('ccxt for Python (v3) trades a recorded market that goes on as it asks: each time alike', async () => {
    const program = join(here, 'python', 'ccxt_recorded.py');
    const said: string[] = [];
    for (let count = 0; count < 2; count++) {
      const recorded = await launchExchange({}, ['--replay', sample, '--speed', 'asked']);
      const { apiKey: key, secret } = recorded.ownKey('demo');
      try {
        const at = JSON.stringify({ rest: recorded.rest, key, secret });
        said.push(await talk(await python(), [program], { GODWIT_EXCHANGE: at }));
      } finally {
        await recorded.stop();
      }
    }
    const lines = said.map((text) => text.split('\n').find((line) => line.startsWith('[[')));
    assert.match(said[0] ?? '', /all held/);
    assert.notEqual(lines[0], undefined);
    assert.equal(lines[1], lines[0]);
  });
});
