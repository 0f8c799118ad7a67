import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  CaptureReader,
  captureFormatOf,
  looksLikeCapture,
  readCapture,
} from '../../../src/data/capture/text.ts';
import { readLines } from '../../../src/data/recording/lines.ts';
import { collect, newFolder } from '../recording/support/frames.ts';

const url = 'wss://api.hitbtc.com/api/2/ws/public';
const text = [
  'configuration: {"ticker":["ETH-BTC"]}',
  'https://api.hitbtc.com/api/2/public/symbol -> 1626318403.7: [{"id":"ETHBTC"}]',
  `${url} <-> 1626318403.723458`,
  `${url} <- 1626318404.2354739: {"method":"subscribeTicker"}`,
  '1626318404.6068962: {"jsonrpc":"2.0","text":"ä: b"}',
  '',
  'wss://host/api/3/ws/public <-> 1626318405',
  '1626318405.1: {}',
].join('\n');

function write(name: string, bytes: string | Uint8Array): string {
  const path = join(newFolder(), name);
  writeFileSync(path, bytes);
  return path;
}

describe('a text capture', () => {
  test.each([
    ['plain', text],
    ['with line ends of Windows', text.replaceAll('\n', '\r\n')],
    ['gzip', gzipSync(text)],
    ['zstd', zstdCompressSync(Buffer.from(text))],
  ])('is read into frames with channel, direction, microseconds and text (%s)', async (_name, bytes) => {
    const frames = await collect(readCapture(write('capture.txt', bytes)));
    expect(
      frames.map((frame) => [
        frame.channel,
        frame.direction,
        frame.receiveTime,
        Buffer.from(frame.bytes).toString(),
      ]),
    ).toEqual([
      ['v2/rest', 'in', 1_626_318_403_700_000, '[{"id":"ETHBTC"}]'],
      ['v2/public', 'open', 1_626_318_403_723_458, url],
      ['v2/public', 'out', 1_626_318_404_235_474, '{"method":"subscribeTicker"}'],
      ['v2/public', 'in', 1_626_318_404_606_896, '{"jsonrpc":"2.0","text":"ä: b"}'],
      ['v3/public', 'close', 1_626_318_405_000_000, 'the socket was opened again'],
      ['v3/public', 'open', 1_626_318_405_000_000, 'wss://host/api/3/ws/public'],
      ['v3/public', 'in', 1_626_318_405_100_000, '{}'],
    ]);
  });

  test.each([
    ['nonsense', 3, 'expected "<url> <-> <t>"'],
    ['1626318404.6: {}', 4, 'expected a line "<url> <-> <t>" before the first received text'],
    [`${url} <- 1626318404.2`, 5, 'expected a text behind the time of a message'],
    ['wss://ws.kraken.com/ <-> 1626318404', 6, 'expected an address of the Trading API v2 or v3'],
    [`${url} <-> yesterday`, 7, 'expected "<url> <-> <t>"'],
  ])('refuses %j with file, line and what was expected', async (line, number, expectation) => {
    const reader = new CaptureReader('a.txt', await captureFormatOf('a.txt'));
    expect(() => reader.read(Buffer.from(line), number)).toThrow(`a.txt:${number}: ${expectation}`);
  });

  test('is recognised by its first line', () => {
    expect(looksLikeCapture('configuration: {}')).toBe(true);
    expect(looksLikeCapture(`${url} <-> 16`)).toBe(true);
    expect(looksLikeCapture('{"a":1}')).toBe(false);
  });
});

describe('the lines of a file', () => {
  test('come whole across the pieces the disk delivers, with their numbers', async () => {
    const lines = Array.from({ length: 5_000 }, (_, i) => `${i} ${'x'.repeat((i * 37) % 900)}`);
    const path = write('lines.gz', gzipSync(lines.join('\n')));
    const found: string[] = [];
    let next = 1;
    for await (const batch of readLines(path)) {
      expect(batch.number).toBe(next);
      next += batch.lines.length;
      found.push(...batch.lines.map((line) => Buffer.from(line).toString()));
    }
    expect(found).toEqual(lines);
  });

  test('of a packed file cut short are an error that names the file', async () => {
    const whole = gzipSync(Array.from({ length: 2_000 }, (_, i) => `line ${i * 7919}`).join('\n'));
    const path = write('cut.gz', whole.subarray(0, whole.length - 40));
    await expect(collect(linesOf(path))).rejects.toThrow(`${path}: expected a whole packed file, found`);
  });

  test('of a file that is not there are an error that names the file', async () => {
    const path = join(newFolder(), 'absent.txt');
    await expect(collect(linesOf(path))).rejects.toThrow(`expected a readable file at ${path}`);
  });
});

async function* linesOf(path: string): AsyncGenerator<readonly Uint8Array[]> {
  for await (const batch of readLines(path)) yield batch.lines;
}
