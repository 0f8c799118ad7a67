import { describe, expect, test } from 'vitest';
import type { Order } from '../../src/core/model/order.ts';
import bracket from '../../strategies/bracket/index.ts';
import { Scene } from '../core/strategy/scene.ts';

const params = { quantity: '0.0010', profitTicks: 30, stopTicks: 20, slippageTicks: 5 };

function start(more: Record<string, unknown> = {}): Scene {
  const scene = new Scene();
  scene.add(bracket, { ...params, ...more }).start();
  scene.book([[999, 50]], [[1_001, 50]]);
  return scene;
}

/** Entry, profit and stop of the bracket that was asked for last. */
function parts(scene: Scene): readonly [Order, Order, Order] {
  const orders = scene.open().slice(-3);
  if (orders.length < 3) throw new Error('no bracket');
  return orders as unknown as readonly [Order, Order, Order];
}

describe('the bracket', () => {
  test('asks for entry, take profit and stop in one list', () => {
    const scene = start();
    expect(scene.intents()).toMatchObject([
      {
        action: 'placeList',
        contingency: 'oneTriggerOneCancelOther',
        requests: [
          { side: 'buy', type: 'limit', price: 999 },
          { side: 'sell', type: 'limit', price: 1_029 },
          { side: 'sell', type: 'stopLimit', stopPrice: 979, price: 974 },
        ],
      },
    ]);
    const [entry] = parts(scene);
    expect(scene.open().every(({ list }) => list?.orders[0] === entry.clientOrderId)).toBe(true);
  });

  test('stands the other way up for a short entry', () => {
    const scene = start({ side: 'sell', entryTicks: 4 });
    expect(scene.intents()).toMatchObject([
      {
        requests: [
          { side: 'sell', price: 1_005 },
          { side: 'buy', price: 975 },
          { side: 'buy', stopPrice: 1_025, price: 1_030 },
        ],
      },
    ]);
  });

  test('enters again after a rest when the profit was taken', () => {
    const scene = start();
    const [entry, profit, stop] = parts(scene);
    scene.fill(entry.clientOrderId, 10);
    scene.fill(profit.clientOrderId, 10);
    scene.report(stop, 'canceled');
    scene.wait(1_000);
    expect(scene.intents()).toHaveLength(1);
    scene.wait(6_000);
    expect(scene.intents()).toHaveLength(2);
    expect(scene.notes()).toEqual([
      'filled part=entry side=buy price=999',
      'filled part=profit side=sell price=1029',
    ]);
  });

  test('enters once when asked to', () => {
    const scene = start({ repeat: false });
    for (const order of parts(scene)) scene.report(order, 'canceled');
    scene.wait(60_000);
    expect(scene.intents()).toHaveLength(1);
  });

  test('gives up an entry that nothing filled', () => {
    const scene = start({ entrySeconds: 10 });
    const [entry] = parts(scene);
    scene.wait(11_000);
    expect(scene.intents()[1]).toMatchObject({ action: 'cancel', clientOrderId: entry.clientOrderId });
  });

  test('gets rid of an entry that was filled in part before it was given up', () => {
    const scene = start();
    const [entry, profit, stop] = parts(scene);
    scene.fill(entry.clientOrderId, 4);
    for (const order of [entry, profit, stop]) scene.report(scene.order(order.clientOrderId), 'canceled');
    scene.wait(6_000);
    expect(scene.intents()[1]).toMatchObject({ request: { side: 'sell', quantity: 4, timeInForce: 'IOC' } });
  });
});
