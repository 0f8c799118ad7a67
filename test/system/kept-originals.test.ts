import { afterEach, expect, test } from 'vitest';
import { seconds } from '../../src/core/base/clock.ts';
import type { ClientOrderId } from '../../src/core/model/order.ts';
import { venueOrders } from './support/invariants.ts';
import { far, PuppetScene } from './support/puppet-scene.ts';
import { until } from './support/until.ts';

// Faults, X12: the venue leaves the original alive beside its replacement, and reports the new order alone.

let scene: PuppetScene;

afterEach(async () => {
  await scene.stage.close();
});

const reconcile = { absentMs: 600, retryMsMin: 20, retryMsMax: 100, sendDelayMsMax: 100 };

/** Two live orders where the daemon believes in one. */
async function pair(
  everyMs: number,
  aliveMs = 200,
): Promise<{ original: ClientOrderId; next: ClientOrderId }> {
  const orders = { reconcile: { ...reconcile, everyMs, aliveMs } };
  scene = await PuppetScene.open({ config: { orders } });
  const { stage, puppet } = scene;
  const original = await puppet.place(far);
  await puppet.received(original, 'new');
  stage.exchange.faults.keepOriginals(1);
  const next = await puppet.act((orders) => orders.replace(original, { price: 299_200, quantity: 20 }));
  await puppet.received(next, 'new');
  expect(scene.stateOf(original)).toBe('canceled');
  expect(alive()).toEqual([original, next]);
  return { original, next };
}

function alive(): readonly string[] {
  const states = ['new', 'partiallyFilled', 'suspended'];
  return venueOrders(scene.stage)
    .filter(({ order }) => states.includes(order.state))
    .map(({ order }) => order.clientOrderId);
}

test('the check of the account finds the original, reports it, and cancels it', async () => {
  const { original, next } = await pair(300);
  await until('one order is left', () => alive().length === 1);
  expect(alive()).toEqual([next]);
  const { puppet, stage } = scene;
  expect(stage.all('orderFoundAlive')).toMatchObject([{ clientOrderId: original, believed: 'canceled' }]);
  const noted = ['pending', 'new', 'canceled', 'new', 'canceled'];
  await until('the strategy was told', () => puppet.statesOf(original).join() === noted.join());
  await scene.expectWhole();
});

test('a stop ends only when the list of the venue shows neither', async () => {
  await pair(60_000);
  expect(await scene.stage.stop()).toEqual([]);
  expect(alive()).toEqual([]);
});

test('a stop that may not wait names the original, and the next run cancels it', async () => {
  // A list is believed against the report only after a minute: the stop has time to cancel, and none to find the original.
  const { original } = await pair(60_000, 60_000);
  const { stage } = scene;
  expect(await stage.daemon.stop('at once', seconds(3))).toEqual([original]);
  expect(alive()).toEqual([original]);
  const { orders } = stage.config;
  stage.config = { ...stage.config, orders: { ...orders, reconcile: { ...orders.reconcile, aliveMs: 200 } } };
  await stage.start();
  await until('nothing is left', () => alive().length === 0);
});
