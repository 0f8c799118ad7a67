import { afterEach, expect, test } from 'vitest';
import { far, PuppetScene } from './support/puppet-scene.ts';
import { until } from './support/until.ts';

// Faults, X16 and I24: the venue turns everything away with 429 for a while, on the sockets and over REST.

let scene: PuppetScene;

afterEach(async () => {
  await scene.stage.close();
});

test('trading resumes by itself within 30 s of a burst of 429 on sockets and REST', async () => {
  scene = await PuppetScene.open();
  const { stage, puppet } = scene;
  const { view } = stage.daemon.trader;
  const { faults } = stage.exchange;
  const placed = async (price: number) => {
    const id = await puppet.place({ ...far, price });
    await until('an answer', () => view.stopped('puppet') ?? scene.stateOf(id) !== 'pending');
    return scene.stateOf(id);
  };
  faults.answer429(1_000_000);
  for (let i = 0; i < 24; i++) expect(await placed(far.price + i)).toBe('rejected');
  // The session goes too, and what brings it back is turned away as well.
  faults.answer429(12);
  faults.closeSockets(1_001);
  await stage.next('sessionDown', ({ session }) => session === 'trading');
  await until('an order is accepted', async () => (await placed(far.price - 1)) === 'new');
  expect(view.stopped('puppet')).toBeUndefined();
  expect(view.mode).toBe('active');
});
