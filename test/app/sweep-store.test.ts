import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { SweepStore } from '../../src/app/sweep/store.ts';
import type { TrialOutcome } from '../../src/app/sweep/trial-contract.ts';

const room = mkdtempSync(join(tmpdir(), 'godwit-sweep-store-'));
afterAll(() => rmSync(room, { recursive: true }));

const outcome = {
  figures: { profit: -0, share: 1e-7 },
  digest: 'd',
  equity: { times: [1, 2], values: [0.1, -3e21] },
} as unknown as TrialOutcome;
const point = { b: 1.5, a: 'x', 10: true, 2: 0 };
const read = (path: string): SweepStore => new SweepStore(path, { fresh: false });

test('a line that was changed is left out, and its trial can be kept again', () => {
  const path = join(room, 'a', 'store.ndjson');
  const store = read(path);
  for (const key of ['one', 'two', 'three']) store.add(key, point, outcome);
  expect([read(path).size, read(path).changed]).toEqual([3, []]);
  const lines = readFileSync(path, 'utf8').split('\n');
  lines[1] = (lines[1] ?? '').replace('"share":1e-7', '"share":9');
  writeFileSync(path, lines.join('\n'));
  const changed = read(path);
  expect([changed.size, changed.changed, changed.find('two')]).toEqual([2, [2], undefined]);
  changed.add('two', point, outcome);
  expect(read(path).find('two')?.figures['share']).toBe(1e-7);
});

test('lines of before, without a checksum, count; spaces change nothing', () => {
  const path = join(room, 'old.ndjson');
  read(path).add('one', point, outcome);
  const { sum, ...line } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  expect(sum).toMatch(/^[0-9a-f]{8}$/);
  const spaced = JSON.stringify({ ...line, key: 'two' }).replaceAll(',', ', ');
  writeFileSync(path, `${JSON.stringify(line)}\n${spaced}\n`);
  expect([read(path).size, read(path).changed]).toEqual([2, []]);
});

test('a place that takes no results is reported in a sentence', () => {
  expect(() => read(room)).toThrow(`${room}: expected the name of a file, found a folder there`);
  if (!existsSync('/dev/full')) return;
  expect(() => read('/dev/full')).toThrow('found a device, pipe or socket there');
  const path = join(room, 'full.ndjson');
  const store = read(path);
  rmSync(path);
  symlinkSync('/dev/full', path);
  expect(() => store.add('one', point, outcome)).toThrow(
    `${path}: expected a file that can be written, found: ENOSPC`,
  );
});
