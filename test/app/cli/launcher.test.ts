import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { millis, seconds } from '../../../src/core/base/clock.ts';
import { Account } from '../../system/support/account.ts';
import { Cli, launcher, main, shortLived } from '../../system/support/cli.ts';
import { chainOf, lives } from '../../system/support/process-chain.ts';
import { until, waitMax } from '../../system/support/until.ts';

// Four processes each, several at once.
const folder = mkdtempSync(join(tmpdir(), 'godwit-launcher-'));
const npx = ['npx', '--offline', 'godwit'] as const;
let exchange: Cli;
/** By a key each for the daemons that run at once; two of the keys are of one account. */
let accounts: readonly Account[];

beforeAll(async () => {
  exchange = new Cli(['exchange', '--port', '0', '--seed', '7', '--json']);
  const line = await exchange.firstLine();
  accounts = [0, 2, 3].map((index) => Account.of(line, index));
});
afterAll(() => {
  exchange.kill();
  rmSync(folder, { recursive: true, force: true });
});

let sessions = 0;

interface Session {
  readonly cli: Cli;
  readonly account: Account;
  /** First part of the ids of its orders. */
  readonly prefix: string;
  readonly directory: string;
  /** The processes, outermost first; the last one trades. */
  readonly chain: readonly number[];
}

/** A session on the exchange, once it has orders there. */
async function trading(start: readonly [string, ...string[]], depth: number): Promise<Session> {
  const prefix = `x${(sessions += 1)}`;
  const directory = join(folder, prefix);
  const account = accounts[sessions % accounts.length] as Account;
  const sets = account.settings(directory, {
    'orders.idPrefix': prefix,
    'orders.selfTrades': 'true',
  });
  const cli = new Cli(
    ['trade', '--mode', 'sim', '--strategy', 'market-maker', ...sets],
    account.environment,
    start,
  );
  try {
    const chain = await chainOf(cli.child.pid ?? 0, depth);
    await until(
      `orders of ${prefix}; said: ${cli.err}`,
      async () => (await liveOf(account, prefix)) > 0,
      seconds(60),
      millis(200),
    );
    return { cli, account, prefix, directory, chain };
  } catch (error) {
    cli.kill();
    throw error;
  }
}

async function liveOf(account: Account, prefix: string): Promise<number> {
  return (await account.active()).filter(({ id }) => id.startsWith(`${prefix}-`)).length;
}

/** The session ended in good order: processes gone, orders gone, report written, which comes after the journal's end. */
async function endedWell({ cli, account, prefix, directory, chain }: Session): Promise<void> {
  await until(`the end of ${prefix}; said: ${cli.err}`, () => !chain.some(lives), waitMax, millis(50));
  expect(await liveOf(account, prefix)).toBe(0);
  expect(cli.err).toContain('cancelling own orders');
  expect(cli.err).not.toContain('may still be live');
  expect(readdirSync(directory)).toContain('report.html');
}

function killAll({ cli, chain }: Session): void {
  for (const pid of chain) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
  cli.kill();
}

const inspector = /debugger|inspector/i;

/** No secret is in the environment of the process that trades; the signal on which Node opens an inspector, and says so, is sent to these. */
function looksClosed({ account, chain }: Session, pids: readonly number[]): void {
  const environ = readFileSync(`/proc/${chain.at(-1) ?? 0}/environ`, 'utf8');
  expect(environ).toContain('PATH=');
  for (const secret of Object.values(account.environment)) expect(environ).not.toContain(secret);
  expect(environ).not.toMatch(/(^|\0)(KEY|SECRET)=/);
  for (const pid of pids) process.kill(pid, 'SIGUSR1');
}

const signals = ['SIGTERM', 'SIGHUP', 'SIGKILL'] as const;
/** Of what belongs to no terminal: there SIGHUP has the daemon read its configuration again. */
const stops = ['SIGTERM', 'SIGINT', 'SIGKILL'] as const;

describe.skipIf(process.platform !== 'linux')('a session that npx started', () => {
  test.each([
    ['npm', 0, signals],
    // It has no handler: whatever ends it looks the same from below.
    ['its shell', 1, ['SIGKILL']],
    ['the launcher', 2, stops],
  ])('stops in good order when %s is ended, by whatever signal', async (_name, victim, sent) => {
    const opened = await Promise.all(sent.map(() => trading(npx, 4)));
    try {
      for (const [index, signal] of sent.entries()) {
        const pid = opened[index]?.chain[victim] ?? 0;
        process.kill(pid, signal);
      }
      await Promise.all(opened.map(endedWell));
    } finally {
      opened.forEach(killAll);
    }
  });

  test('stops in good order when the process that trades is asked to, with no secret in its environment and no inspector', async () => {
    const opened = await Promise.all([trading(npx, 4), trading(npx, 4)]);
    try {
      // The launcher, and the program that it started.
      for (const session of opened) looksClosed(session, session.chain.slice(2));
      process.kill(opened[0].chain[3] ?? 0, 'SIGTERM');
      process.kill(opened[1].chain[3] ?? 0, 'SIGINT');
      await Promise.all(opened.map(endedWell));
      expect(await Promise.all(opened.map(async ({ cli }) => (await cli.end()).code))).toEqual([143, 130]);
      for (const { cli } of opened) expect(cli.err).not.toMatch(inspector);
    } finally {
      opened.forEach(killAll);
    }
  });
});

describe.skipIf(process.platform !== 'linux')('npm start', () => {
  test('says at once that it starts, and stops in good order when npm is ended', async () => {
    const runs = signals.map((signal) => join(folder, `demo-${signal}`));
    const opened = runs.map(
      (run) => new Cli(['--', '--json', '--set', `run.directory=${run}`], {}, ['npm', 'start', '--silent']),
    );
    try {
      await Promise.all(opened.map((cli) => cli.firstLine()));
      const chains = await Promise.all(opened.map((cli) => chainOf(cli.child.pid ?? 0, 4)));
      for (const [index, signal] of signals.entries()) opened[index]?.kill(signal);
      await until('the end of all', () => !chains.flat().some(lives), waitMax, millis(50));
      for (const [index, cli] of opened.entries()) {
        // Said by the launcher, which needs nothing of the program for it.
        expect(cli.err).toMatch(/^Godwit starts: /);
        expect(cli.err).toContain('The process that started this one is gone: cancelling own orders.');
        expect(cli.err).not.toContain('may still be live');
        expect(readdirSync(runs[index] ?? '', { recursive: true }).join()).toContain('report.html');
      }
    } finally {
      for (const cli of opened) cli.kill();
    }
  });
});

/** Starts Godwit by a line of the shell that ends at once, and gives the launcher and the program once that is up. */
async function leftBehind(line: string): Promise<readonly number[]> {
  const out = join(folder, `left-${(sessions += 1)}`);
  const shell = new Cli([], { NODE: process.execPath, LAUNCHER: launcher[1], OUT: out }, [
    'bash',
    '-c',
    line,
  ]);
  const pids = await chainOf(Number(await shell.firstLine()), 2);
  await until('the shell to be gone', () => !lives(shell.child.pid ?? 0));
  await until('the exchange', () => readFileSync(out, 'utf8').includes('base_url'));
  return pids;
}

describe.skipIf(process.platform !== 'linux')('a daemon whose parent is gone', () => {
  const run = '"$NODE" "$LAUNCHER" exchange --port 0 >"$OUT" 2>&1 </dev/null & echo $!';

  test.each([
    ['nohup', `nohup ${run}`, 'SIGHUP'],
    ['setsid', `setsid ${run}`, undefined],
    ['disown', `${run}; disown`, undefined],
    ['setsid below npm', `export npm_command=exec; setsid ${run}`, undefined],
  ] as const)('lives on: %s', async (_name, line, signal) => {
    const pids = await leftBehind(line);
    const gone = (): boolean => !pids.every(lives);
    try {
      if (signal !== undefined) for (const pid of pids) process.kill(pid, signal);
      // The launcher looks twice a second.
      await expect(until('its end', gone, millis(1_600), millis(50))).rejects.toThrow('in vain');
      process.kill(pids[0] ?? 0, 'SIGTERM');
      await until('its end', () => !pids.some(lives), waitMax, millis(50));
    } finally {
      for (const pid of pids) if (lives(pid)) process.kill(pid, 'SIGKILL');
    }
  });
});

describe.skipIf(process.platform !== 'linux')('the environment of the process that trades', () => {
  test('holds no secret and opens no inspector, started by the program itself', async () => {
    const session = await trading([process.execPath, ...shortLived, main], 2);
    try {
      looksClosed(session, session.chain);
      session.cli.kill('SIGTERM');
      await endedWell(session);
      expect(session.cli.err).not.toMatch(inspector);
      expect((await session.cli.end()).code).toBe(143);
    } finally {
      killAll(session);
    }
  });
});
