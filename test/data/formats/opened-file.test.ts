import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { openData } from '../../../src/data/open/market-data.ts';
import { readHead, readTextLines, readWhole } from '../../../src/data/formats/opened-file.ts';
import { newFolder, wordsOfFailure } from './support/files.ts';

const folder = newFolder();
const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index} of a text that is packed`);
const text = Buffer.from(`${lines.join('\r\n')}\n`);

function write(name: string, bytes: Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

async function linesOf(path: string): Promise<readonly string[]> {
  const all: string[] = [];
  for await (const batch of readTextLines(path)) {
    for (const line of batch.lines) all.push(Buffer.from(line).toString('utf8'));
  }
  return all;
}

function hasXz(): boolean {
  try {
    execFileSync('xz', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    process.stderr.write('there is no xz here: unpacking it is left to the recorded log\n');
    return false;
  }
}

describe('a file', () => {
  test.each([
    ['plain', text],
    ['gzip', gzipSync(text)],
    ['zstd', zstdCompressSync(text)],
    ['zip', Buffer.from(zipSync({ 'inside.txt': text }))],
  ] as const)('that is %s has the same lines and tells its packing', async (packing, bytes) => {
    const path = write(`a.${packing}`, bytes);
    expect(await linesOf(path)).toEqual(lines);
    const head = await readHead(path);
    expect(head.packing).toBe(packing);
    expect(head.line).toBe(lines[0]);
    expect(head.name).toBe(packing === 'zip' ? 'inside.txt' : `a.${packing}`);
  });

  test.skipIf(!hasXz())('that is xz has the same lines', async () => {
    const packed = execFileSync('xz', ['-c'], { input: text });
    const path = write('a.xz', packed);
    expect(await linesOf(path)).toEqual(lines);
    expect(await wordsOfFailure(linesOf(write('cut.xz', packed.subarray(0, packed.length / 2))))).toMatch(
      /cut\.xz: expected a whole xz file, found: /,
    );
  });

  test.each([
    ['gzip', gzipSync(text)],
    ['zstd', zstdCompressSync(text)],
    ['zip', Buffer.from(zipSync({ 'inside.txt': text }))],
  ] as const)(
    'of %s that is cut short is refused in a sentence that says what to do',
    async (packing, bytes) => {
      const path = write(`cut.${packing}`, bytes.subarray(0, Math.floor(bytes.length / 2)));
      const words = await wordsOfFailure(linesOf(path));
      expect(words).toMatch(/^\S+: expected a whole (gzip file|zstd file|zip file|zip), found/);
      expect(words).toMatch(/fetch (it|the file) again/);
    },
  );

  test('of zip with two files inside is refused with both names', async () => {
    const path = write('two.zip', zipSync({ 'a.csv': text, 'b.csv': text }));
    expect(await wordsOfFailure(linesOf(path))).toBe(
      `${path}: expected a zip with one file of data in it, found a.csv and b.csv; unpack it and name the files`,
    );
  });

  test('that is empty, absent or larger than asked for is refused', async () => {
    const empty = write('empty.csv', Buffer.alloc(0));
    expect(await wordsOfFailure(openData(empty))).toBe(
      `${empty}: expected recorded data, found an empty file`,
    );
    const hollow = write('hollow.csv.gz', gzipSync(Buffer.alloc(0)));
    expect(await wordsOfFailure(openData(hollow))).toBe(
      `${hollow}: expected recorded data, found a packed file of nothing`,
    );
    const absent = join(folder, 'absent.csv');
    expect(await wordsOfFailure(openData(absent))).toBe(`expected a readable file at ${absent}, found none`);
    expect(await wordsOfFailure(readWhole(write('big', text), 1_000))).toMatch(/expected at most 1000 bytes/);
  });

  test('of no known format is refused with what was seen', async () => {
    const path = write('poem.txt', Buffer.from('Shall I compare thee to a summer day?\n'));
    expect(await wordsOfFailure(openData(path))).toMatch(
      /^\S+poem\.txt: expected one of the formats that godwit data list names, found a file that begins with "Shall I compare/,
    );
    expect(await wordsOfFailure(openData(path, { format: 'krakken' }))).toMatch(
      /^expected one of the formats .*, found krakken$/,
    );
  });

  test('of a format of ours takes no symbol or step from outside', async () => {
    const path = write('feed', Buffer.from('wss://api.fmfw.io/api/3/ws/public <-> 1633806854.1\n'));
    expect(await wordsOfFailure(openData(path, { tick: '0.1' }))).toBe(
      'expected no tick with data of the format capture-text: its instruments are in the data',
    );
  });
});
