import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { failureMark } from '../../src/core/journal/disk.ts';
import { far, PuppetScene } from './support/puppet-scene.ts';
import { venueOrders } from './support/invariants.ts';
import { until } from './support/until.ts';

let scene: PuppetScene;

beforeEach(async () => {
  scene = await PuppetScene.open();
});

afterEach(async () => {
  await scene.stage.close();
});

test('a journal that is deleted while it is written halts trading, until an operator has seen it', async () => {
  const { stage, puppet } = scene;
  const directory = stage.config.run.directory;
  await puppet.received(await puppet.place(far), 'new');
  rmSync(join(directory, 'journal.sqlite'));
  await puppet.place({ ...far, price: 299_050 });
  const { why } = await stage.next('modeChanged', ({ mode }) => mode === 'halted');
  expect(why).toMatch(/^the journal failed: .*journal\.sqlite was deleted while it was in use$/);
  expect(await stage.stop()).toEqual([]);
  expect(venueOrders(stage).map(({ order }) => order.state)).toEqual(['canceled']);

  // The journal could not keep the halt; the next one does, so that it need not be found a second time.
  for (const said of [/^the journal of an earlier run failed: .*deleted/, /^the journal of an earlier run/]) {
    await stage.start();
    const { view } = stage.daemon.trader;
    expect([view.mode, view.modeWhy]).toEqual(['halted', expect.stringMatching(said)]);
    await until('the word in the journal', () => failureMark(directory) === undefined);
    await stage.stop();
  }
  await stage.start('sim', true);
  expect(stage.daemon.trader.view.mode).toBe('active');
});
