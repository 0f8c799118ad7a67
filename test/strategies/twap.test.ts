import { describe, expect, test } from 'vitest';
import twap from '../../strategies/twap/index.ts';
import { dueBy } from '../../strategies/twap/schedule.ts';
import { Scene } from '../core/strategy/scene.ts';

const params = { quantity: '0.0100', minutes: 1, slices: 4, jitter: 0 };

function start(more: Record<string, unknown> = {}): Scene {
  const scene = new Scene();
  scene.book([[999, 50]], [[1_001, 50]]);
  scene.add(twap, { ...params, ...more }).start();
  return scene;
}

/** Executed lots so far; whatever is open is filled first, but for `left` lots. */
function settle(scene: Scene, left = 0): number {
  for (const order of scene.open()) {
    if (order.quantity > left) scene.fill(order.clientOrderId, order.quantity - left);
    if (left > 0) scene.report(scene.order(order.clientOrderId), 'expired');
  }
  return scene.state.positions()[0]?.quantity ?? 0;
}

describe('the TWAP executor', () => {
  test('sends a part at once and the others in equal steps, each as an order that ends at once', () => {
    const scene = start();
    const seen = [settle(scene)];
    for (let slice = 1; slice < 4; slice++) {
      scene.wait(15_000);
      seen.push(settle(scene));
    }
    expect(seen).toEqual([25, 50, 75, 100]);
    expect(scene.intents()[0]).toMatchObject({ request: { side: 'buy', price: 1_004, timeInForce: 'IOC' } });
    expect(scene.notes()).toEqual(['all of it is executed slice=4 average=0.0010040000']);
    expect(scene.clock.nextTime()).toBeUndefined();
  });

  test('tries again for what a thin book left open, with the next part on top', () => {
    const scene = start();
    settle(scene, 10);
    scene.wait(1_500);
    expect(settle(scene)).toBe(25);
    scene.wait(13_500);
    expect(settle(scene)).toBe(50);
  });

  test('waits while the market is beyond its limit', () => {
    const scene = start({ limit: '0.001000' });
    scene.wait(20_000);
    expect(scene.intents()).toEqual([]);
    scene.book([[990, 50]], [[998, 50]]);
    scene.wait(1_500);
    expect(scene.intents()).toMatchObject([{ request: { quantity: 50, price: 1_000 } }]);
  });

  test('never sends more than it was asked to', () => {
    const scene = start({ jitter: 0.9, slices: 50 });
    for (let step = 0; step < 400; step++) {
      scene.wait(250);
      settle(scene);
    }
    expect(scene.state.positions()[0]?.quantity).toBe(100);
    expect(scene.open()).toEqual([]);
  });

  test('goes on after a restart with what is left, also when it never received its last fill', () => {
    const scene = start();
    settle(scene);
    scene.wait(15_000);
    const [open] = scene.open();
    scene.hosts.pop();
    if (open !== undefined) scene.fill(open.clientOrderId, 20);
    if (open !== undefined) scene.report(scene.order(open.clientOrderId), 'expired');
    for (const run of ['m8x2k2', 'm8x2k3']) {
      scene.run = run;
      scene.add(twap, params).start();
      expect(settle(scene)).toBe(50);
      scene.hosts.pop();
    }
    scene.run = 'm8x2k4';
    scene.add(twap, params).start();
    for (let step = 0; step < 100; step++) {
      scene.wait(1_500);
      settle(scene);
    }
    expect(settle(scene)).toBe(100);
    scene.hosts.pop();
    scene.run = 'm8x2k5';
    scene.add(twap, params).start();
    scene.wait(60_000);
    expect(settle(scene)).toBe(100);
  });

  test('a task of another size begins from nothing', () => {
    const scene = start();
    settle(scene);
    scene.hosts.pop();
    scene.run = 'm8x2k2';
    scene.add(twap, { ...params, quantity: '0.0200' }).start();
    expect(settle(scene)).toBe(75);
  });

  test('says what is missing when it is stopped early', () => {
    const scene = start();
    settle(scene);
    scene.hosts[0]?.stop();
    expect(scene.notes()).toEqual(['stopped before all was executed executed=25 left=75']);
  });
});

test('parts add up to the whole however they divide', () => {
  expect([1, 2, 3].map((slice) => dueBy(10, slice, 3))).toEqual([3, 6, 10]);
});
