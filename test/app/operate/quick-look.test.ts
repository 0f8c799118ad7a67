import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { quickLook } from '../../../src/app/operate/quick-look.ts';
import { views } from '../../../src/operate/views/all.ts';
import { removeRunFile, writeRunFile } from '../../../src/app/operate/run-file.ts';
import type { Operated } from '../../operate/support.ts';
import { operated, reportMargin, tokens } from '../../operate/support.ts';
import { home } from '../../system/support/cli.ts';
import { run } from '../cli/support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'godwit-look-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let open: Operated;
beforeEach(async () => {
  open = await operated();
  const { url } = open.server;
  writeRunFile(folder, { url, token: tokens.operate, pid: process.pid, run: 'r1', startedAt: '' });
});
afterEach(async () => {
  removeRunFile(folder);
  await open.server.close();
});

async function look(args: readonly string[], environment = {}): Promise<string | undefined> {
  const lines: string[] = [];
  const data = (line: string): void => void lines.push(line);
  const code = await quickLook(args, environment, { data, progress: data, colour: false });
  return code === undefined ? undefined : lines.join('\n');
}

const set = ['--set', `run.directory=${folder}`];

test('the run file is whole whenever somebody looks', async () => {
  const ended = new Int32Array(new SharedArrayBuffer(4));
  const reader = new Worker(
    `const { readFileSync } = require('node:fs');
    const { parentPort, workerData: { path, ended } } = require('node:worker_threads');
    let seen = 0;
    let broken = 0;
    parentPort.postMessage('ready');
    while (Atomics.load(ended, 0) === 0) {
      seen += 1;
      try {
        JSON.parse(readFileSync(path, 'utf8'));
      } catch {
        broken += 1;
      }
    }
    parentPort.postMessage({ seen, broken });`,
    { eval: true, workerData: { path: join(folder, 'operate.json'), ended } },
  );
  try {
    await once(reader, 'message');
    const file = { url: 'http://127.0.0.1:1', token: 'x', pid: process.pid, run: 'r1', startedAt: '' };
    for (let at = 0; at < 500; at++) writeRunFile(folder, file);
    const noted = once(reader, 'message');
    Atomics.store(ended, 0, 1);
    const [{ seen, broken }] = (await noted) as [{ seen: number; broken: number }];
    expect([seen > 20, broken]).toEqual([true, 0]);
  } finally {
    Atomics.store(ended, 0, 1);
    await reader.terminate();
  }
});

describe('a command that only sees a daemon', () => {
  test('loads none of undici, HTTP/2 and TLS, which take longer than the daemon to answer', async () => {
    const code = `const { quickLook } = await import(${JSON.stringify(join(home, 'src/app/operate/quick-look.ts'))});
      const quiet = { data() {}, progress() {}, colour: false };
      const exitCode = await quickLook(${JSON.stringify(['status', ...set])}, {}, quiet);
      const heavy = process.moduleLoadList.filter((name) => /undici|http2|tls/.test(name));
      process.stdout.write(JSON.stringify({ exitCode, heavy }));`;
    const args = ['--conditions=godwit-source', '--input-type=module', '--eval', code];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(JSON.parse(stdout)).toEqual({ exitCode: 0, heavy: [] });
  });

  test('is started without a second process', () => {
    // test/operate/views/all.test.ts holds the names of the files and of the commands equal.
    const launcher = readFileSync(join(home, 'bin/godwit.js'), 'utf8');
    expect(launcher).toContain("'operate', 'views'");
  });

  test.each([['status'], ...views.map(({ command }) => [command]), ['params', 'buyer']])(
    '%s says what the whole program says',
    async (...words) => {
      reportMargin(open.rig);
      for (const args of [
        [...words, ...set],
        [...words, ...set, '--json'],
      ]) {
        const said = await look(args);
        // What it says of ages changes from one call to the next.
        const still = (text = ''): string => text.replaceAll(/\d+/g, '0');
        expect(said).toBeDefined();
        expect(still(said)).toBe(still((await run(args)).out));
      }
    },
  );

  test('halt is as quick, and says and does what the whole program does', async () => {
    const said = await look(['halt', ...set, '--why', 'a flood', '--who', 'ann']);
    expect(open.acts).toEqual([{ act: { act: 'halt' }, who: 'ann', why: 'a flood' }]);
    expect(said).toBe((await run(['halt', ...set, '--why', 'a flood', '--who', 'ann'])).out);
    await look(['halt', ...set, '--json'], { USER: 'bob' });
    expect(open.acts.at(-1)).toMatchObject({ who: 'bob' });
    expect(await look(['halt', ...set, '--why'])).toBeUndefined();
    expect(await look(['status', ...set, '--why', 'x'])).toBeUndefined();
    expect(open.acts).toHaveLength(3);
  });

  test('margin shows each account, then its positions', async () => {
    expect(await look(['margin', ...set])).toBe('no margin accounts');
    reportMargin(open.rig);
    const lines = (await look(['margin', ...set]))?.split('\n').map((line) => line.trim().split(/ +/));
    expect(lines?.[2]).toEqual('margin isolated AAABBB BBB 10 50 1 20.5 9 6 true false'.split(' '));
    expect(lines?.[5]).toEqual('AAABBB isolated -2 AAA 98 100 110 115 BBB 10 -0.5 BBB'.split(' '));
  });

  test('finds the run directory in a configuration file', async () => {
    const file = join(folder, 'bot.yaml');
    writeFileSync(file, `run: { directory: ${folder} }\n`);
    expect(await look(['orders', '--config', file])).toBe('no orders');
    expect(await look(['orders', '--config', file, '--set', 'run.directory=nowhere'])).toBeUndefined();
  });

  test.each([
    ['another command', ['pause', ...set], {}],
    ['help', ['status', '--help'], {}],
    ['changed parameters', ['params', 'buyer', 'size=4', ...set], {}],
    ['parameters of nobody', ['params', ...set], {}],
    ['another setting', ['status', ...set, '--set', 'orders.collarPercent=3'], {}],
    ['a setting without a value', ['status', ...set, '--set'], {}],
    ['settings of the environment', ['status', ...set], { GODWIT__run__seed: '3' }],
    ['a file that cannot be read', ['status', '--config', 'nowhere.yaml'], {}],
    ['no daemon', ['status', '--set', 'run.directory=nowhere'], {}],
  ])('leaves %s to the whole program', async (_what, args, environment) => {
    expect(await look(args, environment)).toBeUndefined();
  });
});
