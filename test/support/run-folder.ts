import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Before all tests: gives the run a folder for what tests put among the temporary files, gone when the run ends. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-tests-'));
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;
  // A process that was killed a moment ago may still be writing.
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
