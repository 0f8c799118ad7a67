import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/app/config/load.ts';
import { ServiceReport } from '../../src/app/live/service-report.ts';
import type { LauncherChannel } from '../../src/app/process/service-manager.ts';
import { serviceManager, statusNotice } from '../../src/app/process/service-manager.ts';
import { seconds } from '../../src/core/base/clock.ts';
import { runAtOf } from '../../src/research/report/fold/timeline.ts';
import { Rig } from '../core/trader/support/rig.ts';
import { Cli, home, launcher } from '../system/support/cli.ts';
import { until } from '../system/support/until.ts';

const unit = readFileSync(join(home, 'config/systemd/godwit.service'), 'utf8');

/** A trader without reports so far, and the messages of it that a service manager receives. */
function reported(watchdog = seconds(30)): { rig: Rig; noted: string[]; report: ServiceReport } {
  const rig = new Rig();
  const noted: string[] = [];
  const manager = {
    watchdog,
    tell: (notices: readonly string[]) => void noted.push(...notices),
  };
  const report = new ServiceReport(manager, {
    trader: rig.trader,
    at: runAtOf(rig.clock),
    now: () => rig.clock.now(),
  });
  return { rig, noted, report };
}

const count = (noted: readonly string[], notice: string): number =>
  noted.filter((one) => one === notice).length;

test('a daemon asks for time until orders can leave, and is ready once', () => {
  const { rig, noted } = reported();
  expect(noted).toContain('EXTEND_TIMEOUT_USEC=60000000');
  expect(noted).toContain(
    'STATUS=the market session is down; the trading session is down; the account is not compared with the venue yet',
  );
  expect(count(noted, 'READY=1')).toBe(0);
  rig.ready();
  rig.wait(3_000);
  expect(count(noted, 'READY=1')).toBe(1);
  expect(noted).toContain('STATUS=up');
  noted.length = 0;
  rig.wait(30_000);
  expect(noted).toEqual(['WATCHDOG=1', 'WATCHDOG=1', 'WATCHDOG=1']);
});

test('a halt is reported, and a daemon that starts halted is ready for its operator', () => {
  const { rig, noted } = reported();
  rig.trader.act({ act: 'halt' }, 'ann', 'a strange market');
  rig.wait(3_000);
  expect(count(noted, 'READY=1')).toBe(1);
  expect(noted.at(-1)).toMatch(/^STATUS=|^WATCHDOG=1$/);
  expect(noted.join()).toContain('trading is halted');
});

test('a reload is reported, but not before the daemon is ready', () => {
  const { rig, noted, report } = reported();
  noted.length = 0;
  report.reloading();
  report.reloaded();
  expect(noted).toEqual([]);
  rig.ready();
  rig.wait(3_000);
  noted.length = 0;
  report.reloading();
  expect(noted).toEqual(['RELOADING=1']);
  report.reloaded();
  expect(noted).toEqual(['RELOADING=1', 'READY=1']);
});

test('a stop is reported, and nothing after it', () => {
  const { rig, noted, report } = reported();
  rig.ready();
  rig.wait(3_000);
  report.reloading();
  report.stopping();
  expect(noted.at(-2)).toBe('STOPPING=1');
  noted.length = 0;
  report.reloaded();
  report.reloading();
  rig.wait(60_000);
  expect(noted).toEqual([]);
});

test('nothing is sent without NOTIFY_SOCKET or a channel, and a status is one line', () => {
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
    ['setsid', '--version'],
  ] as const)
    if (spawnSync(program, [flag]).error !== undefined) skip(`${program} is not installed here`);
  const folder = mkdtempSync(join(tmpdir(), 'godwit-service-'));
  const socket = join(folder, 'notify');
  const received = spawn('python3', ['-c', receiver, socket], { stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  received.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  let cli: Cli | undefined;
  try {
    await until('the socket', () => text.includes('bound'));
    cli = new Cli(
      ['demo', '--set', `run.directory=${join(folder, 'run')}`],
      { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '3000000' },
      ['setsid', ...launcher],
    );
    await until(`three beats; told: ${text}`, () => text.split('WATCHDOG=1').length > 3);
    expect(text).toContain('READY=1');
    expect(text).toContain('STATUS=up');
    // As the unit's ExecReload does.
    cli.kill('SIGHUP');
    await until(`the reload; told: ${text}`, () => /RELOADING=1[^]*READY=1/.test(text));
    expect(text).toMatch(/MONOTONIC_USEC=[0-9]+/);
    expect(cli.err).toContain('SIGHUP: the configuration was read again: nothing has changed');
    cli.kill('SIGTERM');
    expect((await cli.end()).code).toBe(143);
    await until(`the stop; told: ${text}`, () => text.includes('STOPPING=1'));
    expect(cli.err).not.toContain('NOTIFY_SOCKET');
  } finally {
    cli?.kill();
    received.kill();
    rmSync(folder, { recursive: true, force: true });
  }
});

test.skipIf(process.platform === 'win32')(
  'while the event loop stands still the watchdog is not fed',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'godwit-service-'));
    const noted = join(folder, 'told');
    writeFileSync(noted, '');
    // In place of that of systemd: when it was called, and with what.
    writeFileSync(join(folder, 'systemd-notify'), `#!/bin/sh\necho "$(date +%s%3N) $*" >>'${noted}'\n`, {
      mode: 0o755,
    });
    const hanger = fileURLToPath(new URL('../system/fixtures/hanger.ts', import.meta.url));
    const config = join(folder, 'hang.yaml');
    const hangs = { name: 'hanger', path: hanger, host: 'thread', params: { afterMs: 1_500, forMs: 3_000 } };
    writeFileSync(config, JSON.stringify({ strategies: [hangs] }));
    const beats = (): readonly number[] =>
      readFileSync(noted, 'utf8')
        .split('\n')
        .flatMap((line) => (line.includes('WATCHDOG=1') ? [Number(line.split(' ')[0])] : []));
    const gaps = (): readonly number[] =>
      beats().flatMap((at, i, all) => (i === 0 ? [] : [at - (all[i - 1] ?? 0)]));
    const cli = new Cli(
      ['demo', '--config', config, '--set', `run.directory=${join(folder, 'run')}`],
      {
        NOTIFY_SOCKET: join(folder, 'socket'),
        WATCHDOG_USEC: '900000',
        PATH: `${folder}:${process.env['PATH'] ?? ''}`,
      },
      launcher,
    );
    try {
      await until(
        'the hang and beats after it',
        () => {
          const at = gaps().findIndex((gap) => gap > 2_000);
          return at >= 0 && gaps().length > at + 5;
        },
        seconds(60),
      );
      const longest = Math.max(...gaps());
      expect(longest).toBeGreaterThan(2_600);
      // Systemd would have waited for less than a third of it.
      expect(gaps().filter((gap) => gap > 900)).toEqual([longest]);
      cli.kill('SIGTERM');
      expect((await cli.end()).code).toBe(143);
    } finally {
      cli.kill();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

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

test('the sentinel has a unit that no end of the other one ends, and gets keys and directory that its command takes', () => {
  const lines = unit.split('\n');
  const own = readFileSync(join(home, 'config/systemd/godwit-sentinel.service'), 'utf8').split('\n');
  // Every process of the cgroup ends with the daemon, so a sentinel that trade started would, too.
  expect(lines).toContain('KillMode=mixed');
  expect(lines.find((line) => line.startsWith('ExecStart='))).toMatch(/ --set sentinel\.startedBy=service$/);
  expect(lines).toContain('Wants=godwit-sentinel.service');
  expect(own.filter((line) => /^(?:BindsTo|PartOf|Requires|Requisite|Slice|ConsistsOf)=/.test(line))).toEqual(
    [],
  );
  for (const line of [
    'Restart=always',
    'StartLimitIntervalSec=0',
    'User=godwit',
    'StateDirectory=godwit',
    'NoNewPrivileges=yes',
    'ProtectSystem=strict',
    'LoadCredential=api_key:/etc/godwit/api_key',
    'LoadCredential=secret_key:/etc/godwit/secret_key',
  ])
    expect(own).toContain(line);
  const [, ...words] = own.find((line) => line.startsWith('ExecStart='))?.split(' ') ?? [];
  const args = words.map((word) => word.replaceAll('$$', '$').replaceAll('%d', '/run/credentials/x'));
  expect(args.slice(1, 4)).toEqual(['sentinel', '--run', '/var/lib/godwit/run']);
  const sets = args.filter((_, at) => args[at - 1] === '--set');
  const { config } = loadConfig({ files: [], environment: {}, sets });
  expect(config.venue).toMatchObject({
    api_key: '${file:/run/credentials/x/api_key}',
    secret_key: '${file:/run/credentials/x/secret_key}',
  });
  // The daemon writes where the sentinel looks.
  const page = readFileSync(join(home, 'docs/service.md'), 'utf8');
  expect(page).toContain('`run.directory` is absolute, such as `/var/lib/godwit/run`');
  expect(page).toContain('config/systemd/godwit-sentinel.service');
  expect(page).toContain('GODWIT__sentinel__startedBy=service');
});

test('the unit says what the daemon needs, and systemd reads it', ({ skip }) => {
  for (const line of [
    'Type=notify',
    'NotifyAccess=all',
    'WatchdogSec=30',
    'ExecReload=/bin/kill -HUP $MAINPID',
    'KillSignal=SIGTERM',
    'TimeoutStopSec=20',
    'RestartPreventExitStatus=2 78',
    'User=godwit',
    // systemd makes it for root: with 0750 the user godwit could not read its configuration.
    'ConfigurationDirectory=godwit',
    'ConfigurationDirectoryMode=0755',
    'NoNewPrivileges=yes',
    'ProtectSystem=strict',
    // Of all folders the unit may write, others see this one alone.
    'StateDirectory=godwit',
    'Environment=GODWIT_CLAIMS=/var/lib/godwit/claims',
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
