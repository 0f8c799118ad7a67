import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { findRunFile } from '../../../src/app/operate/run-file.ts';
import { readJournal } from '../../../src/core/journal/replay.ts';
import { Cli, godwit, launcher } from '../../system/support/cli.ts';
import { until } from '../../system/support/until.ts';
import { run } from '../cli/support/run.ts';

// Processes and sockets take their time on a busy machine.
const folder = mkdtempSync(join(tmpdir(), 'godwit-processes-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const script = '/usr/bin/script';

interface Reported {
  readonly rest: string;
  readonly ws: string;
  readonly accounts: readonly { api_key: string; secret_key: string; rights: readonly string[] }[];
}

describe('exchange', () => {
  test('prints one line, the same keys for the same seed, answers, and ends on SIGTERM with 143', async () => {
    const args = ['exchange', '--port', '0', '--seed', '7', '--json'];
    const [one, two] = [new Cli(args), new Cli(args)];
    try {
      const received = JSON.parse(await one.firstLine()) as Reported;
      const other = JSON.parse(await two.firstLine()) as Reported;
      expect(Object.keys(received).sort()).toEqual(['accounts', 'rest', 'ws']);
      expect(received.accounts.length).toBeGreaterThan(0);
      for (const account of received.accounts)
        expect(account).toMatchObject({ rights: expect.any(Array) as unknown });
      expect(other.accounts).toEqual(received.accounts);
      expect(other.rest).not.toBe(received.rest);
      const answer = await fetch(`${received.rest}/api/3/public/symbol/ETHBTC`);
      expect(answer.status).toBe(200);
      one.kill('SIGTERM');
      two.kill('SIGINT');
      const said = await one.end();
      expect(said.code).toBe(143);
      expect(said.out.trimEnd().split('\n')).toHaveLength(1);
      expect(said.err).toBe('');
      expect((await two.end()).code).toBe(130);
    } finally {
      one.kill();
      two.kill();
    }
  });
});

describe('the launcher', () => {
  test('when it is killed without a word, what it launched stops too', async () => {
    const cli = new Cli(['exchange', '--port', '0', '--json'], {}, launcher);
    try {
      const { rest } = JSON.parse(await cli.firstLine()) as Reported;
      expect((await fetch(`${rest}/api/3/public/symbol/ETHBTC`)).status).toBe(200);
      cli.kill('SIGKILL');
      // It held the pipes open as long as it lived: their end is its end.
      const { code, err } = await cli.end();
      expect(code).toBe(137);
      expect(err).toBe('');
      await expect(fetch(`${rest}/api/3/public/symbol/ETHBTC`)).rejects.toThrow('fetch failed');
    } finally {
      cli.kill();
    }
  });
});

describe('demo', () => {
  test('ends by itself with 0, its orders cancelled, its summary printed, its session replayable', async () => {
    const runs = join(folder, 'demo');
    const said = await godwit([
      'demo',
      '--for',
      '3s',
      '--record',
      '--json',
      '--set',
      `run.directory=${runs}`,
      '--export',
      join(folder, 'tables'),
    ]);
    expect(said.code).toBe(0);
    expect(said.err).not.toContain('may still be live');
    expect(said.err).toContain('Time is up');
    // A line a second, and the report in one.
    const lines = said.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.slice(0, -1).map(({ symbol }) => symbol)).toContain('ETHBTC');
    expect(lines.at(-1)).toHaveProperty('identity.mode', 'sim');
    // The session as tables: one row for each fill and each order of the report.
    const rowsOf = (table: string): number =>
      readFileSync(join(folder, 'tables', `${table}.csv`), 'utf8')
        .trimEnd()
        .split('\n').length - 1;
    const report = lines.at(-1) as { instruments: { fills: number }[] };
    expect(rowsOf('fills')).toBe(report.instruments.reduce((sum, { fills }) => sum + fills, 0));
    const [name = ''] = readdirSync(runs);
    const session = join(runs, name);
    // Each order that was placed, as a replacement too, and each that was denied; what else is denied is none.
    const orders = new Set<string>();
    for (const { event } of readJournal(session))
      if (event.kind === 'orderPending') orders.add(event.command.request.clientOrderId);
      else if (event.kind === 'replacePending') orders.add(event.command.newClientOrderId);
      else if (event.kind === 'orderDenied' && event.action === 'place') orders.add(event.clientOrderId);
    expect(rowsOf('orders')).toBe(orders.size);
    expect(rowsOf('equity')).toBeGreaterThan(1);
    expect(existsSync(join(folder, 'tables', 'equity.parquet'))).toBe(true);
    const replay = ['replay', join(session, 'recording'), '--journal', session];
    const replayed = await run([...replay, '--json']);
    expect(replayed.err).toBe('');
    expect(replayed.code).toBe(0);
    const received = JSON.parse(replayed.out) as {
      events: Record<string, number>;
      compared: { alike: number };
      findings: readonly string[];
    };
    expect(received.findings).toEqual([]);
    expect(received.events['intent']).toBeGreaterThan(0);
    expect(received.compared).toMatchObject({ departure: null, more: false });
    expect(received.compared.alike).toBeGreaterThan(20);
    const other = await run([...replay, '--set', 'orders.collarPercent=0.000001']);
    expect(other.err).toContain('not as in the run: configuration');
    expect(other.code).toBe(7);
    expect(other.out).toMatch(/then they part at sequence \d+/);
    const [segment = ''] = readdirSync(join(session, 'recording'));
    const torn = join(session, 'recording', segment);
    truncateSync(torn, statSync(torn).size - 200);
    const cut = await run(replay);
    expect(cut.code).toBe(0);
    expect(cut.out).toMatch(/\nfound {5}\S+\.frames: torn tail, \d+ bytes lost\n/);
    expect(cut.out).toContain('the recording ends before the journal does');
  });
});

describe('a strategy that cannot be ended', () => {
  test('is reported, and the run ends in time and with its code all the same', async () => {
    const strategy = fileURLToPath(new URL('../../system/fixtures/deaf-looper.ts', import.meta.url));
    const run = ['--for', '6s', '--set', `run.directory=${join(folder, 'deaf')}`];
    const { code, out, err } = await godwit(['demo', '--json', '--strategy', strategy, ...run]);
    expect(err).toContain(
      'strategy deaf-looper was stopped: it gave no sign of life: a handler does not return',
    );
    expect(out).toContain('"placed"');
    expect(code).toBe(8);
  });
});

describe('trade', () => {
  test('with a key the venue does not know ends with one sentence and 78, and the key is nowhere', async () => {
    const exchange = new Cli(['exchange', '--port', '0', '--seed', '7', '--json']);
    try {
      const { rest, ws } = JSON.parse(await exchange.firstLine()) as Reported;
      const directory = join(folder, 'refused');
      const said = await godwit(
        [
          'trade',
          '--mode',
          'sim',
          '--strategy',
          'market-maker',
          '--set',
          'log.level=silent',
          '--set',
          `venue.base_url=${rest}`,
          '--set',
          `venue.ws_url=${ws}`,
          '--set',
          `run.directory=${directory}`,
          '--set',
          'venue.api_key=${env:KEY}',
          '--set',
          'venue.secret_key=${env:SECRET}',
        ],
        { KEY: 'canary-key-0123456789', SECRET: 'canary-secret-9876543210' },
      );
      expect(said.code).toBe(78);
      expect(said.err).toMatch(/refused the login \(100\d .*venue\.api_key and venue\.secret_key/);
      const lines = said.err.trim().split('\n');
      expect(lines.at(-1)).toMatch(/^godwit: /);
      const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) =>
        entry.isFile(),
      );
      const written = files
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
        .join('');
      for (const secret of ['canary-secret', 'canary-key']) {
        expect(said.out + said.err + written).not.toContain(secret);
      }
    } finally {
      exchange.kill();
    }
  });

  test('cancels its orders when a signal comes twice at once, as a service manager sends it to a whole group', async () => {
    const demo = new Cli(['demo', '--json', '--set', `run.directory=${join(folder, 'group')}`]);
    try {
      await demo.firstLine();
      demo.kill('SIGTERM');
      demo.kill('SIGTERM');
      await until('the first signal', () => demo.err.includes('SIGTERM: cancelling own orders'));
      demo.kill('SIGTERM');
      const { code, err, out } = await demo.end();
      expect(err).not.toContain('Second signal');
      expect(out).toContain('"placed"');
      expect(code).toBe(143);
    } finally {
      demo.kill();
    }
  });

  test.skipIf(!existsSync(script))('stops in good order when its terminal is closed', async () => {
    const runs = join(folder, 'hangup');
    const command = `${launcher.join(' ')} demo --set run.directory=${runs}`;
    const terminal = new Cli([], {}, [script, '-qec', command, '/dev/null']);
    try {
      await until('a daemon', () => findRunFile(runs));
      terminal.kill('SIGKILL');
      const [run = ''] = readdirSync(runs);
      // The report is the last that a run leaves. The end of the launcher may reach the daemon before the signal does.
      await until('its report', () => existsSync(join(runs, run, 'report.html')));
      const events = [...readJournal(join(runs, run))].map(({ event }) => event);
      const reasons = events.flatMap((event) => (event.kind === 'modeChanged' ? [event.why] : []));
      expect(reasons.at(-1)).toMatch(/^stopped (by SIGHUP|with the process that started it)$/);
    } finally {
      terminal.kill('SIGKILL');
    }
  });

  test('sees a second signal half a second later, says which orders may live, and leaves at once', async () => {
    const runs = join(folder, 'twice');
    const demo = new Cli(['demo', '--json', '--set', `run.directory=${runs}`]);
    try {
      await demo.firstLine();
      demo.kill('SIGTERM');
      await until('the first signal', () => demo.err.includes('SIGTERM: cancelling own orders'));
      await sleep(500);
      demo.kill('SIGTERM');
      const { code, err } = await demo.end();
      expect(code).toBe(143);
      // The run may have ended properly just before the second signal came.
      if (err.includes('Second signal')) expect(err).toMatch(/Orders that may be live: /);
    } finally {
      demo.kill();
    }
  });
});

describe('worker', () => {
  test('says that its queue does not answer while it waits for it, and leaves at a signal', async () => {
    const worker = new Cli(['worker', '--queue', 'nats://127.0.0.1:1']);
    try {
      await until('the word', () =>
        worker.err.includes('nats://127.0.0.1:1 does not answer: waiting a minute'),
      );
      worker.kill('SIGTERM');
      expect((await worker.end()).code).toBe(143);
    } finally {
      worker.kill();
    }
  });
});
