import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findRunFile } from '../../../src/app/operate/run-file.ts';
import type { Acted } from '../../../src/operate/schemas.ts';
import type { JournalLine } from '../../../src/operate/views/journal.ts';
import type { LimitUse } from '../../../src/operate/views/limits.ts';
import { seconds } from '../../../src/core/base/clock.ts';
import { Cli, launcher } from '../../system/support/cli.ts';
import { until } from '../../system/support/until.ts';
import { run } from '../cli/support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'godwit-reload-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const runs = join(folder, 'runs');
const here = ['--set', `run.directory=${runs}`];
const file = join(folder, 'demo.yaml');

const edit = (orders: object, more: object = {}): void =>
  writeFileSync(file, JSON.stringify({ orders, ...more }));

async function acted(...args: readonly string[]): Promise<Acted> {
  const { code, out, err } = await run(['reload', ...args, ...here, '--json']);
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out) as Acted;
}

async function openOrdersMax(): Promise<string | undefined> {
  const { out } = await run(['limits', ...here, '--json']);
  const rows = JSON.parse(out) as readonly LimitUse[];
  return rows.find(({ name }) => name === 'orders.openOrdersAccountMax')?.limit;
}

test.skipIf(process.platform !== 'linux')(
  'a daemon reads its configuration again, by command and by SIGHUP',
  async () => {
    edit({ openOrdersAccountMax: 900 });
    expect((await run(['reload', ...here])).code).toBe(3);
    // A session of its own: it belongs to no terminal, as under a service manager.
    const daemon = new Cli(['demo', '--config', file, ...here], {}, ['setsid', ...launcher]);
    try {
      await until('a run file', () => findRunFile(runs));
      await until(
        'that it is ready',
        async () => (await run(['health', '--ready', ...here])).code === 0,
        seconds(30),
      );

      edit({ openOrdersAccountMax: 800 });
      const lowered = await run(['reload', '--why', 'a storm', '--who', 'ann', ...here]);
      expect([lowered.code, lowered.out]).toEqual([
        0,
        'the configuration was read again: 1 setting taken over\n  orders.openOrdersAccountMax: 900 → 800',
      ]);
      expect(await openOrdersMax()).toBe('800');

      edit({ openOrdersAccountMax: 1_000 });
      const first = await acted();
      expect(first).toMatchObject({
        done: false,
        changes: [{ name: 'orders.openOrdersAccountMax', from: '800', to: '1000' }],
      });
      expect(await openOrdersMax()).toBe('800');
      expect((await acted(`--confirm=${first.confirm}`)).done).toBe(true);
      expect(await openOrdersMax()).toBe('1000');

      edit({ openOrdersAccountMax: 'many' });
      const broken = await run(['reload', ...here]);
      expect([broken.code, broken.err]).toEqual([6, expect.stringContaining('orders.openOrdersAccountMax')]);
      edit({ openOrdersAccountMax: 700 }, { run: { seed: 99 } });
      const fixed = await run(['reload', ...here]);
      expect([fixed.code, fixed.err]).toEqual([
        6,
        'godwit: run.seed changed: that needs a restart of the daemon, and nothing else was taken over',
      ]);
      expect(await openOrdersMax()).toBe('1000');

      edit({ openOrdersAccountMax: 700 });
      daemon.kill('SIGHUP');
      await until('its word', () =>
        daemon.err.includes(
          'SIGHUP: the configuration was read again: orders.openOrdersAccountMax 1000 → 700',
        ),
      );
      expect(await openOrdersMax()).toBe('700');
      edit({ openOrdersAccountMax: 701 });
      daemon.kill('SIGHUP');
      await until('its word', () =>
        daemon.err.includes('orders.openOrdersAccountMax would be raised: use godwit reload'),
      );
      expect(await openOrdersMax()).toBe('700');

      const { url, token } = findRunFile(runs) as { url: string; token: string };
      const answer = await fetch(`${url}/api/journal`, { headers: { authorization: `Bearer ${token}` } });
      const lines = (await answer.json()) as readonly JournalLine[];
      const noted = lines.filter(({ kind }) => kind === 'operatorActed').map(({ text }) => text);
      expect(noted.toReversed()).toEqual([
        'ann asked for reload: a storm (orders.openOrdersAccountMax 900 → 800)',
        expect.stringMatching(/ asked for reload \(orders\.openOrdersAccountMax 800 → 1000\)$/),
        'SIGHUP asked for reload (orders.openOrdersAccountMax 1000 → 700)',
      ]);
      daemon.kill('SIGTERM');
      expect((await daemon.end()).code).toBe(143);
    } finally {
      daemon.kill('SIGKILL');
    }
  },
);
