import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import { Random } from '../../src/core/base/random.ts';
import { readJournal } from '../../src/core/journal/replay.ts';
import { ExchangeServer } from '../../src/exchange/server/server.ts';
import type { Acted, Status } from '../../src/operate/schemas.ts';
import type { ControlRow } from '../../src/operate/views/controls.ts';
import { run } from '../app/cli/support/run.ts';
import { Cli } from './support/cli.ts';
import { strategyOf } from './support/stage.ts';
import { until } from './support/until.ts';

// Faults, S11, over the operator's interface: a daemon of its own, one strategy that floods and a healthy one.

const folder = mkdtempSync(join(tmpdir(), 'godwit-flood-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** How long the command waits for the interface: a loaded machine keeps it, and what stops the loop does not. */
const answerMs = 5_000;

test('a halt over HTTP and one by command are answered beside a strategy that floods, and the other one goes on', async () => {
  const exchange = await ExchangeServer.start({
    options: { publish: { bookMs: 10 }, flow: { eventsPerSecond: 100 }, limits: { enabled: false } },
    clock: new SystemClock(),
    random: new Random(3),
  });
  const directory = join(folder, 'run');
  const config = join(folder, 'config.yaml');
  const [key] = exchange.accounts.get('demo').keys;
  const keys = { api_key: '${env:KEY}', secret_key: '${env:SECRET}' };
  const venue = { base_url: exchange.restUrl, ws_url: exchange.wsUrl, ...keys };
  const worker = { host: 'worker' };
  const strategies = [
    // As much as it may ask for, again and again, and more than it may, once.
    strategyOf('flooder', { orders: 900, again: true }, worker),
    strategyOf('flooder', { orders: 100_000, again: false }, { ...worker, name: 'torrent' }),
    strategyOf('steady-taker', { everyMs: 100 }, worker),
  ];
  writeFileSync(config, JSON.stringify({ run: { directory }, venue, strategies, log: { level: 'silent' } }));
  const here = ['--config', config];
  const daemon = new Cli(['trade', '--mode', 'sim', ...here], {
    KEY: key?.apiKey ?? '',
    SECRET: key?.secret.reveal() ?? '',
  });
  const command = async <Answer>(...args: readonly string[]): Promise<Answer> => {
    const { code, out, err } = await run([...args, ...here, '--json']);
    expect([args[0], code, err]).toEqual([args[0], 0, '']);
    return JSON.parse(out) as Answer;
  };
  const mode = async (): Promise<string> => (await command<Status>('status')).trading.mode;
  const denied = async (): Promise<number> =>
    (await command<readonly ControlRow[]>('controls')).reduce((all, row) => all + row.denied, 0);
  const fillsOfOther = async (): Promise<number> =>
    (await command<Status>('status')).strategies.find(({ name }) => name === 'steady-taker')?.fills ?? 0;
  /** The flood goes on, and so does the other strategy. */
  const bothGoOn = async (): Promise<void> => {
    const [flood, fills] = [await denied(), await fillsOfOther()];
    await until('more of the flood', async () => (await denied()) > flood + 1_000);
    await until('more of the other strategy', async () => (await fillsOfOther()) > fills + 2);
  };
  try {
    await until('the interface', () => daemon.err.includes('Operated at '));
    const file = JSON.parse(readFileSync(join(directory, 'operate.json'), 'utf8')) as Record<string, string>;
    await bothGoOn();
    expect(await command<Acted>('halt', '--why', 'a flood')).toMatchObject({ done: true });
    expect(await mode()).toBe('halted');
    const { confirm } = await command<Acted>('clear');
    await command<Acted>('clear', `--confirm=${confirm}`);
    await bothGoOn();
    const response = await fetch(`${file['url']}/api/acts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${file['token']}`, 'content-type': 'application/json' },
      body: JSON.stringify({ act: 'halt', who: 'ann', why: 'a flood' }),
      signal: AbortSignal.timeout(answerMs),
    });
    expect([response.status, await response.json()]).toMatchObject([200, { done: true }]);
    expect(await mode()).toBe('halted');
  } finally {
    daemon.kill('SIGTERM');
    await daemon.end();
    await exchange.close();
  }
  const ends = [...readJournal(directory)].flatMap(({ event }) =>
    event.kind === 'strategyStopped' && event.why !== 'unloaded' ? [event] : [],
  );
  expect(ends).toMatchObject([
    { strategy: 'torrent', why: expect.stringContaining('asked for more than 1000 orders') },
  ]);
});
