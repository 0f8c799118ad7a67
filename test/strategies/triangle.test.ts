import { describe, expect, test } from 'vitest';
import triangle from '../../strategies/triangle/index.ts';
import type { Touch } from '../../strategies/triangle/edge.ts';
import { bestWay } from '../../strategies/triangle/edge.ts';
import { Scene } from '../core/strategy/scene.ts';

const params = { cross: 'LTCETH', first: 'LTCBTC', second: 'ETHBTC', quantity: '0.0100' };

function start(): Scene {
  const scene = new Scene();
  scene.add(triangle, params).start();
  return scene;
}

/** ETH at 0.05 BTC and LTC at 0.0025 BTC: in balance LTC is worth 0.05 ETH. */
function books(scene: Scene, crossTicks: number): void {
  scene.book([[49_990, 500]], [[50_010, 500]], 'ETHBTC');
  scene.book([[2_499, 500]], [[2_501, 500]], 'LTCBTC');
  scene.book([[crossTicks - 10, 50]], [[crossTicks + 10, 50]], 'LTCETH');
}

describe('the triangle', () => {
  test('does nothing while going round costs more than it brings', () => {
    const scene = start();
    books(scene, 50_000);
    expect(scene.intents()).toEqual([]);
  });

  test('sells a cross that is expensive, and buys and sells the rest with it, all or none', () => {
    const scene = start();
    books(scene, 51_000);
    expect(scene.intents()).toHaveLength(1);
    expect(scene.intents()[0]).toMatchObject({
      action: 'placeList',
      contingency: 'allOrNone',
      requests: [
        { side: 'buy', price: 2_501, quantity: 50, timeInForce: 'FOK' },
        { side: 'sell', price: 50_990, quantity: 50, timeInForce: 'FOK' },
        { side: 'sell', price: 49_990, quantity: 2, timeInForce: 'FOK' },
      ],
    });
  });

  test('buys a cross that is cheap, the other way round', () => {
    const scene = start();
    books(scene, 49_000);
    expect(scene.intents()).toMatchObject([
      {
        requests: [
          { side: 'sell', price: 2_499, quantity: 50 },
          { side: 'buy', price: 49_010, quantity: 50 },
          { side: 'buy', price: 50_010, quantity: 2 },
        ],
      },
    ]);
  });

  test('rests after a round and waits for its end', () => {
    const scene = start();
    books(scene, 51_000);
    books(scene, 51_000);
    for (const order of scene.open()) scene.report(order, 'expired');
    books(scene, 51_000);
    expect(scene.intents()).toHaveLength(1);
    scene.wait(2_001);
    books(scene, 51_000);
    expect(scene.intents()).toHaveLength(2);
  });
});

test('the edge is what is left of one after three trades and their fees', () => {
  const touch = (bid: number, ask: number): Touch => ({
    bid: { ticks: 0, price: bid, quantity: 1 },
    ask: { ticks: 0, price: ask, quantity: 1 },
    fee: 0.001,
  });
  const way = bestWay({ cross: touch(0.051, 0.052), first: touch(99, 100), second: touch(2_000, 2_001) });
  expect(way.sells).toBe(true);
  expect(way.edge).toBeCloseTo((0.051 * 2_000 * 0.999 ** 2) / (100 * 1.001) - 1, 12);
});
