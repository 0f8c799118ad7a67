import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { KeptStates } from '../../src/app/run/kept-states.ts';
import { ConfigError } from '../../src/core/config/error.ts';

const folder = mkdtempSync(join(tmpdir(), 'godwit-run-'));
const open = (path: string): KeptStates => new KeptStates(path);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a run directory that takes nothing is refused in a sentence', () => {
  writeFileSync(join(folder, 'file'), '');
  for (const path of ['/proc/nothing', '/dev/full', join(folder, 'file'), join(folder, 'file', 'below')]) {
    expect(() => open(path)).toThrow(ConfigError);
    expect(() => open(path)).toThrow(/^run\.directory: expected a folder that can be written, found: /);
  }
});

test("one that is made is nobody else's, one that is there keeps its rights", () => {
  const made = join(folder, 'a', 'b');
  open(made);
  expect(statSync(made).mode & 0o777).toBe(0o700);
  const before = statSync(folder).mode;
  open(folder);
  expect(statSync(folder).mode).toBe(before);
});
