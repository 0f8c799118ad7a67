import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Recording } from '../../../src/data/recording/contract.ts';
import { openData } from '../../../src/data/open/market-data.ts';
import { printPrice, printQuantity } from '../../../src/data/recording/printing.ts';
import { formatAmount } from '../../../src/core/base/amount.ts';
import { gradeOf } from './support/grade-of.ts';
import { eventsOf, newFolder, writeLines } from './support/files.ts';

const folder = newFolder();

async function closesOf(recording: Recording): Promise<readonly string[]> {
  const events = await eventsOf(recording);
  return events.flatMap((event) =>
    event.kind === 'candles' ? event.candles.map(({ close }) => formatAmount(close)) : [],
  );
}

async function tradesOf(recording: Recording): Promise<readonly string[]> {
  const events = await eventsOf(recording);
  return events.flatMap((event) => {
    if (event.kind !== 'trades') return [];
    const instrument = recording.instruments.at(event.instrument);
    return event.trades.map(
      ({ price, quantity }) =>
        `${printPrice(instrument, price, 'trimmed')} x ${printQuantity(instrument, quantity, 'trimmed')}`,
    );
  });
}

const minute = (at: number): string => `${1_704_067_200 + at * 60}000000000`;
const fixedNote = 'prices are in fixed point (10^-9), as Databento writes them: they are read as decimals';
const barHead = 'ts_event,rtype,publisher_id,instrument_id,open,high,low,close,volume,symbol';
const tradeHead =
  'ts_recv,ts_event,rtype,publisher_id,instrument_id,action,side,depth,price,size,flags,ts_in_delta,sequence,symbol';
const tradeRow = (at: number, price: string): string =>
  `${minute(at)},${minute(at)},0,1,118,T,B,0,${price},3,0,1,${at},ESM4`;

describe('tables of Databento', () => {
  const prices = ['5250250000000', '5250500000000', '5251000000000'];
  const barRow = (price: string, at: number): string =>
    `${minute(at)},33,1,118,${price},${price},${price},${price},7,ESM4`;

  test('bars in fixed point, which is the default, are read as decimals', async () => {
    const recording = await openData(writeLines(folder, 'fixed-bars.csv', [barHead, ...prices.map(barRow)]));
    expect(await closesOf(recording)).toEqual(['5250.25', '5250.5', '5251']);
    expect(recording.instruments.all[0]?.spec.tickSize).toBe('0.01');
    expect(recording.notes).toContain(fixedNote);
  });

  test('bars with a point are as they stand', async () => {
    const rows = ['5250.250000000', '5250.500000000'].map(barRow);
    const recording = await openData(writeLines(folder, 'pretty-bars.csv', [barHead, ...rows]));
    expect(await closesOf(recording)).toEqual(['5250.25', '5250.5']);
    expect(recording.notes).not.toContain(fixedNote);
  });

  test('columns that were chosen tell it as well, and a named map of columns too', async () => {
    const rows = prices.map((price, at) => `${minute(at)},118,${price},${price},${price},${price},7`);
    const path = writeLines(folder, 'some.csv', [
      'ts_event,instrument_id,open,high,low,close,volume',
      ...rows,
    ]);
    expect(await closesOf(await openData(path))).toEqual(['5250.25', '5250.5', '5251']);
    const columns = { time: 'ts_event', open: 'open', high: 'high', low: 'low', close: 'close' };
    expect(await closesOf(await openData(path, { columns }))).toEqual(['5250.25', '5250.5', '5251']);
  });

  test('trades in fixed point are read as decimals', async () => {
    const path = writeLines(folder, 'fixed-trades.csv', [
      tradeHead,
      ...prices.map((p, at) => tradeRow(at, p)),
    ]);
    const recording = await openData(path);
    expect(await tradesOf(recording)).toEqual(['5250.25 x 3', '5250.5 x 3', '5251 x 3']);
    expect(recording.notes).toContain(fixedNote);
  });

  test.each([
    [
      'a price of another unit than those before',
      ['5250250000000', '5250.5'],
      /:3: expected the price without a point/,
    ],
    [
      'the mark for no price',
      ['5250250000000', '9223372036854775807'],
      /:3: expected the price, found the mark of Databento for none/,
    ],
  ])('%s is refused', async (_, found, words) => {
    const path = writeLines(folder, 'mixed.csv', [
      tradeHead,
      ...found.map((price, at) => tradeRow(at, price)),
    ]);
    await expect(openData(path)).rejects.toThrow(words);
  });

  test('a table that may be in fixed point is refused where its prices have no point', async () => {
    const path = writeLines(folder, 'unclear.csv', [
      'ts_event,price,size',
      `${minute(0)},5250250000000,1`,
      `${minute(1)},5250500000000,1`,
    ]);
    await expect(openData(path)).rejects.toThrow(
      /unclear\.csv:2: expected the price with a point, or columns such as rtype/,
    );
    const plain = writeLines(folder, 'plain.csv', [
      'ts_event,price,size',
      `${minute(0)},5250,1`,
      `${minute(1)},5251.5,1`,
    ]);
    expect(await tradesOf(await openData(plain, { quote: 'USD' }))).toEqual(['5250 x 1', '5251.5 x 1']);
  });
});

describe('units that columns tell', () => {
  test.each([
    [
      'Timestamp,Open,High,Low,Close,Volume_(BTC),Volume_(Currency),Weighted_Price',
      '1704067200,5,5,5,5,2,10,5',
    ],
    ['Date,Open,High,Low,Close,Volume USDT,Volume ETH', '2024-01-01,5,5,5,5,10,2'],
    ['time,open,high,low,close,volumefrom,volumeto', '1704067200,5,5,5,5,2,10'],
  ])('volumes are those of their currencies: %s', async (head, row) => {
    const path = writeLines(folder, 'ETHUSDT.csv', [head, row]);
    const events = await eventsOf(await openData(path, { period: '1d' }));
    const candles = events.flatMap((event) => (event.kind === 'candles' ? event.candles : []));
    expect(candles.map(({ volume, volumeQuote }) => [volume, volumeQuote].map(formatAmount))).toEqual([
      ['2', '10'],
    ]);
  });

  test('sizes in contracts are reported, and no grade above C is given', async () => {
    const head =
      'timestamp,symbol,side,size,price,tickDirection,trdMatchID,grossValue,homeNotional,foreignNotional';
    const row = (size: string, coins: string, at: number): string =>
      `${1_704_067_200 + at},BTCUSD,Buy,${size},40000,PlusTick,id${at},0,${coins},0`;
    const of = async (...rows: readonly string[]) =>
      await gradeOf(await openData(writeLines(folder, 'BTCUSD2024.csv', [head, ...rows])));
    const contracts = await of(row('4000', '0.1', 0), row('8000', '0.2', 1));
    expect('CD').toContain(contracts.letter);
    expect(contracts.reasons.join()).toContain('2 trades whose size counts contracts and not coins');
    const coins = await of(row('0.1', '0.1', 0), row('0.2', '0.2', 1));
    expect(coins.reasons.join()).not.toContain('contracts');
  });

  test('whole prices that nothing costs are reported, but not those of small currencies', async () => {
    const rows = [6_400_000_000_000, 6_400_100_000_000].map(
      (price, at) => `${1_704_067_200 + at},${price},1`,
    );
    const lines = ['time,price,quantity', ...rows];
    const large = await openData(writeLines(folder, 'BTCUSDT-sats.csv', lines));
    expect(large.findings.join()).toContain('prices of BTCUSDT are whole numbers of 6400000000000 and more');
    const rupiah = await openData(
      writeLines(folder, 'BTCIDR.csv', [
        'time,price,quantity',
        '1704067200,1650000000,1',
        '1704067201,1650001000,1',
      ]),
    );
    expect(rupiah.findings.join()).not.toContain('whole numbers');
  });

  test('prices of LEAN are scaled by their folder, and refused without it', async () => {
    const bars = [
      '34200000,1690000,1692500,1689900,1691000,500',
      '34260000,1691000,1692500,1689900,1692000,500',
    ];
    const inFolder = join(folder, 'equity', 'usa', 'minute', 'spy');
    mkdirSync(inFolder, { recursive: true });
    const name = '20180404_spy_minute_trade.csv';
    expect(await closesOf(await openData(writeLines(inFolder, name, bars)))).toEqual(['169.1', '169.2']);
    await expect(openData(writeLines(folder, name, bars))).rejects.toThrow(
      /expected a file in the folders of LEAN.*ten-thousandths, found whole prices such as 1690000/,
    );
    const crypto = bars.map((bar) => bar.replaceAll('16', '16.'));
    const coins = writeLines(folder, '20180404_btcusd_minute_trade.csv', crypto);
    expect(await closesOf(await openData(coins))).toEqual(['16.91', '16.92']);
  });
});
