import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { home } from '../../system/support/cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'godwit-version-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function said(root: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'bin', 'godwit.js'), ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('the launcher says the version that the program says', () => {
  const whole = said(home, 'version');
  expect(whole).toMatchObject({ status: 0, stderr: '' });
  for (const asked of ['--version', '-V']) expect(said(home, asked)).toEqual(whole);
  expect(said(home, '--version', 'more')).toEqual(whole);
});

test('the version is said without any module of the program', () => {
  for (const part of ['bin', 'package.json'])
    cpSync(join(home, part), join(folder, part), { recursive: true });
  expect(said(folder, '--version')).toEqual(said(home, '--version'));
});

test.skipIf(!existsSync('/dev/full'))('a version that cannot be written is a failure', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(home, 'bin', 'godwit.js'), '--version'], {
    encoding: 'utf8',
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
  });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: 'godwit: standard output could not be written (ENOSPC)\n',
  });
});
