import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readJournal } from '../../src/core/journal/replay.ts';
import type { ClientOrderId } from '../../src/core/model/order.ts';
import type { PlaceListRequest } from '../../src/core/strategy/context.ts';
import type { Counterparty } from './support/counterparty.ts';
import { expectBookedOnce, expectSameAccount, expectSentOnce, venueOrders } from './support/invariants.ts';
import type { Puppet } from './support/puppet.ts';
import { PuppetScene } from './support/puppet-scene.ts';
import type { Stage } from './support/stage.ts';
import { until } from './support/until.ts';

type Ids = readonly [ClientOrderId, ClientOrderId, ClientOrderId];

let stage: Stage;
let counterparty: Counterparty;
let puppet: Puppet;

beforeEach(async () => {
  ({ stage, counterparty, puppet } = await PuppetScene.open());
});

afterEach(async () => {
  await stage.close();
});

const symbol = 'ETHUSDT';
/** Buys at 2995.00, then sells at 3005.00 or, below 2992.00, at 2990.00 at worst. */
const bracket: PlaceListRequest = {
  contingency: 'oneTriggerOneCancelOther',
  orders: [
    { symbol, side: 'buy', quantity: 20, price: 299_500 },
    { symbol, side: 'sell', quantity: 20, price: 300_500 },
    { symbol, side: 'sell', quantity: 20, type: 'stopLimit', stopPrice: 299_200, price: 299_000 },
  ],
};

const placeBracket = async (): Promise<Ids> =>
  (await puppet.act((orders) => orders.placeList(bracket))) as unknown as Ids;

async function expectWhole(): Promise<void> {
  await until('nothing in flight', () => stage.daemon.trader.waiting.inFlight === 0);
  expectSentOnce(stage);
  expectBookedOnce(stage);
  await expectSameAccount(stage);
}

describe('a bracket against the embedded exchange', () => {
  test('each order is on disk before the exchange gets any, and all come to be in one message', async () => {
    const durable: string[] = [];
    stage.exchange.core.listen({
      onReport: ({ order }) => {
        if (order.clientOrderId.startsWith('gw-')) durable.push(onDisk());
      },
      onBalance: () => {},
      onSettled: () => {},
    });
    const ids = await placeBracket();
    await puppet.received(ids[0], 'new');
    for (const id of ids.slice(1)) await puppet.received(id, 'suspended');
    expect(durable[0]).toBe(ids.join());
    await until('the one answer', () => stage.all('commandSettled').some(({ lane }) => lane === 'new'));
    expect(stage.all('commandSettled').filter(({ lane }) => lane === 'new')).toMatchObject([
      { outcome: 'acknowledged', clientOrderId: ids[0] },
    ]);
    await expectWhole();
  });

  test('the exits wake when the entry is filled, and one that executes ends the other', async () => {
    const [entry, profit, stop] = await placeBracket();
    await puppet.received(entry, 'new');
    counterparty.take('sell', 299_500, 20);
    await puppet.received(profit, 'new');
    expect(stage.daemon.trader.view.order(stop)?.state).toBe('suspended');
    counterparty.take('buy', 300_500, 20);
    await puppet.received(profit, 'filled');
    await puppet.received(stop, 'canceled');
    expect(puppet.fills).toEqual([`${entry} 20`, `${profit} 20`]);
    await expectWhole();
  });

  test('cancelling the entry takes the exits along', async () => {
    const ids = await placeBracket();
    await puppet.received(ids[0], 'new');
    await puppet.act((orders) => orders.cancel(ids[0]));
    for (const id of ids) await puppet.received(id, 'canceled');
    await expectWhole();
  });

  test('a list the exchange refuses is rejected order by order', async () => {
    stage.exchange.faults.refuseOrders(20_010, 1);
    const ids = await placeBracket();
    for (const id of ids) await puppet.received(id, 'rejected');
    expect(venueOrders(stage)).toEqual([]);
    await expectWhole();
  });
});

describe('a list without an answer', () => {
  test('was carried out: its orders are found again, and it is not sent twice', async () => {
    stage.exchange.faults.answer504('afterAccept', 1);
    const ids = await placeBracket();
    await until('the orders', () => ids.every((id) => ['new', 'suspended'].includes(stateOf(id))));
    expect(venueOrders(stage)).toHaveLength(3);
    await expectWhole();
  });

  test('was not: each order is proven absent', async () => {
    stage.exchange.faults.answer504('beforeAccept', 1);
    const ids = await placeBracket();
    for (const id of ids) await puppet.received(id, 'unknown');
    await until('the proofs', () => stage.all('orderProvenAbsent').length === 3);
    expect(venueOrders(stage)).toEqual([]);
    await expectWhole();
  });

  test('lost its connection: what the exchange has is what we know in the end', async () => {
    stage.exchange.faults.dropReplies(1);
    const ids = await placeBracket();
    stage.exchange.faults.closeSockets(1001);
    await until('the orders', () => ids.every((id) => !['pending', 'unknown'].includes(stateOf(id))));
    expect(venueOrders(stage).length % 3).toBe(0);
    await expectWhole();
  });
});

function stateOf(id: ClientOrderId): string {
  return stage.daemon.trader.view.order(id)?.state ?? 'unheard of';
}

/** Ids of pending orders in the journal's files, oldest first. */
function onDisk(): string {
  const ids: string[] = [];
  for (const { event } of readJournal(stage.config.run.directory)) {
    if (event.kind === 'orderPending') ids.push(event.command.request.clientOrderId);
  }
  return ids.join();
}
