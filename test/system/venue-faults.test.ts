import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { millis } from '../../src/core/base/clock.ts';
import type { Counterparty } from './support/counterparty.ts';
import { expectSameBook, venueOrders } from './support/invariants.ts';
import type { Puppet } from './support/puppet.ts';
import { far, PuppetScene } from './support/puppet-scene.ts';
import type { Stage } from './support/stage.ts';
import { quickClient } from './support/stage.ts';
import { until, waitMax } from './support/until.ts';

// Rows of the fault catalogue that the exchange plays by itself: their ids stand in the titles.

/** A sequence that begins anew is only seen by the silence that follows. */
const soonSilent = { client: { ...quickClient, market: { ...quickClient.market, silenceMs: 500 } } };
/** Books are compared with reads of them each second, and looked at again soon. */
const soonCompared = {
  orders: {
    reconcile: {
      absentMs: 600,
      retryMsMin: 20,
      retryMsMax: 100,
      sendDelayMsMax: 100,
      booksEveryMs: 1_000,
      aliveMs: 50,
    },
  },
};

let scene: PuppetScene;
let stage: Stage;
let counterparty: Counterparty;
let puppet: Puppet;

beforeEach(async () => {
  scene = await PuppetScene.open({ config: { ...soonSilent, ...soonCompared } });
  ({ stage, counterparty, puppet } = scene);
});

afterEach(async () => {
  await stage.close();
});

const stateOf = (id: string) => scene.stateOf(id);

describe('an order that is answered with 504', () => {
  test('X3: and lands later is in doubt until then, found, and never sent again', async () => {
    stage.exchange.faults.landLate(150, 1);
    const id = await puppet.place(far);
    await puppet.received(id, 'unknown');
    expect(venueOrders(stage)).toEqual([]);
    await until('the order has landed', () => stateOf(id) === 'new');
    expect(venueOrders(stage).map(({ order }) => order.clientOrderId)).toEqual([id]);
    await scene.expectWhole();
  });
});

describe('a history that lags', () => {
  test('X9: does not make a filled order dead: its execution is booked once, when it shows', async () => {
    stage.exchange.faults.lagHistory(300);
    stage.exchange.faults.answer504('afterAccept', 1);
    const id = await puppet.place({ side: 'buy', quantity: 20, price: 301_000 });
    await until('the fill is found', () => stateOf(id) === 'filled');
    expect(puppet.fills).toEqual([`${id} 20`]);
    expect(stage.all('orderProvenAbsent')).toEqual([]);
    stage.exchange.faults.clear();
    await scene.expectWhole();
  });
});

describe('a sequence that begins anew', () => {
  test('W3: makes the book stale, and a fresh one comes', async () => {
    const before = stage.all('bookStale').length;
    stage.exchange.faults.resetSequence('ETHUSDT');
    counterparty.rest('buy', 299_000, 3);
    await stage.next('bookStale', () => true, before);
    await expectSameBook(stage);
    counterparty.rest('buy', 298_990, 4);
    await expectSameBook(stage);
  });
});

describe('a deletion that is lost on the way, behind the touch and with the sequence unbroken', () => {
  test('makes the book with an own order stale once two reads show it, and the row ends with the fresh book', async () => {
    await puppet.received(await puppet.place(far), 'new');
    const lost = counterparty.rest('sell', 302_000, 5);
    await expectSameBook(stage);
    stage.exchange.faults.loseDeletions('ETHUSDT', 1);
    counterparty.cancel(lost);
    // The book moves elsewhere: it is not silent.
    let moves = 0;
    const isStale = (): boolean => {
      moves += 1;
      counterparty.rest('buy', 298_000 - (moves % 50), 1);
      return stage.all('bookStale').some(({ reason }) => reason === 'differs');
    };
    await until('the book is called stale', isStale, waitMax, millis(50));
    const [found] = stage.all('differenceFound').filter(({ difference }) => difference.kind === 'book');
    expect(found?.difference.cause).toBe(
      'the book of ETHUSDT has 0.0005 at the ask 3020.00 by its stream, and 0.0000 by a read of it',
    );
    await stage.next('differenceEnded', ({ key }) => key === 'book ETHUSDT');
    await scene.expectWhole();
  });
});
