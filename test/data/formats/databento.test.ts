import { readFileSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { Book } from '../../../src/core/book/book.ts';
import type { Recording } from '../../../src/data/recording/contract.ts';
import { formats } from '../../../src/data/open/formats.ts';
import { openData } from '../../../src/data/open/market-data.ts';
import { readHead } from '../../../src/data/formats/opened-file.ts';
import { eventsOf, hasShared, isoOf, shared, written } from './support/tables.ts';

/** The only book of a recording after its last event, and how many events of which kind there were. */
async function ended(recording: Recording) {
  const instrument = recording.instruments.at(0 as never);
  const book = new Book(instrument.id);
  const counts: Record<string, number> = {};
  let crossed = 0;
  for (const event of await eventsOf(recording)) {
    counts[event.kind] = (counts[event.kind] ?? 0) + 1;
    if (event.kind !== 'bookSnapshot' && event.kind !== 'bookUpdate') continue;
    book.apply(event);
    if (book.crossed) crossed += 1;
  }
  const price = (ticks: typeof book.bestBid) =>
    ticks === undefined ? undefined : instrument.priceText(ticks);
  return { counts, crossed, bid: price(book.bestBid), ask: price(book.bestAsk) };
}

describe.skipIf(!hasShared)('Databento and LOBSTER', () => {
  test('orders of a future become its book: 13796 records, no unknown order, 5214.00 / 5214.25 at the end', async () => {
    const recording = await openData(shared('l3/cme-es-mbo-20240508.dbn.zst'));
    expect(recording.instruments.all[0]?.spec).toMatchObject({
      symbol: 'ESM4',
      tickSize: '0.25',
      quantityIncrement: '1',
    });
    expect(recording.notes[0]).toBe(
      '13796 records: 1 clear, 13678 add, 80 cancel, 27 modify, 5 trade, 5 fill',
    );
    expect(await ended(recording)).toEqual({
      counts: { bookSnapshot: 1, bookUpdate: 184, trades: 5 },
      crossed: 0,
      bid: '5214.00',
      ask: '5214.25',
    });
    expect(recording.findings).toEqual(['13598 orders rest at the end']);
  });

  test('trades and market by price are read, record for record', async () => {
    const trades = await openData(shared('formats/databento/es-trades-20240702.dbn.zst'));
    expect((await ended(trades)).counts).toEqual({ trades: 120 });
    const top = await openData(shared('formats/databento/es-mbp1-20240702.dbn.zst'));
    expect(top.notes[0]).toBe('2288 records: 120 trade, 989 cancel, 1061 add, 118 modify');
    expect(await ended(top)).toMatchObject({ counts: { bookSnapshot: 2288, trades: 120 }, crossed: 0 });
  });

  test('a file cut short, a symbol that is not in it and a foreign tick are one sentence', async () => {
    const whole = zstdDecompressSync(readFileSync(shared('formats/databento/es-trades-20240702.dbn.zst')));
    await expect(openData(written('cut.dbn', whole.subarray(0, -20)))).rejects.toThrow(
      /cut\.dbn: expected whole records to the end, found 28 bytes after record 119: the file is cut short/,
    );
    await expect(openData(written('head.dbn', whole.subarray(0, 100)))).rejects.toThrow(
      /head\.dbn: expected whole records/,
    );
    const path = shared('formats/databento/es-trades-20240702.dbn.zst');
    await expect(openData(path, { symbol: 'NQU4' })).rejects.toThrow(/expected the symbol NQU4, found ESU4/);
    const coarse = await openData(path, { tick: '10' });
    await expect(eventsOf(coarse)).rejects.toThrow(
      /record 1: expected a price of ESU4 on the tick 10, found 55/,
    );
  });

  test('LOBSTER: orders older than the file are counted, trades stand against the resting order', async () => {
    const recording = await openData(shared('l3/lobster-aapl-20120621-message50.csv.gz'));
    const { counts, crossed } = await ended(recording);
    expect(counts['trades']).toBe(4067 + 2201);
    expect(crossed).toBe(0);
    expect(recording.findings).toEqual([
      '72 deletes of orders older than the file',
      '12 executions of orders older than the file',
    ]);
    const [first] = await eventsOf(recording);
    expect([first?.kind, isoOf(first?.exchangeTime ?? 0)]).toEqual([
      'bookSnapshot',
      '2012-06-21T13:30:00.004Z',
    ]);
  });

  test('LOBSTER: a bad line, rows that go back and a name without a day are one sentence', async () => {
    const name = 'AAPL_2012-12-21_1_2_message_5.csv';
    await expect(
      openData(written(name, '34200.1,1,1,18,5853300,1\n34200.2,9,1,18,5853300,1\n')),
    ).rejects.toThrow(/message_5\.csv:2: expected "seconds,type 1-7,order,size,price,1 or -1"/);
    const back = await openData(written(name, '34200.2,1,1,18,5853300,1\n34200.1,3,1,18,5853300,1\n'));
    await expect(eventsOf(back)).rejects.toThrow(
      /message_5\.csv:2: expected messages in the order of time, found one 100000 us/,
    );
    await expect(openData(written('messages.csv', '34200.2,1,1,18,5853300,1\n'))).rejects.toThrow(
      /expected symbol and day in the name of a LOBSTER file/,
    );
    const winter = await eventsOf(await openData(written(name, '34200.2,1,1,18,5853300,1\n')));
    expect(isoOf(winter[0]?.exchangeTime ?? 0)).toBe('2012-12-21T14:30:00.200Z');
  });
});

describe.skipIf(!hasShared)('LEAN', () => {
  const files: readonly (readonly [string, string, number])[] = [
    ['coinbase/minute/btcusd/20180404_trade.zip', 'candles', 1007],
    ['coinbase/minute/btcusd/20180404_quote.zip', 'ticker', 1437],
    ['coinbase/minute/btcusd/20180405_trade.zip', 'candles', 1440],
    ['coinbase/minute/btcusd/20180405_quote.zip', 'ticker', 1436],
    ['coinbase/daily/btcusd_trade.zip', 'candles', 1318],
    ['coinbase/daily/btcusd_quote.zip', 'ticker', 1332],
    ['cryptofuture-binance/btcusd/20221213_trade.zip', 'candles', 1439],
    ['cryptofuture-binance/btcusd/20221213_quote.zip', 'ticker', 1104],
    ['cryptofuture-binance/margin_interest_btcusd.csv', 'ticker', 12],
  ];

  test.each(files)('%s holds %s events, %i of them', async (file, kind, count) => {
    const recording = await openData(shared(`bars/lean/${file}`));
    expect(recording.format).toBe('lean');
    expect((await eventsOf(recording)).map((event) => event.kind)).toEqual(
      Array.from({ length: count }, () => kind),
    );
  });

  test('seconds become minutes, without one second lost', async () => {
    const events = await eventsOf(
      await openData(shared('bars/lean/coinbase/second/btcusd/20161007_trade.zip')),
    );
    const candles = events.flatMap((event) => (event.kind === 'candles' ? event.candles : []));
    expect(candles).toHaveLength(1419);
    expect(candles[0]).toMatchObject({ period: 'M1', time: Date.UTC(2016, 9, 7) * 1_000 });
  });

  test('trade and quote bars of one market are one recording on one grid, each bar at its end', async () => {
    const folder = 'bars/lean/coinbase/minute/btcusd/';
    const paths = ['20180404_quote.zip', '20180405_trade.zip', '20180404_trade.zip'].map((name) =>
      shared(folder + name),
    );
    const recording = await openData(paths);
    expect(recording.instruments.all.map(({ spec }) => [spec.symbol, spec.tickSize])).toEqual([
      ['BTCUSD', '0.01'],
    ]);
    const events = await eventsOf(recording);
    expect(events).toHaveLength(1437 + 1440 + 1007);
    expect(
      events.every((event, i) => i === 0 || event.receiveTime >= (events[i - 1]?.receiveTime ?? 0)),
    ).toBe(true);
    const quote = events.find((event) => event.kind === 'ticker');
    expect(quote?.kind === 'ticker' ? quote.ticker : undefined).toMatchObject({
      bid: 742_490,
      bidQuantity: 188_483_821,
      ask: 742_491,
      askQuantity: 3_335_399_601,
      time: Date.UTC(2018, 3, 4, 0, 1) * 1_000,
    });
  });
});

describe.skipIf(!hasShared)('the formats', () => {
  test('no file of the recorded data is claimed by two', async () => {
    const names = ['bars', 'trades', 'l3', 'formats'];
    const { globSync } = await import('node:fs');
    const paths = names
      .flatMap((name) => globSync(`${shared(name)}/**/*.*`))
      .filter((path) => !path.endsWith('.md'));
    expect(paths.length).toBeGreaterThan(30);
    for (const path of paths) {
      const head = await readHead(path);
      expect([path, formats.filter((format) => format.detects(head, path)).length]).toEqual([path, 1]);
    }
  });
});
