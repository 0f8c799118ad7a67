import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { ServiceReport } from '../../src/app/live/service-report.ts';
import type { LauncherChannel } from '../../src/app/process/service-manager.ts';
import { serviceManager, statusNotice } from '../../src/app/process/service-manager.ts';
import { seconds } from '../../src/core/base/clock.ts';
import { runAtOf } from '../../src/research/report/second-ends.ts';
import { Rig } from '../core/trader/support/rig.ts';
import { Cli, home, launcher } from '../system/support/cli.ts';
import { until } from '../system/support/until.ts';

vi.setConfig({ testTimeout: 120_000 });

const unit = readFileSync(join(home, 'config/systemd/godwit.service'), 'utf8');

/** A trader that nothing is told of yet, and what a service manager is told of it. */
function reported(watchdog = seconds(30)): { rig: Rig; told: string[]; report: ServiceReport } {
  const rig = new Rig();
  const told: string[] = [];
  const manager = { watchdog, tell: (notices: readonly string[]) => void told.push(...notices) };
  const report = new ServiceReport(manager, {
    trader: rig.trader,
    at: runAtOf(rig.clock),
    now: () => rig.clock.now(),
  });
  return { rig, told, report };
}

const count = (told: readonly string[], notice: string): number =>
  told.filter((one) => one === notice).length;

test('a daemon asks for time until orders can leave, and is ready once', () => {
  const { rig, told } = reported();
  expect(told).toContain('EXTEND_TIMEOUT_USEC=60000000');
  expect(told).toContain(
    'STATUS=the market session is down; the trading session is down; the account is not compared with the venue yet',
  );
  expect(count(told, 'READY=1')).toBe(0);
  rig.ready();
  rig.wait(3_000);
  expect(count(told, 'READY=1')).toBe(1);
  expect(told).toContain('STATUS=up');
  told.length = 0;
  rig.wait(30_000);
  expect(told).toEqual(['WATCHDOG=1', 'WATCHDOG=1', 'WATCHDOG=1']);
});

test('a halt is told, and a daemon that starts halted is ready for its operator', () => {
  const { rig, told } = reported();
  rig.trader.act({ act: 'halt' }, 'ann', 'a strange market');
  rig.wait(3_000);
  expect(count(told, 'READY=1')).toBe(1);
  expect(told.at(-1)).toMatch(/^STATUS=|^WATCHDOG=1$/);
  expect(told.join()).toContain('trading is halted');
});

test('a stop is told, and nothing after it', () => {
  const { rig, told, report } = reported();
  rig.ready();
  rig.wait(3_000);
  report.stopping();
  expect(told.at(-2)).toBe('STOPPING=1');
  told.length = 0;
  rig.wait(60_000);
  expect(told).toEqual([]);
});

test('nobody is told without NOTIFY_SOCKET or a channel, and a status is one line', () => {
  const channel: LauncherChannel = { connected: true, send: () => true };
  expect(serviceManager({}, channel)).toBeUndefined();
  expect(serviceManager({ NOTIFY_SOCKET: '/x' }, {})).toBeUndefined();
  expect(serviceManager({ NOTIFY_SOCKET: '/x', WATCHDOG_USEC: '30000000' }, channel)?.watchdog).toBe(30e6);
  expect(serviceManager({ NOTIFY_SOCKET: '/x', WATCHDOG_USEC: 'no' }, channel)?.watchdog).toBeUndefined();
  expect(statusNotice('one\ntwo')).toBe('STATUS=one two');
});

const receiver = `
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print('bound', flush=True)
while True:
    print(s.recv(4096).decode(), flush=True)
`;

test('a session that systemd started is ready, beats, and says that it stops', async ({ skip }) => {
  for (const [program, flag] of [
    ['systemd-notify', '--version'],
    ['python3', '--version'],
  ] as const)
    if (spawnSync(program, [flag]).error !== undefined) skip(`${program} is not installed here`);
  const folder = mkdtempSync(join(tmpdir(), 'godwit-service-'));
  const socket = join(folder, 'notify');
  const heard = spawn('python3', ['-c', receiver, socket], { stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  heard.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  let cli: Cli | undefined;
  try {
    await until('the socket', () => text.includes('bound'), seconds(20));
    cli = new Cli(
      ['demo', '--set', `run.directory=${join(folder, 'run')}`],
      { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '3000000' },
      launcher,
    );
    await until(`three beats; told: ${text}`, () => text.split('WATCHDOG=1').length > 3, seconds(60));
    expect(text).toContain('READY=1');
    expect(text).toContain('STATUS=up');
    cli.kill('SIGTERM');
    expect((await cli.end()).code).toBe(143);
    await until(`the stop; told: ${text}`, () => text.includes('STOPPING=1'), seconds(10));
    expect(cli.err).not.toContain('NOTIFY_SOCKET');
  } finally {
    cli?.kill();
    heard.kill();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a systemd-notify that is not there is said once, and the session goes on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-service-'));
  try {
    const cli = new Cli(
      ['demo', '--for', '4s', '--set', `run.directory=${join(folder, 'run')}`],
      { NOTIFY_SOCKET: join(folder, 'none'), WATCHDOG_USEC: '3000000', PATH: folder },
      launcher,
    );
    const { code, err } = await cli.end();
    expect(code).toBe(0);
    expect(err.split('systemd-notify cannot be started')).toHaveLength(2);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the unit says what the daemon needs, and systemd reads it', ({ skip }) => {
  for (const line of [
    'Type=notify',
    'NotifyAccess=all',
    'WatchdogSec=30',
    'KillSignal=SIGTERM',
    'TimeoutStopSec=20',
    'RestartPreventExitStatus=2 78',
    'User=godwit',
    'NoNewPrivileges=yes',
    'ProtectSystem=strict',
  ])
    expect(unit.split('\n')).toContain(line);
  const folder = mkdtempSync(join(tmpdir(), 'godwit-unit-'));
  try {
    const file = join(folder, 'godwit.service');
    writeFileSync(file, unit.replace('/usr/bin/node', process.execPath));
    const { error, status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file]);
    if (error !== undefined) skip('systemd-analyze is not installed here');
    const said = stderr.toString();
    // Where systemd does not run there may be nothing to ask about other units.
    if (/Failed to (?:initialize|connect|set up)/.test(said))
      skip(`systemd-analyze cannot verify here: ${said}`);
    expect(said.split('\n').filter((line) => line.includes('godwit.service'))).toEqual([]);
    expect(status).toBe(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
