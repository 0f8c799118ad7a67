import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openData } from '../../../../src/data/open/market-data.ts';
import { eventsOf, kindsOf, levelsOf, newFolder, wordsOfFailure } from '../support/files.ts';
import type { CatalogSample, CountForm } from '../support/nautilus.ts';
import { arrowSchema, catalogFile } from '../support/nautilus.ts';
import { candleLine } from '../support/tables.ts';

const folder = newFolder();
const at = (seconds: number): bigint => BigInt(1_704_067_200 + seconds) * 1_000_000_000n;
const metadata = { instrument_id: 'BTCUSDT-PERP.BINANCE', price_precision: '1', size_precision: '3' };
let files = 0;

function put(sample: Partial<CatalogSample>, path = `part-${(files += 1)}.parquet`): string {
  const whole = { form: 'bytes16' as CountForm, columns: {}, counts: [], metadata, ...sample };
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), catalogFile(whole));
  return join(folder, path);
}

const trades = {
  columns: {
    price: ['42000.1', '42000.2'],
    size: ['0.5', '1'],
    aggressor_side: [2, 1],
    trade_id: ['7', '8'],
    ts_event: [at(0), at(1)],
    ts_init: [at(0) + 5_000_000n, at(1) + 5_000_000n],
  },
  counts: ['price', 'size'],
};
const deltas = {
  columns: {
    action: [4, 1, 1, 1, 2, 3],
    side: [0, 1, 1, 2, 2, 1],
    price: ['0', '42000.1', '42000.0', '42000.2', '42000.2', '42000.0'],
    size: ['0', '0.5', '1', '2', '2.5', '0'],
    order_id: [0, 0, 0, 0, 0, 0],
    flags: [32, 32, 32, 160, 128, 128],
    sequence: [1, 1, 1, 1, 2, 3],
    ts_event: [at(0), at(0), at(0), at(0), at(1), at(2)],
    ts_init: [at(0), at(0), at(0), at(0), at(1), at(2)],
  },
  counts: ['price', 'size'],
};

describe('a catalog of NautilusTrader', () => {
  test.each(['int64', 'bytes8', 'bytes16'] as const)('has trades whose counts are %s', async (form) => {
    const recording = await openData(put({ ...trades, form }));
    const [first] = await eventsOf(recording);
    const [instrument] = recording.instruments.all;
    expect([instrument?.symbol, instrument?.spec.tickSize, instrument?.spec.quantityIncrement]).toEqual([
      'BTCUSDT-PERP',
      '0.1',
      '0.1',
    ]);
    expect(first).toMatchObject({
      exchangeTime: 1_704_067_200_000_000,
      receiveTime: 1_704_067_200_005_000,
      trades: [{ tradeId: '7', price: 420_001, quantity: 5, side: 'sell' }],
    });
  });

  test('has metadata within the schema of Arrow, where Rust wrote it', async () => {
    const schema = (more: Readonly<Record<string, string>>) => ({
      'ARROW:schema': arrowSchema({ ...metadata, ...more }),
    });
    const recording = await openData(put({ ...trades, metadata: schema({}) }));
    expect(recording.instruments.all[0]?.symbol).toBe('BTCUSDT-PERP');
    const wrong = put({ ...trades, metadata: schema({ price_precision: '0' }) });
    expect(await wordsOfFailure(openData(wrong))).toMatch(
      /expected a price of 0 decimals as the metadata says/,
    );
  });

  test('has bars that are known at ts_init, of the length that the type of bar tells', async () => {
    const open = ['42000.1', '42005.5'];
    const columns = {
      open,
      high: ['42010.2', '42020'],
      low: ['41990', '42000'],
      close: ['42005.5', '42015'],
      volume: ['12.5', '3.25'],
      ts_event: [at(60), at(120)],
      ts_init: [at(60), at(120)],
    };
    const path = put({
      columns,
      counts: ['open', 'high', 'low', 'close', 'volume'],
      metadata: { ...metadata, bar_type: 'BTCUSDT.BINANCE-1-MINUTE-LAST-EXTERNAL' },
    });
    const [first] = await eventsOf(await openData(path));
    expect(first?.kind === 'candles' && candleLine(first.candles[0] as never)).toBe(
      '2024-01-01T00:00:00.000Z 42000.1 42010.2 41990 42005.5 12.5',
    );
    expect(first?.receiveTime).toBe(1_704_067_260_000_000);
    const ticks = put({
      columns,
      counts: Object.keys(columns).slice(0, 5),
      metadata: { ...metadata, bar_type: 'BTCUSDT.BINANCE-100-TICK-LAST-INTERNAL' },
    });
    expect(await wordsOfFailure(openData(ticks))).toMatch(
      /expected bars of a length of time .*found BTCUSDT\.BINANCE-100-TICK/,
    );
  });

  test('has quotes and changes of a book, a whole one behind each clear', async () => {
    const quotes = await openData(
      put({
        columns: {
          bid_price: ['42000.1'],
          ask_price: ['42000.2'],
          bid_size: ['0.5'],
          ask_size: ['2'],
          ts_event: [at(0)],
          ts_init: [at(0) + 5_000_000n],
        },
        counts: ['bid_price', 'ask_price', 'bid_size', 'ask_size'],
      }),
    );
    const [quote] = await eventsOf(quotes);
    expect([levelsOf(quote, quotes), quote?.receiveTime]).toEqual([
      ['b 42000.1 x 0.5', 'a 42000.2 x 2.0'],
      1_704_067_200_005_000,
    ]);
    const recording = await openData(put(deltas));
    const events = await eventsOf(recording);
    expect([kindsOf(events), events.map((event) => levelsOf(event, recording))]).toEqual([
      'bookSnapshot bookUpdate bookUpdate',
      [['b 42000.1 x 0.5', 'b 42000.0 x 1.0', 'a 42000.2 x 2.0'], ['a 42000.2 x 2.5'], ['b 42000.0 x 0.0']],
    ]);
  });

  test('is opened by its folder of one instrument, named for it where no metadata does', async () => {
    put({ ...trades, metadata: {} }, 'catalog/data/trade_tick/ETHUSDT.BINANCE/part-0.parquet');
    put({ ...deltas, metadata: {} }, 'catalog/data/order_book_deltas/ETHUSDT.BINANCE/part-0.parquet');
    const recording = await openData(join(folder, 'catalog/data/trade_tick'));
    expect([recording.format, recording.instruments.all[0]?.symbol]).toEqual(['parquet', 'ETHUSDT']);
    expect(await wordsOfFailure(openData(join(folder, 'catalog')))).toMatch(
      /catalog: expected a folder with Parquet files of one kind and instrument, found 2 \(.*order_book_deltas\/ETHUSDT\.BINANCE.*\); name one of them/,
    );
  });

  test.each([
    [
      'another precision',
      { ...trades, metadata: { ...metadata, price_precision: '0' } },
      /row 1: expected a price of 0 decimals as the metadata says, found 42000\.1/,
    ],
    [
      'no precision',
      { ...trades, metadata: { ...metadata, size_precision: 'many' } },
      /expected size_precision in the metadata as 0 to 16, found "many"/,
    ],
    [
      'texts',
      { ...trades, counts: ['size'] },
      /row 1: expected the price as a whole number, or in 8 or 16 bytes as NautilusTrader writes it, found string/,
    ],
    [
      'single orders',
      {
        ...deltas,
        columns: {
          ...deltas.columns,
          order_id: [0, 5, 6, 7, 7, 6],
          price: ['0', '42000.1', '42000.1', '42000.2', '42000.2', '42000.1'],
        },
      },
      /row 3: expected levels, one for each price, found single orders/,
    ],
    [
      'an unknown action',
      { ...deltas, columns: { ...deltas.columns, action: [4, 1, 9, 1, 2, 3] } },
      /row 3: expected an action of 1 to 4 and a side of 1 or 2, found 9 and 1/,
    ],
  ])('is refused with %s in one sentence', async (_what, sample, words) => {
    expect(await wordsOfFailure(openData(put(sample)))).toMatch(words);
  });
});
