import { parquetWriteBuffer } from 'hyparquet-writer';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openData } from '../../../src/data/open/market-data.ts';
import type { OpenOptions } from '../../../src/data/formats/format.ts';
import { eventsOf, kindsOf, levelsOf, newFolder, wordsOfFailure, writeLines } from './support/files.ts';
import { gradeOf } from './support/grade-of.ts';

const folder = newFolder();
const time = 1_700_000_000_000;

async function read(name: string, lines: readonly string[], options: OpenOptions = {}) {
  const recording = await openData(writeLines(folder, name, lines), options);
  const events = await eventsOf(recording);
  return {
    recording,
    events,
    kinds: kindsOf(events),
    levels: events.map((event) => levelsOf(event, recording)),
    grade: await gradeOf(recording),
  };
}

describe('a table with a row for each book', () => {
  const best = ['b 99.9 x 2.0', 'b 99.8 x 3.5', 'a 100.0 x 4.0', 'a 100.1 x 5.0'];
  const row = (at: number): string => `${time + at},99.9,2,99.8,3.5,100.0,4,100.1,5`;

  test.each([
    [
      'Crypto Lake',
      'bid_0_price,bid_0_size,bid_1_price,bid_1_size,ask_0_price,ask_0_size,ask_1_price,ask_1_size',
    ],
    [
      'Tardis, without its first columns',
      'bids[0].price,bids[0].amount,bids[1].price,bids[1].amount,asks[0].price,asks[0].amount,asks[1].price,asks[1].amount',
    ],
    ['the number behind', 'bidPrice1,bidQty1,bidPrice2,bidQty2,askPrice1,askQty1,askPrice2,askQty2'],
    ['the price without a word', 'bid1,bidvol1,bid2,bidvol2,ask1,askvol1,ask2,askvol2'],
    [
      'the number first',
      'L1-BidPrice,L1-BidSize,L2-BidPrice,L2-BidSize,L1-AskPrice,L1-AskSize,L2-AskPrice,L2-AskSize',
    ],
  ])('is read as whole books of grade B: as %s', async (_what, header) => {
    const { recording, kinds, levels, grade } = await read('BTCUSDT-book.csv', [
      `timestamp,${header}`,
      row(0),
      row(100),
    ]);
    expect([recording.format, kinds, grade.letter]).toEqual(['books-csv', 'bookSnapshot bookSnapshot', 'B']);
    expect(levels).toEqual([best, best]);
    expect(recording.instruments.all[0]?.spec).toMatchObject({
      symbol: 'BTCUSDT',
      tickSize: '0.1',
      quantityIncrement: '0.1',
    });
  });

  test('has two times where it names both, and one where the venue sends none', async () => {
    const header = 'received_time,origin_time,symbol,bid_0_price,bid_0_size,ask_0_price,ask_0_size';
    const nanos = (at: number): string => `${time + at}000000`;
    const { events } = await read('lake.csv', [
      header,
      `${nanos(5)},${nanos(0)},BTC-USDT,99.9,2,100,1`,
      `${nanos(9)},,BTC-USDT,99.9,2,100,1`,
    ]);
    expect(events.map(({ exchangeTime, receiveTime }) => [exchangeTime, receiveTime])).toEqual([
      [time * 1_000, (time + 5) * 1_000],
      [(time + 9) * 1_000, (time + 9) * 1_000],
    ]);
  });

  test('of one level is that of quotes; cells that are empty on both, or 0, are no level', async () => {
    const quotes = await read('BTCUSDT-bookTicker-2023-11-14.csv', [
      'update_id,best_bid_price,best_bid_qty,best_ask_price,best_ask_qty,transaction_time,event_time',
      `7,99.9,2,100,1,${time},${time + 2}`,
    ]);
    expect(quotes.levels).toEqual([['b 99.9 x 2', 'a 100.0 x 1']]);
    expect([
      quotes.recording.format,
      quotes.events.map((event) => 'sequence' in event && event.sequence),
    ]).toEqual(['binance-book-ticker', [7]]);
    // Without a header, in microseconds.
    const bare = await read('BTCUSDT-bookTicker-2025-11-14.csv', [`8,99.9,2,100,1,${time}000,${time}002`]);
    expect([bare.levels, bare.events[0]?.exchangeTime]).toEqual([quotes.levels, time * 1_000]);
    const thin = await read('BTCUSDT.csv', [
      'time,bid_price_0,bid_size_0,bid_price_1,bid_size_1,ask_price_0,ask_size_0,ask_price_1,ask_size_1',
      `${time},99.9,2,,,100,1,0,0`,
    ]);
    expect(thin.levels).toEqual([['b 99.9 x 2', 'a 100.0 x 1']]);
    const refused = ['time,bid_price_0,bid_size_0,ask_price_0,ask_size_0', `${time},NaN,2,100,1`];
    expect(await wordsOfFailure(read('BTCUSDT.csv', refused))).toMatch(
      /BTCUSDT\.csv:2: expected the bid price 0 to be a number above 0, found "NaN"/,
    );
  });

  test.each([
    ['JSON', '"[[99.9, 2.0], [99.8, 3.5]]","[[100.0, 4], [100.1, 5]]"'],
    [
      'text in JSON',
      `"[[""99.9"", ""2.0""], [""99.8"", ""3.5""]]","[[""100.0"", ""4""], [""100.1"", ""5"", ""7""]]"`,
    ],
    ['Python', `"[('99.9', '2.0'), ('99.8', '3.5')]","[(100.0, 4), (100.1, 5)]"`],
  ])('may have a list of levels in a cell, as %s prints it', async (_what, cells) => {
    const { levels } = await read('BTCUSDT.csv', ['timestamp,bids,asks', `${time},${cells}`]);
    expect(levels).toEqual([best]);
    const broken = ['timestamp,bids,asks', `${time},"[[99.9, 2.0], [x, 1]]","[[100, 4]]"`];
    expect(await wordsOfFailure(read('BTCUSDT.csv', broken))).toMatch(
      /:2: expected the bids as a list of prices and sizes, \[\[price, size\], \.\.\.\], found "\[\[99/,
    );
  });

  test('of Databento is in fixed point, and has its trades', async () => {
    const header =
      'ts_recv,ts_event,rtype,publisher_id,instrument_id,action,side,depth,price,size,bid_px_00,ask_px_00,bid_sz_00,ask_sz_00,bid_ct_00,ask_ct_00,symbol';
    const line = (action: string, side: string): string =>
      `${time}000000,${time}000000,1,1,118,${action},${side},0,5250000000,3,5250000000,5500000000,7,8,1,2,BTCUSDT`;
    const { kinds, levels, events } = await read('mbp-1.csv', [header, line('A', 'B'), line('T', 'A')]);
    expect(kinds).toBe('bookSnapshot trades bookSnapshot');
    expect(levels[0]).toEqual(['b 5.25 x 7', 'a 5.50 x 8']);
    expect(events[1]).toMatchObject({ trades: [{ side: 'sell', quantity: 3 }] });
  });
});

describe('a table with a row for each level', () => {
  const header = 'time,side,price,size';
  const book = (at: number, [bid, ask] = ['bid', 'ask']): readonly string[] => [
    `${time + at},${bid},99.9,2`,
    `${time + at},${bid},99.8,3`,
    `${time + at},${ask},100,4`,
    `${time + at},${ask},100.1,5`,
  ];
  const best = ['b 99.9 x 2', 'b 99.8 x 3', 'a 100.0 x 4', 'a 100.1 x 5'];

  test('of Kaiko has whole books: each time has both sides', async () => {
    const lines = [...book(0, ['b', 'a']), ...book(30_000, ['b', 'a'])];
    const { recording, kinds, levels, grade } = await read('oe_btcusdt_2023-11-14.csv', [
      'date,type,price,amount',
      ...lines,
    ]);
    expect([recording.format, kinds, grade.letter]).toEqual(['books-csv', 'bookSnapshot bookSnapshot', 'B']);
    expect(levels).toEqual([best, best]);
  });

  test.each([
    ['is_snapshot', 'true', 'false'],
    ['is_snapshot', '1', '0'],
    ['update_type', 'SNAPSHOT', 'SET'],
    ['action', 'partial', 'update'],
    ['type', 'snapshot', 'l2update'],
  ])('that says by %s what is whole has books and changes of grade B', async (column, whole, change) => {
    const lines = [
      ...book(0).map((line) => `${line},${whole}`),
      `${time + 100},bid,99.9,0,${change}`,
      `${time + 100},ask,100,1,${change}`,
      `${time + 200},bid,99.7,9,${change}`,
    ];
    const { kinds, levels, grade } = await read('BTCUSDT.csv', [`${header},${column}`, ...lines]);
    expect([kinds, grade.letter]).toEqual(['bookSnapshot bookUpdate bookUpdate', 'B']);
    expect(levels).toEqual([best, ['b 99.9 x 0', 'a 100.0 x 1'], ['b 99.7 x 9']]);
  });

  test('deletes levels by the word for it, whatever their size', async () => {
    const lines = [...book(0).map((line) => `${line},snapshot`), `${time + 1},bid,99.9,2,delete`];
    expect((await read('BTCUSDT.csv', [`${header},action`, ...lines])).levels[1]).toEqual(['b 99.9 x 0']);
  });

  test('that marks no whole book begins with its first time, and is of grade C', async () => {
    const lines = [...book(0), `${time + 1},bid,99.9,0`, `${time + 2},ask,100,9`];
    const { kinds, levels, grade } = await read('BTCUSDT.csv', [header, ...lines]);
    expect(kinds).toBe('bookSnapshot bookUpdate bookUpdate');
    expect(levels.slice(1)).toEqual([['b 99.9 x 0'], ['a 100.0 x 9']]);
    expect(grade.letter).toBe('C');
    expect(grade.reasons[0]).toMatch(/^1 times the rows of a first time are taken for a whole book/);
  });

  test('goes on in a second file without a book of its own', async () => {
    const first = writeLines(folder, 'BTCUSDT-1.csv', [header, ...book(0), `${time + 1},bid,99.9,0`]);
    const rest = [`${time + 5},bid,99.8,0`, `${time + 5},ask,100,1`, `${time + 6},bid,99.7,1`];
    const second = writeLines(folder, 'BTCUSDT-2.csv', [header, ...rest]);
    const events = await eventsOf(await openData([first, second]));
    expect(kindsOf(events)).toBe('bookSnapshot bookUpdate bookUpdate bookUpdate');
  });

  test('of which nothing tells whole books from changes is refused in a sentence', async () => {
    const lines = Array.from(
      { length: 20 },
      (_, i) => `${time + i},${i % 2 === 0 ? 'bid' : 'ask'},100,${i + 1}`,
    );
    expect(await wordsOfFailure(read('BTCUSDT.csv', ['time,type,price,size', ...lines]))).toMatch(
      /BTCUSDT\.csv: expected levels that tell whole books from changes .*, found 20 of 20 times with one side alone/,
    );
  });

  test('is taken for one by name, where its first rows look like trades', async () => {
    const lines = ['1,1,99.9,2', '1,1,99.8,1', '1,0,100,4'].map((line) => `${time}${line.slice(1)}`);
    const columns = { time: '0', isBid: '1', price: '2', quantity: '3' };
    const { levels } = await read('BTCUSDT.csv', lines, { format: 'books-csv', columns });
    expect(levels).toEqual([['b 99.9 x 2', 'b 99.8 x 1', 'a 100.0 x 4']]);
  });

  test('keeps the symbols apart, and takes one of them', async () => {
    const of = (symbol: string): readonly string[] => book(0).map((line) => `${line},${symbol}`);
    const lines = [`${header},symbol`, ...of('BTCUSDT'), ...of('ETHUSDT')];
    expect((await read('two.csv', lines)).kinds).toBe('bookSnapshot bookSnapshot');
    const one = await read('two.csv', lines, { symbol: 'ETHUSDT' });
    expect(one.kinds).toBe('bookSnapshot');
    expect(one.recording.notes.at(-1)).toBe('rows of BTCUSDT are left out: only ETHUSDT is wanted');
  });
});

describe('historical order books of Binance', () => {
  const header = 'symbol,timestamp,first_update_id,last_update_id,side,update_type,price,qty,pu';
  const update = (id: number, previous: number, level: string): string =>
    `BTCUSDT,${time + id},${previous + 1},${id},${level},${previous}`;
  const snap = writeLines(folder, 'BTCUSDT_T_DEPTH_2022-11-02_depth_snap.csv', [
    header,
    `BTCUSDT,${time + 20},20,20,b,snap,99.9,2,-1`,
    `BTCUSDT,${time + 20},20,20,a,snap,100,3,-1`,
  ]);
  const updates = (...ids: readonly (readonly [id: number, previous: number])[]): string =>
    writeLines(folder, 'BTCUSDT_T_DEPTH_2022-11-02_depth_update.csv', [
      header,
      ...ids.map(([id, previous]) => update(id, previous, `b,set,99.9,${id % 3}`)),
    ]);

  test('are joined by their update ids, and prove their sequence', async () => {
    const events = await eventsOf(await openData([updates([15, 10], [25, 15], [30, 25]), snap]));
    expect(kindsOf(events)).toBe('bookSnapshot bookUpdate bookUpdate');
    const gap = await openData([updates([15, 10], [25, 15], [40, 35]), snap]);
    expect(kindsOf(await eventsOf(gap))).toBe('bookSnapshot bookUpdate bookStale');
    expect((await gradeOf(gap)).letter).toBe('C');
  });

  test('without the file of whole books are of grade D, with what is missing', async () => {
    const grade = await gradeOf(await openData(updates([15, 10], [25, 15])));
    expect([grade.letter, grade.reasons.join()]).toEqual(['D', expect.stringContaining('no whole book')]);
  });

  test('as sums within percentages of the price are named, and refused', async () => {
    const bands = ['timestamp,percentage,depth,notional', '2023-01-01 00:00:07,-5,100.5,1600000'];
    expect(await wordsOfFailure(read('BTCUSDT-bookDepth-2023-01-01.csv', bands))).toMatch(
      /found sums of the book within percentages of the price, and no levels of a book \(binance-book-depth\)/,
    );
  });
});

test.each([
  [
    'changes that are added, of CoinAPI',
    'time_exchange;time_coinapi;is_buy;update_type;entry_px;entry_sx;order_id',
    '00:00:01.5;00:00:01.6;1;ADD;99.9;2;7',
  ],
])('%s are answered with what a table of books has', async (_what, header, line) => {
  expect(await wordsOfFailure(read('BTCUSDT.csv', [header, line]))).toMatch(
    /the nearest format is books-csv: a time, and a price and a size of bids and of asks/,
  );
});

test('a Parquet table of books is read as its CSV is', async () => {
  const column = (name: string, data: readonly number[]) => ({
    name,
    data: [...data],
    type: 'DOUBLE' as const,
  });
  const buffer = parquetWriteBuffer({
    columnData: [
      { name: 'timestamp', data: [BigInt(time) * 1_000_000n, BigInt(time + 1) * 1_000_000n], type: 'INT64' },
      column('bid_0_price', [99.9, 0.1 + 0.2]),
      column('bid_0_size', [2, 2]),
      column('ask_0_price', [100, Number.NaN]),
      column('ask_0_size', [1, Number.NaN]),
    ],
  });
  const path = join(folder, 'BTCUSDT.parquet');
  writeFileSync(path, Buffer.from(buffer));
  const recording = await openData(path);
  const events = await eventsOf(recording);
  expect(events.map((event) => levelsOf(event, recording))).toEqual([
    ['b 99.9 x 2', 'a 100.0 x 1'],
    ['b 0.3 x 2'],
  ]);
  expect(recording.findings).toEqual([
    '1 rows with numbers printed from binary fractions, read as the decimals they stand for',
  ]);
});
