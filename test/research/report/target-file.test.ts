import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { writePage } from '../../../src/app/process/page-file.ts';
import type { Output } from '../../../src/app/process/output.ts';
import type { ReportDocument } from '../../../src/research/report/document/document.ts';
import { storePage, makeFolder, prepareFile, prepareStream } from '../../../src/research/report/stored.ts';

const room = mkdtempSync(join(tmpdir(), 'godwit-target-file-'));
afterAll(() => rmSync(room, { recursive: true }));

const document = {
  title: 'a run',
  warning: '',
  sections: [],
  charts: [],
  tables: [],
  notes: [],
} as unknown as ReportDocument;

test('a name that takes no file is refused before the run, in a sentence', () => {
  expect(() => prepareFile('--html', '')).toThrow('--html: expected the name of a file, found an empty text');
  expect(() => prepareFile('--html', room)).toThrow(
    `--html ${room}: expected the name of a file, found a folder there`,
  );
  expect(() => prepareFile('--html', '/dev/null')).toThrow('found a device, pipe or socket there');
  expect(() => prepareStream('--csv', room)).toThrow('found a folder there');
  expect(() => prepareStream('--csv', '/dev/null')).not.toThrow();
  writeFileSync(join(room, 'file'), '');
  expect(() => prepareFile('--html', join(room, 'file', 'page.html'))).toThrow(
    'expected a file that can be written, found: ENOTDIR',
  );
});

test('folders that are missing are made, and where none can be made that is reported at once', () => {
  prepareFile('--html', join(room, 'a', 'b', 'page.html'));
  expect(readdirSync(join(room, 'a', 'b'))).toEqual([]);
  if (existsSync('/proc/self')) expect(() => makeFolder('/proc/godwit-none/below')).toThrow('ENOENT');
});

test('what cannot be written is reported, and nothing half-written stays', () => {
  const page = join(room, 'page.html');
  mkdirSync(`${page}.part`);
  const received: string[] = [];
  const output: Output = { data: () => {}, progress: (line) => void received.push(line), colour: false };
  expect(writePage(page, document, output)).toBe(false);
  expect(received).toEqual([expect.stringContaining(`--html ${page}: expected a file that can be written`)]);
  expect(existsSync(page)).toBe(false);
  rmSync(`${page}.part`, { recursive: true });
  expect(writePage(page, document, output)).toBe(true);
  expect(writePage(undefined, document, output)).toBe(true);
  expect(received.slice(1)).toEqual([`report: ${page}`]);
  expect(() => storePage('/dev/null', document)).toThrow('found a device, pipe or socket there');
});
