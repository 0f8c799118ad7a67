import { describe, expect, test } from 'vitest';
import grid from '../../strategies/grid/index.ts';
import { Scene } from '../core/strategy/scene.ts';

const params = { quantity: '0.0010', cells: 2, stepTicks: 10 };

function start(more: Record<string, unknown> = {}): Scene {
  const scene = new Scene();
  scene.add(grid, { ...params, ...more }).start();
  scene.book([[996, 50]], [[1_004, 50]]);
  return scene;
}

/** Own open orders as `buy 990 x10`, dearest first. */
function ladder(scene: Scene): string[] {
  return [...scene.open()]
    .sort((a, b) => (b.price ?? 0) - (a.price ?? 0))
    .map(({ side, price, quantity, cumulative }) => `${side} ${price} x${quantity - cumulative}`);
}

function fill(scene: Scene, price: number, lots: number): void {
  const order = scene.open().find((one) => one.price === price);
  if (order === undefined) throw new Error(`no order at ${price}`);
  scene.fill(order.clientOrderId, lots);
}

describe('the grid', () => {
  test('lays its lines around the mid price: buys below, sells above, post-only', () => {
    const scene = start();
    expect(ladder(scene)).toEqual(['sell 1020 x10', 'sell 1010 x10', 'buy 990 x10', 'buy 980 x10']);
    expect(scene.open().every(({ postOnly }) => postOnly)).toBe(true);
  });

  test('sells one line higher what it bought, and buys it back when it has sold', () => {
    const scene = start();
    fill(scene, 990, 10);
    scene.book([[985, 50]], [[995, 50]]);
    expect(ladder(scene)).toEqual(['sell 1020 x10', 'sell 1010 x10', 'sell 1000 x10', 'buy 980 x10']);
    fill(scene, 1_000, 10);
    scene.wait(2_000);
    scene.book([[996, 50]], [[1_004, 50]]);
    expect(ladder(scene)).toEqual(['sell 1020 x10', 'sell 1010 x10', 'buy 990 x10', 'buy 980 x10']);
  });

  test('goes on with the rest of an order that was filled in part', () => {
    const scene = start();
    fill(scene, 990, 4);
    const order = scene.open().find(({ price }) => price === 990);
    if (order === undefined) throw new Error('no order');
    scene.report(order, 'canceled');
    scene.wait(3_000);
    expect(ladder(scene)).toContain('buy 990 x6');
  });

  test('waits for a line the market has passed instead of taking', () => {
    const scene = start({ centre: '0.000900' });
    expect(ladder(scene)).toEqual(['buy 890 x10', 'buy 880 x10']);
    scene.book([[905, 50]], [[908, 50]]);
    expect(ladder(scene)).toEqual(['sell 920 x10', 'sell 910 x10', 'buy 890 x10', 'buy 880 x10']);
  });

  test('rests a cell that was refused', () => {
    const scene = new Scene();
    scene.refuse = () => true;
    scene.add(grid, params).start();
    for (let step = 0; step < 35; step++) {
      scene.book([[996, 50]], [[1_004, 50 + step]]);
      scene.wait(100);
    }
    expect(scene.intents()).toHaveLength(8);
    expect(scene.notes().at(-1)).toContain('refused code=NOTIONAL_MAX');
  });

  test.each([
    ['bought', 990, ['sell 1020 x10', 'sell 1010 x10', 'sell 1000 x10', 'buy 980 x10']],
    ['sold', 1_010, ['sell 1020 x10', 'buy 1000 x10', 'buy 990 x10', 'buy 980 x10']],
  ])('knows after a restart what was %s while it was down', (_how, price, lines) => {
    const scene = start();
    const orders = scene.open();
    scene.hosts.pop();
    fill(scene, price, 10);
    for (const { clientOrderId } of orders)
      if (scene.order(clientOrderId).state === 'new') scene.report(scene.order(clientOrderId), 'canceled');
    scene.run = 'm8x2k2';
    scene.add(grid, params).start();
    scene.wait(1_000);
    scene.book([[1_004, 50]], [[1_006, 50]]);
    expect(ladder(scene)).toEqual(lines);
  });

  test('keeps no timer while every cell has its order', () => {
    const scene = start();
    scene.wait(2_000);
    expect(scene.clock.nextTime()).toBeUndefined();
    const [order] = scene.open();
    if (order === undefined) throw new Error('no order');
    scene.report(order, 'canceled');
    scene.wait(3_000);
    expect(scene.open()).toHaveLength(4);
    scene.wait(2_000);
    expect(scene.clock.nextTime()).toBeUndefined();
  });

  test('cancels everything when it is stopped', () => {
    const scene = start();
    scene.hosts[0]?.stop();
    expect(scene.open()).toEqual([]);
  });
});
