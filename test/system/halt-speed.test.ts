import { afterEach, expect, test } from 'vitest';
import { far, PuppetScene } from './support/puppet-scene.ts';
import { strategyOf } from './support/stage.ts';
import { until } from './support/until.ts';

const orders = 1_000;
const bunch = 25;
const haltMs = 1_000;

let scene: PuppetScene;

afterEach(async () => {
  await scene.stage.close();
});

test(`a halt ends ${orders} orders within ${haltMs} ms of processor time, under the venue's limits`, async () => {
  scene = await PuppetScene.open({
    strategies: [
      strategyOf('puppet', {}, { limits: { openOrdersMax: 2 * orders, messagesPerSecondMax: 300 } }),
    ],
    config: { orders: { duplicateMs: 0, messagesPerSecondMax: 300 } },
    exchange: { flow: { enabled: false }, limits: { enabled: true } },
  });
  const { stage, puppet } = scene;
  const { trader } = stage.daemon;
  // On a busy machine bunches come close together, and the throttle denies some: those are placed again.
  for (let placed = 0; trader.view.openCount() < orders; placed += bunch) {
    const count = Math.min(bunch, orders - trader.view.openCount());
    const prices = Array.from({ length: count }, (_, at) => far.price - placed - at);
    await puppet.act((api) => prices.map((price) => api.place({ symbol: 'ETHUSDT', ...far, price })));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await until('all orders live', () => trader.view.openOrders().every(({ state }) => state === 'new'));
  expect(trader.view.openCount()).toBe(orders);
  const begun = process.threadCpuUsage();
  stage.daemon.act({ act: 'halt' }, 'ann', 'a test');
  await until('no order lives', () => trader.view.openCount() === 0);
  // Processor time, as the machine may be busy with other things: of the daemon and the exchange, which share this thread.
  const { user, system } = process.threadCpuUsage(begun);
  expect((user + system) / 1_000).toBeLessThan(haltMs);
  const { core, accounts } = stage.exchange;
  expect(core.exchange.activeOrders(accounts.get('demo').id)).toEqual([]);
  await until('the last look is over', () => trader.quiet);
});
