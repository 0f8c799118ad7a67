import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openData } from '../../../src/data/open/market-data.ts';
import { gradeOf } from './support/grade-of.ts';
import { eventsOf, kindsOf, levelsOf, newFolder, wordsOfFailure, writeLines } from './support/files.ts';

const folder = newFolder();
let count = 0;

function capture(url: string, ...received: readonly string[]): string {
  count += 1;
  const lines = received.map((text, index) => `1626993904.${String(index).padStart(6, '0')}: ${text}`);
  return writeLines(folder, `capture-${count}.txt`, [`${url} <-> 1626993903.5`, ...lines]);
}

function krakenSum(text: string): string {
  return String(crc32(text));
}

const kraken = 'wss://ws.kraken.com';
const snapshot =
  '[1,{"as":[["0.30","5.0","1626993900.1"],["0.40","6.0","1626993900.2"]],"bs":[["0.20","7.0","1626993900.3"]]},"book-2","A/B"]';

describe('a capture of Kraken', () => {
  test('proves every checksum it carries', async () => {
    const path = capture(
      kraken,
      snapshot,
      `[1,{"b":[["0.10","1.0","1626993904.5"]],"c":"${krakenSum('3050406020701010')}"},"book-2","A/B"]`,
    );
    const recording = await openData(path);
    const events = await eventsOf(recording);
    expect(recording.format).toBe('kraken-v1');
    expect(kindsOf(events)).toBe('bookSnapshot bookUpdate');
    expect(recording.proof).toEqual({ checked: 1, correct: 1 });
    expect(events[1]).toMatchObject({
      exchangeTime: 1_626_993_904_500_000,
      receiveTime: 1_626_993_904_000_001,
    });
  });

  test('drops the levels beyond its depth, which the venue never deletes by name', async () => {
    const path = capture(
      kraken,
      snapshot,
      `[1,{"a":[["0.25","1.0","1626993904.5"]],"c":"${krakenSum('251030502070')}"},"book-2","A/B"]`,
    );
    const recording = await openData(path);
    const [, update] = await eventsOf(recording);
    expect(levelsOf(update, recording)).toEqual(['a 0.25 x 1.0', 'a 0.40 x 0.0']);
    expect(recording.proof).toEqual({ checked: 1, correct: 1 });
  });

  test('takes a book with a wrong checksum for stale until the next snapshot, and says so', async () => {
    const wrong = '[1,{"b":[["0.10","1.0","1626993904.5"]],"c":"1"},"book-2","A/B"]';
    const recording = await openData(capture(kraken, snapshot, wrong, wrong, snapshot));
    const events = await eventsOf(recording);
    expect(kindsOf(events)).toBe('bookSnapshot bookUpdate bookStale bookSnapshot');
    expect(recording.proof).toEqual({ checked: 1, correct: 0 });
    expect(recording.findings).toEqual([
      '1 wrong checksums, each followed by a stale book',
      '1 updates without a base dropped',
    ]);
    const { letter, reasons } = await gradeOf(recording);
    expect([letter, reasons[0]]).toEqual([
      'C',
      '1 book found damaged: a wrong checksum, or a message that cannot be read',
    ]);
  });

  test('says with file and line what is no message of the venue', async () => {
    const path = capture(kraken, snapshot, '[1,{"b":[[7]]},"book-2","A/B"]');
    expect(await wordsOfFailure(openData(path))).toBe(
      `${path}:3: expected a volume to be a text or number, found none`,
    );
    const cut = capture(kraken, snapshot.slice(0, 40));
    expect(await wordsOfFailure(openData(cut))).toMatch(
      new RegExp(`^${cut}:2: expected a JSON message, found "\\[1,`),
    );
  });

  test('leaves out the books of other symbols when one is named', async () => {
    const path = capture(kraken, snapshot, snapshot.replace('A/B', 'C/D'));
    const recording = await openData(path, { symbol: 'C/D' });
    expect(recording.instruments.all.map(({ symbol }) => symbol)).toEqual(['C/D']);
    expect(kindsOf(await eventsOf(recording))).toBe('bookSnapshot');
    expect(await wordsOfFailure(openData(path, { symbol: 'E/F' }))).toBe(
      `${path}: expected messages of E/F, found none`,
    );
  });

  test('refuses a level off a grid that was given, and names the grid', async () => {
    const path = capture(kraken, snapshot);
    const recording = await openData(path, { tick: '0.25', increment: '1' });
    expect(await wordsOfFailure(eventsOf(recording))).toBe(
      `${path}:2: expected a level of A/B to be on tick 0.25 and increment 1 (give others with --tick and --increment), found "0.20 x 7.0"`,
    );
  });

  test('takes every book for stale when the socket was opened again', async () => {
    const path = writeLines(folder, 'reopened.txt', [
      `${kraken} <-> 1626993903.5`,
      `1626993904.0: ${snapshot}`,
      `${kraken} <-> 1626993905.5`,
    ]);
    const events = await eventsOf(await openData(path));
    expect(kindsOf(events)).toBe('bookSnapshot bookStale');
    expect(events[1]).toMatchObject({ reason: 'disconnected', receiveTime: 1_626_993_905_500_000 });
  });
});

describe('a capture of Kraken Futures', () => {
  const url = 'wss://futures.kraken.com/ws/v1';
  const book =
    '{"feed":"book_snapshot","product_id":"PI_XBTUSD","timestamp":1626993904000,"seq":10,"bids":[{"price":1.5,"qty":2.0}],"asks":[{"price":2.0,"qty":3.0}]}';
  const update = (seq: number): string =>
    `{"feed":"book","product_id":"PI_XBTUSD","side":"buy","seq":${seq},"price":1.0,"qty":0.0,"timestamp":1626993904100}`;

  test('is stale from a missing number on, and applies nothing until a snapshot', async () => {
    const recording = await openData(capture(url, book, update(11), update(13), update(14)));
    const events = await eventsOf(recording);
    expect(kindsOf(events)).toBe('bookSnapshot bookUpdate bookStale');
    expect(events[2]).toMatchObject({ reason: 'gap', expected: 11, found: 12 });
    expect(recording.findings).toContain('1 sequence gaps');
  });
});

describe('a capture of BitMEX', () => {
  test('remembers the prices of levels by id, and leaves out ids it never saw', async () => {
    const row = '"symbol":"XBTUSD","id":7,"side":"Sell"';
    const recording = await openData(
      capture(
        'wss://www.bitmex.com/realtime',
        `{"table":"orderBookL2","action":"insert","data":[{${row},"size":1,"price":9}]}`,
        `{"table":"orderBookL2","action":"partial","data":[{${row},"size":3,"price":0.0000001}]}`,
        `{"table":"orderBookL2","action":"update","data":[{${row},"size":4},{"symbol":"XBTUSD","id":8,"side":"Buy","size":4}]}`,
        `{"table":"orderBookL2","action":"delete","data":[{${row}}]}`,
      ),
    );
    const events = await eventsOf(recording);
    expect(events.flatMap((event) => levelsOf(event, recording))).toEqual([
      'a 0.0000001 x 3',
      'a 0.0000001 x 4',
      'a 0.0000001 x 0',
    ]);
    expect(recording.findings).toEqual(['1 updates and deletes of unknown levels left out']);
  });
});

describe('captures of Binance and of its REST books', () => {
  test('are joined by the rule of the venue, in the order they arrived', async () => {
    const depth = (first: number, last: number, price: string): string =>
      `{"stream":"abusdt@depth","data":{"e":"depthUpdate","E":1626993904000,"s":"ABUSDT","U":${first},"u":${last},"b":[["${price}","1.0"]],"a":[]}}`;
    const socket = capture(
      'wss://stream.binance.com:9443/stream?streams=abusdt@depth',
      depth(1, 5, '0.11'),
      depth(6, 8, '0.12'),
      depth(9, 12, '0.13'),
      depth(14, 15, '0.14'),
    );
    const rest = writeLines(folder, 'rest.txt.gz', [
      'https://www.binance.com/api/v3/depth?symbol=ABUSDT&limit=1000 -> 1626993904.0000025: {"lastUpdateId":7,"bids":[["0.10","1.0"]],"asks":[["0.20","2.0"]]}',
    ]);
    const recording = await openData([socket, rest]);
    const events = await eventsOf(recording);
    expect(kindsOf(events)).toBe('bookSnapshot bookUpdate bookUpdate bookStale');
    expect(events.flatMap((event) => levelsOf(event, recording))).toEqual([
      'b 0.10 x 1.0',
      'a 0.20 x 2.0',
      'b 0.12 x 1.0',
      'b 0.13 x 1.0',
    ]);
  });
});
