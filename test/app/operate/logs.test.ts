import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { logsCommand } from '../../../src/app/operate/logs.ts';
import type { LogsCommand } from '../../../src/app/operate/logs.ts';
import { writeRunFile } from '../../../src/app/operate/run-file.ts';
import { createRunLogs } from '../../../src/app/process/logger.ts';
import { LogFile, logPath } from '../../../src/app/process/log-file.ts';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import { Cli } from '../../system/support/cli.ts';
import { until } from '../../system/support/until.ts';
import { run } from '../cli/support/run.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'godwit-logs-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const logFile = (keep = 2): LogFile => new LogFile({ directory: folder, sizeMaxMib: 0.01, keep });

function line(number: number, level = 'info'): string {
  return `${JSON.stringify({ level, time: '2026-11-01T10:00:00.000Z', order: `gw-${number}`, msg: 'sent' })}\n`;
}

function logs(options: Partial<LogsCommand>) {
  const said: string[] = [];
  const output = { data: (text: string) => void said.push(text), progress: () => {}, colour: false };
  const ended = logsCommand({
    directory: folder,
    output,
    clock: new SystemClock(),
    json: false,
    count: 20,
    level: 'debug',
    follow: false,
    ...options,
  });
  return { said, ended };
}

describe('the log on disk', () => {
  test('is of bounded size: full files are put aside, and the oldest goes', () => {
    const file = logFile();
    for (let number = 0; number < 2_000; number++) file.write(line(number));
    expect(readdirSync(folder).toSorted()).toEqual(['godwit.log', 'godwit.log.1', 'godwit.log.2']);
    for (const number of [0, 1, 2]) expect(statSync(logPath(folder, number)).size).toBeLessThan(11_000);
    expect(statSync(logPath(folder)).mode & 0o777).toBe(0o600);
    const lines = [2, 1, 0].flatMap((number) =>
      readFileSync(logPath(folder, number), 'utf8').trimEnd().split('\n'),
    );
    expect(`${lines.at(-1)}\n`).toBe(line(1_999));
    expect(lines).toEqual(
      Array.from({ length: lines.length }, (_, at) => line(2_000 - lines.length + at).trimEnd()),
    );
  });

  test('goes on where an earlier run ended', () => {
    logFile().write(line(1));
    logFile().write(line(2));
    expect(readFileSync(logPath(folder), 'utf8')).toBe(line(1) + line(2));
  });

  test('a place that cannot be written costs the run nothing', () => {
    logFile().write(line(1));
    const directory = join(logPath(folder), 'below');
    expect(() => new LogFile({ directory, sizeMaxMib: 1, keep: 1 }).write(line(2))).not.toThrow();
  });
});

describe('godwit logs', () => {
  test('shows the last lines for people, from as many files as that takes', async () => {
    const file = logFile();
    for (let number = 0; number < 200; number++) file.write(line(number));
    expect(existsSync(logPath(folder, 1))).toBe(true);
    const { said, ended } = logs({ count: 150 });
    expect(await ended).toBe(0);
    expect(said).toHaveLength(150);
    expect(said[0]).toBe('2026-11-01T10:00:00.000Z INFO  sent order=gw-50');
    expect(said.at(-1)).toContain('gw-199');
    expect((await logs({ count: 0 }).ended) === 0 && logs({ count: 0 }).said).toEqual([]);
  });

  test('leaves out what is less than the level; --json shows lines as they are', async () => {
    const file = logFile();
    file.write(line(1, 'warn') + line(2) + line(3, 'error'));
    const { said, ended } = logs({ level: 'warn', json: true });
    await ended;
    expect(said.map((text) => `${text}\n`)).toEqual([line(1, 'warn'), line(3, 'error')]);
  });

  test('a control character does not reach the terminal', async () => {
    logFile().write(
      `${JSON.stringify({ level: 'info', time: 'now', msg: '\u001B[2J' })}\nno JSON \u001B[2J\n`,
    );
    const { said, ended } = logs({});
    await ended;
    expect(said).toEqual(['now INFO  ?[2J', 'no JSON ?[2J']);
  });

  test('follows over a change of files, every line once', async () => {
    const file = logFile(5);
    file.write(line(0));
    const { said, ended } = logs({ follow: true });
    for (let number = 1; number < 400; number++) {
      file.write(line(number));
      if (number % 60 === 0) await until('the line', () => said.at(-1)?.endsWith(`gw-${number}`));
    }
    await until('the last line', () => said.at(-1)?.endsWith('gw-399'));
    expect(said).toHaveLength(400);
    expect(existsSync(logPath(folder, 3))).toBe(true);
    process.emit('SIGTERM');
    expect(await ended).toBe(0);
  });

  test('followed, it may be ended by who has seen its first line', async () => {
    logFile().write(line(0));
    // Without a listener the signal would end this process with 143, as it would end the command.
    const received: boolean[] = [];
    const output = {
      data: () => void received.push(process.emit('SIGTERM')),
      progress: () => {},
      colour: false,
    };
    expect([await logs({ follow: true, output }).ended, received]).toEqual([0, [true]]);
  });

  test('a run has its log from the start, and one that keeps none is distinguished from one that does not run', async () => {
    const options = { sizeMaxMib: 1, keep: 1 };
    createRunLogs({ level: 'error', file: true, ...options }, folder);
    const { said, ended } = logs({ level: 'error' });
    expect([await ended, said]).toEqual([0, []]);
    createRunLogs({ level: 'error', file: true, ...options }, folder).session.info(
      { run: 'r1' },
      'the run has started',
    );
    const { out, code } = await run(['logs', '--set', `run.directory=${folder}`]);
    expect([code, out]).toEqual([0, expect.stringMatching(/INFO  the run has started run=r1$/)]);
    rmSync(logPath(folder));
    createRunLogs({ level: 'silent', file: true, ...options }, folder).session.info({}, 'said to nobody');
    createRunLogs({ level: 'info', file: false, ...options }, folder).session.info({}, 'said to nobody');
    expect(existsSync(logPath(folder))).toBe(false);
    const token = 'a-token-of-the-test';
    const daemon = { url: 'http://127.0.0.1:1', token, pid: process.pid, run: 'r1', startedAt: '2026-11-01' };
    writeRunFile(folder, daemon);
    const silent = await run(['logs', '--set', `run.directory=${folder}`]);
    expect([silent.code, silent.err]).toEqual([
      4,
      `godwit: the daemon in ${folder} runs and keeps no log: expected log.file=true and a log.level other than silent; its lines go to its standard error`,
    ]);
  });

  test('finds the log of a daemon that runs, and of one that has ended; without one the exit code is 3', async () => {
    const here = ['--set', `run.directory=${folder}`] as const;
    expect((await run(['logs', ...here])).code).toBe(3);
    const daemon = new Cli(['demo', '--for', '600s', '--set', 'log.level=debug', ...here]);
    try {
      const lines = async () => (await run(['logs', '-n', '100000', ...here])).out;
      await until('an order', async () => (await lines()).includes('the venue has answered the first order'));
      expect((await run(['stop', '--why', 'the run ended', ...here])).code).toBe(0);
      expect((await daemon.end()).code).toBe(0);
      const { code, out } = await run(['logs', '-n', '1', '--json', ...here]);
      expect(code).toBe(0);
      expect(JSON.parse(out)).toMatchObject({
        level: 'info',
        msg: 'the run has ended',
        why: expect.stringContaining('the run ended'),
      });
      const all = await lines();
      const story = [
        'the run has started',
        'the market session is up',
        'logged in: the trading session is up',
        'the first order is on its way',
        'the venue has answered the first order',
        'the stop begins: own orders are canceled',
        'the run has ended',
      ];
      for (const words of story) expect(all).toContain(` ${words}`);
      expect(all).not.toMatch(/#token|secret_key/);
    } finally {
      daemon.kill();
    }
  });
});
