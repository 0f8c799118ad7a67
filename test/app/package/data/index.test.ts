import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BadInput, openData } from '../../../../src/app/package/data/index.ts';
import { walk, rawLines } from '../../../support/source-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'typed-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);
const first = Date.UTC(2024, 0, 1) * 1_000;

beforeAll(() => {
  writeFileSync(
    at('BTCUSDT-1d.csv'),
    'time,open,high,low,close,volume\n1704067200,100,102.5,98,101,7.25\n1704153600,101,103,99,102,8\n',
  );
  writeFileSync(
    at('BTCUSDT-trades.csv'),
    'time,price,quantity,side\n1704067200000,100.5,0.25,buy\n1704067201000,100.0,1,sell\n',
  );
  writeFileSync(
    at('raw.txt'),
    rawLines({ symbol: 'BTCUSDT', moments: walk(3, { start: 1_000, count: 5, step: 500 }) }).join('\n'),
  );
  writeFileSync(at('mood.csv'), 'time,value\n2024-01-01T00:00:00Z,55\n2024-01-02T00:00:00Z,60\n');
});

async function all<Row>(rows: AsyncIterable<Row>): Promise<readonly Row[]> {
  const found: Row[] = [];
  for await (const row of rows) found.push(row);
  return found;
}

/** How many files of the folder the process has open; `undefined` where the system does not show it. */
function openFiles(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').filter((fd) => linkOf(fd).startsWith(folder)).length;
  } catch {
    return undefined;
  }
}

/** Path of an open file; empty for one that was closed meanwhile. */
function linkOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return '';
  }
}

describe('data that were opened', () => {
  test('are bars, with decimals as text and times in microseconds', async () => {
    const data = await openData(at('BTCUSDT-1d.csv'));
    expect(data.format).toBe('bars-csv');
    expect(data.instruments.map(({ symbol }) => symbol)).toEqual(['BTCUSDT']);
    const [bar, ...more] = await all(data.bars());
    expect(bar).toMatchObject({
      symbol: 'BTCUSDT',
      period: 'D1',
      time: first,
      open: '100',
      high: '102.5',
      low: '98',
      close: '101',
      volume: '7.25',
    });
    expect(more).toHaveLength(1);
    expect(await all(data.trades())).toEqual([]);
    expect(await all(data.events())).not.toEqual([]);
  });

  test('are trades with the side of the taker', async () => {
    const data = await openData(at('BTCUSDT-trades.csv'), { symbol: 'BTC/USDT' });
    const rows = await all(data.trades());
    expect(
      rows.map(({ price, quantity, side, exchangeTime }) => [price, quantity, side, exchangeTime]),
    ).toEqual([
      ['100.5', '0.25', 'buy', first],
      ['100.0', '1.00', 'sell', first + 1_000_000],
    ]);
    expect(await all(data.bars())).toEqual([]);
  });

  test('are books, whole and changed, beside their trades and single events', async () => {
    const data = await openData(at('raw.txt'));
    const books = await all(data.books());
    expect(books.map(({ kind }) => kind)).toEqual(['snapshot', 'update', 'update', 'update', 'update']);
    expect(books[0]?.bids).toHaveLength(1);
    expect(books[0]?.bids[0]).toEqual({ price: '99.9', quantity: '10.0' });
    expect(books[1]?.bids).toContainEqual({ price: '99.9', quantity: '0.0' });
    expect(await all(data.trades())).toHaveLength(4);
    expect(await all(data.events())).toHaveLength(9);
    expect(await all(data.orders())).toEqual([]);
  });

  test('are a series by timestamp where that is asked for, or a venue publishes it', async () => {
    const data = await openData(at('mood.csv'), { series: { delay: '1h' } });
    expect(data.format).toBe('series');
    expect(await all(data.series())).toEqual([
      { time: first, knownAt: first + 3_600_000_000, values: { value: '55' } },
      { time: first + 86_400_000_000, knownAt: first + 90_000_000_000, values: { value: '60' } },
    ]);
    expect(await all(data.books())).toEqual([]);
    const depth = at('BTCUSDT-bookDepth-2024-01-01.csv');
    writeFileSync(
      depth,
      'timestamp,percentage,depth,notional\n2024-01-01 00:00:06,-1,5.5,100\n2024-01-01 00:00:06,1,6,110\n',
    );
    const venue = await openData(depth);
    expect(venue.format).toBe('binance-book-depth');
    expect((await all(venue.series()))[0]?.values).toMatchObject({ 'depth -1': '5.5', 'notional 1': '110' });
  });

  test('are let go of by an early end, and end when they are closed', async () => {
    const before = openFiles();
    const data = await openData(at('raw.txt'));
    for await (const row of data.events()) {
      expect(row.kind).toBe('bookSnapshot');
      break;
    }
    expect(openFiles()).toBe(before);
    const under = data.trades();
    expect((await under.next()).done).toBe(false);
    await data.close();
    expect((await under.next()).done).toBe(true);
    expect(() => data.books()).toThrow('expected data that are open, found data that were closed');
    expect(openFiles()).toBe(before);
  });

  test.each([
    ['that is not there', 'none.csv', {}, 'none.csv'],
    ['of no known format', 'mood.csv', {}, 'expected one of the formats that godwit data list names'],
    ['with an unknown format named', 'mood.csv', { format: 'bars-cvs' }, 'did you mean bars-csv?'],
    ['as a series without its time', 'mood.csv', { series: { time: 'day' } }, 'expected the column "day"'],
    [
      'as a series with a delay of no unit',
      'mood.csv',
      { series: { delay: '5' } },
      'expected a delay such as 250us',
    ],
  ])('are refused: a file %s', async (_, name, options, sentence) => {
    const opened = openData(at(name), options);
    await expect(opened).rejects.toThrow(sentence);
    await expect(opened).rejects.toThrow(Error);
  });

  test('throw errors of one exported class', async () => {
    await expect(openData([])).rejects.toBeInstanceOf(BadInput);
  });
});
