import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { ConformanceCase } from './case.ts';
import { cases as tick } from './cases/hftbacktest.ts';

const data = new URL('../../../shared/data/', import.meta.url);

/** The short share of the suite: `npm run conformance` runs all of it. */
async function shortShare(): Promise<readonly ConformanceCase[]> {
  const wanted = [tick.find(({ name }) => name.includes('300 rows'))];
  // Read by name, so that the share goes on without bars while there are none.
  const bars = new URL('cases/bars.ts', import.meta.url);
  if (existsSync(bars))
    wanted.push(((await import(bars.href)) as { cases: readonly ConformanceCase[] }).cases[0]);
  return wanted.filter((one) => one !== undefined);
}

describe('published results', async () => {
  for (const { name, needs, run } of await shortShare()) {
    const missing = needs.find((path) => !existsSync(fileURLToPath(new URL(path, data))));
    if (missing !== undefined) process.stderr.write(`skipped: ${name}: ${missing} is absent\n`);
    test.skipIf(missing !== undefined)(name, run, 60_000);
  }
});

test('a clone without the data skips every case, says why, and fails none', async () => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'godwit-clone-'));
  const clone = join(folder, 'clone');
  try {
    mkdirSync(clone);
    for (const path of ['src', 'test', 'strategies', 'backtest', 'package.json'])
      cpSync(join(root, path), join(clone, path), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
    const args = ['--conditions=godwit-source', join(clone, 'test/conformance/main.ts')];
    const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 10_000_000 });
    expect(stdout).toMatch(
      /\n\d{2,} skipped: their data is not beside the repository\n0 passed, 0 failed\n$/,
    );
    expect(stdout).not.toContain('FAIL');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
