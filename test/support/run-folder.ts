import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startedFrom } from '../system/support/cli.ts';

/** Entries of threads and processes that only read compiled code, or are killed before they keep any. */
const entries = ['core/strategy/worker.ts', 'app/check/child.ts'];

/** Before all tests: gives the run a folder for what tests put among the temporary files, gone when the run ends. */
export function setup(): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-tests-'));
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;
  // Beside the first tests: what strategies and checks start finds compiled code in a second, as it does on a machine that traded before.
  const imports = entries.map(
    (entry) => `await import(${JSON.stringify(pathToFileURL(startedFrom(entry)))});`,
  );
  const compiling = spawn(process.execPath, ['--input-type=module', '--eval', imports.join('\n')], {
    env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') },
    stdio: 'ignore',
  });
  const compiled = once(compiling, 'close');
  // A process that was killed a moment ago may still be writing.
  return async () => {
    compiling.kill();
    await compiled;
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
}
