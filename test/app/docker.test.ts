import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { seconds } from '../../src/core/base/clock.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import { Cli, home, launcher } from '../system/support/cli.ts';
import { until } from '../system/support/until.ts';

vi.setConfig({ testTimeout: 120_000 });

const folder = join(home, 'config/docker');
const read = (name: string): unknown => parse(readFileSync(join(folder, name), 'utf8'));
const image = readFileSync(join(home, 'Dockerfile'), 'utf8').split('\n');
const instruction = (name: string): readonly string[] =>
  image.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));

const service = z.object({
  volumes: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  command: z.array(z.string()).default([]),
  network_mode: z.string().optional(),
});
const compose = z
  .object({ services: z.record(z.string(), service), volumes: z.record(z.string(), z.null()) })
  .parse(read('compose.yaml'));

test('the image runs as a user without rights, gets signals itself, and is looked after', () => {
  expect(instruction('USER')).toEqual(['node']);
  expect(instruction('ENTRYPOINT')).toEqual(['["node", "/opt/godwit/bin/godwit.js"]']);
  expect(instruction('STOPSIGNAL')).toEqual(['SIGTERM']);
  expect(instruction('VOLUME')).toEqual(['/var/lib/godwit']);
  expect(instruction('HEALTHCHECK')[0]).toContain('["node", "/opt/godwit/bin/godwit.js", "health"]');
  const copied = instruction('COPY').flatMap((line) => line.split(' ').slice(0, -1));
  expect(copied.filter((path) => !existsSync(join(home, path)))).toEqual([]);
});

test('every file that is mounted exists, and every file that is named is mounted', () => {
  const mounts = Object.values(compose.services).flatMap(({ volumes }) => volumes);
  const [files, named] = [
    mounts.filter((mount) => mount.startsWith('.')),
    mounts.filter((mount) => !mount.startsWith('.')),
  ];
  expect(files.filter((mount) => !existsSync(join(folder, mount.split(':')[0] ?? '')))).toEqual([]);
  expect(named.map((mount) => mount.split(':')[0] ?? '').toSorted()).toEqual(
    Object.keys(compose.volumes).toSorted(),
  );
  const targets = files.map((mount) => mount.split(':')[1]);
  const paths = Object.values(compose.services)
    .flatMap(({ command }) => command)
    .map((word) => word.replace(/^--config\.file=/, ''))
    .filter((word) => word.startsWith('/'));
  expect(paths.filter((path) => !targets.includes(path))).toEqual([]);
  const { rule_files: rules } = z.object({ rule_files: z.array(z.string()) }).parse(read('prometheus.yaml'));
  expect(rules.filter((path) => !targets.includes(path))).toEqual([]);
});

test('Prometheus asks the daemon where it listens, and Grafana asks Prometheus', () => {
  const { operate } = z.object({ operate: z.object({ port: z.int() }) }).parse(read('daemon.yaml'));
  const text = readFileSync(join(folder, 'prometheus.yaml'), 'utf8');
  expect(text).toContain(`127.0.0.1:${operate.port}`);
  expect(compose.services['prometheus']?.network_mode).toBe('service:godwit');
  expect(compose.services['godwit']?.ports).toEqual(['127.0.0.1:9090:9090']);
  const source = readFileSync(join(folder, 'grafana-datasource.yaml'), 'utf8');
  expect(source).toContain('http://godwit:9090');
});

test('the configuration of the daemon is one', async () => {
  const files = ['config/paper.yaml', 'config/docker/daemon.yaml'].flatMap((file) => ['--config', file]);
  const cli = new Cli(
    ['config', 'validate', '--command', 'trade', ...files],
    { GODWIT_READ_TOKEN: 'read-token-of-the-test' },
    launcher,
  );
  expect(await cli.end()).toMatchObject({ code: 0 });
});

test('promtool takes the configuration of Prometheus', ({ skip }) => {
  const checked = spawnSync('promtool', [
    'check',
    'config',
    '--syntax-only',
    join(folder, 'prometheus.yaml'),
  ]);
  if (checked.error !== undefined) skip('promtool is not installed here');
  expect(checked.status, checked.stderr.toString()).toBe(0);
});

test('the health command finds the daemon by the run directory of the environment, and SIGTERM ends it soon', async () => {
  const state = mkdtempSync(join(tmpdir(), 'godwit-docker-'));
  const environment = { GODWIT__run__directory: join(state, 'run') };
  const health = async (...options: string[]): Promise<number> =>
    (await new Cli(['health', ...options], environment, launcher).end()).code;
  const daemon = new Cli(['demo'], environment, launcher);
  try {
    expect(await health()).toBe(3);
    await until('the daemon to be ready', async () => (await health('--ready')) === 0, seconds(60));
    expect(await health()).toBe(0);
    const clock = new SystemClock();
    const begun = clock.uptime();
    daemon.kill('SIGTERM');
    expect((await daemon.end()).code).toBe(143);
    expect(clock.uptime() - begun).toBeLessThan(seconds(10));
    expect(await health()).toBe(3);
  } finally {
    daemon.kill();
    rmSync(state, { recursive: true, force: true });
  }
});
