import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import type { SweepResult } from '../../src/app/sweep/result.ts';
import { main } from '../system/support/cli.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import { millis } from '../../src/core/base/clock.ts';
import { run } from './cli/support/run.ts';
import { freePort } from '../support/free-port.ts';

const home = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');
const sample = join(home, 'backtest/feeds/sample');
const moody = join(home, 'test/app/fixtures/moody.ts');
const folder = mkdtempSync(join(tmpdir(), 'sweep-queue-'));
const clock = new SystemClock();

/** Debian puts the server where only root looks by default. */
const server = ['nats-server', '/usr/sbin/nats-server'].find(
  (name) => spawnSync(name, ['--version']).status === 0,
);
if (server === undefined)
  process.stderr.write('sweep-queue: nats-server is not installed: the queue is not tested here\n');

const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

async function until(holds: () => boolean): Promise<void> {
  for (let i = 0; i < 1_000 && !holds(); i++)
    await new Promise<void>((resolve) => void clock.after(millis(20), resolve));
  if (!holds()) throw new Error('waited in vain');
}

interface Worker {
  readonly child: ChildProcess;
  readonly done: { readonly key: string }[];
}

function startWorker(url: string): Worker {
  const child = spawn(process.execPath, [main, 'worker', '--queue', url, '--json'], {
    cwd: home,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  children.push(child);
  const done: { key: string }[] = [];
  let rest = '';
  child.stdout.on('data', (bytes: Buffer) => {
    const lines = `${rest}${bytes.toString('utf8')}`.split('\n');
    rest = lines.pop() ?? '';
    done.push(...lines.map((line) => JSON.parse(line) as { key: string }));
  });
  return { child, done };
}

describe.skipIf(server === undefined)('a sweep through a queue', () => {
  test('loses no run and counts none twice when its workers are killed', async () => {
    const port = await freePort();
    const url = `nats://127.0.0.1:${port}`;
    const args = ['-js', '-a', '127.0.0.1', '-p', String(port), '-sd', join(folder, 'js')];
    const broker = spawn(server ?? '', args, { stdio: 'ignore' });
    children.push(broker);
    const first = startWorker(url);
    const second = startWorker(url);
    const store = join(folder, 'queue.ndjson');
    const sweep = ['sweep', sample, '--strategy', moody, '--space', 'every=1..24', '--json'];
    const ledger = ['--ledger', join(folder, 'trials.ndjson')];
    await until(() => broker.exitCode === null && existsSync(join(folder, 'js')));
    const queued = run([...sweep, ...ledger, '--queue', url, '--store', store]);
    await until(() => existsSync(store) && readFileSync(store, 'utf8').split('\n').length > 3);
    first.child.kill('SIGKILL');
    second.child.kill('SIGKILL');
    const third = startWorker(url);
    const { code, out, err } = await queued;
    expect(err).not.toContain('godwit:');
    expect(code).toBe(0);
    const result = JSON.parse(out) as SweepResult;
    expect(result.trials).toEqual({ tried: 24, stored: 0, failed: 0, withoutValue: 0 });
    const keys = readFileSync(store, 'utf8').split('\n').filter(Boolean);
    expect(new Set(keys.map((line) => (JSON.parse(line) as { key: string }).key)).size).toBe(24);
    expect(keys).toHaveLength(24);
    const confirmed = [first, second, third].flatMap(({ done }) => done.map(({ key }) => key));
    expect(new Set(confirmed).size).toBe(confirmed.length);
    const local = await run([...sweep, ...ledger, '--store', join(folder, 'local.ndjson')]);
    expect((JSON.parse(local.out) as SweepResult).best).toEqual(result.best);
    // The results stand in the queue: the same sweep from another machine runs nothing again.
    const again = await run([...sweep, ...ledger, '--queue', url, '--store', join(folder, 'again.ndjson')]);
    expect((JSON.parse(again.out) as SweepResult).best).toEqual(result.best);
    third.child.kill('SIGTERM');
    const [ended] = (await once(third.child, 'exit')) as [number];
    expect(ended).toBe(143);
  });
});

describe('a queue that cannot be used', () => {
  const args = [
    'sweep',
    sample,
    '--strategy',
    moody,
    '--space',
    'every=1,2',
    '--store',
    join(folder, 'no.ndjson'),
  ];

  test('is one sentence and exit code 1', async () => {
    const port = await freePort();
    const { code, err } = await run([...args, '--queue', `nats://127.0.0.1:${port}`]);
    expect(err).toContain(`godwit: nats://127.0.0.1:${port}: the queue cannot be reached`);
    expect(code).toBe(1);
  });

  test('is one sentence for a scenario on bars, too', async () => {
    const scenario = join(folder, 'bars.yaml');
    writeFileSync(
      scenario,
      'name: x\ndata: [x.csv]\ninstrument: { symbol: AAA }\nfills: { model: bars }\nstrategy: { path: trend, params: { symbol: AAA } }\n',
    );
    const rows = [
      'time,open,high,low,close,volume',
      '1672531200,1,1,1,1,1',
      '1672531260,2,2,2,2,1',
      '1672531320,3,3,3,3,1',
    ];
    writeFileSync(join(folder, 'x.csv'), `${rows.join('\n')}\n`);
    const file = join(folder, 'sweep.yaml');
    writeFileSync(file, 'scenario: bars.yaml\nspace: { fast: [1, 2] }\n');
    const { code, err } = await run([
      'sweep',
      file,
      '--queue',
      'nats://127.0.0.1:1',
      '--store',
      join(folder, 'b'),
    ]);
    expect(err).toContain('nats://127.0.0.1:1: the queue cannot be reached');
    expect(code).toBe(1);
  });
});
