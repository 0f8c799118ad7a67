import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Cli, godwit } from '../../system/support/cli.ts';
import { until } from '../../system/support/until.ts';
import { freePort } from '../../support/free-port.ts';

// Processes and sockets take their time on a busy machine.
const folder = mkdtempSync(join(tmpdir(), 'godwit-boot-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function trade(mode: string, port: number): readonly string[] {
  const sets = [
    `venue.base_url=http://127.0.0.1:${port}`,
    `venue.ws_url=ws://127.0.0.1:${port}`,
    `run.directory=${join(folder, mode)}`,
    'client.start.retryMs=100',
    'client.start.retryMsMax=500',
    'log.level=silent',
  ];
  return ['trade', '--mode', mode, '--strategy', 'market-maker', ...sets.flatMap((set) => ['--set', set])];
}

test('paper waits for a venue that is not there yet, says so, and trades once it is', async () => {
  const port = await freePort();
  const daemon = new Cli(trade('paper', port));
  let exchange: Cli | undefined;
  try {
    await until('it waits', () => daemon.err.includes('trying again in'));
    exchange = new Cli(['exchange', '--port', String(port), '--seed', '7']);
    await until('it trades', () => daemon.err.includes(`Trading (paper) at http://127.0.0.1:${port}`));
    daemon.kill('SIGTERM');
    expect((await daemon.end()).code).toBe(143);
  } finally {
    daemon.kill();
    exchange?.kill();
  }
});

test('a signal ends a run that waits', async () => {
  const daemon = new Cli(trade('paper', await freePort()));
  await until('it waits', () => daemon.err.includes('trying again in'));
  daemon.kill('SIGTERM');
  expect((await daemon.end()).code).toBe(143);
});

test('sim ends at the first failure', async () => {
  const args = trade('sim', await freePort());
  const keys = ['venue.api_key=${env:KEY}', 'venue.secret_key=${env:SECRET}'];
  const said = await godwit([...args, ...keys.flatMap((set) => ['--set', set])], { KEY: 'k', SECRET: 's' });
  expect(said.code).toBe(1);
  expect(said.err).toMatch(/^godwit: the symbol list could not be read: .*ECONNREFUSED/);
});
