import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { run } from '../cli/support/run.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'godwit-kill-file-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

test('kill writes the file of a run directory and says that nobody watches; --undo takes it away, once', async () => {
  const path = join(directory, 'kill');
  expect(await run(['kill', '--run', directory, '--why', 'wrong size'])).toEqual({
    code: 0,
    out: `The kill file ${path} is written. No sentinel watches; no daemon runs there.`,
    err: '',
  });
  expect(readFileSync(path, 'utf8')).toBe('wrong size\n');
  expect(await run(['kill', '--run', directory, '--undo', '--json'])).toMatchObject({
    code: 0,
    out: JSON.stringify({ file: path, removed: true }),
  });
  expect(existsSync(path)).toBe(false);
  expect(await run(['kill', '--run', directory, '--undo'])).toMatchObject({ code: 4 });
});

test('kill of a place that is no run directory is refused in a sentence', async () => {
  const path = join(directory, 'none');
  expect(await run(['kill', '--run', path])).toMatchObject({
    code: 1,
    out: '',
    err: `godwit: ${path}: expected a run directory, found none; name it with --run`,
  });
});
