import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { failureMark } from '../../src/core/journal/failure-mark.ts';
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

test('a run directory without its write-ahead file is reported, halts, and says what the reads of the venue brought back', async () => {
  const { stage, puppet } = scene;
  const { directory } = stage.config.run;
  const at = (name: string): string => join(directory, name);
  const placed = await puppet.place(far);
  await puppet.received(placed, 'new');
  // A copy of the files as they stand; the log holds the records since the tables were written last.
  const copied = ['journal.sqlite', 'journal.synced'].map((name) => [name, readFileSync(at(name))] as const);
  await stage.stop();
  for (const [name, bytes] of copied) writeFileSync(at(name), bytes);

  await stage.start();
  const { view } = stage.daemon.trader;
  const lost =
    /^the journal of an earlier run failed: the journal ends with sequence \d+, and records \d+ to \d+ behind it are lost/;
  expect([view.mode, view.modeWhy]).toEqual(['halted', expect.stringMatching(lost)]);
  expect(await stage.daemon.lost?.broughtBack).toMatch(
    /^the venue's reads brought back 0 executions and 0 live orders .*; positions are now none; halts, /,
  );
  await until('the word in the journal', () => failureMark(directory) === undefined);
  await stage.stop();
  // Reported once, and kept by the journal.
  await stage.start();
  expect([stage.daemon.lost, stage.daemon.trader.view.modeWhy]).toEqual([
    undefined,
    expect.stringMatching(lost),
  ]);
  await stage.stop();
  await stage.start('sim', true);
  expect(stage.daemon.trader.view.mode).toBe('active');
});
