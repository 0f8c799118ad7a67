import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, describe, expect, test } from 'vitest';
import { readSeries } from '../../../src/data/series/files.ts';
import type { SeriesFile } from '../../../src/data/series/table.ts';

const folder = mkdtempSync(join(tmpdir(), 'series-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(name: string, content: string | Uint8Array, more: Partial<SeriesFile> = {}): SeriesFile {
  const path = join(folder, name);
  writeFileSync(path, content);
  return { path, ...more };
}

const rows = 'time,value,label\n2024-01-01T00:00:00Z,10,low\n2024-01-02T00:00:00Z,55.5,high\n';
const first = Date.UTC(2024, 0, 1) * 1_000;
const day = 86_400_000_000;

describe('a series', () => {
  test('is read from CSV, packed CSV and Parquet alike', async () => {
    const parquet = parquetWriteBuffer({
      columnData: [
        { name: 'time', data: [BigInt(first), BigInt(first + day)], type: 'INT64' },
        { name: 'value', data: [10, 55.5], type: 'DOUBLE' },
        { name: 'label', data: ['low', 'high'], type: 'STRING' },
      ],
    });
    const read = await Promise.all([
      readSeries('mood', fileOf('a.csv', rows)),
      readSeries('mood', fileOf('a.csv.gz', gzipSync(rows))),
      readSeries('mood', fileOf('a.parquet', new Uint8Array(parquet))),
    ]);
    for (const { columns, times, known, cells } of read) {
      expect(columns).toEqual(['value', 'label']);
      expect(times).toEqual([first, first + day]);
      expect(known).toEqual(times);
      expect(cells).toEqual([
        ['10', '55.5'],
        ['low', 'high'],
      ]);
    }
  });

  test('is known at its times, a delay later, or when a column says, in that order', async () => {
    const late = await readSeries('mood', fileOf('b.csv', rows, { delay: 5 }));
    expect(late.known).toEqual([first + 5, first + day + 5]);
    const text = `time,published,value\n${first},${first + 3 * day},1\n${first + day},${first + day + 7},2\n`;
    const given = await readSeries('mood', fileOf('c.csv', text, { availableAt: 'published' }));
    expect(given.columns).toEqual(['value']);
    expect(given.known).toEqual([first + day + 7, first + 3 * day]);
    expect(given.cells).toEqual([['2', '1']]);
  });

  test('has times in the zone that its file is said to be in', async () => {
    const text = 'day;fng_value\n2024-01-01 02:00;7\n';
    const read = await readSeries(
      'mood',
      fileOf('d.csv', text, { zone: '+02:00', columns: { value: 'fng_value' } }),
    );
    expect(read.times).toEqual([first]);
    expect(read.columns).toEqual(['value']);
  });

  test('of a venue has its symbol and numbers, and one row for all percentages of a time', async () => {
    const depth = [
      'timestamp,percentage,depth,notional',
      '2024-01-01 00:00:06,-1,5.5,100',
      '2024-01-01 00:00:06,1,6,110',
      '2024-01-01 00:00:36,-1,7,120',
      '2024-01-01 00:00:36,1,8,130',
    ].join('\n');
    const read = await readSeries('depth', fileOf('BTCUSDT-bookDepth-2024-01-01.csv', depth));
    expect(read.columns).toEqual(['symbol', 'depth -1', 'notional -1', 'depth 1', 'notional 1']);
    expect(read.times).toEqual([first + 6_000_000, first + 36_000_000]);
    expect(read.cells.slice(1, 4)).toEqual([
      ['5.5', '7'],
      ['100', '120'],
      ['6', '8'],
    ]);
    // The archive does not keep the order of time.
    const header =
      'create_time,symbol,sum_open_interest,sum_open_interest_value,count_toptrader_long_short_ratio,sum_toptrader_long_short_ratio,count_long_short_ratio,sum_taker_long_short_vol_ratio';
    const rows = ['00:10:00,BTCUSDT,2,2,2,2,2,2', '00:05:00,BTCUSDT,1,1,1,1,,1'].map(
      (row) => `2024-01-01 ${row}`,
    );
    const metrics = await readSeries(
      'oi',
      fileOf('BTCUSDT-metrics-2024-01-01.csv', [header, ...rows].join('\n')),
    );
    expect([metrics.times, metrics.cells[1]]).toEqual([
      [first + 300_000_000, first + 600_000_000],
      ['1', '2'],
    ]);
  });

  interface Refused {
    readonly of: string;
    readonly content: string;
    readonly sentence: string;
    readonly more?: Partial<SeriesFile>;
  }

  const refused: readonly Refused[] = [
    {
      of: 'rows that are out of order',
      content: 'time,value\n2024-01-02T00:00:00Z,1\n2024-01-01T00:00:00Z,2\n',
      sentence:
        ':3, column time: expected rows in the order of time, found "2024-01-01T00:00:00Z" after "2024-01-02T00:00:00Z"; sort the file',
    },
    {
      of: 'a time that comes twice',
      content: 'time,value\n1704067200,1\n1704067200,2\n',
      sentence: ':3, column time: expected each time once, found "1704067200" a second time',
    },
    {
      of: 'a time without its zone',
      content: 'date,value\n2024-01-01 00:00:00,1\n',
      sentence:
        ':2, column date: expected a time with its zone, such as 2024-01-02T00:00:00Z, or the zone of the file (series: { mood: { path: …, zone: UTC } }), found "2024-01-01 00:00:00"',
    },
    {
      of: 'a date without its zone',
      content: 'date,value\n2024-01-01,1\n',
      sentence: ':2, column date: expected a time with its zone',
    },
    {
      of: 'a text as its time',
      content: 'time,value\nsoon,1\n',
      sentence: ':2, column time: expected a time as a date with its zone',
    },
    {
      of: 'no column of times',
      content: 'symbol,value\nA,1\n',
      sentence:
        ': expected a column with the time of its rows (time, timestamp or date), or the name of it (series: { mood: { path: …, time: COLUMN } }), found "symbol", "value"',
    },
    {
      of: 'a column that is not there',
      content: rows,
      sentence:
        ': expected the column "published" that series.mood.availableAt names, found "time", "value", "label"; known are time, value, label',
      more: { availableAt: 'published' },
    },
    {
      of: 'a row that is known before its time',
      content: 'time,seen,value\n1704067200,1704067100,1\n',
      sentence:
        ':2, column seen: expected no row that is known before its time, found "1704067100" for "1704067200"; of a forecast, name the column of its publication as time',
      more: { availableAt: 'seen' },
    },
    {
      of: 'no header',
      content: '1704067200,1\n1704067300,2\n',
      sentence: ':1: expected a header with the names of the columns',
    },
    { of: 'no rows', content: 'time,value\n', sentence: ': expected rows behind the header, found none' },
    {
      of: 'JSON',
      content: '[{"time":1}]',
      sentence: ': expected a table of a series, with a header (CSV, packed or not, or Parquet), found JSON',
    },
    {
      of: 'a row that is cut short',
      content: 'time,value,label\n1704067200,1\n',
      sentence: ':2: expected 3 cells as in the header, found 2: the row is cut short',
    },
    {
      of: 'two columns of one name',
      content: 'time,value,value\n1704067200,1,2\n',
      sentence: ': expected one column "value", found two of that name',
    },
  ];
  test.each(refused)('is refused with $of', async ({ content, sentence, more }) => {
    const file = fileOf('x.csv', content, more);
    await expect(readSeries('mood', file)).rejects.toThrow(`${file.path}${sentence}`);
  });
});
