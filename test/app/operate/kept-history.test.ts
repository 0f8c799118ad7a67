import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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

test('a file that has a quarter more lines than are kept is written anew', async () => {
  const { files, lines, clock } = opened(() => ['the rest'], 4);
  for (let at = 0; at < 5; at++) lines.add(at);
  clock.advance(1_000_000 as Micros);
  await files.close();
  expect(text()).toBe('0\n1\n2\n3\n4\n');
  lines.add(5);
  await files.close();
  expect(text()).toBe('"the rest"\n');
});

test('a line that a crash has torn, and one that is damaged, are left out with a sentence, and the file is whole again', async () => {
  mkdirSync(join(directory, 'history'));
  writeFileSync(path(), '{"a":1}\n{"a":\n{"a":2}\n{"a":3');
  const { files, lines } = opened(() => [{ a: 1 }, { a: 2 }, { a: 4 }]);
  expect(lines.earlier).toEqual([{ a: 1 }, { a: 2 }]);
  expect(warnings).toEqual([
    { why: '2 parts cannot be read', text: 'part of the history of an earlier session is left out' },
  ]);
  lines.add({ a: 4 });
  await files.close();
  expect(text()).toBe('{"a":1}\n{"a":2}\n{"a":4}\n');
});

test('damaged lines that make one value together are left out as well', () => {
  mkdirSync(join(directory, 'history'));
  writeFileSync(path(), '[1\n2]\n3\n');
  expect(opened().lines.earlier).toEqual([3]);
});

describe('rows of numbers', () => {
  const rowsPath = (): string => join(directory, 'history', 'candles.rows');
  const openedRows = (all: () => readonly number[] = () => [], rowsMax = 1_000) => {
    const files = new KeptHistoryFiles(directory, new VirtualClock(1_700_000_000_000_000 as Micros), log);
    const rows = files.openRows('candles', { width: 3, rowsMax, all: () => Float64Array.from(all()) });
    return { files, rows, earlier: [...rows.earlier] };
  };

  test('the next session reads them, to the last bit', async () => {
    const { files, rows, earlier } = openedRows();
    expect(earlier).toEqual([]);
    rows.add([1, 0.1 + 0.2, -0]);
    rows.add([2, 1e-300, Number.MAX_VALUE]);
    await files.close();
    expect(statSync(rowsPath()).mode & 0o777).toBe(0o600);
    expect(statSync(rowsPath()).size).toBe(2 * 3 * 8);
    expect(openedRows().earlier).toEqual([1, 0.1 + 0.2, -0, 2, 1e-300, Number.MAX_VALUE]);
    expect(warnings).toEqual([]);
  });

  test('after a crash inside a row all before it are read, wherever it was, and the file is whole again', async () => {
    const { files, rows } = openedRows();
    for (const row of [1, 2, 3]) rows.add([row, row, row]);
    await files.close();
    const whole = readFileSync(rowsPath());
    for (let size = 0; size < whole.length; size++) {
      warnings = [];
      writeFileSync(rowsPath(), whole.subarray(0, size));
      const kept = [1, 1, 1, 2, 2, 2].slice(0, Math.floor(size / 24) * 3);
      const again = openedRows(() => [...kept, 4, 4, 4]);
      expect(again.earlier).toEqual(kept);
      expect(warnings.map(({ why }) => why)).toEqual(size % 24 === 0 ? [] : ['1 part cannot be read']);
      again.rows.add([4, 4, 4]);
      await again.files.close();
      expect(openedRows().earlier).toEqual([...kept, 4, 4, 4]);
    }
  });

  test('a file that has a quarter more rows than are kept is written anew', async () => {
    const { files, rows } = openedRows(() => [7, 7, 7], 4);
    for (let at = 0; at < 6; at++) rows.add([at, at, at]);
    await files.close();
    expect(openedRows().earlier).toEqual([7, 7, 7]);
  });
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
