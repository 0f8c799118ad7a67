import { describe, expect, test } from 'vitest';
import { parseAmount } from '../../../src/core/base/amount.ts';
import { openData } from '../../../src/data/open/market-data.ts';
import { candlesOf, written } from './support/tables.ts';

const bars = 'time,open,high,low,close,volume\n';
const rows = [0, 60, 120].map((second) => `${1_700_000_040 + second},10,11,9,10,5`);

describe('a table with a header', () => {
  test.each([
    ['bars.csv', `${bars}${rows.join('\n')}\n1700000220,1,010,1,011,1,009,1,010,5\n`],
    ['trades.csv', 'time,price,quantity\n1700000000,10,1\n1700000001,1,010,1\n'],
  ])('is refused where a row has more cells than it: %s', async (name, text) => {
    await expect(openData(written(name, text))).rejects.toThrow(
      /:\d: expected no cell without a column of the header, found "1?(1|009)"/,
    );
  });

  test('is refused where a row ends in a cell that is read, and the header goes on', async () => {
    const cut = `${bars.trim()},trades\n${rows.map((row) => `${row},3`).join('\n')}\n1700000220,10,11,9,10,5`;
    await expect(openData(written('cut.csv', cut))).rejects.toThrow(
      'cut.csv:5: expected as many cells as the header, found the end of the row after "5"',
    );
    // A comment that is left out takes nothing with it, and a column without a name is none.
    const whole = `${bars.trim()},trades,comment,\n${rows.map((row) => `${row},3`).join('\n')}\n`;
    expect(await candlesOf(await openData(written('whole.csv', whole)))).toHaveLength(3);
  });

  test('is refused where a row does not come to the symbol that the others name', async () => {
    const text = `${bars.trim()},symbol\n${rows.map((row) => `${row},AAABBB`).join('\n')}\n1700000220,10,11,9,10,5\n`;
    await expect(openData(written('nameless.csv', text))).rejects.toThrow(
      'nameless.csv:5: expected the symbol in column 6 (counted from 0), found 6 columns',
    );
  });

  test.each([
    ['XBTUSD', 'XBT', 'USD'],
    ['BTCTUSD', 'BTC', 'TUSD'],
    ['OPUSDT', 'OP', 'USDT'],
  ])('named for %s is of %s and %s', async (symbol, base, quote) => {
    const { instruments } = await openData(written(`${symbol}.csv`, `${bars}${rows.join('\n')}\n`));
    expect(instruments.get(symbol).spec).toMatchObject({ baseCurrency: base, quoteCurrency: quote });
  });

  test('may end its rows with delimiters', async () => {
    const recording = await openData(
      written('ends.csv', `${bars}${rows.map((row) => `${row},,`).join('\n')}\n`),
    );
    expect(await candlesOf(recording)).toHaveLength(3);
  });

  test('is refused with two columns of one name, unless one of them is named', async () => {
    const twice = written('twice.csv', `time,open,high,low,close,close\n${rows.join('\n')}\n`);
    await expect(openData(twice)).rejects.toThrow(
      'twice.csv: expected one column "close", found it as column 4 and 5 (counted from 0); say which with --columns',
    );
    const columns = { time: '0', open: '1', high: '2', low: '3', close: '5' };
    const [first] = await candlesOf(await openData(twice, { columns }));
    expect(first).toMatchObject({ close: parseAmount('5') });
  });
});

describe('a map of columns', () => {
  const numbered = { time: '0', open: '1', high: '2', low: '3', close: '4', volume: '5' };

  test('is enough to read a table without a header, whatever its rows look like', async () => {
    // Seven columns with seconds look like an archive of Kraken, which has its own.
    const path = written('plain.csv', `${rows.map((row) => `${row},7`).join('\n')}\n`);
    expect((await openData(path)).format).toBe('kraken-ohlcvt');
    const recording = await openData(path, { columns: { ...numbered, open: '6' } });
    expect(recording.format).toBe('bars-csv');
    expect((await candlesOf(recording))[0]?.open).toBe(parseAmount('7'));
    const other = written('more.csv', `${rows.map((row) => row.replace('17000', '17001')).join('\n')}\n`);
    expect(await candlesOf(await openData([path, other], { columns: numbered }))).toHaveLength(6);
  });

  test('of trades reads trades', async () => {
    const path = written('plain-trades.csv', '1700000000;10.5;2\n1700000001;10.25;1\n');
    const recording = await openData(path, { columns: { time: '0', price: '1', quantity: '2' } });
    expect([recording.format, recording.instruments.all[0]?.spec.tickSize]).toEqual(['trades-csv', '0.01']);
  });

  test('is refused for data that have their columns fixed', async () => {
    const path = written('kraken.csv', `${rows.map((row) => `${row},7`).join('\n')}\n`);
    await expect(openData(path, { format: 'kraken-ohlcvt', columns: numbered })).rejects.toThrow(
      'expected no columns with data of the format kraken-ohlcvt: they are for tables of the formats parquet, feather, books-csv, bars-csv, trades-csv',
    );
  });
});
