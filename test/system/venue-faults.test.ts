import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ClientOrderId } from '../../src/model/order.ts';
import { House } from './support/house.ts';
import {
  expectBookedOnce,
  expectSameAccount,
  expectSameBook,
  expectSentOnce,
  venueOrders,
} from './support/invariants.ts';
import { Puppet } from './support/puppet.ts';
import { Stage, strategyOf } from './support/stage.ts';
import { until } from './support/until.ts';

// Rows of the fault catalogue that the exchange plays by itself: their ids stand in the titles.

let stage: Stage;
let house: House;
let puppet: Puppet;

beforeEach(async () => {
  Puppet.forget();
  stage = await Stage.open({ strategies: [strategyOf('puppet')], exchange: { flow: { enabled: false } } });
  house = new House(stage.exchange);
  puppet = await Puppet.of(stage);
});

afterEach(async () => {
  await stage.close();
});

const far = { side: 'buy', quantity: 20, price: 299_100 } as const;
const stateOf = (id: string) => stage.daemon.trader.view.order(id as ClientOrderId)?.state;

async function expectWhole(): Promise<void> {
  await expectSameAccount(stage);
  expectSentOnce(stage);
  expectBookedOnce(stage);
  await expectSameBook(stage);
}

describe('an order that is answered with 504', () => {
  test('X3: and lands later is in doubt until then, found, and never sent again', async () => {
    stage.exchange.faults.landLate(150, 1);
    const id = await puppet.place(far);
    await puppet.told(id, 'unknown');
    expect(venueOrders(stage)).toEqual([]);
    await until('the order has landed', () => stateOf(id) === 'new');
    expect(venueOrders(stage).map(({ order }) => order.clientOrderId)).toEqual([id]);
    await expectWhole();
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
    await expectWhole();
  });
});

describe('a sequence that begins anew', () => {
  test('W3: makes the book stale, and a fresh one comes', async () => {
    const before = stage.all('bookStale').length;
    stage.exchange.faults.resetSequence('ETHUSDT');
    house.rest('buy', 299_000, 3);
    await stage.next('bookStale', () => true, before);
    await expectSameBook(stage);
    house.rest('buy', 298_990, 4);
    await expectSameBook(stage);
  });
});
