import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Counterparty } from './support/counterparty.ts';
import { expectSameBook } from './support/invariants.ts';
import type { Puppet } from './support/puppet.ts';
import { PuppetScene } from './support/puppet-scene.ts';
import { SocketProxy } from './support/socket-proxy.ts';
import type { Stage, StageParts } from './support/stage.ts';
import { until } from './support/until.ts';

let stage: Stage;
let proxy: SocketProxy;
let counterparty: Counterparty;
let puppet: Puppet;

beforeEach(async () => {
  const socketsOf: StageParts['socketsOf'] = async (exchange) => {
    proxy = await SocketProxy.start(exchange.wsUrl);
    return proxy.url;
  };
  ({ stage, counterparty, puppet } = await PuppetScene.open({ socketsOf }));
});

afterEach(async () => {
  try {
    await stage.close();
  } finally {
    await proxy.close();
  }
});

describe('a malformed frame', () => {
  test('of the own account halts trading at once, cancels what is live, and is over when the account was read completely', async () => {
    const id = await puppet.place({ side: 'buy', quantity: 20, price: 299_100 });
    await puppet.received(id, 'new');
    proxy.say(
      '/ws/trading',
      '{"jsonrpc":"2.0","method":"spot_order","params":{"id":584244931496,"symbol":"ETHUSDT"}}',
    );
    const halt = await stage.next('modeChanged', ({ unread }) => unread === true);
    expect(halt).toMatchObject({ mode: 'halted', latched: false });
    expect(halt.why).toMatch(/own account cannot be read: order reports, row 1 \(ETHUSDT\): /);
    await puppet.received(id, 'canceled');
    const over = await stage.next('modeChanged', ({ unread }) => unread === false);
    expect(over).toMatchObject({ mode: 'active', why: 'the account was read completely' });
    expect(stage.exchange.core.exchange.activeCount(stage.exchange.accounts.get('demo').id)).toBe(0);
    const next = await puppet.place({ side: 'buy', quantity: 20, price: 299_200 });
    await puppet.received(next, 'new');
  });

  test('of a book makes it stale, and it is subscribed anew', async () => {
    counterparty.rest('buy', 299_100, 4);
    await until('the update', () => puppet.books.at(-1)?.bid === 299_100);
    proxy.say(
      '/ws/public',
      '{"ch":"orderbook/full","update":{"ETHUSDT":{"t":1,"s":"next","a":[],"b":[["x","1"]]}}}',
    );
    await stage.next('bookStale', ({ reason }) => reason === 'malformed');
    await stage.next('bookSnapshot', () => true, 1);
    await expectSameBook(stage);
    expect(stage.daemon.trader.view.mode).toBe('active');
    const id = await puppet.place({ side: 'buy', quantity: 20, price: 299_050 });
    await puppet.received(id, 'new');
  });

  test('that is no JSON at all changes nothing', async () => {
    proxy.say('/ws/public', '<html>502 Bad Gateway</html>');
    counterparty.rest('buy', 299_100, 4);
    await until('the update', () => puppet.books.at(-1)?.bid === 299_100);
    expect(stage.daemon.trader.view.mode).toBe('active');
    expect(stage.all('bookStale')).toEqual([]);
  });
});
