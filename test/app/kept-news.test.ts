import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { KeptNewsFile } from '../../src/app/operate/kept-news.ts';
import type { Micros } from '../../src/core/base/clock.ts';
import { silentLogger } from '../../src/core/base/logger.ts';

let directory: string;
let warnings: string[];
const log = { ...silentLogger, warn: (_: object, text: string) => void warnings.push(text) };
const halt = { time: 1_700_000_000_000_000 as Micros, text: 'trading is halted: a strange market' };

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'godwit-news-'));
  warnings = [];
});
afterEach(() => rmSync(directory, { recursive: true }));

const path = (): string => join(directory, 'news.json');

test('news that has not arrived stands in a file of the owner at the end of the turn, and leaves it when it has', async () => {
  const file = new KeptNewsFile(directory, log);
  const store = file.storeOf('telegram 7');
  store.keep([halt]);
  store.keep([halt, halt]);
  expect(existsSync(path())).toBe(false);
  await Promise.resolve();
  expect(statSync(path()).mode & 0o777).toBe(0o600);
  const next = new KeptNewsFile(directory, log);
  expect(next.storeOf('telegram 7').earlier()).toEqual([halt, halt]);
  expect(next.storeOf('webhook').earlier()).toEqual([]);
  next.storeOf('telegram 7').keep([]);
  next.close();
  expect(new KeptNewsFile(directory, log).storeOf('telegram 7').earlier()).toEqual([]);
  expect(warnings).toEqual([]);
});

test('what waits for a place that is configured no more is dropped with the next change', async () => {
  const file = new KeptNewsFile(directory, log);
  file.storeOf('telegram 7').keep([halt]);
  file.storeOf('webhook').keep([halt]);
  file.close();
  const next = new KeptNewsFile(directory, log);
  next.storeOf('webhook').keep(next.storeOf('webhook').earlier());
  next.close();
  expect(JSON.parse(readFileSync(path(), 'utf8'))).toEqual({ version: 1, places: { webhook: [halt] } });
});

test('a file that is damaged, and a directory that cannot be written, stop nothing and are logged', () => {
  writeFileSync(path(), '{"version":1,"places":{"webhook":[{"ti');
  expect(new KeptNewsFile(directory, log).storeOf('webhook').earlier()).toEqual([]);
  expect(warnings).toEqual(['expected news that an earlier run did not deliver, found something else']);
  const file = new KeptNewsFile(join(path(), 'below a file'), log);
  file.storeOf('webhook').keep([halt]);
  file.close();
  expect(warnings).toHaveLength(2);
});
