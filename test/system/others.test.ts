import { describe, expect, test } from 'vitest';
import type { SceneProduct } from './support/two-godwits.ts';
import { TwoGodwits } from './support/two-godwits.ts';

// Faults, X20, X21 and P7: two daemons on one account, from two machines.

const products: readonly SceneProduct[] = ['spot', 'margin', 'futures'];

describe.each(products)('two daemons on one account, trading %s', (product) => {
  test('each shows the orders of the other, at once by reports, and clears none of them at start, cancel of all, halt and stop', async () => {
    const scene = new TwoGodwits({ seed: 1, product });
    const first = scene.start();
    await scene.run(10_000, () => first.trader.started);
    if (product !== 'spot') {
      first.fund();
      await scene.run(2_000);
    }
    first.rest();
    await scene.run(5_000, () => scene.live(first.head).length === 1);
    // The second one starts beside the orders of the first.
    const second = scene.start(37_000);
    await scene.run(10_000, () => second.trader.started);
    expect(second.others).toHaveLength(1);
    expect(second.others[0]).toContain(
      `another Godwit (run ${first.head.slice(3, -1)}) trades on this account`,
    );
    expect(first.others).toEqual([]);
    second.rest();
    await scene.run(5_000, () => first.others.length === 1);
    expect(first.others[0]).toContain(scene.live(second.head)[0]);
    // Limits count both, and each keeps its own.
    const [order] = first.trader.view.openOrders('external');
    expect(order?.clientOrderId).toBe(scene.live(second.head)[0]);
    second.cancelAll();
    await scene.run(2_000, () => scene.live(second.head).length === 0);
    expect(scene.live(first.head)).toHaveLength(1);
    await scene.run(130_000);
    expect(first.others).toEqual([]);
    second.rest();
    await scene.run(5_000, () => scene.live(second.head).length === 1);
    second.trader.halt('a test');
    await scene.run(5_000, () => second.trader.quiet);
    expect(scene.live(second.head)).toEqual([]);
    expect(scene.live(first.head)).toHaveLength(1);
    first.trader.stop('the end');
    await scene.run(5_000, () => first.trader.quiet);
    expect(scene.live('')).toEqual([]);
  });

  test('each shows the orders of the other within 60 s where no report of them arrives', async () => {
    const scene = new TwoGodwits({ seed: 2, product, losesReports: true });
    const [first, second] = [scene.start(), scene.start(-250_000)];
    await scene.run(10_000, () => first.trader.started && second.trader.started);
    if (product !== 'spot') second.fund();
    await scene.run(65_000);
    const before = first.looks;
    await scene.run(61_000, () => first.looks > before);
    // Just after a look has read the list.
    second.rest();
    await scene.run(5_000, () => scene.live(second.head).length === 1);
    expect(await scene.run(60_000, () => first.others.length === 1)).toBeGreaterThan(40_000);
  });
});
