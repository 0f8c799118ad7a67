import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Counterparty } from './support/counterparty.ts';
import { expectSameBook, venueOrders } from './support/invariants.ts';
import type { Puppet } from './support/puppet.ts';
import { far, PuppetScene } from './support/puppet-scene.ts';
import type { Stage } from './support/stage.ts';
import { until } from './support/until.ts';

// Rows of the fault catalogue, end to end over real sockets: their ids stand in the titles.

let scene: PuppetScene;
let stage: Stage;
let counterparty: Counterparty;
let puppet: Puppet;

beforeEach(async () => {
  scene = await PuppetScene.open();
  ({ stage, counterparty, puppet } = scene);
});

afterEach(async () => {
  await stage.close();
});

const stateOf = (id: string) => scene.stateOf(id);

/** At the exchange, the report of a new order of ours breaks every connection before the reply leaves. */
function cutOnAcceptance(): void {
  let done = false;
  stage.exchange.core.listen({
    onReport: ({ order }) => {
      if (done || !order.clientOrderId.startsWith('gw-')) return;
      done = true;
      stage.exchange.faults.closeSockets(1006);
    },
    onBalance: () => {},
    onSettled: () => {},
  });
}

describe('an order whose answer is lost is sent once and found by reading', () => {
  test('N4: the connection is reset after acceptance', async () => {
    cutOnAcceptance();
    const id = await puppet.place(far);
    await puppet.received(id, 'unknown');
    await until('the order is found', () => stateOf(id) === 'new');
    expect(stage.all('orderUnknown')).toMatchObject([{ clientOrderId: id }]);
    expect(venueOrders(stage).map(({ order }) => order.clientOrderId)).toEqual([id]);
    await scene.expectWhole();
  });

  test('N4: the same for an order that is executed at once', async () => {
    cutOnAcceptance();
    const id = await puppet.place({ side: 'buy', quantity: 20, price: 301_000 });
    await until('the fill is found', () => stateOf(id) === 'filled');
    expect(puppet.fills).toEqual([`${id} 20`]);
    await scene.expectWhole();
  });

  test('N5: the connection is reset before the order arrives', async () => {
    const id = await puppet.act((orders) => {
      const placed = orders.place({ symbol: 'ETHUSDT', ...far });
      stage.exchange.faults.closeSockets(1006);
      return placed;
    });
    await until('the order is settled', () => !['pending', 'unknown', undefined].includes(stateOf(id)));
    const arrived = venueOrders(stage).length;
    expect(arrived).toBeLessThanOrEqual(1);
    if (arrived === 0) expect(['canceled', 'denied', 'rejected', 'expired']).toContain(stateOf(id));
    await scene.expectWhole();
  });

  test('X1: 504, and the order was accepted', async () => {
    stage.exchange.faults.answer504('afterAccept', 1);
    const id = await puppet.place(far);
    await until('the order is live', () => stateOf(id) === 'new');
    expect(venueOrders(stage)).toHaveLength(1);
    await scene.expectWhole();
  });

  test('X2: 504, and the order was not accepted: proven absent by two complete reads, then done anew', async () => {
    stage.exchange.faults.answer504('beforeAccept', 1);
    const id = await puppet.place(far);
    await puppet.received(id, 'unknown');
    await until('the proof', () => stage.all('orderProvenAbsent').length > 0);
    expect(stage.all('orderProvenAbsent')).toMatchObject([{ clientOrderId: id }]);
    const reads = stage.all('readPending').filter(({ command }) => command.what.of === 'orderHistory');
    expect(reads.length).toBeGreaterThanOrEqual(2);
    expect(venueOrders(stage)).toEqual([]);
    const next = await puppet.place({ ...far, price: 299_120 });
    await puppet.received(next, 'new');
    expect(next).not.toBe(id);
    await scene.expectWhole();
  });

  test('N3: the reply never comes', async () => {
    stage.exchange.faults.dropReplies(1);
    const id = await puppet.place(far);
    await until('the order is live', () => stateOf(id) === 'new');
    await until('the command is given up', () => stage.daemon.trader.waiting.inFlight === 0);
    expect(venueOrders(stage)).toHaveLength(1);
    await scene.expectWhole();
  });

  test('X1: a cancel is answered with 504: the order is gone, and no second one is in doubt', async () => {
    const id = await puppet.place(far);
    await puppet.received(id, 'new');
    stage.exchange.faults.answer504('afterAccept', 1);
    await puppet.act((orders) => orders.cancel(id));
    await until('the cancel', () => stateOf(id) === 'canceled');
    await scene.expectWhole();
  });
});

describe('what is reported twice is booked once', () => {
  test('X5: an execution comes as a report, in a reply, and in the history after an outage', async () => {
    const id = await puppet.place({ side: 'buy', quantity: 20, price: 301_000 });
    await puppet.received(id, 'filled');
    const resting = await puppet.place(far);
    await puppet.received(resting, 'new');
    counterparty.take('sell', 299_100, 5);
    await puppet.received(resting, 'partiallyFilled');
    for (let outage = 1; outage <= 2; outage++) {
      const before = stage.all('readAnswered').length;
      stage.exchange.faults.closeSockets(1001);
      await stage.next('readAnswered', ({ what }) => what.of === 'tradeHistory', before);
    }
    expect(puppet.fills).toEqual([`${id} 20`, `${resting} 5`]);
    await scene.expectWhole();
  });

  test('W2: book updates sent twice change nothing', async () => {
    stage.exchange.faults.repeatUpdates('ETHUSDT', 3);
    for (const price of [299_201, 299_202, 299_203]) {
      counterparty.rest('buy', price, 3);
      await until('the update', () => puppet.books.at(-1)?.bid === price);
    }
    // A machine that is busy may hold them up, too: the book is then silent.
    expect(stage.all('bookStale').filter(({ reason }) => reason !== 'silent')).toEqual([]);
    await expectSameBook(stage);
  });
});

test('W11: whatever code the venue closes with, all is subscribed again and trading resumes by itself', async () => {
  for (const [index, code] of [1000, 1001, 1006, 1008, 1011, 1012, 1013].entries()) {
    const ups = stage.all('sessionUp').length;
    const snapshots = stage.all('bookSnapshot').length;
    stage.exchange.faults.closeSockets(code, 'by the test');
    await stage.next('sessionUp', ({ session }) => session === 'market', ups);
    await stage.next('sessionUp', ({ session }) => session === 'trading', ups);
    await stage.next('bookSnapshot', () => true, snapshots);
    const bid = 299_400 + index;
    counterparty.rest('buy', bid, 1);
    await until(`an update after ${code}`, () => puppet.books.at(-1)?.bid === bid);
    const next = await until(`an order after ${code}`, async () => {
      const placed = await puppet.place({ ...far, price: 299_150 + index });
      await until('a verdict', () => puppet.statesOf(placed).length > 0);
      return puppet.statesOf(placed)[0] === 'pending' && placed;
    });
    await puppet.received(next, 'new');
  }
  await scene.expectWhole();
});
