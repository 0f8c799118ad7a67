import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openRecording } from '../../../src/data/open/own-formats.ts';
import type { Event } from '../../../src/core/model/event.ts';
import { collect, newFolder } from './support/frames.ts';
import { recordingsPresent, sharedPath } from './support/shared-recordings.ts';

const socket = (time: number): string => `wss://h/api/2/ws/public <-> ${time}`;
const params = (symbol: string, sequence: number): string =>
  `{"ask":[{"price":"0.01","size":"3"}],"bid":[],"symbol":"${symbol}","sequence":${sequence},"timestamp":"2021-01-01T00:00:00.000Z"}`;
const whole = (time: number, sequence: number, symbol = 'ETHBTC'): string =>
  `${time}: {"jsonrpc":"2.0","method":"snapshotOrderbook","params":${params(symbol, sequence)}}`;
const update = (time: number, sequence: number, symbol = 'ETHBTC'): string =>
  `${time}: {"jsonrpc":"2.0","method":"updateOrderbook","params":${params(symbol, sequence)}}`;

/** What files with these lines tell of books, as kind, sequence and second. */
async function booksOf(...files: readonly (readonly string[])[]): Promise<readonly unknown[]> {
  const folder = newFolder();
  const paths = files.map((lines, index) => {
    const path = join(folder, `${index}.txt`);
    writeFileSync(path, `${lines.join('\n')}\n`);
    return path;
  });
  const events = await collect((await openRecording(paths)).events());
  return events.flatMap(booksIn);
}

function booksIn(event: Event): readonly unknown[] {
  const second = event.receiveTime / 1_000_000;
  if (event.kind === 'bookStale') return [['stale', event.reason, second]];
  if (event.kind === 'bookSnapshot') return [['whole', event.sequence, second]];
  return event.kind === 'bookUpdate' ? [['update', event.sequence, second]] : [];
}

const first = [socket(1), whole(2, 10), update(3, 11)];

describe('two captures of one recording, one behind the other', () => {
  test('are one where the sequence goes on, in whatever order they are given', async () => {
    const second = [socket(1), update(4, 12), update(5, 13)];
    const expected = [
      ['whole', 10, 2],
      ['update', 11, 3],
      ['update', 12, 4],
      ['update', 13, 5],
    ];
    expect(await booksOf(first, second)).toEqual(expected);
    expect(await booksOf(second, first)).toEqual(expected);
    expect(await booksOf(first, [socket(4), whole(4, 11), update(5, 12)])).toEqual([
      ...expected.slice(0, 2),
      ['whole', 11, 4],
      ['update', 12, 5],
    ]);
  });

  test('are one for a book that is silent meanwhile, where all that speak go on', async () => {
    const both = [socket(1), whole(2, 10), whole(2, 50, 'EOSBTC'), update(3, 11)];
    const books = await booksOf(both, [socket(4), update(4, 12)], [socket(5), update(6, 51, 'EOSBTC')]);
    expect(books).toEqual([
      ['whole', 10, 2],
      ['whole', 50, 2],
      ['update', 11, 3],
      ['update', 12, 4],
      ['update', 51, 6],
    ]);
  });

  test('leave a book stale from the end of the first where something is missing', async () => {
    expect(await booksOf(first, [socket(4), whole(5, 12), update(6, 13)])).toEqual([
      ['whole', 10, 2],
      ['update', 11, 3],
      ['stale', 'disconnected', 3],
      ['whole', 12, 5],
      ['update', 13, 6],
    ]);
    expect(await booksOf(first, [socket(4), update(5, 13)])).toEqual([
      ['whole', 10, 2],
      ['update', 11, 3],
      ['stale', 'disconnected', 3],
    ]);
    expect(await booksOf(first, [socket(4), whole(5, 7, 'EOSBTC')])).toContainEqual([
      'stale',
      'disconnected',
      3,
    ]);
  });

  test('have no seam where one of them holds no book, or nothing of the market', async () => {
    const list = [
      'https://h/api/2/public/symbol -> 9: [{"id":"ETHBTC","baseCurrency":"ETH","quoteCurrency":"BTC","quantityIncrement":"0.1","tickSize":"0.01","takeLiquidityRate":"0.001","provideLiquidityRate":"0.0001","feeCurrency":"BTC"}]',
    ];
    const tickers = [
      socket(1),
      '1.5: {"jsonrpc":"2.0","method":"ticker","params":{"ask":"7.25","bid":"7.2","last":"7.2","open":"7","low":"7","high":"8","volume":"1","volumeQuote":"7","symbol":"ETHBTC","timestamp":"2021-01-01T00:00:00.000Z"}}',
    ];
    const alone = await booksOf(first);
    expect(await booksOf(list, first)).toEqual(alone);
    expect(await booksOf(first, list)).toEqual(alone);
    expect(await booksOf(tickers, first)).toEqual(alone);
  });
});

describe.skipIf(!recordingsPresent)('captures that others recorded', () => {
  const july = (n: number): string => sharedPath(`hitbtc/hitbtc-v2-20210715.conn${n}.txt.gz`);
  const received = async (...paths: readonly string[]): Promise<readonly unknown[]> =>
    (await collect((await openRecording(paths)).events())).flatMap(booksIn);

  test('of parallel sockets hold no stale mark', async () => {
    const books = await received(july(1), july(2), july(3), july(4));
    expect(books.filter((book) => (book as unknown[])[0] === 'stale')).toEqual([]);
    expect(books).toHaveLength(537);
  });

  test('are what they were when they are cut in two, in each of several parallel sockets too', async () => {
    const folder = newFolder();
    const halves = [1, 2].flatMap((n) => {
      const lines = gunzipSync(readFileSync(july(n)))
        .toString('utf8')
        .split('\n');
      const middle = lines.length >> 1;
      const parts = [lines.slice(0, middle), [lines[0] ?? '', ...lines.slice(middle)]];
      return parts.map((part, index) => {
        const path = join(folder, `hitbtc-v2-20210715-${n}-${index}.txt`);
        writeFileSync(path, part.join('\n'));
        return path;
      });
    });
    const whole = await received(july(1));
    expect(await received(...halves.slice(0, 2))).toEqual(whole);
    const both = await received(...halves);
    expect(both.filter((book) => (book as unknown[])[0] === 'stale')).toEqual([]);
    expect(both).toHaveLength(537);
  });
});
