import { chmodSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Acted, Status } from '../../../src/operate/schemas.ts';
import type { OrderRow } from '../../../src/operate/views/orders.ts';
import type { OperateFailed } from '../../../src/app/operate/client.ts';
import { OperateClient } from '../../../src/app/operate/client.ts';
import { writeRunFile } from '../../../src/app/operate/run-file.ts';
import { operated, tokens } from '../../operate/support.ts';
import { Cli, launcher } from '../../system/support/cli.ts';
import { until } from '../../system/support/until.ts';
import { run } from '../cli/support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'godwit-operate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const here = ['--set', `run.directory=${folder}`];

/** Where a session of `demo` leaves the file that names it. */
function runFile(): string | undefined {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name, 'operate.json');
    if (existsSync(path)) return path;
  }
  return undefined;
}

async function json<Value>(...args: readonly string[]): Promise<Value> {
  const { code, out, err } = await run([...args, ...here, '--json']);
  expect([args.join(' '), code, err]).toEqual([args.join(' '), 0, '']);
  return JSON.parse(out) as Value;
}

test('an act that loads a strategy may take longer than other questions', async () => {
  const server = createServer((request, response) => {
    setTimeout(() => response.end('{"done":true}'), request.method === 'GET' ? 0 : 5_200);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = new OperateClient({ url: `http://127.0.0.1:${port}`, token: 'a', directory: folder });
  try {
    const [started, paused] = await Promise.allSettled([
      client.act({ act: 'startStrategy', strategy: 'maker' }),
      client.act({ act: 'pause' }),
    ]);
    expect(started).toEqual({ status: 'fulfilled', value: { done: true } });
    expect(paused).toMatchObject({ status: 'rejected', reason: { exitCode: 5 } });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('commands see and steer the daemon that runs, and say when none does', async () => {
  const missing = await run(['status', ...here]);
  expect(missing.code).toBe(3);
  expect(missing.err).toBe(
    `godwit: no daemon of this configuration runs (${folder}): start one with godwit trade or npm start, or name one with --url`,
  );
  const daemon = new Cli(['demo', '--for', '600s', ...here]);
  try {
    await until('a run file', runFile);
    const file = runFile() as string;
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await until('an order', async () => (await json<Status>('status')).orders.open > 0);
    expect((await run(['status', ...here])).out).toContain('trading   active');

    const { dashboard } = await json<{ readonly dashboard: string }>('dashboard');
    const { url, token } = JSON.parse(readFileSync(file, 'utf8')) as Record<'url' | 'token', string>;
    expect(dashboard).toBe(`${url}/#token=${token}`);
    expect((await run(['dashboard', ...here])).out.trim()).toBe(dashboard);
    expect(await (await fetch(dashboard)).text()).toContain('<title>Godwit</title>');

    await json<Acted>('pause', '--why', 'lunch', '--who', 'ann');
    expect((await json<Status>('status')).strategies).toMatchObject([
      { state: 'paused', why: 'lunch, by ann' },
    ]);
    await json<Acted>('cancel', '--all');
    await until('no order', async () => (await json<readonly OrderRow[]>('orders')).length === 0);
    const unknown = await run(['cancel', 'not-an-order', ...here]);
    expect([unknown.code, unknown.err]).toEqual([4, 'godwit: there is no order "not-an-order" in this run']);
    expect((await run(['cancel', ...here])).code).toBe(2);

    const name = (await json<Status>('status')).strategies[0]?.name ?? '';
    const state = async () => (await json<Status>('status')).strategies[0]?.state;
    await json<Acted>('stop', '--strategy', name);
    expect(await state()).toBe('stopped');
    await json<Acted>('start', name);
    await until('it goes on', async () => (await state()) !== 'stopped');
    const { params } = await json<{ readonly params: Readonly<Record<string, unknown>> }>('params', name);
    expect(Object.keys(params)).not.toHaveLength(0);
    const refused = await run(['params', name, 'nonsense=1', ...here]);
    expect([refused.code === 0, refused.err]).toEqual([false, expect.stringContaining('nonsense')]);
    expect((await json<{ readonly params: typeof params }>('params', name)).params).toEqual(params);

    await json<Acted>('halt');
    const first = await json<Acted>('clear');
    expect(first.done).toBe(false);
    expect((await run(['flatten', ...here])).code).toBe(6);
    await json<Acted>('clear', `--confirm=${first.confirm}`);
    await json<Acted>('flatten');
    await until('no position', async () => {
      const positions = await json<readonly { quantity: string }[]>('positions');
      return positions.every(({ quantity }) => Number(quantity) === 0);
    });

    chmodSync(file, 0o644);
    expect((await run(['status', ...here])).code).toBe(78);
    chmodSync(file, 0o600);
    await json<Acted>('stop', '--why', 'the night');
    const said = await daemon.end();
    expect(said.code).toBe(0);
    expect(said.err).toContain('the night, by ');
    expect(said.err).toContain('Operated at http://127.0.0.1:');
    // Only a terminal is shown the token.
    expect(said.err + said.out).not.toContain(token);
    expect(runFile()).toBeUndefined();
    expect((await run(['status', ...here])).code).toBe(3);
  } finally {
    daemon.kill('SIGKILL');
  }
});

test('a second daemon of one run directory and one on a port that is taken end in a sentence; the first is found as before', async () => {
  const exchange = new Cli(['exchange', '--port', '0', '--seed', '7', '--json']);
  const daemons: Cli[] = [];
  try {
    const { rest, ws } = JSON.parse(await exchange.firstLine()) as Record<'rest' | 'ws', string>;
    const start = (directory: string, port: number): Cli => {
      const set = [
        `venue.base_url=${rest}`,
        `venue.ws_url=${ws}`,
        `run.directory=${directory}`,
        `operate.port=${port}`,
      ];
      const args = ['trade', '--mode', 'paper', '--strategy', 'market-maker', '--json'];
      const daemon = new Cli([...args, ...set.flatMap((one) => ['--set', one])]);
      daemons.push(daemon);
      return daemon;
    };
    const directory = join(folder, 'one');
    const own = ['--set', `run.directory=${directory}`, '--json'];
    const statusNow = async () => {
      const { code, out, err } = await run(['status', ...own]);
      expect([code, err]).toEqual([0, '']);
      return JSON.parse(out) as Status;
    };
    start(directory, 0);
    const file = join(directory, 'operate.json');
    await until('the first daemon', () => existsSync(file));
    const written = readFileSync(file, 'utf8');
    const { run: first } = await statusNow();

    const second = await start(directory, 0).end();
    expect([second.code, second.err.trim().split('\n').at(-1)]).toEqual([
      1,
      `godwit: another process writes the journal in ${directory}; stop it first`,
    ]);
    const { url } = JSON.parse(written) as { url: string };
    const { port } = new URL(url);
    const other = join(folder, 'other');
    const third = await start(other, Number(port)).end();
    expect([third.code, third.err.trim().split('\n').at(-1)]).toEqual([
      1,
      `godwit: operate: cannot listen on 127.0.0.1 port ${port} (EADDRINUSE): choose another operate.port, 0 for a free one, or operate.enabled=false`,
    ]);
    expect(existsSync(join(other, 'operate.json'))).toBe(false);
    expect(readFileSync(file, 'utf8')).toBe(written);
    expect((await statusNow()).run).toBe(first);
  } finally {
    for (const daemon of [...daemons, exchange]) daemon.kill('SIGKILL');
  }
});

test('two daemons never trade with one key, whatever their run directories', async () => {
  const exchange = new Cli(['exchange', '--port', '0', '--seed', '7', '--json']);
  const daemons: Cli[] = [];
  try {
    const { rest, ws, accounts } = JSON.parse(await exchange.firstLine()) as {
      readonly rest: string;
      readonly ws: string;
      readonly accounts: readonly { readonly api_key: string; readonly secret_key: string }[];
    };
    const start = (directory: string, account: number, verb = 'trade'): Cli => {
      const { api_key: key = '', secret_key: secret = '' } = accounts[account] ?? {};
      const set = [
        `venue.base_url=${rest}`,
        `venue.ws_url=${ws}`,
        'venue.api_key=${env:KEY}',
        'venue.secret_key=${env:SECRET}',
        `run.directory=${directory}`,
        'operate.port=0',
      ].flatMap((one) => ['--set', one]);
      const daemon = new Cli([verb, '--mode', 'sim', '--strategy', 'market-maker', ...set], {
        KEY: key,
        SECRET: secret,
      });
      daemons.push(daemon);
      return daemon;
    };
    const [first, other, third] = ['first', 'second', 'third'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const trades = start(first, 0);
    await until('the first daemon', () => existsSync(join(first, 'operate.json')));
    const second = await start(other, 0).end();
    expect([second.code, second.err.trim().split('\n').at(-1)]).toEqual([
      1,
      expect.stringMatching(
        `^godwit: another daemon trades with this venue.api_key at ${rest}: ${first} \\(process ${trades.child.pid}\\); stop it first, or run these strategies in it: `,
      ),
    ]);
    expect(existsSync(other)).toBe(false);
    const planned = await start(other, 0, 'plan').end();
    expect([planned.code, planned.out]).toEqual([
      6,
      expect.stringContaining(`at ${rest}: ${first} (process ${trades.child.pid}); stop it first`),
    ]);
    // Another account is free, and so is this one once its daemon was killed.
    start(third, 3);
    await until('a daemon of another account', () => existsSync(join(third, 'operate.json')));
    trades.kill('SIGKILL');
    await trades.end();
    start(other, 0);
    await until('the next daemon', () => existsSync(join(other, 'operate.json')));
  } finally {
    for (const one of [...daemons, exchange]) one.kill('SIGKILL');
    await Promise.all([...daemons, exchange].map((one) => one.end()));
  }
});

test('a shadow is promoted by two commands', async () => {
  const open = await operated();
  const directory = join(folder, 'promotes');
  try {
    const { url } = open.server;
    writeRunFile(directory, { url, token: tokens.operate, pid: process.pid, run: 'r1', startedAt: '' });
    const promote = (...more: string[]) =>
      run(['promote', 'buyer', '--set', `run.directory=${directory}`, '--who', 'ann', ...more]);
    expect(await promote()).toMatchObject({ code: 6, err: expect.stringContaining('has no shadow') });
    open.shadow = { path: 'strategies/newer', params: { size: 4 }, state: 'running', why: '' };
    const first = await promote();
    const [, code = ''] = /--confirm (\S+)$/.exec(first.out) ?? [];
    expect([first.code, first.out]).toEqual([
      0,
      `strategy buyer: path strategies/buyer becomes strategies/newer, size 3 becomes 4, apiKey "[secret]" becomes the default. Send the code within a minute to promote its shadow: --confirm ${code}`,
    ]);
    expect(open.changed).toEqual([]);
    expect((await promote('--confirm', 'wrong')).code).toBe(6);
    const again = /--confirm (\S+)$/.exec((await promote()).out)?.[1] ?? '';
    expect((await promote('--confirm', again, '--why', 'better')).code).toBe(0);
    expect(open.changed).toEqual([{ promoted: 'buyer', who: 'ann', why: 'better' }]);
  } finally {
    await open.server.close();
  }
});

test('a token that is wrong does not read as a daemon that is dead, whatever the command', async () => {
  const open = await operated();
  const directory = join(folder, 'wrong-token');
  try {
    const { url } = open.server;
    const wrong = 'a-token-of-another-daemon';
    writeRunFile(directory, { url, token: wrong, pid: process.pid, run: 'r1', startedAt: '' });
    const lists = ['orders', 'positions', 'margin', 'balances', 'trades', 'limits', 'controls'];
    const acts = ['pause', 'resume', 'reduce', 'flatten', 'halt', 'clear', 'stop', 'reload', 'cancel --all'];
    const named = [
      'start buyer',
      'stop --strategy buyer',
      'params buyer',
      'params buyer pace=3',
      'promote buyer',
    ];
    for (const command of ['status', 'watch', 'dashboard', ...lists, ...acts, ...named]) {
      const { code, err } = await run([...command.split(' '), '--set', `run.directory=${directory}`]);
      expect([command, code, err]).toEqual([
        command,
        1,
        `godwit: the daemon at ${url} runs, and does not accept this token: operate.json of the run directory holds another than it was started with`,
      ]);
    }
    expect(open.acts).toEqual([]);
    expect(await run(['health', '--set', `run.directory=${directory}`])).toMatchObject({ code: 0 });
  } finally {
    await open.server.close();
  }
});

test('of a daemon elsewhere it is said what is wrong: the token, the address, the certificate, the protocol', async () => {
  const open = await operated();
  const asked = async (url: string, token?: string): Promise<readonly [number | undefined, string]> => {
    try {
      await new OperateClient({ url, token, directory: folder }).get('/api/status');
      return [0, ''];
    } catch (error) {
      const { exitCode, message } = error as OperateFailed;
      return [exitCode, message];
    }
  };
  try {
    const { url } = open.server;
    expect(await asked(url, ` ${tokens.read}\r\n`)).toEqual([0, '']);
    expect(await asked(url)).toEqual([
      1,
      `the daemon at ${url} runs, and asks for its token: set GODWIT_TOKEN`,
    ]);
    expect(await asked(url, 'wrong')).toEqual([
      1,
      `the daemon at ${url} runs, and does not accept this token: GODWIT_TOKEN holds another than it was started with`,
    ]);
    expect(await asked(url, 'ein Schlüssel')).toEqual([
      2,
      'GODWIT_TOKEN: expected ASCII without spaces, found others',
    ]);
    for (const text of ['bot.example', 'localhost:80', 'https://', 'ftp://bot.example', ''])
      expect(await asked(text, tokens.read)).toEqual([
        2,
        `--url: expected an address such as https://bot.example, found ${JSON.stringify(text)}`,
      ]);
    expect(await asked('http://127.0.0.1:1', tokens.read)).toEqual([
      3,
      'no daemon answers at http://127.0.0.1:1',
    ]);
    const secure = url.replace('http:', 'https:');
    expect(await asked(secure, tokens.read)).toEqual([
      1,
      expect.stringMatching(
        /^a server answers at .* in another protocol .*: expected http:\/\/ or https:\/\//,
      ),
    ]);
  } finally {
    await open.server.close();
  }
});

const script = '/usr/bin/script';

test.skipIf(!existsSync(script))(
  'a terminal is shown the address of the dashboard with the token',
  async () => {
    const command = `${launcher.join(' ')} demo --for 2s --set run.directory=${folder}`;
    const session = new Cli([], {}, [script, '-qec', command, '/dev/null']);
    try {
      const { out } = await session.end();
      expect(out).toMatch(/Dashboard: http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{32}/);
    } finally {
      session.kill('SIGKILL');
    }
  },
);
