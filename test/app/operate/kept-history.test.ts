import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { KeptHistoryFiles } from '../../../src/app/operate/kept-history.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { silentLogger } from '../../../src/core/base/logger.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';

let directory: string;
let warnings: { why: string; text: string }[];
const log = {
  ...silentLogger,
  warn: ({ why }: { why?: string }, text: string) => void warnings.push({ why: why ?? '', text }),
};

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'godwit-history-'));
  warnings = [];
});
afterEach(() => rmSync(directory, { recursive: true }));

const path = (): string => join(directory, 'history', 'fills.jsonl');
const text = (): string => readFileSync(path(), 'utf8');

function opened(all: () => readonly unknown[] = () => [], linesMax = 1_000) {
  const clock = new VirtualClock(1_700_000_000_000_000 as Micros);
  const files = new KeptHistoryFiles(directory, clock, log);
  return { files, clock, lines: files.open('fills', { linesMax, all }) };
}

test('lines are written together, in a file of the owner, and the next session reads them', async () => {
  const { files, lines } = opened();
  expect(lines.earlier).toEqual([]);
  lines.add({ a: 1 });
  lines.add(['M1', [2]]);
  await files.close();
  expect(text()).toBe('{"a":1}\n["M1",[2]]\n');
  expect(statSync(path()).mode & 0o777).toBe(0o600);
  const next = opened();
  expect(next.lines.earlier).toEqual([{ a: 1 }, ['M1', [2]]]);
  next.lines.add(3);
  await next.files.close();
  expect(opened().lines.earlier).toEqual([{ a: 1 }, ['M1', [2]], 3]);
  expect(warnings).toEqual([]);
});

test('a file that has twice as many lines as are kept is written anew', async () => {
  const { files, lines, clock } = opened(() => ['the rest'], 3);
  for (let at = 0; at < 6; at++) lines.add(at);
  clock.advance(1_000_000 as Micros);
  lines.add(6);
  await files.close();
  expect(text()).toBe('"the rest"\n');
});

test('a line that a crash has torn, and one that is damaged, are left out with a sentence, and the file is whole again', async () => {
  mkdirSync(join(directory, 'history'));
  writeFileSync(path(), '{"a":1}\n{"a":\n{"a":2}\n{"a":3');
  const { files, lines } = opened(() => [{ a: 1 }, { a: 2 }, { a: 4 }]);
  expect(lines.earlier).toEqual([{ a: 1 }, { a: 2 }]);
  expect(warnings).toEqual([
    { why: '2 lines cannot be read', text: 'part of the history of an earlier session is left out' },
  ]);
  lines.add({ a: 4 });
  await files.close();
  expect(text()).toBe('{"a":1}\n{"a":2}\n{"a":4}\n');
});

test('a folder that cannot be read or written is a sentence once, and the lines wait for one that can', async () => {
  writeFileSync(join(directory, 'history'), 'a file, no folder');
  const { files, clock, lines } = opened(() => [1, 2, 3]);
  for (const line of [1, 2, 3]) {
    lines.add(line);
    clock.advance(1_000_000 as Micros);
    await files.close();
  }
  expect(warnings.map((one) => one.text)).toEqual([
    'the history of the run cannot be kept over a restart',
    'the history of an earlier session cannot be read',
    'the history of the run could not be written',
  ]);
  rmSync(join(directory, 'history'));
  mkdirSync(join(directory, 'history'));
  lines.add(3);
  await files.close();
  expect(text()).toBe('1\n2\n3\n');
});

test('a name of a symbol leads to no other folder', async () => {
  const { files } = opened();
  files.open('candles-../../x', { linesMax: 1, all: () => [] }).add(1);
  await files.close();
  expect(readFileSync(join(directory, 'history', 'candles-..%2F..%2Fx.jsonl'), 'utf8')).toBe('1\n');
});
