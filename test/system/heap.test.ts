import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Event } from '../../src/core/model/event.ts';
import { Venue } from './chaos/venue.ts';
import { Cli, launcher } from './support/cli.ts';
import { Observer } from './support/observer.ts';
import { strategyOf } from './support/stage.ts';
import { until } from './support/until.ts';

// Faults, P3: what fills the heap of the daemon itself, here a strategy in its own thread.

const isOrder = (event: Event): boolean => event.kind === 'orderPending';

test('a heap that is full aborts the daemon, the next start knows every order, and one that fills up ends it in a sentence', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-heap-'));
  const directory = join(folder, 'run');
  const venue = await Venue.start({ seed: 5 });
  const { account } = venue;
  const observer = new Observer((path) => account.ask(path), directory);
  let daemon: Cli | undefined;
  const start = (first: number, more: number): Cli => {
    const config = join(folder, 'config.yaml');
    const strategies = [strategyOf('hoarder', { first, more })];
    const orders = { lastTradeNeeded: false, reconcile: { absentMs: 500 } };
    writeFileSync(config, JSON.stringify({ log: { level: 'silent' }, strategies, orders }));
    return new Cli(
      ['trade', '--mode', 'sim', '--config', config, ...account.settings(directory, {})],
      { ...account.environment, NODE_OPTIONS: '--max-old-space-size=160' },
      launcher,
    );
  };
  try {
    daemon = start(400, 0);
    const aborted = await daemon.end();
    expect(aborted.err).toMatch(/^godwit: ended by SIGABRT, not by a stop\. /m);
    expect([aborted.code, (await account.active()).length]).toEqual([134, 3]);
    const truth = await observer.truth();
    expect(observer.compare(truth, { as: 'killed' })).toMatchObject({ differences: [] });
    const dead = observer.run;

    daemon = start(70, 0.5);
    const begun = await until('the first order of the next run', () => {
      const found = observer.compare(truth, { stop: isOrder, as: 'restart' });
      return found !== undefined && observer.run !== dead && found;
    });
    expect(begun).toMatchObject({ differences: [] });
    const filled = await daemon.end();
    expect(filled.err).toMatch(
      /^The heap of the daemon is nearly full, \d+ of 160 MiB after a collection: /m,
    );
    expect([filled.code, await account.active()]).toEqual([9, []]);
    expect(await observer.look()).toMatchObject({ differences: [] });
    expect(observer.ordersSeen).toBe(6);
  } finally {
    daemon?.kill();
    await venue.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
