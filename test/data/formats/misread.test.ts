import { describe, expect, test } from 'vitest';
import { openData } from '../../../src/data/open/market-data.ts';
import { eventsOf, newFolder, wordsOfFailure, writeLines } from './support/files.ts';
import { iso, millis } from './support/sample.ts';

const folder = newFolder();
let files = 0;
const write = (lines: readonly string[]): string => writeLines(folder, `AB-${(files += 1)}.csv`, lines);
const header = 'time,side,price,size';
const row = (second: number, side: string, price: string): string => `${millis(second)},${side},${price},2`;

describe('a table of levels', () => {
  const book = (second: number, [bid, ask] = ['bid', 'ask']): readonly string[] => [
    row(second, bid as string, '100.1'),
    row(second, bid as string, '100.0'),
    row(second, ask as string, '100.2'),
    row(second, ask as string, '100.3'),
  ];

  test.each([
    ['one book', [book(0)]],
    ['one book, by the words of trades', [book(0, ['buy', 'sell'])]],
    [
      'changes of the best levels',
      [0, 1, 2].map((second) => [row(second, 'bid', '99'), row(second, 'ask', '101')]),
    ],
    ['asks first', [[...book(0)].toReversed()]],
  ])('is read as books: %s', async (_what, rows) => {
    const path = write([header, ...rows.flat()]);
    const events = await eventsOf(await openData(path));
    expect(events.map(({ kind }) => kind)).toEqual(rows.map(() => 'bookSnapshot'));
    expect(await wordsOfFailure(openData(path, { format: 'trades-csv' }))).toMatch(
      /\.csv: expected a table of trades; name one of levels .* --format books-csv .*, found bids \(or buys\) below all asks/,
    );
  });

  test('that is said to be one of trades is refused where it is known, with the place', async () => {
    const rows = Array.from({ length: 9 }, (_, second) => book(second)).flat();
    const path = write([header, ...rows]);
    for (const partial of [false, true])
      expect(await wordsOfFailure(openData(path, { format: 'trades-csv', partial }))).toMatch(
        /\.csv:10: expected a table of trades/,
      );
  });

  test.each([
    ['takers that buy at the ask and sell at the bid', [row(0, 'buy', '100.2'), row(0, 'sell', '100.1')]],
    ['both sides at one price', [row(0, 'bid', '100.2'), row(0, 'ask', '100.2')]],
    [
      'one of them among many that look otherwise',
      [...book(0), row(1, 'sell', '100.1'), row(1, 'buy', '100.2')],
    ],
    [
      'one time that looks otherwise',
      [row(0, 'buy', '100.1'), row(0, 'sell', '100.2'), row(1, 'buy', '100.1')],
    ],
    ['one side', [row(0, 'buy', '100.1'), row(0, 'buy', '100.2'), row(1, 'buy', '100.1')]],
  ])('is what trades are not: %s', async (_what, rows) => {
    expect(
      (await eventsOf(await openData(write([header, ...rows])))).every(({ kind }) => kind === 'trades'),
    ).toBe(true);
  });
});

describe('times of digits alone', () => {
  test.each([
    ['202401020000', '2024-01-02T00:00:00.000Z'],
    ['2024010209', '2024-01-02T09:00:00.000Z'],
    ['20240102093015', '2024-01-02T09:30:15.000Z'],
    ['20240102093015250', '2024-01-02T09:30:15.250Z'],
    ['1704153600', '2024-01-02T00:00:00.000Z'],
    ['1704153600000', '2024-01-02T00:00:00.000Z'],
    ['999999999999', '2001-09-09T01:46:39.999Z'],
    ['202413020000', '1976-05-31T17:50:20.000Z'],
  ])('%s is %s', async (text, time) => {
    const [event] = await eventsOf(await openData(write(['time,price,quantity', `${text},1.5,2`])));
    expect(new Date((event?.exchangeTime ?? 0) / 1_000).toISOString().slice(0, 17)).toBe(time.slice(0, 17));
  });

  test('of bars give the period that they stand apart', async () => {
    const minutes = ['0900', '0915', '0930', '0945', '1000'].map((at) => `20240102${at},10,11,9,10,5`);
    const recording = await openData(write(['date,open,high,low,close,volume', ...minutes]));
    const [first] = await eventsOf(recording);
    expect(first?.kind === 'candles' ? first.candles[0]?.period : undefined).toBe('M15');
    expect(
      await wordsOfFailure(
        openData(write(['date,open,high,low,close,volume', ...minutes, '1704153600,1,1,1,1,1'])),
      ),
    ).toMatch(/:7: expected a time of the same form as in the rows before/);
  });
});

describe('a book of Coinbase', () => {
  const document = (more: object): string =>
    JSON.stringify({ product: 'BTC-USD', level: 2, captured_at: iso(0), sequence: 7, ...more });
  const format = 'coinbase-rest-l2';
  const read = async (text: string): Promise<string> => {
    const path = writeLines(folder, `book-${(files += 1)}.json`, [text]);
    return await wordsOfFailure(openData(path, { format }).then(eventsOf));
  };

  test('of level 2 is read', async () => {
    const bids = [
      ['100.1', '2', 3],
      ['100.0', '2', 1],
    ];
    expect(await read(document({ bids, asks: [['100.2', '1', 1]] }))).toBe('no error');
  });

  test.each([
    ['says so', { level: 3, bids: [], asks: [] }, '"level"'],
    ['has ids of orders', { bids: [['100.1', '2', '8a2b-41']], asks: [] }, 'the level of the book'],
    [
      'repeats prices',
      {
        bids: [
          ['100.1', '2'],
          ['100.1', '3'],
        ],
        asks: [],
      },
      'the level of the book',
    ],
  ])('of level 3 is refused, where it %s', async (_how, more, what) => {
    expect(await read(document(more))).toContain(
      `expected ${what} to be 2, a book of levels, each price once with its number of orders, found `,
    );
  });

  test('in a capture of single orders is no book of level 2: they are counted', async () => {
    const path = writeLines(folder, 'full.txt', [
      'wss://ws-feed.pro.coinbase.com <-> 1618677816.8',
      '1618677817.0: {"type":"open","product_id":"AB-USD","side":"sell","price":"10.00","order_id":"1","remaining_size":"1"}',
      `1618677817.1: {"type":"match","trade_id":7,"product_id":"AB-USD","side":"sell","size":"1","price":"10.00","time":"${iso(0)}"}`,
      '1618677817.2: {"type":"done","product_id":"AB-USD","side":"sell","price":"10.00","order_id":"1","reason":"filled"}',
    ]);
    const recording = await openData(path);
    expect((await eventsOf(recording)).map(({ kind }) => kind)).toEqual(['trades']);
    expect(recording.findings).toEqual([
      '2 messages of single orders left out (the full channel): books are those of level2',
    ]);
  });
});
