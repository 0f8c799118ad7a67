import { describe, expect, test } from 'vitest';
import { formatAmount } from '../../../src/core/base/amount.ts';
import { openData } from '../../../src/data/open/market-data.ts';
import { candleLine, candlesOf, written } from './support/tables.ts';

const candle = (minute: number, close: string) => ({
  timestamp: `2023-03-10T00:${String(minute).padStart(2, '0')}:00.000Z`,
  open: '10.01',
  close,
  min: '10.00',
  max: '10.30',
  volume: '2',
  volume_quote: '20.5',
});

const newestFirst = [candle(2, '10.12'), candle(1, '10.11'), candle(0, '10.1')];

describe('a saved reply of GET /public/candles', () => {
  test('of one symbol, newest first, is bars in the order of time', async () => {
    const recording = await openData(written('ETHBTC-M1.json', JSON.stringify(newestFirst, undefined, 2)));
    expect(recording.format).toBe('api-candles');
    expect(recording.instruments.all.map(({ symbol }) => symbol)).toEqual(['ETHBTC']);
    const candles = await candlesOf(recording);
    expect(candles.map(candleLine)).toEqual([
      '2023-03-10T00:00:00.000Z 10.01 10.3 10 10.1 2',
      '2023-03-10T00:01:00.000Z 10.01 10.3 10 10.11 2',
      '2023-03-10T00:02:00.000Z 10.01 10.3 10 10.12 2',
    ]);
    expect(candles.map(({ period }) => period)).toEqual(['M1', 'M1', 'M1']);
    expect(candles.map(({ volumeQuote }) => formatAmount(volumeQuote))).toEqual(['20.5', '20.5', '20.5']);
  });

  test('of several symbols has the bars of each; of v2 the volume is named otherwise', async () => {
    const v2 = newestFirst.map(({ volume_quote: volumeQuote, ...rest }) => ({ ...rest, volumeQuote }));
    const path = written('candles.json', JSON.stringify({ ETHBTC: v2, EMPTY: [], BTCUSDT: newestFirst }));
    const recording = await openData(path);
    expect(recording.format).toBe('api-candles');
    expect(recording.instruments.all.map(({ symbol }) => symbol)).toEqual(['ETHBTC', 'BTCUSDT']);
    const candles = await candlesOf(recording);
    expect(candles).toHaveLength(6);
    expect(candles.every(({ volumeQuote }) => formatAmount(volumeQuote) === '20.5')).toBe(true);
    const one = await openData(path, { symbol: 'BTCUSDT' });
    expect(one.instruments.all.map(({ symbol }) => symbol)).toEqual(['BTCUSDT']);
    expect(await candlesOf(one)).toHaveLength(3);
  });

  test('without volumes, as of index prices, has none', async () => {
    const plain = newestFirst.map(({ timestamp, open, close, min, max }) => ({
      timestamp,
      open,
      close,
      min,
      max,
    }));
    const candles = await candlesOf(await openData(written('BTCUSDT_PERP.json', JSON.stringify(plain))));
    expect(candles.map(({ volume }) => formatAmount(volume))).toEqual(['0', '0', '0']);
  });

  test.each([
    [
      'a price that is none',
      [candle(0, '10.1'), candle(1, 'ten')],
      /: row 2: expected the close .*found "ten"/,
    ],
    [
      'a candle without a price',
      [candle(0, '10.1'), { timestamp: '2023-03-10T00:01:00Z' }],
      /: row 2: expected the open/,
    ],
    ['a row that is no candle', [candle(0, '10.1'), 7], /: row 2: expected candles in a list/],
    [
      'a list that is none',
      { ETHBTC: newestFirst, BTCUSDT: 7 },
      /row 4: expected candles in a list, or in lists by symbol, found .*BTCUSDT/,
    ],
  ])('%s is one sentence with file and row', async (_, reply, sentence) => {
    await expect(openData(written('bad.json', JSON.stringify(reply)))).rejects.toThrow(sentence);
  });

  test('that is cut short is refused', async () => {
    const text = JSON.stringify(newestFirst).slice(0, -20);
    await expect(openData(written('cut.json', text))).rejects.toThrow(/cut\.json: row 3: expected candles/);
  });
});
