import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { exportData } from '../../src/app/data/export-recording.ts';
import { importData } from '../../src/app/data/import-command.ts';
import { listData } from '../../src/app/data/list-recordings.ts';
import { newStrategyCommand } from '../../src/app/new-strategy.ts';
import type { Output } from '../../src/app/process/output.ts';
import { writePackFile } from '../../src/data/pack/file.ts';
import { openData } from '../../src/data/open/market-data.ts';

const room = mkdtempSync(join(tmpdir(), 'godwit-data-files-'));
afterAll(() => rmSync(room, { recursive: true }));

const bars = 'time,open,high,low,close,volume\n1700000000,100,101,99,100,1\n1700000060,100,102,99,101,2\n';

function received(): Output & { readonly lines: string[] } {
  const lines: string[] = [];
  return { lines, data: (line) => void lines.push(line), progress: () => {}, colour: false };
}

test('a folder with a link to itself in it is listed all the same', async () => {
  const folder = join(room, 'loop');
  mkdirSync(folder);
  symlinkSync('again', join(folder, 'again'));
  writeFileSync(join(folder, 'bars.csv'), bars);
  const output = received();
  expect(await listData(folder, false, output)).toBe(0);
  expect(output.lines).toEqual([
    expect.stringMatching(/^unreadable +0 .*again$/),
    expect.stringMatching(/^bars-csv .*bars\.csv$/),
  ]);
});

test('a pipe is no data: it is refused at once', async () => {
  const pipe = join(room, 'pipe.csv');
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
  const refused = `${pipe}: expected a regular file, found a pipe, a socket or a device`;
  await expect(openData(pipe)).rejects.toThrow(refused);
  await expect(openData(pipe, { format: 'bars-csv' })).rejects.toThrow(refused);
});

/** `godwit data import FILE --out OUT --force`. */
function importOver(file: string, out: string): Promise<number> {
  return importData({ files: [file], options: {}, out, force: true, json: false, output: received() });
}

test('no import replaces what it reads, by whatever name, or what is no pack', async () => {
  const folder = join(room, 'import');
  mkdirSync(folder);
  const at = (name: string): string => join(folder, name);
  writeFileSync(at('own.csv'), bars);
  symlinkSync('own.csv', at('link.csv'));
  const refused = 'expected another file than those that are read';
  await expect(importOver(at('own.csv'), at('own.csv'))).rejects.toThrow(refused);
  await expect(importOver(at('own.csv'), `${folder}/../import/own.csv`)).rejects.toThrow(refused);
  await expect(importOver(at('own.csv'), at('link.csv'))).rejects.toThrow(refused);
  await expect(importOver(at('link.csv'), at('own.csv'))).rejects.toThrow(refused);
  expect(readFileSync(at('own.csv'), 'utf8')).toBe(bars);
  writeFileSync(at('own.pack.unfinished'), bars);
  await expect(importOver(at('own.pack.unfinished'), at('own.pack'))).rejects.toThrow(refused);
  expect(readFileSync(at('own.pack.unfinished'), 'utf8')).toBe(bars);
  writeFileSync(at('other.csv'), bars);
  await expect(importOver(at('own.csv'), at('other.csv'))).rejects.toThrow(
    'expected a pack to replace, found another file',
  );
  expect(readFileSync(at('other.csv'), 'utf8')).toBe(bars);
  expect(await importOver(at('own.csv'), at('new/own.pack'))).toBe(0);
  expect(await importOver(at('own.csv'), at('new/own.pack'))).toBe(0);
});

test('bars are exported as Parquet alone, and otherwise leave no empty file', async () => {
  const file = join(room, 'bars.csv');
  writeFileSync(file, bars);
  for (const format of ['ndjson', 'csv'] as const) {
    const out = join(room, `out.${format}`);
    const wish = { files: [file], format, table: 'bars', out, json: false, output: received() } as const;
    await expect(exportData(wish)).rejects.toThrow('write them with --to parquet --table bars');
    expect(existsSync(out)).toBe(false);
  }
});

test('a number too large to count is refused with file and line', async () => {
  const file = join(room, 'huge.csv');
  writeFileSync(file, bars.replace('102', '9'.repeat(40)));
  await expect(openData(file)).rejects.toThrow(`${file}:3: expected the high to be at most 9007199254740991`);
});

test.runIf(existsSync('/dev/full'))(
  'a full disk is reported in a sentence, and nothing is left behind',
  async () => {
    const folder = join(room, 'full');
    mkdirSync(folder);
    const file = join(room, 'some.csv');
    writeFileSync(file, bars);
    const recording = await openData(file);
    const pack = join(folder, 'a.pack');
    symlinkSync('/dev/full', `${pack}.unfinished`);
    const specs = recording.instruments.all.map(({ spec }) => spec);
    const packed = writePackFile(pack, recording.events(), { instruments: specs, codec: 'none' });
    await expect(packed).rejects.toThrow(`${pack}: expected a file that can be written, found: ENOSPC`);
    const out = join(folder, 'a.parquet');
    symlinkSync('/dev/full', `${out}.unfinished`);
    const wish = {
      files: [file],
      format: 'parquet',
      table: 'bars',
      out,
      json: false,
      output: received(),
    } as const;
    await expect(exportData(wish)).rejects.toThrow(
      `${out}: expected a file that can be written, found: ENOSPC`,
    );
    expect(readdirSync(folder)).toEqual([]);
  },
);

test('a new strategy of which not all can be written leaves no file', () => {
  const directory = join(room, 'project');
  mkdirSync(join(directory, 'test/core/strategy'), { recursive: true });
  writeFileSync(join(directory, 'test/core/strategy/scene.ts'), '');
  // No folder can be made where a file stands.
  writeFileSync(join(directory, 'test/strategies'), '');
  const wish = { name: 'mine', directory, output: received(), json: false };
  expect(() => newStrategyCommand(wish)).toThrow(
    `${join(directory, 'test/strategies/mine.test.ts')}: expected a file that can be written`,
  );
  expect(readdirSync(join(directory, 'strategies/mine'))).toEqual([]);
});
