import { gunzipSync, gzipSync } from 'node:zlib';
import { readFileSync, rmSync } from 'node:fs';
import { zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { openData } from '../../../src/data/open/market-data.ts';
import { readColumnMap } from '../../../src/data/formats/tables/bars-columns.ts';
import { barsCsv } from '../../../src/data/formats/tables/bars-formats.ts';
import type { OpenOptions } from '../../../src/data/formats/format.ts';
import { candleLine, candlesOf, eventsOf, hasShared, isoOf, shared, written } from './support/tables.ts';

describe.skipIf(!hasShared)('recorded bars', () => {
  test.each([
    ['backtesting-py_GOOG.csv.gz', 2148, 'D1', '2004-08-20', '2013-03-02'],
    ['backtesting-py_EURUSD.csv.gz', 5000, 'H1', '2017-04-19', '2018-02-07'],
    ['backtesting-py_BTCUSD.csv.gz', 156, '1M', '2012-02-01', '2025-01-01'],
    ['backtrader_2006-day-001.txt.gz', 255, 'D1', '2006-01-03', '2006-12-30'],
    ['nautilus_btc-perp-20211231-20220201_1m.csv.gz', 45031, 'M1', '2021-12-31', '2022-02-01'],
    ['kraken-ohlcvt_XBTUSD_1440.csv.gz', 3727, 'D1', '2013-10-07', '2024-01-01'],
    ['cryptodatadownload_Coinbase_BTCUSD_1h.csv.gz', 20111, 'H1', '2017-07-01', '2019-10-17'],
    ['freqtrade_UNITTEST_BTC-1m.json.gz', 13681, 'M1', '2017-11-04', '2017-11-14'],
    ['freqtrade_XRP_ETH-1m.csv.gz', 2469, 'M1', '2019-10-11', '2019-10-13'],
    ['freqtrade_XRP_ETH-5m.csv.gz', 706, 'M5', '2019-10-11', '2019-10-13'],
    ['binance-public/BTCUSDT-1m-2023-03-10.zip', 1440, 'M1', '2023-03-10', '2023-03-11'],
  ])('%s gives %i bars of %s, reported from %s to %s', async (file, count, period, from, till) => {
    const candles = await candlesOf(await openData(shared(`bars/${file}`)));
    expect(candles).toHaveLength(count);
    expect(new Set(candles.map((candle) => candle.period))).toEqual(new Set([period]));
    expect(isoOf(candles[0]?.noted ?? 0).slice(0, 10)).toBe(from);
    expect(isoOf(candles.at(-1)?.noted ?? 0).slice(0, 10)).toBe(till);
    expect(
      candles.every((candle, index) => index === 0 || candle.noted > (candles[index - 1]?.noted ?? 0)),
    ).toBe(true);
    expect(candles.every((candle) => candle.noted > candle.time)).toBe(true);
  });

  test('numbers are those of the file, digit for digit', async () => {
    const [first] = await candlesOf(await openData(shared('bars/binance-public/BTCUSDT-1m-2023-03-10.zip')));
    expect(candleLine(first as never)).toBe(
      '2023-03-10T00:00:00.000Z 20362.21 20367.78 20349.99 20359.9 381.04396',
    );
    const [small] = await candlesOf(await openData(shared('bars/freqtrade_UNITTEST_BTC-1m.json.gz')));
    expect(candleLine(small as never)).toBe(
      '2017-11-04T23:02:00.000Z 0.00162008 0.00162008 0.00162008 0.00162008 108.14853839',
    );
  });

  test('days of one market are one recording without a hole', async () => {
    const days = [10, 11, 12, 13, 14].map((day) =>
      shared(`bars/binance-public/BTCUSDT-1m-2023-03-${day}.zip`),
    );
    const candles = await candlesOf(await openData([...days].reverse()));
    expect(candles).toHaveLength(5 * 1440);
    expect(
      candles.every((candle, i) => i === 0 || candle.time - (candles[i - 1]?.time ?? 0) === 60_000_000),
    ).toBe(true);
  });

  test('rows out of order are sorted and reported', async () => {
    const recording = await openData(shared('bars/cryptodatadownload_Coinbase_BTCUSD_1h.csv.gz'));
    const candles = await candlesOf(recording);
    expect(
      candles.every((candle, i) => i === 0 || candle.time - (candles[i - 1]?.time ?? 0) === 3_600_000_000),
    ).toBe(true);
    expect(recording.findings).toEqual(['5 groups of rows out of order']);
  });

  test('a truncated zip is one sentence with the file', async () => {
    const whole = readFileSync(shared('bars/binance-public/BTCUSDT-1m-2023-03-10.zip'));
    const path = written('cut.zip', whole.subarray(0, 40_000));
    await expect(openData(path)).rejects.toThrow(/cut\.zip: expected a whole zip/);
    const packed = gzipSync(gunzipSync(readFileSync(shared('bars/kraken-ohlcvt_XBTUSD_1440.csv.gz'))));
    await expect(openData(written('cut.csv.gz', packed.subarray(0, 50_000)))).rejects.toThrow(
      /cut\.csv\.gz: expected a whole gzip file/,
    );
  });
});

const table = 'Date,Open,High,Low,Close,Volume\n';

function opened(text: string, options: OpenOptions = {}, name = 'bars.csv') {
  return openData(written(name, text), { format: 'bars-csv', ...options });
}

describe('any table of bars', () => {
  test('says which symbols it leaves out because another one is wanted', async () => {
    const rows = ['A', 'B', 'C'].flatMap((name) => [
      `2024-01-01,1,2,1,2,0,${name}`,
      `2024-01-02,1,2,1,2,0,${name}`,
    ]);
    const text = `Date,Open,High,Low,Close,Volume,Symbol\n${rows.join('\n')}\n`;
    expect((await opened(text, { symbol: 'B' })).notes).toContain(
      'rows of 2 other symbols (A, C) are left out: only B is wanted',
    );
    expect((await opened(text)).notes.join()).not.toContain('left out');
  });

  test.each([
    ['2023-01-01', '2023-01-02', '2023-01-01T00:00:00.000Z', 'D1'],
    ['2023-01-01 00:00:00', '2023-01-01 04:00:00', '2023-01-01T00:00:00.000Z', 'H4'],
    ['2023-01-01T00:00:00.5+02:00', '2023-01-01T00:01:00.5+02:00', '2022-12-31T22:00:00.500Z', 'M1'],
    ['20230101 00:00', '20230101 00:05', '2023-01-01T00:00:00.000Z', 'M5'],
    ['2023-01-01 12-AM', '2023-01-01 01-AM', '2023-01-01T00:00:00.000Z', 'H1'],
    ['2023-01-01 12:00:00 PM', '2023-01-01 01:00:00 PM', '2023-01-01T12:00:00.000Z', 'H1'],
    ['1672531200', '1672531380', '2023-01-01T00:00:00.000Z', 'M3'],
    ['1672531200000', '1672532100000', '2023-01-01T00:00:00.000Z', 'M15'],
    ['1672531200000000', '1672533000000000', '2023-01-01T00:00:00.000Z', 'M30'],
    ['1672531200000000000', '1672531260000000999', '2023-01-01T00:00:00.000Z', 'M1'],
    ['2023-01-31', '2023-02-28', '2023-01-01T00:00:00.000Z', '1M'],
    ['2023-01-02', '2023-01-09', '2023-01-02T00:00:00.000Z', 'D7'],
  ])('reads the time %s, and the period from the next %s', async (first, second, iso, period) => {
    const candles = await candlesOf(await opened(`${table}${first},1,2,0.5,1.5,3\n${second},1,2,1,1,4\n`));
    expect(candles.map((candle) => candle.period)).toEqual([period, period]);
    expect(isoOf(candles[0]?.time ?? 0)).toBe(iso);
  });

  test('a map by number or by name says which column is what, and a symbol column parts the rows', async () => {
    const rows =
      '7,b,1672531200,2,5,1,3\n7,b,1672531260,2,6,1,3\n7,a,1672531200,2,7,1,3\n7,a,1672531260,2,8,1,3\n';
    const columns = { time: '2', open: '3', high: '4', low: '5', close: '6', symbol: '1' };
    const byNumber = await opened(rows, { columns });
    expect(byNumber.instruments.all.map(({ symbol }) => symbol)).toEqual(['b', 'a']);
    expect(
      (await candlesOf(byNumber)).map(({ instrument, max }) => [instrument, Number(max / 10n ** 24n)]),
    ).toEqual([
      [0, 5],
      [1, 7],
      [0, 6],
      [1, 8],
    ]);
    const only = await opened(rows, { columns, symbol: 'a' });
    expect((await candlesOf(only)).map(({ max }) => Number(max / 10n ** 24n))).toEqual([7, 8]);
    await expect(opened(rows, { columns, symbol: 'c' })).rejects.toThrow(
      /expected rows with bars of c, found those of a/,
    );
    const named = await opened(`x,Sym,When,O1,Hi,Lo,Cl\n${rows}`, {
      columns: { time: 'When', open: 'O1', high: 'Hi', low: 'Lo', close: 'Cl', symbol: 'Sym' },
    });
    expect(await candlesOf(named)).toHaveLength(4);
  });

  test('a map of columns is read from one line of text', () => {
    expect(readColumnMap('time=0, open=Open price,close=4')).toEqual({
      time: '0',
      open: 'Open price',
      close: '4',
    });
    expect(() => readColumnMap('time=0,open')).toThrow(/expected columns as time=0,open=1 .* found "open"/);
    expect(() => readColumnMap('time=0,time=1')).toThrow(/each field once, found "time=1"/);
  });

  test('semicolons, tabs, quotes, blank lines, a byte order mark and exponents are read', async () => {
    const text =
      '\uFEFF"time";"open";"high";"low";"close";"volume"\n\n1672531200;1e-05;2E-5;"0.00001";.00001;5.\n1672531260;1;1;1;1;1\n';
    const [first] = await candlesOf(await opened(text));
    expect(candleLine(first as never)).toBe('2023-01-01T00:00:00.000Z 0.00001 0.00002 0.00001 0.00001 5');
  });

  test('tick, increment, symbol, period and stamp may be given', async () => {
    const recording = await opened(`${table}2023-01-02,1,2,0.5,1.5,3\n`, {
      symbol: 'ETH/BTC',
      tick: '0.25',
      increment: '0.1',
      period: '1d',
      stamp: 'close',
    });
    expect(recording.instruments.all[0]?.spec).toMatchObject({
      symbol: 'ETH/BTC',
      baseCurrency: 'ETH',
      quoteCurrency: 'BTC',
      tickSize: '0.25',
      quantityIncrement: '0.1',
    });
    const [only] = await candlesOf(recording);
    expect([isoOf(only?.time ?? 0), isoOf(only?.noted ?? 0)]).toEqual([
      '2023-01-01T00:00:00.000Z',
      '2023-01-02T00:00:00.000Z',
    ]);
  });

  test('seconds and two hours become the candles that hold them', async () => {
    const seconds = [0, 1, 2, 59, 60]
      .map((s) => `${1672531200 + s},${s + 1},${s + 3},${s},${s + 2},2`)
      .join('\n');
    const [first, second] = await candlesOf(await opened(`${table}${seconds}\n`, { period: '1s' }));
    expect(candleLine(first as never)).toBe('2023-01-01T00:00:00.000Z 1 62 0 61 8');
    expect(isoOf(first?.noted ?? 0)).toBe('2023-01-01T00:01:00.000Z');
    expect(candleLine(second as never)).toBe('2023-01-01T00:01:00.000Z 61 63 60 62 2');
    const hours = await opened(`${table}1672531200,1,2,1,1,1\n1672538400,1,3,1,1,1\n`);
    expect((await candlesOf(hours)).map((candle) => candle.period)).toEqual(['H4']);
    expect(hours.notes.at(-1)).toBe(
      'bars of 2h are joined into candles of H4, the shortest period that holds them',
    );
  });

  test('repeated bars are left out and counted, the first of two that differ stays', async () => {
    const recording = await opened(
      `${table}1672531200,1,2,1,1,1\n1672531260,1,2,1,1,1\n1672531260,1,2,1,1,1\n1672531200,1,9,1,1,1\n`,
    );
    const candles = await candlesOf(recording);
    expect(candles.map(candleLine)).toEqual([
      '2023-01-01T00:00:00.000Z 1 2 1 1 1',
      '2023-01-01T00:01:00.000Z 1 2 1 1 1',
    ]);
    expect(recording.findings).toEqual([
      '1 group of rows out of order',
      '1 bar repeated with other values; the first counts',
      '1 bar repeated',
    ]);
  });

  test('digits that only a binary fraction has are read as the decimal they stand for', async () => {
    const recording = await opened(
      `${table}1672531200,1,2,1,1,24.426957669999997\n1672531260,1,2,1,1,110.0829000000005\n`,
    );
    const volumes = (await candlesOf(recording)).map((candle) => candleLine(candle).split(' ').at(-1));
    expect(volumes).toEqual(['24.42695767', '110.0829']);
    expect(recording.instruments.all[0]?.spec.quantityIncrement).toBe('0.00000001');
  });

  test.each([
    [
      'NaN',
      '1672531200,1,NaN,1,1,1',
      /bars\.csv:2: expected the high to be a number not below 0, found "NaN"/,
    ],
    [
      'a negative volume',
      '1672531200,1,2,1,1,-1',
      /bars\.csv:2: expected the volume to be a number not below 0, found "-1"/,
    ],
    [
      'a high below the low',
      '1672531200,1,1,2,1,1',
      /bars\.csv:2: expected the high not to be below the low, found high 1 and low 2/,
    ],
    [
      'a missing column',
      '1672531200,1,1',
      /bars\.csv:2: expected the low in column 3 \(counted from 0\), found 3 columns/,
    ],
    ['no time', 'yesterday,1,2,1,1,1', /bars\.csv:2: expected the time as seconds.*found "yesterday"/],
    ['a date that does not exist', '2023-02-30,1,2,1,1,1', /bars\.csv:2: expected the time as/],
    [
      'another form of time',
      '1672531200,1,2,1,1,1\n2023-01-01,1,2,1,1,1',
      /bars\.csv:3: expected a time of the same form/,
    ],
    [
      'one bar without a period',
      '1672531200,1,2,1,1,1',
      /bars\.csv: expected two bars or more to infer their period from/,
    ],
    ['no rows', '', /bars\.csv: expected rows with bars, found none/],
  ])('%s is one sentence with file, line and expectation', async (_, rows, message) => {
    await expect(opened(`${table}${rows}\n`)).rejects.toThrow(message);
  });

  test.each([
    ['an unknown field', { tiem: '0' }, /expected columns for time, open, .*found one for "tiem"/],
    [
      'a name that is not there',
      { close: 'Last' },
      /expected .*Last.*found "Date,Open,High,Low,Close,Volume"/,
    ],
    [
      'a number beyond the row',
      { time: '0', open: '1', high: '2', low: '3', close: '9' },
      /:2: expected the close in column 9 \(counted from 0\), found 6 columns/,
    ],
    [
      'high and low exchanged',
      { time: '0', open: '1', high: '3', low: '2', close: '4' },
      /bars\.csv:2: expected the high not to be below the low/,
    ],
  ])('a map of columns with %s is one sentence', async (_, columns, message) => {
    await expect(opened(`${table}1672531200,1,2,1,1,1\n`, { columns })).rejects.toThrow(message);
  });

  test('an empty file and text that is no table are refused', async () => {
    await expect(opened('')).rejects.toThrow(/bars\.csv: expected recorded data, found an empty file/);
    await expect(opened('hello\nworld\n')).rejects.toThrow(
      /bars\.csv:1: expected a header with time, open, high, low, close/,
    );
    await expect(openData(written('cut.json', '[[1672531200000,1,2,1,1,1],[167253'))).rejects.toThrow(
      /cut\.json: row 2: expected a JSON list of lists/,
    );
  });

  test('a zip of a table is opened by its content, whatever its name', async () => {
    const zip = zipSync({
      'a/': new Uint8Array(),
      'a/x.csv': Buffer.from(`${table}2023-01-01,1,2,1,1,1\n2023-01-02,1,2,1,1,1\n`),
    });
    const recording = await openData(written('any.bin', zip));
    expect(recording.format).toBe(barsCsv.name);
    expect(await eventsOf(recording)).toHaveLength(2);
  });
});

test('rows of few bars are read from their file once, and come the same in each pass', async () => {
  const row = (i: number): string => `${1_672_531_200 + (i % 700) * 60},1,2,1,1.5,${i}`;
  for (const [name, rows] of [
    ['btcusd-in-order.csv', Array.from({ length: 700 }, (_, i) => row(i))],
    ['btcusd-sorted.csv', Array.from({ length: 700 }, (_, i) => row(699 - i))],
  ] as const) {
    const path = written(name, `time,open,high,low,close,volume\n${rows.join('\n')}\n`);
    const recording = await openData(path);
    const first = await eventsOf(recording);
    rmSync(path);
    expect(first).toHaveLength(700);
    expect(await eventsOf(recording)).toEqual(first);
  }
});

test('rows of many bars are read from their file in each pass', async () => {
  const rows = Array.from({ length: 100_001 }, (_, i) => `${1_672_531_200 + i * 60},1,2,1,1.5,1`);
  const path = written('btcusd-many.csv', `time,open,high,low,close,volume\n${rows.join('\n')}\n`);
  const recording = await openData(path);
  expect(await eventsOf(recording)).toHaveLength(100_001);
  rmSync(path);
  await expect(eventsOf(recording)).rejects.toThrow(/many\.csv/);
});
