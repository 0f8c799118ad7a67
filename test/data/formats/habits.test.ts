import { describe, expect, test } from 'vitest';
import type { OpenOptions } from '../../../src/data/formats/format.ts';
import { openData } from '../../../src/data/open/market-data.ts';
import { timeText } from '../../../src/core/base/clock.ts';
import { eventsOf, newFolder, writeLines } from './support/files.ts';

const folder = newFolder();

async function openTimes(
  name: string,
  lines: readonly string[],
  options: OpenOptions = {},
): Promise<readonly string[]> {
  const events = await eventsOf(await openData(writeLines(folder, name, lines), options));
  return events.flatMap((event) => {
    if (event.kind === 'candles') return event.candles.map(({ time }) => timeText(time));
    return event.kind === 'trades' ? event.trades.map(({ time }) => timeText(time)) : [];
  });
}

describe('times in tables as people keep them', () => {
  const bar = '1,2,1,2,5';
  const two = ['2023-03-04T00:00:00.000Z', '2023-03-04T01:00:00.000Z'];
  test.each([
    ['Date,Time,Open,High,Low,Close,Volume', ['2023.03.04,00:00', '2023.03.04,01:00']],
    ['<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>', ['20230304,000000', '20230304,010000']],
    ['Date,Time,Open,High,Low,Close,Volume', ['2023-03-04,0:00', '2023-03-04,1:00']],
    ['Date,Time,Open,High,Low,Close,Volume', ['04.03.2023,00:00:00', '04.03.2023,01:00:00']],
    ['Date,Time,Open,High,Low,Close,Volume', ['20230304,0', '20230304,100']],
    ['Date,Open,High,Low,Close,Volume', ['04.03.2023 00:00', '04.03.2023 01:00']],
    ['Date,Open,High,Low,Close,Volume', ['4.3.2023 0:00', '4.3.2023 1:00']],
    [
      'Date,Open,High,Low,Close,Volume',
      ['04.03.2023 01:00:00.000 GMT+0100', '04.03.2023 02:00:00.000 GMT+0100'],
    ],
    // Both a date and a whole time: the time alone counts.
    [
      'Date,Time,Open,High,Low,Close,Volume',
      ['2023-03-04,2023-03-04 00:00:00', '2023-03-04,2023-03-04 01:00:00'],
    ],
  ])('%s with %j', async (head, times) => {
    const lines = [head, ...times.map((time) => `${time},${bar}`)];
    expect(await openTimes('BTCUSD.csv', lines)).toEqual(two);
  });

  test('days with points come day first, and no thirteenth month is taken for a day', async () => {
    const days = ['01.01.2025', '02.01.2025', '13.01.2025'].map((day) => `${day},${bar}`);
    expect(
      await openTimes('BTCUSD.csv', ['Date,Open,High,Low,Close,Volume', ...days], { period: '1d' }),
    ).toEqual(['2025-01-01T00:00:00.000Z', '2025-01-02T00:00:00.000Z', '2025-01-13T00:00:00.000Z']);
    const wrong = ['Date,Open,High,Low,Close,Volume', `01.13.2025,${bar}`];
    await expect(openTimes('BTCUSD.csv', wrong)).rejects.toThrow(/BTCUSD\.csv:2: expected the time as/);
  });

  test('trades have them in two columns, too', async () => {
    const lines = ['Date,Time,Price,Quantity', '2023.03.04,00:00:01.5,5,1', '2023.03.04,00:00:02,5,1'];
    expect(await openTimes('BTCUSD.csv', lines)).toEqual([
      '2023-03-04T00:00:01.500Z',
      '2023-03-04T00:00:02.000Z',
    ]);
  });
});

describe('rows without numbers', () => {
  const head = 'Timestamp,Open,High,Low,Close,Volume_(BTC),Volume_(Currency),Weighted_Price';
  const lines = [
    head,
    '1704067200,5,6,4,5,1,5,5',
    '1704067260,NaN,NaN,NaN,NaN,NaN,NaN,NaN',
    '1704067320,,,,,,,',
    '1704067380,5,6,4,5,1,5,5',
  ];

  test('are refused in a sentence that names the way, and left out where it is asked for', async () => {
    const path = writeLines(folder, 'bitstampUSD_1-min_data.csv', lines);
    await expect(openData(path)).rejects.toThrow(
      /:3: .*found "NaN"; .*--skip empty, in a scenario import: \{ skip: empty \}/,
    );
    const recording = await openData(path, { skip: 'empty' });
    expect(recording.instruments.all[0]?.symbol).toBe('BTCUSD');
    expect(await eventsOf(recording)).toHaveLength(2);
    expect(recording.findings).toContain('2 rows without numbers left out, as asked');
  });

  test('a row that has some of its numbers is damaged, and refused with the option, too', async () => {
    const torn = [...lines.slice(0, 2), '1704067260,5,NaN,4,5,1,5,5'];
    const path = writeLines(folder, 'BTCUSD.csv', torn);
    await expect(openData(path, { skip: 'empty' })).rejects.toThrow(/:3: expected the high to be a number/);
  });

  test('trades without price and quantity are left out, and other formats take no such option', async () => {
    const trades = ['time,price,quantity', '1704067200,5,1', '1704067201,null,null', '1704067202,5,1'];
    const path = writeLines(folder, 'BTCUSD.csv', trades);
    expect(await eventsOf(await openData(path, { skip: 'empty' }))).toHaveLength(2);
    await expect(openData('backtest/feeds/sample', { skip: 'empty' })).rejects.toThrow(
      'expected no skip with data of the format',
    );
  });
});

describe('a table of levels of a book', () => {
  const time = 1_704_067_200;
  const levels = Array.from({ length: 100 }, (_, i) => ({ i, price: (100 - i * 0.5).toFixed(1) }));
  test.each([
    [
      'one side of a book',
      'time,side,price,quantity',
      ({ price }: { price: string }) => `${time},bid,${price},1`,
    ],
    ['a book without sides', 'time,price,quantity', ({ price }: { price: string }) => `${time},${price},1`],
    [
      'a type of bid and ask',
      'time,type,price,amount',
      ({ i, price }: { i: number; price: string }) => `${time + i},${i % 2 === 0 ? 'bid' : 'ask'},${price},1`,
    ],
    [
      'a column of levels',
      'time,side,level,price,size',
      ({ i, price }: { i: number; price: string }) => `${time + i},buy,${i % 10},${price},1`,
    ],
    [
      'a column of bids',
      'timestamp,is_bid,price,size',
      ({ i, price }: { i: number; price: string }) => `${time + i},true,${price},1`,
    ],
    [
      'counts of orders',
      'timestamp,side,price,size,num_orders',
      ({ i, price }: { i: number; price: string }) => `${time + i},buy,${price},1,4`,
    ],
  ])('is no table of trades: %s', async (_, head, row) => {
    const path = writeLines(folder, 'BTCUSD-levels.csv', [head, ...levels.map(row)]);
    const trades = openData(path, { partial: true, format: 'trades-csv' });
    await expect(trades).rejects.toThrow(/expected a table of trades; name one of levels .* books-csv/);
    // Without sides they are none of books either.
    const books = openData(path, { partial: true });
    await expect(books).rejects.toThrow(/expected (?:levels that tell whole books|a table of trades)/);
  });

  test('trades of one time at several prices stay trades', async () => {
    const sweep = levels.slice(0, 9).map(({ price }) => `${time},sell,${price},1`);
    const path = writeLines(folder, 'BTCUSD.csv', [
      'time,side,price,quantity',
      ...sweep,
      `${time + 1},buy,100,1`,
    ]);
    expect(await eventsOf(await openData(path))).toHaveLength(2);
  });
});

describe('a file of no known format', () => {
  test.each([
    [
      'when,o1,h1,l1,c1',
      'the nearest formats are bars-csv, which lacks time, open, high, low, close, and trades-csv, which lacks time, price, quantity; say which column is what with --columns',
    ],
    ['date,open,high,low,last', 'bars-csv, which lacks close, and trades-csv'],
    [
      '{"a":1}',
      'the nearest formats are api-candles, freqtrade-bars and trades-json (JSON), and binance-raw',
    ],
    ['1,2,3,4', 'bars-csv and trades-csv without a header (name the columns with --columns time=0,...)'],
  ])('%s is answered with what was seen and the nearest formats', async (line, words) => {
    const refusal = openData(writeLines(folder, 'unknown.txt', [line, line]));
    await expect(refusal).rejects.toThrow(words);
    await expect(refusal).rejects.not.toThrow('kraken-v1');
  });
});

test('more symbols than any exchange lists are refused in a sentence, in every text format', async () => {
  const names = Array.from({ length: 10_001 }, (_, i) => `S${i}USDT`);
  const files: readonly (readonly [string, readonly string[]])[] = [
    [
      'tardis.csv',
      [
        'exchange,symbol,timestamp,local_timestamp,id,side,price,amount',
        ...names.map((name, i) => `x,${name},1704067200000000,1704067200000000,${i},buy,1,1`),
      ],
    ],
    [
      'raw.txt',
      names.map(
        (name) =>
          `1704067200000000 {"stream":"s@trade","data":{"e":"trade","E":1704067200000,"T":1704067200000,"s":"${name}","t":1,"p":"1","q":"1","m":true}}`,
      ),
    ],
    [
      'capture.txt',
      [
        'wss://api.hitbtc.com/api/3/ws/public <-> 1700000000.5',
        ...names.map(
          (name) =>
            `1700000001.5: {"ch":"trades","update":{"${name}":[{"t":1700000000000,"i":1,"p":"1","q":"1","s":"buy"}]}}`,
        ),
      ],
    ],
    ['trades.csv', ['time,symbol,price,quantity', ...names.map((name) => `1704067200000,${name},1,1`)]],
  ];
  for (const [name, lines] of files) {
    const path = writeLines(folder, name, lines);
    await expect(openData(path, { partial: true }), name).rejects.toThrow(
      'expected at most 10000 symbols, found "S10000USDT"',
    );
  }
});
