import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Before all tests: gives the run a folder for whatever tests put among the temporary files, gone when the run ends.
 * What Node compiles for the processes that tests start lies there too, so that only the first of them compiles it.
 */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-tests-'));
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;
  process.env['NODE_COMPILE_CACHE'] ??= join(folder, 'compiled');
  return () => rmSync(folder, { recursive: true, force: true });
}
