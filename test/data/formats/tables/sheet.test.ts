import { describe, expect, test } from 'vitest';
import { PartialRecording } from '../../../../src/data/formats/partial-recording.ts';
import { openData } from '../../../../src/data/open/market-data.ts';
import { candleLine, candlesOf, written } from '../support/tables.ts';

async function linesOf(name: string, content: string | Uint8Array): Promise<readonly string[]> {
  return (await candlesOf(await openData(written(name, content)))).map(candleLine);
}

const times = [1_704_067_200_000, 1_704_067_260_000, 1_704_067_320_000];
const bars = [
  { o: 100, h: 110, l: 95, c: 105, v: 7 },
  { o: 105, h: 112, l: 104, c: 108, v: 5 },
  { o: 108, h: 109, l: 101, c: 102, v: 6 },
];
const rows = (order: string, of = bars): string =>
  of
    .map((bar, at) => [times[at], ...order.split('').map((key) => bar[key as 'o'])].join(','))
    .join('\n')
    .concat('\n');
const read = [
  '2024-01-01T00:00:00.000Z 100 110 95 105 7',
  '2024-01-01T00:01:00.000Z 105 112 104 108 5',
  '2024-01-01T00:02:00.000Z 108 109 101 102 6',
];

describe('bars without a header', () => {
  test.each(['ohlcv', 'ochlv', 'lhocv', 'vchlo'])(
    'in the order %s are told by their numbers',
    async (order) => {
      expect(await linesOf('BTCUSDT-1m.csv', rows(order))).toEqual(read);
      const newestFirst = rows(order).trim().split('\n').toReversed().join('\n');
      expect(await linesOf('BTCUSDT-1m.csv', newestFirst)).toEqual(read);
      const json = `[${rows(order)
        .trim()
        .split('\n')
        .map((row) => `[${row}]`)
        .join(', ')}]`;
      expect(await linesOf('BTCUSDT-1m.json', json)).toEqual(read);
    },
  );

  test('may lack a volume, and may have an average before it', async () => {
    expect(await linesOf('BTCUSDT-1m.csv', rows('ohlc'))).toEqual(
      read.map((line) => line.replace(/ \d+$/, ' 0')),
    );
    const averaged = rows('ohlc')
      .trim()
      .split('\n')
      .map((row, at) => `${row},${(bars[at]?.c ?? 0) - 1},${bars[at]?.v},12`);
    expect(await linesOf('XBTUSD_1.csv', averaged.join('\n'))).toEqual(read);
  });

  test('that are flat have the usual order, and what is no bar in any order is refused', async () => {
    const flat = [1, 1, 1].map((price) => ({ o: price, h: price, l: price, c: price, v: 2 }));
    expect(await linesOf('BTCUSDT-1m.csv', rows('ohlcv', flat))).toHaveLength(3);
    const none = [{ o: 100, h: 90, l: 95, c: 80, v: 7 }, ...bars.slice(1)];
    await expect(openData(written('BTCUSDT-1m.csv', rows('ohlcv', none)))).rejects.toThrow(
      /nearest formats are bars-csv .*name the columns with --columns/,
    );
  });
});

describe('signs in numbers', () => {
  const head = 'Datum;Eröffnung;Hoch;Tief;Schluss;Volumen\n';
  const german = [
    '02.01.2024;1.100,50;1.110,00;1.095,00;1.105,25;7',
    '03.01.2024;1.105,25;1.112,00;1.104,00;1.108,00;5,5',
  ];
  const want = [
    '2024-01-02T00:00:00.000Z 1100.5 1110 1095 1105.25 7',
    '2024-01-03T00:00:00.000Z 1105.25 1112 1104 1108 5.5',
  ];

  test('are those of a German Excel, with a header or none, in letters of Windows or UTF-16', async () => {
    const text = `${head}${german.join('\r\n')}\r\n`;
    expect(await linesOf('BTCEUR.csv', text)).toEqual(want);
    expect(await linesOf('BTCEUR.csv', Buffer.from(text, 'latin1'))).toEqual(want);
    expect(await linesOf('BTCEUR.csv', Buffer.from(`\uFEFF${text}`, 'utf16le'))).toEqual(want);
    expect(await linesOf('BTCEUR.csv', german.join('\n'))).toEqual(want);
    expect(await linesOf('BTCEUR.csv', text.replaceAll(';', '\t'))).toEqual(want);
    const quoted = text.replaceAll(/[^;\r\n]+/g, '"$&"').replaceAll(';', ',');
    expect(await linesOf('BTCEUR.csv', quoted)).toEqual(want);
  });

  test('of day and hour in two columns are read, too', async () => {
    const text = `Datum;Uhrzeit;Eröffnung;Hoch;Tief;Schluss\n02.01.2024;09:00;1,5;1,6;1,4;1,5\n02.01.2024;10:00;1,5;1,6;1,4;1,5\n`;
    expect((await linesOf('EURUSD.csv', text))[1]).toBe('2024-01-02T10:00:00.000Z 1.5 1.6 1.4 1.5 0');
  });

  test('that are mixed are refused with line and cell: nothing is read as a thousandth or a thousandfold', async () => {
    const refuse = async (rows: readonly string[], sentence: RegExp): Promise<void> =>
      await expect(linesOf('BTCEUR.csv', `${head}${rows.join('\n')}\n`)).rejects.toThrow(sentence);
    await refuse(
      [...german, '04.01.2024;1108.00;1.112,00;1.104,00;1.108,00;5'],
      /BTCEUR\.csv:4: expected the open with a decimal comma, as other rows have it, found "1108\.00"/,
    );
    await refuse(
      ['02.01.2024;1100.5;1110;1095;1105;7', '03.01.2024;1105.25;1.112,00;1104;1108;5'],
      /BTCEUR\.csv:\d: expected the \w+ with a decimal comma/,
    );
    const english = [
      '2024-01-02,1100.5,1110,1095,1105,7',
      '2024-01-03,1105,"1,112.00",1104,1108,5',
      '2024-01-04,"1105,5",1112,1104,1108,5',
    ];
    await expect(
      linesOf('BTCUSD.csv', `Date,Open,High,Low,Close,Volume\n${english.join('\n')}\n`),
    ).rejects.toThrow(
      /BTCUSD\.csv:2: expected the open with|BTCUSD\.csv:3: expected the high with a decimal point alone/,
    );
  });

  test('between thousands may be commas', async () => {
    const text =
      'Date,Open,High,Low,Close,Volume\n2024-01-02,"1,100.5","1,110.0","1,095.0","1,105.25","7,000"\n2024-01-03,"1,105.25","1,112.0","1,104.0","1,108.0",5\n';
    expect((await linesOf('BTCUSD.csv', text))[0]).toBe(
      '2024-01-02T00:00:00.000Z 1100.5 1110 1095 1105.25 7000',
    );
  });
});

test('tables of yfinance with several tickers leave out a ticker where it has no bar', async () => {
  const text =
    'Ticker,AAPL,AAPL,AAPL,AAPL,AAPL,MSFT,MSFT,MSFT,MSFT,MSFT\nPrice,Open,High,Low,Close,Volume,Open,High,Low,Close,Volume\nDate,,,,,,,,,,\n2024-01-02,1,2,1,2,5,11,12,11,12,5\n2024-01-03,1,2,1,2,5,,,,,\n2024-01-04,1,2,1,2,5,11,12,11,12,5\n2024-01-05,1,2,1,2,5,11,12,11,12,5\n2024-01-06,1,2,1,2,5,11,12,11,12,5\n';
  const recording = await openData(written('stocks.csv', text));
  const candles = await candlesOf(recording);
  const symbols = candles.map(({ instrument }) => recording.instruments.at(instrument).symbol);
  expect(symbols.toSorted().join(' ')).toBe('AAPL AAPL AAPL AAPL AAPL MSFT MSFT MSFT MSFT');
});

test('days that begin at midnight of a zone are those days, in summer and in winter', async () => {
  const days = ['2024-03-08 00:00:00-05:00', '2024-03-11 00:00:00-04:00', '2024-03-12 00:00:00-04:00'];
  const text = `Date,Open,High,Low,Close,Volume,Dividends,Stock Splits\n${days.map((day) => `${day},1,2,1,2,5,0.0,0.0`).join('\n')}\n`;
  const lines = await linesOf('AAPL.csv', text.replace('2024-03-08', '2024-03-10'));
  expect(lines.map((line) => line.slice(0, 24))).toEqual([
    '2024-03-10T00:00:00.000Z',
    '2024-03-11T00:00:00.000Z',
    '2024-03-12T00:00:00.000Z',
  ]);
});

test('a series that overlaps itself is refused with both times, and what comes before is kept when it is imported', async () => {
  const at = ['00:00', '00:05', '00:10', '00:12', '00:15', '00:20'];
  const text = `time,open,high,low,close\n${at.map((time) => `2024-01-02 ${time},1,2,1,2`).join('\n')}\n`;
  const path = written('BTCUSD.csv', text);
  const sentence =
    /BTCUSD\.csv: expected bars of BTCUSD that follow one another, found one at 2024-01-02T00:12:00\.000Z inside that of 5m at 2024-01-02T00:10:00\.000Z: the series overlaps itself/;
  await expect(candlesOf(await openData(path, { period: '5m' }))).rejects.toThrow(sentence);
  const partial = new PartialRecording(await openData(path, { period: '5m', partial: true }));
  expect(await candlesOf(partial)).toHaveLength(3);
  expect(partial.findings.join()).toMatch(/partial: stopped at .*the series overlaps itself/);
});

test('a week that is not over, dated with the day on which it was asked for, is left out, and a finding says so; within a series it is refused', async () => {
  const weeks = ['01', '08', '15', '22', '29'].map((day) => `2024-01-${day},2,3,1,2`);
  const text = (...more: readonly string[]): string =>
    `Date,Open,High,Low,Close\n${[...weeks, ...more].join('\n')}\n`;
  const asked = await openData(written('SPY.csv', text('2024-02-02,2,2,2,2')), {});
  expect(await candlesOf(asked)).toHaveLength(5);
  expect(asked.findings.join()).toBe(
    '1 last bar left out, that of 2024-02-02: it begins inside the one before, as a week or month that is not over',
  );
  const mixed = await openData(written('SPY.csv', text('2024-02-02,2,2,2,2', '2024-02-05,2,2,2,2')), {});
  await expect(candlesOf(mixed)).rejects.toThrow(
    'found one at 2024-02-02T00:00:00.000Z inside that of 1w at 2024-01-29T00:00:00.000Z',
  );
});

describe('bars in JSON', () => {
  test('keep the digits of their numbers, and may be one record a line', async () => {
    const record = (minute: number): string =>
      `{"date":"2024-01-02T00:0${minute}:00Z","open":0.10000000,"high":0.2,"low":0.1,"close":0.12345678901200,"volume":1e-8}`;
    const lines = await linesOf('XRPBTC-1m.json', `${record(0)}\n${record(1)}\n`);
    expect(lines[0]).toBe('2024-01-02T00:00:00.000Z 0.1 0.2 0.1 0.123456789012 0.00000001');
  });

  test('that are cut short, or hold other things than bars, are refused in one sentence', async () => {
    const text = '{"ticker":"X:BTCUSD","results":[{"o":1,"h":2,"l":1,"c":2,"t":1704067200000},{"o":1,"h":2';
    await expect(openData(written('BTCUSD.json', text))).rejects.toThrow(
      /BTCUSD\.json: expected a whole JSON document, found/,
    );
    const other = '{"results":[{"o":1,"h":2,"l":1,"t":1704067200000}]}';
    await expect(openData(written('BTCUSD.json', other))).rejects.toThrow(/BTCUSD\.json: expected /);
  });
});
