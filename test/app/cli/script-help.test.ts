import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { home } from '../../system/support/cli.ts';

const run = promisify(execFile);

test.each(['simulate', 'conformance', 'bench'])('npm run %s -- --help says what it takes', async (name) => {
  const script = join(home, 'test', name === 'simulate' ? 'simulation' : name, 'main.ts');
  const { stdout } = await run(process.execPath, ['--conditions=godwit-source', script, '--help'], {
    cwd: home,
  });
  expect(stdout).toMatch(new RegExp(`^npm run ${name} -- \\[`));
});
