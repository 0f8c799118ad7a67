import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startDrift } from '../../src/app/nightly/process.ts';
import { seconds } from '../../src/core/base/clock.ts';
import type { Status } from '../../src/operate/schemas.ts';
import type { Alert } from '../../src/operate/views/alerts.ts';
import { Account } from './support/account.ts';
import { Cli, godwit, home } from './support/cli.ts';
import { until } from './support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'godwit-nightly-'));
const directory = join(folder, 'run');
let exchange: Cli;
let account: Account;
let hook: Server;
const news: string[] = [];
let daemon: Cli | undefined;

beforeAll(async () => {
  exchange = new Cli(['exchange', '--port', '0', '--seed', '7', '--json']);
  account = Account.of(await exchange.firstLine());
  hook = createServer((request, response) => {
    let text = '';
    request.on('data', (part: Buffer) => (text += part.toString('utf8')));
    request.on('end', () => {
      news.push(...(JSON.parse(text) as { texts: string[] }).texts);
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(hook, 'listening');
});
afterEach(async () => {
  daemon?.kill();
  await daemon?.end();
});
afterAll(async () => {
  exchange.kill();
  await exchange.end();
  hook.close();
  rmSync(folder, { recursive: true, force: true });
});

function argumentsOf(...more: readonly string[]): readonly string[] {
  const strategy = join(home, 'test/system/fixtures/steady-taker.ts');
  return [
    'trade',
    '--mode',
    'sim',
    '--strategy',
    strategy,
    '--param',
    'everyMs=200',
    ...more,
    ...account.settings(directory, {
      'record.directory': join(folder, 'recordings'),
      'log.level': 'warn',
      'operate.drift.worst': '0.000000001',
      'operate.notify.webhook.url': '${env:HOOK}',
    }),
  ];
}

function start(): Cli {
  const { port } = hook.address() as AddressInfo;
  return new Cli(argumentsOf('--record'), { ...account.environment, HOOK: `http://127.0.0.1:${port}/` });
}

interface Place {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
}

async function placeOf(of: Cli): Promise<Place> {
  return await until(`the daemon; standard error: ${of.err}`, () => {
    try {
      const place = JSON.parse(readFileSync(join(directory, 'operate.json'), 'utf8')) as Place;
      return place.pid === of.child.pid && place;
    } catch {
      return undefined;
    }
  });
}

async function ask({ url, token }: Place, path: string): Promise<Response> {
  return await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
}

async function driftOf(place: Place): Promise<NonNullable<Status['drift']>> {
  const { drift } = (await (await ask(place, '/api/status')).json()) as Status;
  expect(drift).not.toBeNull();
  return drift as NonNullable<Status['drift']>;
}

/** How nice the processes are that a process has begun. */
function childrenOf(pid: number): readonly number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')
      .split(' ')
      .filter((id) => id !== '')
      .map((id) => getPriority(Number(id))),
  );
}

test('a run that is not recorded is refused in one sentence', async () => {
  const { code, err } = await godwit(argumentsOf(), { ...account.environment, HOOK: 'http://127.0.0.1:1/' });
  expect([code, err]).toEqual([
    78,
    'godwit: operate.drift: expected a run that is recorded, found one that is not; add --record or leave out operate.drift\n',
  ]);
});

test('a process that fails says why in one sentence, and leaves nothing', async () => {
  mkdirSync(join(folder, 'empty'));
  const { ended } = startDrift({
    venueModule: undefined,
    directory: join(folder, 'empty'),
    recording: join(folder, 'nowhere'),
    memoryMaxMib: 256,
  });
  await expect(ended).rejects.toThrow(/nowhere: expected the recording of the run, found nothing/);
  expect(readdirSync(join(folder, 'empty'))).toEqual([]);
});

test('a daemon compares its day: the score is in status, metrics, alerts and news, and outlives a restart', async () => {
  mkdirSync(directory, { mode: 0o700 });
  // As a daemon leaves it that was down when the time of today came.
  const before = (Date.now() - 2 * 86_400_000) * 1_000;
  writeFileSync(
    join(directory, 'drift.json'),
    JSON.stringify({ version: 1, due: before, running: false, why: '', failures: 0 }),
  );
  daemon = start();
  const place = await placeOf(daemon);
  expect(await driftOf(place)).toMatchObject({ running: false, score: null, limit: 1e-9, failures: 0 });
  await until('a comparison', async () => (await driftOf(place)).running);
  if (process.platform === 'linux') expect(childrenOf(place.pid)).toEqual([19]);
  const drift = await until(
    'its end',
    async () => {
      const found = await driftOf(place);
      return !found.running && found;
    },
    // It runs after everything else: on a busy machine it hardly does.
    seconds(900),
  );
  expect(drift.why).toBe('');
  expect(drift.score).toBeGreaterThan(1e-9);
  expect(drift.score).toBeLessThan(0.1);
  const said = await godwit(['status', '--set', `run.directory=${directory}`]);
  expect(said.out).toContain(`drift     score ${drift.score} (limit 1e-9) for the day to ${drift.to}`);
  const metrics = await (await ask(place, '/metrics')).text();
  expect(metrics).toContain(`godwit_drift_score ${drift.score}\n`);
  expect(metrics).toContain('godwit_drift_limit 1e-9\n');
  expect(metrics).toContain('godwit_drift_failures 0\n');
  expect(Number(/^godwit_drift_ended_seconds (\S+)$/m.exec(metrics)?.[1])).toBeCloseTo(
    Date.parse(drift.endedAt ?? '') / 1_000,
    2,
  );
  const alert = `the day to ${drift.to} and its backtest are ${drift.score} of what was traded apart, more than operate.drift.worst (1e-9)`;
  const alerts = (await (await ask(place, '/api/alerts')).json()) as readonly Alert[];
  expect(alerts.map(({ text }) => text)).toContain(alert);
  await until('the news', () => news.includes(alert));
  expect(readdirSync(directory).filter((name) => name.startsWith('drift'))).toEqual(['drift.json']);

  daemon.kill('SIGTERM');
  expect((await daemon.end()).code).toBe(143);
  daemon = start();
  const again = await placeOf(daemon);
  expect(await driftOf(again)).toEqual(drift);
}, 1_200_000);
