import { describe, expect, test } from 'vitest';
import { openData } from '../../../src/data/open/market-data.ts';
import { eventsOf, kindsOf, levelsOf, newFolder, wordsOfFailure, writeLines } from './support/files.ts';

const folder = newFolder();
const header = 'exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount';

describe('a table of Tardis', () => {
  test('begins a book where rows of a snapshot follow others, and adds what of it arrives later', async () => {
    const path = writeLines(folder, 'deribit_incremental_book_L2.csv.gz', [
      header,
      'deribit,BTC-PERPETUAL,1585699200000001,1585699200000010,true,ask,6421.5,18640',
      'deribit,BTC-PERPETUAL,1585699200000001,1585699200000010,true,bid,6421,10',
      'deribit,BTC-PERPETUAL,1585699200000002,1585699200000011,true,bid,6420,20',
      'deribit,BTC-PERPETUAL,1585699200000003,1585699200000012,false,bid,6420,0',
      'deribit,BTC-PERPETUAL,1585699200000004,1585699200000013,true,bid,6400,1e-7',
    ]);
    const recording = await openData(path);
    const events = await eventsOf(recording);
    expect(kindsOf(events)).toBe('bookSnapshot bookUpdate bookUpdate bookSnapshot');
    expect(events[0]).toMatchObject({
      exchangeTime: 1_585_699_200_000_001,
      receiveTime: 1_585_699_200_000_010,
    });
    expect(levelsOf(events[3], recording)).toEqual(['b 6400.0 x 0.0000001']);
  });

  test('says with file and line which row is no row of its table', async () => {
    const path = writeLines(folder, 'cut.csv', [header, 'deribit,BTC-PERPETUAL,1585699200000001']);
    expect(await wordsOfFailure(openData(path))).toBe(
      `${path}:2: expected 8 columns with a local time in microseconds, found "deribit,BTC-PERPETUAL,1585699200000001"`,
    );
    const words = writeLines(folder, 'words.csv', [
      header,
      'deribit,BTC-PERPETUAL,1585699200000001,1585699200000010,true,ask,many,18640',
    ]);
    expect(await wordsOfFailure(openData(words))).toBe(
      `${words}:2: expected the price to be a plain decimal, found "many"`,
    );
  });

  test('reports rows that are out of order at the latest time before them, and counts them', async () => {
    const path = writeLines(folder, 'late.csv', [
      'exchange,symbol,timestamp,local_timestamp,id,side,price,amount',
      'bitmex,XBTUSD,1583020803145000,1583020803307160,a,sell,8531.5,2152',
      'bitmex,XBTUSD,1583020803145000,1583020803307000,b,buy,8531.5,1',
    ]);
    const recording = await openData(path);
    const events = await eventsOf(recording);
    expect(events.map(({ receiveTime }) => receiveTime)).toEqual([
      1_583_020_803_307_160, 1_583_020_803_307_160,
    ]);
    expect(recording.findings).toEqual(['1 lines are older than the line before; they get its time']);
  });
});

describe('a log of single orders', () => {
  const line = (time: number, event: string, id: number, price: string, amount: string, type = 0): string =>
    `${1_430_438_404_000 + time} ${event} {"price": "${price}", "amount": "${amount}", "datetime": "1430438404", "id": ${id}, "order_type": ${type}}`;

  test('becomes levels, and its defects are counted', async () => {
    const path = writeLines(folder, 'orders.log.gz', [
      line(1, 'order_created', 1, '10.00', '2.00000000'),
      line(2, 'order_created', 2, '10.00', '1.00000000'),
      line(3, 'order_changed', 1, '10.01', '0.50000000'),
      line(4, 'order_deleted', 2, '10.00', '1.00000000'),
      line(5, 'order_deleted', 2, '10.00', '1.00000000'),
      line(6, 'order_deleted', 3, '10.00', '1.00000000'),
      line(7, 'order_created', 3, '10.00', '1.00000000'),
      line(8, 'order_changed', 4, '10.05', '1.00000000', 1),
      line(9, 'order_changed', 2, '10.09', '1.00000000'),
      '1430438404010 order_book {"bids": [["10.01", "0.50000000"]], "asks": [["10.05", "2.00000000"]]}',
      '1430438404011 trade {"price": 10.05, "amount": 1.7885566900000001, "id": 5}',
      '1430438404012 trade {"price": 10.01, "amount": 0.1, "id": 7}',
    ]);
    const recording = await openData(path);
    const events = await eventsOf(recording);
    expect(recording.format).toBe('bitstamp-l3');
    expect(events.flatMap((event) => levelsOf(event, recording))).toEqual([
      'b 10.00000 x 2.00000000',
      'b 10.00000 x 3.00000000',
      'b 10.00000 x 1.00000000',
      'b 10.01000 x 0.50000000',
      'b 10.00000 x 0.00000000',
      'a 10.05000 x 1.00000000',
    ]);
    expect(recording.findings).toEqual([
      '1 prices of orders changed in place',
      '2 deletes of orders that do not rest',
      '1 of them repeated deletes',
      '1 re-created ids of orders left out',
      '1 changes of orders created before the log',
      '1 changes of deleted orders left out',
      '1 books of the venue that a left-out change would have crossed',
      '1 best levels other than those of the venue',
      '1 gaps between ids of trades',
    ]);
    const sides = events.flatMap((event) =>
      event.kind === 'trades' ? event.trades.map(({ side }) => side) : [],
    );
    expect(sides).toEqual(['buy', 'sell']);
  });
});

test('lines of Hyperliquid are whole books, one after the other', async () => {
  const path = writeLines(folder, 'hyperliquid.gz', [
    '1737918843893903000 {"channel":"l2Book","data":{"coin":"BTC","time":1737918843542,"levels":[[{"px":"5.0","sz":"3","n":1}],[{"px":"6.0","sz":"2","n":1}]]}}',
    '1737918844167767000 {"channel":"trades","data":[{"coin":"BTC","side":"B","px":"6.0","sz":"1","time":1737918843600,"tid":9}]}',
  ]);
  const recording = await openData(path);
  const events = await eventsOf(recording);
  expect(kindsOf(events)).toBe('bookSnapshot trades');
  expect(events[0]).toMatchObject({
    receiveTime: 1_737_918_843_893_903,
    exchangeTime: 1_737_918_843_542_000,
  });
  expect(events[1]).toMatchObject({ trades: [{ tradeId: '9', side: 'buy' }] });
});
