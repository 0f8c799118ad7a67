import { afterEach, describe, expect, test } from 'vitest';
import { zero } from '../../../../src/core/base/amount.ts';
import type { NewOrderCommand } from '../../../../src/core/model/command.ts';
import type { Lots, Ticks } from '../../../../src/core/model/instrument.ts';
import type { ClientOrderId } from '../../../../src/core/model/order.ts';
import { cancelOrder, newOrder, orderId, otherId, readCommand, replaceOrder } from './support/commands.ts';
import { quickOptions, Stage } from './support/exchange.ts';

let stage: Stage;

afterEach(async () => {
  await stage.close();
});

/** 0.0500 ETH at 3000.00 USDT. */
function order(
  commandId: number,
  id: ClientOrderId = orderId,
  changes: Partial<NewOrderCommand['request']> = {},
) {
  const instrument = stage.instruments.get('ETHUSDT').id;
  return newOrder(commandId, id, { instrument, quantity: 500 as Lots, price: 300_000 as Ticks, ...changes });
}

const settled = (commandId: number) =>
  stage.watcher.until('commandSettled', (event) => event.commandId === commandId);

describe('the live venue on an embedded exchange', () => {
  test('brings up both sessions and the book', async () => {
    stage = await Stage.start();
    await stage.ready();
    expect(stage.venue.isTrading).toBe(true);
    expect(stage.watcher.all('sessionUp').map(({ session }) => session)).toEqual(
      expect.arrayContaining(['market', 'trading']),
    );
  });

  test('comes up again when its open orders, which one message names, are longer than a message of the market may be', async () => {
    const socket = { ...quickOptions.socket, payloadBytesMax: 50_000 };
    stage = await Stage.start({ options: { ...quickOptions, socket } });
    await stage.ready();
    const { core, accounts, faults } = stage.server;
    for (let at = 0; at < 300; at++) {
      const { request } = order(at + 1, `gw-r1-maker-${String(at).padStart(5, '0')}` as ClientOrderId);
      const account = accounts.get('demo').id;
      core.handle({ kind: 'place', account, takeMarkup: zero, makeMarkup: zero, request });
    }
    stage.watcher.clear();
    faults.closeSockets(1_001);
    await stage.watcher.until('sessionUp', ({ session }) => session === 'trading');
    const listed = stage.frames.map(({ bytes }) => bytes.length);
    expect(Math.max(...listed)).toBeGreaterThan(50_000);
    expect(stage.venue.isTrading).toBe(true);
  });

  test('places, reports, replaces and cancels an order', async () => {
    stage = await Stage.start();
    await stage.ready();
    stage.venue.send(order(1));
    expect(await settled(1)).toMatchObject({ outcome: 'acknowledged', lane: 'new', clientOrderId: orderId });
    expect(stage.watcher.all('orderReport')[0]).toMatchObject({
      order: { clientOrderId: orderId, state: 'new', quantity: 500, price: 300_000 },
    });
    const instrument = stage.instruments.get('ETHUSDT').id;
    stage.venue.send(replaceOrder(2, { instrument, quantity: 400 as Lots, price: 300_100 as Ticks }));
    expect(await settled(2)).toMatchObject({ outcome: 'acknowledged', clientOrderId: otherId });
    const replaced = await stage.watcher.until(
      'orderReport',
      (event) => event.order.clientOrderId === otherId,
    );
    expect(replaced.order).toMatchObject({ originalClientOrderId: orderId, quantity: 400, price: 300_100 });
    stage.venue.send(cancelOrder(3, otherId));
    expect(await settled(3)).toMatchObject({ outcome: 'acknowledged', lane: 'cancel' });
    await stage.watcher.until(
      'orderReport',
      ({ order: { clientOrderId, state } }) => clientOrderId === otherId && state === 'canceled',
    );
    expect(stage.fatal).toEqual([]);
  });

  test('reports executions and the balances they change', async () => {
    stage = await Stage.start();
    await stage.ready();
    stage.venue.send(order(1));
    await settled(1);
    stage.venue.send(order(2, otherId, { side: 'sell', timeInForce: 'IOC', quantity: 200 as Lots }));
    await settled(2);
    const trade = await stage.watcher.until(
      'orderReport',
      ({ fill, order }) => fill !== undefined && order.side === 'buy',
    );
    expect(trade.fill).toMatchObject({ price: 300_000, quantity: 200, taker: false });
    await stage.watcher.until('balances');
  });

  test('reports a refused order and a refused cancel before they are settled', async () => {
    stage = await Stage.start();
    await stage.ready();
    stage.venue.send(order(1, orderId, { quantity: 90_000_000_000 as Lots }));
    expect(await settled(1)).toMatchObject({ outcome: 'refused' });
    expect(stage.watcher.all('orderRejected')).toMatchObject([{ clientOrderId: orderId, code: 20001 }]);
    stage.venue.send(cancelOrder(2));
    expect(await settled(2)).toMatchObject({ outcome: 'refused' });
    expect(stage.watcher.all('cancelRejected')).toMatchObject([{ clientOrderId: orderId, code: 20002 }]);
  });

  test('answers reads: active orders, balances, the history of one order, own trades', async () => {
    stage = await Stage.start();
    await stage.ready();
    stage.venue.send(order(1));
    await settled(1);
    stage.venue.send(order(2, otherId, { side: 'sell', timeInForce: 'IOC', quantity: 200 as Lots }));
    await settled(2);
    stage.venue.send(readCommand(3, { of: 'activeOrders' }));
    stage.venue.send(readCommand(4, { of: 'balances' }));
    stage.venue.send(readCommand(5, { of: 'orderHistory', clientOrderId: otherId }));
    const since = (stage.watcher.events[0]?.receiveTime ?? 0) as never;
    stage.venue.send(readCommand(6, { of: 'tradeHistory', since }));
    for (const id of [3, 4, 5, 6]) expect(await settled(id)).toMatchObject({ outcome: 'acknowledged' });
    const answers = new Map(stage.watcher.all('readAnswered').map((event) => [event.commandId, event]));
    expect(answers.get(3)?.orders).toMatchObject([
      { clientOrderId: orderId, state: 'partiallyFilled', cumulative: 200 },
    ]);
    expect(answers.get(4)?.balances.map(({ currency }) => currency)).toContain('USDT');
    expect(answers.get(5)?.orders).toMatchObject([{ clientOrderId: otherId, state: 'filled' }]);
    expect(answers.get(6)?.fills.length).toBeGreaterThanOrEqual(1);
  });

  test('repairs a book after a lost update', async () => {
    stage = await Stage.start();
    await stage.ready();
    stage.server.faults.dropUpdates('ETHUSDT', 1);
    stage.venue.send(order(1));
    await settled(1);
    stage.venue.send(order(2, otherId, { price: 299_900 as Ticks }));
    await settled(2);
    const publish = async (): Promise<void> => {
      for (let i = 0; stage.watcher.all('bookStale').length === 0 && i < 50; i++) {
        stage.venue.send(
          order(10 + i, `gw-more-${1_000 + i}` as ClientOrderId, { price: (299_000 - i) as Ticks }),
        );
        await settled(10 + i);
      }
    };
    await publish();
    await stage.watcher.until('bookStale', ({ reason }) => reason === 'gap');
    const broken = stage.watcher.events.findIndex(({ kind }) => kind === 'bookStale');
    await stage.watcher.until('bookSnapshot', (event) => stage.watcher.events.indexOf(event) > broken);
  });

  test('comes back by itself when all sockets are closed', async () => {
    stage = await Stage.start();
    await stage.ready();
    stage.venue.send(order(1));
    await settled(1);
    stage.watcher.clear();
    stage.server.faults.closeSockets(1012, 'restart');
    await stage.watcher.until('sessionDown', ({ session }) => session === 'trading');
    await stage.watcher.until('bookStale', ({ reason }) => reason === 'disconnected');
    await stage.ready();
    const status = await stage.watcher.until('orderReport', ({ reportType }) => reportType === 'status');
    expect(status.order.clientOrderId).toBe(orderId);
    stage.venue.send(cancelOrder(2));
    expect(await settled(2)).toMatchObject({ outcome: 'acknowledged' });
  });
});

describe('an order cut on its way', () => {
  test('before its session is up is certainly refused', async () => {
    stage = await Stage.start();
    stage.venue.send(order(1));
    expect(stage.watcher.all('commandSettled')).toEqual([]);
    expect(await settled(1)).toMatchObject({ outcome: 'refused' });
    expect(stage.watcher.all('orderRejected')).toMatchObject([
      { code: 0, why: 'the trading session is down' },
    ]);
    await stage.ready();
  });

  test('between acceptance and reply is unanswered, and found by a read', async () => {
    stage = await Stage.start();
    await stage.ready();
    stage.server.faults.holdReplies(10_000);
    stage.venue.send(order(1));
    await stage.watcher.until('orderReport', ({ order: { clientOrderId } }) => clientOrderId === orderId);
    stage.server.faults.closeSockets(1006);
    expect(await settled(1)).toMatchObject({ outcome: 'unanswered' });
    stage.server.faults.clear();
    await stage.watcher.until('sessionDown', ({ session }) => session === 'trading');
    stage.venue.send(readCommand(2, { of: 'activeOrders' }));
    expect(await settled(2)).toMatchObject({ outcome: 'acknowledged' });
    expect(stage.watcher.all('readAnswered')[0]?.orders).toMatchObject([{ clientOrderId: orderId }]);
    expect(stage.watcher.all('commandSettled').filter(({ commandId }) => commandId === 1)).toHaveLength(1);
  });

  test.each(['beforeAccept', 'afterAccept'] as const)(
    'by a 504 %s is unanswered and not sent again',
    async (when) => {
      stage = await Stage.start();
      await stage.ready();
      stage.server.faults.answer504(when, 1);
      stage.venue.send(order(1));
      expect(await settled(1)).toMatchObject({ outcome: 'unanswered' });
      stage.venue.send(readCommand(2, { of: 'activeOrders' }));
      await settled(2);
      expect(stage.watcher.all('readAnswered')[0]?.orders).toHaveLength(when === 'afterAccept' ? 1 : 0);
      expect(stage.watcher.all('orderRejected')).toEqual([]);
    },
  );

  test('refused for its rate is limited', async () => {
    stage = await Stage.start();
    await stage.ready();
    stage.server.faults.answer429(1);
    stage.venue.send(order(1));
    expect(await settled(1)).toMatchObject({ outcome: 'limited' });
  });

  test('by closing the venue is unanswered', async () => {
    stage = await Stage.start();
    await stage.ready();
    stage.server.faults.holdReplies(10_000);
    stage.venue.send(order(1));
    stage.venue.send(readCommand(2, { of: 'balances' }));
    await stage.venue.close();
    expect(stage.watcher.all('commandSettled').map(({ commandId, outcome }) => [commandId, outcome])).toEqual(
      [
        [1, 'unanswered'],
        [2, 'unanswered'],
      ],
    );
    stage.server.faults.clear();
  });
});

test('market data comes by version 2 when asked for', async () => {
  stage = await Stage.start({ api: 'v2' });
  await stage.ready();
  stage.venue.send(order(1));
  await settled(1);
  const update = await stage.watcher.until('bookUpdate');
  expect(Array.from(update.levels.slice(update.start, update.end))).toEqual([0, 300_000, 500]);
  expect(new Set(stage.frames.map(({ channel }) => channel))).toEqual(new Set(['v2/public', 'v3/trading']));
});

test('without credentials there is market data, and commands are refused', async () => {
  stage = await Stage.start({ credentials: undefined as never });
  await stage.watcher.until('bookSnapshot');
  stage.venue.send(order(1));
  stage.venue.send(cancelOrder(2));
  expect(await settled(1)).toMatchObject({ outcome: 'refused' });
  expect(await settled(2)).toMatchObject({ outcome: 'refused' });
});

test('no secret is in a recorded frame', async () => {
  stage = await Stage.start();
  await stage.ready();
  stage.venue.send(order(1));
  await settled(1);
  const key = stage.server.accounts.get('demo').keys[0];
  const text = stage.frames.map(({ bytes }) => Buffer.from(bytes).toString('utf8')).join('\n');
  expect(text).toContain('"method":"login"');
  expect(text).not.toContain(key?.apiKey);
  expect(text).not.toContain(key?.secret.reveal());
  expect(text).not.toMatch(/signature/);
});
