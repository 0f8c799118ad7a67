import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readJournal } from '../../src/core/journal/replay.ts';
import type { Lots } from '../../src/core/model/instrument.ts';
import type { Counterparty } from './support/counterparty.ts';
import {
  expectBookedOnce,
  expectSameAccount,
  expectSameBook,
  expectSentOnce,
  venueOrders,
} from './support/invariants.ts';
import type { Puppet } from './support/puppet.ts';
import { PuppetScene } from './support/puppet-scene.ts';
import type { Stage } from './support/stage.ts';
import { until } from './support/until.ts';

let stage: Stage;
let counterparty: Counterparty;
let puppet: Puppet;

beforeEach(async () => {
  ({ stage, counterparty, puppet } = await PuppetScene.open());
});

afterEach(async () => {
  await stage.close();
});

describe('journey 1: a book update from socket bytes to a strategy', () => {
  test('arrives as a proven sequence of updates, and the strategy sees the exchange’s book', async () => {
    for (let price = 299_100; price < 299_110; price++) counterparty.rest('buy', price, 7);
    await until('the last bid', () => puppet.books.at(-1)?.bid === 299_109);
    const sequences = puppet.books.map(({ sequence }) => sequence);
    expect(sequences).toEqual(sequences.map((_, index) => (sequences[0] ?? 0) + index));
    expect(puppet.books.every(({ status }) => status === 'live')).toBe(true);
    await expectSameBook(stage);
  });

  test('a lost update makes the book stale at once, and a new subscription makes it live again', async () => {
    stage.exchange.faults.dropUpdates('ETHUSDT', 1);
    counterparty.rest('buy', 299_200, 1);
    await until('the update is lost', () => !lives(299_200));
    await until('the gap', () => {
      counterparty.rest('buy', 299_300, 1);
      return puppet.outages.length > 0;
    });
    expect(stage.all('bookStale')).toMatchObject([{ reason: 'gap' }]);
    expect(puppet.outages).toMatchObject([{ of: 'book', symbol: 'ETHUSDT', reason: 'gap' }]);
    await stage.next('bookSnapshot', () => true, 1);
    await until('the book with the lost level', () => lives(299_200));
    await expectSameBook(stage);
    const kinds = stage.seen.map(({ event }) => event.kind).filter((kind) => kind.startsWith('book'));
    const after = kinds.slice(kinds.indexOf('bookStale') + 1);
    expect(after[0]).toBe('bookSnapshot');
    expect(after.filter((kind) => kind === 'bookStale')).toEqual([]);
  });
});

describe('journey 2: an order out and back', () => {
  test('is durable on disk before the exchange gets it, then reported, filled and cancelled', async () => {
    const durable: boolean[] = [];
    stage.exchange.core.listen({
      onReport: ({ order, reportType }) => {
        if (reportType !== 'new' || !order.clientOrderId.startsWith('gw-')) return;
        durable.push(onDisk(order.clientOrderId));
      },
      onBalance: () => {},
      onSettled: () => {},
    });
    const id = await puppet.place({ side: 'buy', quantity: 30, price: 299_500 });
    await puppet.received(id, 'new');
    expect(durable).toEqual([true]);
    counterparty.take('sell', 299_500, 12);
    await puppet.received(id, 'partiallyFilled');
    expect(puppet.fills).toEqual([`${id} 12`]);
    await puppet.act((orders) => orders.cancel(id));
    await puppet.received(id, 'canceled');
    expect(puppet.statesOf(id)).toEqual(['pending', 'new', 'partiallyFilled', 'canceled']);
    const order = stage.daemon.trader.view.order(id);
    expect(order).toMatchObject({ state: 'canceled', cumulative: 12 as Lots, quantity: 30 });
    expectSentOnce(stage);
    expectBookedOnce(stage);
    await expectSameAccount(stage);
    expect(await budgetsIdle()).toBe(true);
  });

  test('is replaced by one that inherits what was executed', async () => {
    const id = await puppet.place({ side: 'buy', quantity: 30, price: 299_500 });
    await puppet.received(id, 'new');
    counterparty.take('sell', 299_500, 10);
    await puppet.received(id, 'partiallyFilled');
    const next = await puppet.act((orders) => orders.replace(id, { quantity: 40, price: 299_600 }));
    await until('the replacement', () => stage.daemon.trader.view.order(next)?.state === 'partiallyFilled');
    expect(stage.daemon.trader.view.order(next)).toMatchObject({
      quantity: 40,
      cumulative: 10,
      price: 299_600,
    });
    expect(stage.exchange.core.exchange.activeOrders(stage.exchange.accounts.get('demo').id)).toHaveLength(1);
    await expectSameAccount(stage);
  });

  test('that the exchange refuses is rejected with its code and counts for nothing', async () => {
    const id = await puppet.place({ side: 'sell', quantity: 400_0001, price: 301_500 });
    await until('a verdict', () =>
      puppet.statesOf(id).some((state) => state === 'rejected' || state === 'FUNDS'),
    );
    expect(venueOrders(stage)).toEqual([]);
    await expectSameAccount(stage);
  });
});

function lives(price: number): boolean {
  const { trader } = stage.daemon;
  const book = trader.view.book(trader.instruments.get('ETHUSDT').id);
  return book.status === 'live' && book.quantityAt('buy', price as never) > 0;
}

function onDisk(clientOrderId: string): boolean {
  for (const { event } of readJournal(stage.config.run.directory)) {
    if (event.kind === 'orderPending' && event.command.request.clientOrderId === clientOrderId) return true;
  }
  return false;
}

function budgetsIdle(): Promise<boolean> {
  return until('no command in flight', () => stage.daemon.trader.waiting.inFlight === 0);
}
