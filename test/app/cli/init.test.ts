import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { home } from '../../system/support/cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'godwit-init-'));

// As after an installation.
beforeAll(() => {
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  symlinkSync(home, join(folder, 'node_modules/godwit'));
  symlinkSync('../godwit/bin/godwit.js', join(folder, 'node_modules/.bin/godwit'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function spawned(program: string, ...args: readonly string[]) {
  // The runner's own variables would make a test of Node a part of this one.
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8', env });
  return { code: status, out: stdout, err: stderr };
}

const godwit = (...args: readonly string[]) =>
  spawned(process.execPath, join(home, 'bin/godwit.js'), ...args);

test('init writes a project whose test passes and whose configuration is right, and never writes over a file', () => {
  const made = godwit('init', 'first', '--json');
  expect([made.code, made.err]).toEqual([0, '']);
  const { written } = JSON.parse(made.out) as { written: readonly string[] };
  expect(written).toEqual([
    'package.json',
    'godwit.yaml',
    'test/first.test.ts',
    'strategies/first/index.ts',
    'strategies/first/README.md',
  ]);
  // The project can be moved: no file of it names where it or the package lies.
  for (const path of written)
    for (const place of [folder, home]) expect(readFileSync(join(folder, path), 'utf8')).not.toContain(place);
  // Editors check the configuration by the schema of the package that is installed.
  const [, schema = ''] =
    /^# yaml-language-server: \$schema=(\S+)\n/.exec(readFileSync(join(folder, 'godwit.yaml'), 'utf8')) ?? [];
  expect(schema).toBe('node_modules/godwit/config/schema/configuration.json');
  expect(JSON.parse(readFileSync(join(folder, schema), 'utf8'))).toHaveProperty('properties.strategies');
  const tested = spawned(process.execPath, '--test');
  expect([tested.code, tested.out]).toEqual([0, expect.stringMatching(/pass 1\b/)]);
  // A command in the folder finds it.
  expect(godwit('config', 'validate', '--mode', 'paper').code).toBe(0);
  expect(godwit('config', 'show', '--origin').out).toContain('run.directory\tgodwit.yaml\n');
  expect(godwit('status').err).toContain('(runs/paper)');
  writeFileSync(join(folder, 'other.yaml'), 'run: { seed: 3 }\n');
  expect(godwit('config', 'show', '--config', 'other.yaml', '--origin').out).toBe('run.seed\tother.yaml\n');

  const before = readFileSync(join(folder, 'godwit.yaml'), 'utf8');
  const again = godwit('init', 'second');
  expect([again.code, again.err]).toEqual([1, 'godwit: init: godwit.yaml is there already\n']);
  expect(readFileSync(join(folder, 'godwit.yaml'), 'utf8')).toBe(before);
  expect(existsSync(join(folder, 'strategies/second'))).toBe(false);
});

test('init keeps a package.json that is there, and refuses a bad name', () => {
  rmSync(join(folder, 'godwit.yaml'));
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  expect(godwit('init', 'third').code).toBe(0);
  expect(readFileSync(join(folder, 'package.json'), 'utf8')).toBe('{"private":true}');
  for (const name of ['godwit.yaml', 'test', 'strategies']) rmSync(join(folder, name), { recursive: true });
  const again = godwit('init', 'third');
  expect(again.err).toContain('package.json stays as it is: add "type": "module" to it');
  expect(again.err).toMatch(/^Try it: npx godwit backtest .*; then node --test$/m);
  const bad = godwit('init', '../evil');
  expect([bad.code, bad.err.startsWith('godwit: init: expected a name')]).toEqual([2, true]);
});

test('init completes the package.json that npm install leaves in an empty folder, so that npm test runs', () => {
  for (const name of ['godwit.yaml', 'test', 'strategies']) rmSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"dependencies":{"godwit":"file:godwit.tgz"}}');
  const { code, out, err } = godwit('init', 'fourth');
  expect([code, out.split('\n')[0]]).toEqual([0, 'package.json']);
  expect(err).toMatch(/^Try it: npx godwit backtest .*; then npm test$/m);
  expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).toMatchObject({
    name: 'fourth-project',
    type: 'module',
    scripts: { test: 'node --test' },
    dependencies: { godwit: 'file:godwit.tgz' },
  });
});

test('examples of --help name the sample where the project has it', () => {
  const { out } = godwit('backtest', '--help');
  const sample = /backtest (\S+) --strategy/.exec(out)?.[1] ?? '';
  expect(sample).toBe(join('node_modules', 'godwit', 'backtest', 'feeds', 'sample'));
  expect(existsSync(join(folder, sample))).toBe(true);
});
