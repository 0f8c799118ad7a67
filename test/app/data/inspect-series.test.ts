import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { afterAll, expect, test } from 'vitest';
import { inspectRecording, verifyData } from '../../../src/app/data/read-recordings.ts';
import type { Output } from '../../../src/app/process/output.ts';
import { openData } from '../../../src/data/open/market-data.ts';

const folder = mkdtempSync(join(tmpdir(), 'godwit-series-'));
afterAll(() => rmSync(folder, { recursive: true }));

function put(name: string, ...lines: readonly string[]): string {
  const path = join(folder, name);
  const text = Buffer.from(`${lines.join('\n')}\n`);
  writeFileSync(path, name.endsWith('.zip') ? zipSync({ [name.replace('.zip', '.csv')]: text }) : text);
  return path;
}

async function shown(path: string, json = false): Promise<readonly [code: number, lines: readonly string[]]> {
  const lines: string[] = [];
  const output: Output = { data: (line) => void lines.push(line), progress: () => {}, colour: false };
  return [await inspectRecording([path], json, output), lines];
}

const metrics =
  'create_time,symbol,sum_open_interest,sum_open_interest_value,count_toptrader_long_short_ratio,sum_toptrader_long_short_ratio,count_long_short_ratio,sum_taker_long_short_vol_ratio';

test('metrics of Binance are shown as what they are, their rows in any order and with empty cells', async () => {
  const path = put(
    'BTCUSDT-metrics-2023-03-10.zip',
    metrics,
    '2023-03-10 00:10:00,BTCUSDT,1010.5,20000,1.1,1.2,1.3,1.4',
    '2023-03-10 00:05:00,BTCUSDT,1000.5,19000,1.1,1.2,,1.5',
  );
  expect(await shown(path)).toEqual([
    0,
    [
      'format   binance-metrics',
      'series   open interest and ratios of longs to shorts, each five minutes',
      'period   2023-03-10T00:05:00.000Z to 2023-03-10T00:10:00.000Z',
      'symbols  BTCUSDT',
      'rows                             2',
      'sum_open_interest                1000.5 to 1010.5, the last 1000.5',
      'sum_open_interest_value          19000 to 20000, the last 19000',
      'count_toptrader_long_short_ratio 1.1 to 1.1, the last 1.1',
      'sum_toptrader_long_short_ratio   1.2 to 1.2, the last 1.2',
      'count_long_short_ratio           1.3 to 1.3, the last 1.3',
      'sum_taker_long_short_vol_ratio   1.4 to 1.5, the last 1.5',
      'use      a scenario names it as series: { NAME: FILE } for a strategy that declares the series, and no book is made of it',
      'found    1 rows with an earlier time than the row before',
      'found    1 rows without count_long_short_ratio',
    ],
  ]);
});

test.each([
  [
    'binance-book-depth',
    put(
      'BTCUSDT-bookDepth-2023-03-10.csv',
      'timestamp,percentage,depth,notional',
      '2023-03-10 00:00:09,-5.00,100.5,2000000',
      '2023-03-10 00:00:09,0.20,7,140000',
    ),
    { percentage: { least: '-5', greatest: '0.2', last: '0.2', empty: 0 } },
  ],
  [
    'binance-funding',
    put(
      'BTCUSDT-fundingRate-2023-03.zip',
      'calc_time,funding_interval_hours,last_funding_rate',
      '1677628800000,8,0.00010000',
      '1677657600003,8,-0.00002000',
    ),
    { last_funding_rate: { least: '-0.00002', greatest: '0.0001', last: '-0.00002', empty: 0 } },
  ],
  [
    'binance-premium-index',
    put(
      'BTCUSDT-1m-2020-03-10.csv',
      '1678406400000,0.0001,0.0002,0.0001,0.0001,0,1678406459999,0,12,0,0,0',
      '1678406460000,0.0001,0.0002,-0.0003,-0.0001,0,1678406519999,0,12,0,0,0',
    ),
    { low: { least: '-0.0003', greatest: '0.0001', last: '-0.0003', empty: 0 } },
  ],
  [
    'binance-liquidations',
    put(
      'BTCUSD_PERP-liquidationSnapshot-2023-06-25.csv',
      'time,side,order_type,time_in_force,original_quantity,price,average_price,order_status,last_fill_quantity,accumulated_fill_quantity',
      '1687656471926,BUY,LIMIT,IOC,7,30741.3,30631.6,FILLED,6,7',
    ),
    { price: { least: '30741.3', greatest: '30741.3', last: '30741.3', empty: 0 } },
  ],
])(
  '%s is a series: it is shown, verified, and refused as market data with its use',
  async (name, path, column) => {
    const [code, [json = '']] = await shown(path, true);
    expect([code, JSON.parse(json)]).toMatchObject([0, { format: name, columns: column, findings: [] }]);
    const output: Output = { data: () => {}, progress: () => {}, colour: false };
    expect(await verifyData([path], true, output)).toBe(0);
    await expect(openData(path)).rejects.toThrow(
      new RegExp(
        `: expected books, trades or bars, found .* \\(${name}\\): .*; godwit data inspect shows it$`,
      ),
    );
  },
);

test('a series that is cut short is shown up to there, and ends with exit code 1', async () => {
  const path = put(
    'ETHUSDT-metrics-2023-03-10.csv',
    metrics,
    '2023-03-10 00:05:00,ETHUSDT,1,2,3,4,5,6',
    '2023-03',
  );
  const [code, lines] = await shown(path);
  expect([code, lines.at(-1)]).toEqual([
    1,
    `found    partial: stopped at ${path}:3: expected the time as seconds, milliseconds, microseconds or nanoseconds since 1970, or a date such as 2023-03-10 14:00:00 or 10.03.2023, found "2023-03"`,
  ]);
  const broken = put('XRPUSDT-metrics-2023-03-10.csv', metrics, '2023-03-10 00:05:00,XRPUSDT,1,2,3,4,five,6');
  await expect(shown(broken)).rejects.toThrow(
    `${broken}:2: expected the count_long_short_ratio to be a number, found "five"`,
  );
});
