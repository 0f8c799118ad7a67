import { describe, expect, test } from 'vitest';
import { formatAmount } from '../../../src/core/base/amount.ts';
import type { OpenOptions } from '../../../src/data/formats/format.ts';
import { openData } from '../../../src/data/open/market-data.ts';
import { eventsOf, newFolder, wordsOfFailure, writeLines } from './support/files.ts';
import { gradeOf } from './support/grade-of.ts';

const folder = newFolder();
let count = 0;

/** Prices of an ETF as yfinance prints them: adjusted, and binary fractions of 32 bits. */
const floats = [
  '2023-01-03,134.01602172851562,135.99000549316406,133.5,134.5,100',
  '2023-01-04,134.5,136.25,134.00999450683594,136.00999450683594,120',
  '2023-01-05,136,136.5,135.25,135.75,90',
];
const header = 'Date,Open,High,Low,Close,Volume';

const write = (lines: readonly string[], name = 'SPY'): string =>
  writeLines(folder, `${name}-${(count += 1)}.csv`, lines);

async function read(path: string, options: OpenOptions = {}) {
  const recording = await openData(path, options);
  const events = await eventsOf(recording);
  const grade = await gradeOf(recording);
  return { recording, events, grade };
}

describe('prices printed from binary fractions', () => {
  test('of bars are refused where their steps cannot be counted, with the place and what to do', async () => {
    const path = write([header, ...floats]);
    expect(await wordsOfFailure(openData(path))).toBe(
      `${path}:2: expected prices of at most 2^53 steps of their last decimal, found 134.01602172851562 beside prices up to 136.5: they were adjusted, or printed from binary fractions; name the tick and round to it, by --tick 0.01 --round tick or in a scenario by instrument: { tick: "0.01" } and import: { round: tick }`,
    );
  });

  test('of trades are refused the same way', async () => {
    const path = write([
      'time,price,quantity',
      '1672531200,134.01602172851562,2',
      '1672531201,135.99000549316406,2',
    ]);
    expect(await wordsOfFailure(openData(path))).toMatch(/:2: expected prices of at most 2\^53 steps/);
  });

  test('of bars are rounded to the tick where that is asked for, and grade and notes say so', async () => {
    const { recording, events, grade } = await read(write([header, ...floats]), {
      tick: '0.01',
      round: 'tick',
    });
    const [first] = events;
    const bar = first?.kind === 'candles' ? first.candles[0] : undefined;
    expect(
      [bar?.open, bar?.max, bar?.min, bar?.close].map((one) => formatAmount(one ?? (0n as never))),
    ).toEqual(['134.02', '135.99', '133.5', '134.5']);
    expect(recording.instruments.all[0]?.spec.tickSize).toBe('0.01');
    expect(recording.notes).toContain('prices are rounded to the tick 0.01, as asked');
    expect(recording.findings).toEqual(['4 prices rounded to the tick, by 0.004 at most']);
    expect(grade).toMatchObject({
      letter: 'B',
      reasons: expect.arrayContaining(['4 prices rounded to the tick, by 0.004 at most']) as unknown,
    });
  });

  test('of trades are rounded, halves up', async () => {
    const path = write([
      'time,price,quantity',
      '1672531200,134.015,2',
      '1672531201,134.0149,2',
      '1672531202,135,2',
    ]);
    const { events, recording } = await read(path, { tick: '0.01', round: 'tick' });
    expect(
      events.flatMap((event) => (event.kind === 'trades' ? event.trades.map(({ price }) => price) : [])),
    ).toEqual([13_402, 13_401, 13_500]);
    expect(recording.findings).toEqual(['2 prices rounded to the tick, by 0.005 at most']);
  });

  test.each([
    [
      'without a tick',
      {},
      'expected a tick to round prices to (--tick, in a scenario instrument.tick), found none',
    ],
    [
      'where a price would become 0',
      { tick: '1000' },
      'expected a price that can be rounded to the tick that was given',
    ],
    [
      'to a tick too fine to be counted',
      { tick: '0.00000000000000001' },
      'expected a price that can be rounded',
    ],
  ])('are not rounded %s', async (_what, options, words) => {
    expect(
      await wordsOfFailure(openData(write([header, ...floats]), { ...options, round: 'tick' })),
    ).toContain(words);
  });

  test('no other data are rounded', async () => {
    const path = writeLines(folder, 'kraken.txt', [
      'wss://ws.kraken.com <-> 1626993903.5',
      '1626993904.0: [1,[["1.5","2.0","1626993904.1","b","l",""]],"trade","A/B"]',
    ]);
    expect(await wordsOfFailure(openData(path, { tick: '1', round: 'tick' }))).toBe(
      'expected no round with data of the format kraken-v1: it is for tables of bars and trades',
    );
  });

  test('of so many decimals that they can just be counted are read, and a note doubts them', async () => {
    const rows = floats.map((row) => row.replaceAll(/(\.\d{10})\d+/g, '$1'));
    const { recording } = await read(write([header, ...rows]));
    expect(recording.instruments.all[0]?.spec.tickSize).toBe('0.0000000001');
    expect(recording.notes).toContain(
      'prices of SPY have more decimals than a venue prints: they were adjusted, or printed from binary fractions',
    );
  });

  test('volumes of more digits than can be counted give a coarser increment', async () => {
    const rows = [3, 4, 5].map((day) => `2023-01-0${day},136,137,135,136,123.45678901234567`);
    const { recording } = await read(write([header, ...rows]));
    expect(recording.instruments.all[0]?.spec.quantityIncrement).toBe('0.000000000001');
  });
});

describe('adjusted prices and splits', () => {
  const day = (date: string, price: number): string =>
    `${date},${price},${price + 1},${price - 1},${price + 0.5},100`;

  test('a leap from one day to the next as a split makes it makes the data doubtful', async () => {
    const before = [1, 2, 3, 4, 5, 6, 7, 8].map((date) => day(`2014-06-0${date}`, 645));
    const path = write([
      header,
      ...before,
      day('2014-06-09', 92.7),
      day('2014-06-10', 94),
      day('2014-06-11', 94),
    ]);
    const { grade, recording } = await read(path);
    const words =
      '1 open that leaps from the close before as a split makes it (7:1, the first on 2014-06-09): prices are not adjusted';
    expect(recording.findings).toContain(words);
    expect([grade.letter, grade.reasons[0]]).toEqual(['C', words]);
  });

  test('shares that are put together leap the other way', async () => {
    const path = write([
      header,
      day('2014-06-05', 10),
      day('2014-06-06', 10),
      day('2014-06-09', 104),
      day('2014-06-10', 105),
    ]);
    expect((await read(path)).recording.findings.join()).toContain('(1:10, the first on 2014-06-09)');
  });

  test('a fall by a third is no split, and a leap to half within a day is one', async () => {
    const crash = write([
      header,
      day('2014-06-05', 100),
      day('2014-06-06', 100),
      day('2014-06-09', 66),
      day('2014-06-10', 66),
    ]);
    expect((await read(crash)).recording.findings).toEqual([]);
    const hour = (at: number, price: number): string =>
      `2014-06-05 ${at}:00:00,${price},${price},${price},${price},1`;
    expect(
      (await read(write([header, hour(10, 100), hour(11, 50), hour(12, 50)]))).recording.findings,
    ).toEqual([
      '1 open that leaps from the close before as a split makes it (2:1, the first on 2014-06-05): prices are not adjusted',
    ]);
  });

  test('columns for the adjusted close and for splits are noted', async () => {
    const path = write([
      `${header},Adj Close,Stock Splits`,
      `${day('2014-06-05', 100)},50.25,0`,
      `${day('2014-06-06', 100)},50.25,2`,
      `${day('2014-06-09', 100)},100.5,0`,
    ]);
    const { recording } = await read(path);
    expect(recording.notes).toContain(
      'the adjusted close is another than the close in 2 rows: the prices are used as they stand, not adjusted',
    );
    expect(recording.notes).toContain('the table names 1 split');
  });
});
