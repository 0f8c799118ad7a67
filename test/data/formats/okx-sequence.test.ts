import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { gradeOf } from './support/grade-of.ts';
import { openData } from '../../../src/data/open/market-data.ts';
import { eventsOf, kindsOf, levelsOf, newFolder, wordsOfFailure, writeLines } from './support/files.ts';

const folder = newFolder();
let count = 0;

interface Row {
  readonly bids?: readonly (readonly string[])[];
  readonly asks?: readonly (readonly string[])[];
  readonly [field: string]: unknown;
}

const head = 'wss://ws.okx.com:8443/ws/v5/public <-> 1652459224.5';
function message(action: 'snapshot' | 'update', row: Row, second: number): string {
  const arg = { channel: 'books', instId: 'A-USDT' };
  const data = [{ asks: [], bids: [], ts: String(1_652_459_225_000 + second * 1_000), ...row }];
  return `${1_652_459_225 + second}.1: ${JSON.stringify({ arg, action, data })}`;
}

function capture(...rows: readonly Row[]): string {
  count += 1;
  const lines = rows.map((row, i) => message(row['prevSeqId'] === -1 ? 'snapshot' : 'update', row, i));
  return writeLines(folder, `okx-${count}.txt`, [head, ...lines]);
}

const whole: Row = {
  bids: [['99', '1', '0', '1']],
  asks: [['101', '2', '0', '1']],
  checksum: 0,
  prevSeqId: -1,
  seqId: 100,
};
const bid = (size: string, prevSeqId: number, seqId: number): Row => ({
  bids: [['100', size, '0', '1']],
  checksum: 0,
  prevSeqId,
  seqId,
});

describe('books of OKX that carry their sequence and no checksum', () => {
  test('follow the message they name, whatever its number, and hear that the line is alive', async () => {
    const alive = { prevSeqId: 107, seqId: 107, checksum: 0 };
    const path = capture(whole, bid('5', 100, 107), alive, bid('6', 107, 152));
    const recording = await openData(path);
    const events = await eventsOf(recording);
    expect(kindsOf(events)).toBe('bookSnapshot bookUpdate bookUpdate');
    expect(events.map((event) => 'sequence' in event && event.sequence)).toEqual([100, 107, 152]);
    expect(levelsOf(events[2], recording)).toEqual(['b 100 x 6']);
    expect([recording.findings, recording.proof]).toEqual([[], undefined]);
    expect((await gradeOf(recording)).letter).toBe('B');
  });

  test('go on where the venue begins its numbers anew', async () => {
    const recording = await openData(
      capture(whole, bid('5', 100, 107), bid('6', 107, 3), bid('7', 3, 5), bid('8', 5, 9)),
    );
    const events = await eventsOf(recording);
    expect(events.map((event) => 'sequence' in event && event.sequence)).toEqual([100, 107, 108, 110, 114]);
    expect(recording.findings).toEqual([]);
  });

  test.each([
    ['an update', [bid('6', 111, 115)]],
    ['an update behind the whole book', [bid('6', 100, 115), bid('7', 116, 117)]],
    ['an update with lower numbers', [bid('5', 100, 107), bid('6', 2, 3)]],
    ['an update, told by a line that is alive', [{ prevSeqId: 110, seqId: 110, checksum: 0 }]],
  ])('are stale from where %s is missing until a whole book comes', async (_, rows) => {
    const recording = await openData(capture(whole, ...rows, bid('9', 117, 118), whole, bid('4', 100, 101)));
    const events = await eventsOf(recording);
    expect(kindsOf(events)).toMatch(/bookStale bookSnapshot bookUpdate$/);
    expect(recording.findings).toContain('1 sequence gaps');
    const grade = await gradeOf(recording);
    expect([grade.letter, grade.reasons[0]]).toEqual(['C', '1 sequence gap']);
  });

  test('report what they repeat', async () => {
    const recording = await openData(
      capture(whole, bid('5', 100, 107), bid('5', 100, 107), bid('6', 107, 8)),
    );
    expect(kindsOf(await eventsOf(recording))).toBe('bookSnapshot bookUpdate bookUpdate');
    expect(recording.findings).toEqual(['1 repeated updates dropped']);
  });
});

test('a book of OKX with both is proved by both', async () => {
  const sum = (bids: string): number => crc32(`${bids}:101:2`) | 0;
  const first = { ...whole, checksum: crc32('99:1:101:2') | 0 };
  const good = { ...bid('5', 100, 107), checksum: crc32('100:5:101:2:99:1') | 0 };
  const recording = await openData(capture(first, good, { ...bid('6', 107, 109), checksum: sum('1:1') }));
  expect(kindsOf(await eventsOf(recording))).toBe('bookSnapshot bookUpdate bookUpdate bookStale');
  expect(recording.proof).toEqual({ checked: 3, correct: 2 });
});

test('a book of OKX that proves nothing is refused', async () => {
  const { checksum: _, seqId: __, ...bare } = whole;
  expect(await wordsOfFailure(openData(capture(bare)))).toMatch(
    /okx-\d+\.txt:2: expected a book to be proved by "seqId" and "prevSeqId", or by a checksum, found /,
  );
});
