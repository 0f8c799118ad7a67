import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Cli, godwit } from '../../system/support/cli.ts';
import { until } from '../../system/support/until.ts';

// Processes take their time on a busy machine.
const folder = mkdtempSync(join(tmpdir(), 'godwit-export-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('exchange prints its keys and the two lines that export the first of them', async () => {
  const cli = new Cli(['exchange', '--port', '0', '--seed', '7']);
  // The lines come one by one: a signal after the first would leave out the rest.
  await until('the keys', () => cli.out.includes('GODWIT_SECRET_KEY='));
  cli.kill('SIGTERM');
  const { out } = await cli.end();
  const [, apiKey, secret] = /^key +demo +(\S+) +(\S+) +R1 R2 R3 R4$/m.exec(out) ?? [];
  expect(apiKey).toMatch(/^[\w-]{32}$/);
  expect(out.trimEnd().split('\n').slice(-2)).toEqual([
    `export GODWIT_API_KEY=${apiKey}`,
    `export GODWIT_SECRET_KEY=${secret}`,
  ]);
});

test('demo prints a key of an account beside that of its strategy, and exports it', async () => {
  const { err } = await godwit(['demo', '--for', '1s', '--set', `run.directory=${folder}`]);
  const [, apiKey, secret] = /key +demo-two +(\S+) +(\S+)/.exec(err) ?? [];
  expect(err).toContain(`export GODWIT_API_KEY=${apiKey}\n`);
  expect(err).toContain(`export GODWIT_SECRET_KEY=${secret}\n`);
});
