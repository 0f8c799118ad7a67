import { describe, expect, test } from 'vitest';
import imbalance from '../../strategies/imbalance/index.ts';
import { Scene } from '../core/strategy/scene.ts';

const params = { quantity: '0.0010', smoothing: 1, levels: 2, enter: 0.5, leave: 0.1, holdSecondsMax: 5 };

function start(more: Record<string, unknown> = {}): Scene {
  const scene = new Scene();
  scene.add(imbalance, { ...params, ...more }).start();
  return scene;
}

function lean(scene: Scene, bids: number, asks: number): void {
  scene.book([[999, bids]], [[1_001, asks]]);
}

/** The venue fills the one order that is open. */
function fillOpen(scene: Scene): void {
  const [order] = scene.open();
  if (order === undefined) throw new Error('no order');
  scene.fill(order.clientOrderId, order.quantity);
}

describe('the imbalance taker', () => {
  test('buys when bids outweigh asks, within the slippage, in an order that ends at once', () => {
    const scene = start();
    lean(scene, 60, 40);
    expect(scene.intents()).toEqual([]);
    lean(scene, 90, 10);
    expect(scene.intents()).toMatchObject([
      { request: { side: 'buy', quantity: 10, price: 1_003, timeInForce: 'IOC' } },
    ]);
  });

  test('sells when asks outweigh bids', () => {
    const scene = start();
    lean(scene, 10, 90);
    expect(scene.intents()).toMatchObject([{ request: { side: 'sell', price: 997 } }]);
  });

  test('gets out when the book leans no more, and only after a rest', () => {
    const scene = start();
    lean(scene, 90, 10);
    fillOpen(scene);
    lean(scene, 50, 50);
    expect(scene.intents()).toHaveLength(1);
    scene.wait(3_001);
    lean(scene, 50, 50);
    expect(scene.intents()[1]).toMatchObject({ request: { side: 'sell', quantity: 10 } });
  });

  test('gets out when it has held long enough, however the book leans', () => {
    const scene = start();
    lean(scene, 90, 10);
    fillOpen(scene);
    scene.wait(4_000);
    lean(scene, 90, 10);
    expect(scene.intents()).toHaveLength(1);
    scene.wait(1_001);
    lean(scene, 90, 10);
    expect(scene.intents()[1]).toMatchObject({ request: { side: 'sell' } });
  });

  test('stays out of a wide spread', () => {
    const scene = start({ spreadTicksMax: 1 });
    lean(scene, 90, 10);
    expect(scene.intents()).toEqual([]);
  });

  test('refuses to leave later than it enters', () => {
    expect(() => new Scene().add(imbalance, { enter: 0.2, leave: 0.3 })).toThrow(
      'param leave: found 0.3, expected less than enter',
    );
  });
});
