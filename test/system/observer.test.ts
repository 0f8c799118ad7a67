import { afterEach, expect, test } from 'vitest';
import { parseAmount } from '../../src/core/base/amount.ts';
import { contract, MarginScene } from './support/margin-scene.ts';
import { Observer } from './support/observer.ts';
import { until } from './support/until.ts';
import { venueAnswer } from './support/venue-record.ts';

let scene: MarginScene;
afterEach(async () => {
  await scene.stage.close();
});

const agreed = {
  lost: 0,
  doubled: 0,
  oversized: 0,
  unknown: 0,
  fillsMissing: 0,
  fillsDoubled: 0,
  balances: 0,
  positions: 0,
};

test('the observer agrees with a daemon that traded all products and a list, and names every planted difference', async () => {
  scene = await MarginScene.open();
  const { stage, puppet, spot, perpetual } = scene;
  const observer = new Observer((path) => venueAnswer(stage, path), stage.config.run.directory);
  for (const party of [spot, perpetual]) party.rest('sell', 300_000, 10_000);
  const buy = { side: 'buy', price: 300_000 } as const;
  const ids = await puppet.act((orders) => [
    orders.place({ ...buy, symbol: 'ETHUSDT', quantity: 20 }),
    orders.place({ ...buy, symbol: 'ETHUSDT', product: 'margin', marginAuto: true, quantity: 500 }),
    orders.place({ ...buy, symbol: contract, product: 'futures', marginMode: 'cross', quantity: 100 }),
  ]);
  for (const id of ids) await puppet.received(id, 'filled');
  await puppet.act((orders) =>
    orders.placeList({
      contingency: 'oneTriggerOther',
      orders: [
        { symbol: 'ETHUSDT', side: 'buy', quantity: 20, price: 299_500 },
        { symbol: 'ETHUSDT', side: 'sell', quantity: 20, price: 300_500 },
      ],
    }),
  );
  await until('the books agree', async () => (await observer.look())?.differences.length === 0);
  expect(await observer.look()).toMatchObject(agreed);
  expect([observer.ordersSeen, observer.tradesSeen]).toEqual([5, 3]);

  // The process is gone: what happens now is in no journal.
  await stage.daemon.trader.close();
  stage.wasStopped();
  spot.take('sell', 299_500, 5);
  const stray = { client_order_id: 'gw-stray-0000001', symbol: 'ETHUSDT', side: 'buy', quantity: '0.001' };
  await venueAnswer(stage, 'spot/order', 'POST', { ...stray, price: '2000' });
  const { core, accounts } = stage.exchange;
  const { records } = core.log(accounts.get('demo').id);
  const [filled, , exit] = records;
  Object.assign(filled?.order ?? {}, { quantity: 30, clientOrderId: exit?.order.clientOrderId });
  core.handle({
    kind: 'adjustBalance',
    account: accounts.get('demo').id,
    currency: 'LTC',
    change: parseAmount('1'),
  });
  const found = await observer.look();
  expect(found).toMatchObject({
    lost: 1,
    doubled: 1,
    unknown: 1,
    oversized: 1,
    fillsMissing: 1,
    fillsDoubled: 0,
    positions: 1,
  });
  expect(found?.differences.filter((one) => one.startsWith('spot LTC'))).toHaveLength(1);
});
