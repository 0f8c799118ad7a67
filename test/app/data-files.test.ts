import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { listData } from '../../src/app/list-recordings.ts';
import type { Output } from '../../src/app/output.ts';
import { openData } from '../../src/formats/open-market-data.ts';

const room = mkdtempSync(join(tmpdir(), 'godwit-data-files-'));
afterAll(() => rmSync(room, { recursive: true }));

const bars = 'time,open,high,low,close,volume\n1700000000,100,101,99,100,1\n1700000060,100,102,99,101,2\n';

function heard(): Output & { readonly lines: string[] } {
  const lines: string[] = [];
  return { lines, data: (line) => void lines.push(line), progress: () => {}, colour: false };
}

test('a folder with a link to itself in it is listed all the same', async () => {
  const folder = join(room, 'loop');
  mkdirSync(folder);
  symlinkSync('again', join(folder, 'again'));
  writeFileSync(join(folder, 'bars.csv'), bars);
  const output = heard();
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
