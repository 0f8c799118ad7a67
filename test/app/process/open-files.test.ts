import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { checkOpenFiles } from '../../../src/app/process/open-files.ts';

const launcher = fileURLToPath(new URL('../../../bin/godwit.js', import.meta.url));

test('a start with few file descriptors ends in one sentence and 78', () => {
  expect(() => checkOpenFiles(63)).toThrow('expected a limit of at least 64 open files, found 63');
  expect(() => checkOpenFiles(64)).not.toThrow();
  if (process.platform !== 'linux') return;
  const command = `ulimit -n 32 && exec "${process.execPath}" "${launcher}" exchange --port 0`;
  const { status, stderr } = spawnSync('bash', ['-c', command], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([
    78,
    'godwit: expected a limit of at least 64 open files, found 32: raise it (ulimit -n, or LimitNOFILE of systemd)\n',
  ]);
});
