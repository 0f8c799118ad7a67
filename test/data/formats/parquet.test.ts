import { writeFileSync } from 'node:fs';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import type { Recording } from '../../../src/data/recording/contract.ts';
import { openData } from '../../../src/data/open/market-data.ts';
import type { ParquetNumbers, ParquetTable } from '../../../src/data/formats/parquet/table.ts';
import { writeParquet } from '../../../src/data/formats/parquet/write.ts';
import {
  candleLine,
  candlesOf,
  comparable,
  eventsOf,
  hasShared,
  scratchPath,
  shared,
  written,
} from './support/tables.ts';

const kinds: Readonly<Record<ParquetTable, readonly string[]>> = {
  books: ['bookSnapshot', 'bookUpdate', 'bookStale'],
  trades: ['trades'],
  bars: ['candles'],
};

async function roundTrip(recording: Recording, table: ParquetTable, numbers: ParquetNumbers) {
  const path = scratchPath(`${table}.parquet`);
  const { events } = await writeParquet(recording, path, { table, numbers });
  const expected = (await eventsOf(recording)).filter(({ kind }) => kinds[table].includes(kind));
  const back = await openData(path);
  expect(events).toBe(expected.length);
  expect(back.instruments.all.map(({ spec }) => spec)).toEqual(
    recording.instruments.all.map(({ spec }) => spec),
  );
  expect((await eventsOf(back)).map(comparable)).toEqual(expected.map(comparable));
}

describe.skipIf(!hasShared)('a recording as Parquet', () => {
  test.each([
    ['books', 'integers'],
    ['books', 'texts'],
    ['trades', 'integers'],
    ['trades', 'texts'],
    ['bars', 'integers'],
  ] as const)('%s as %s come back equal, event for event', async (table, numbers) => {
    await roundTrip(await openData(shared('hitbtc/hitbtc-v2-20210715.conn1.txt.gz')), table, numbers);
  });

  test('bars of a table come back equal', async () => {
    await roundTrip(await openData(shared('bars/kraken-ohlcvt_XBTUSD_1440.csv.gz')), 'bars', 'texts');
  });

  test('a recording without such events, and a cut file, are one sentence', async () => {
    const recording = await openData(shared('bars/backtrader_2006-day-001.txt.gz'));
    await expect(writeParquet(recording, scratchPath('none.parquet'), { table: 'books' })).rejects.toThrow(
      /backtrader_2006-day-001\.txt\.gz: expected books to write, found none/,
    );
    const path = scratchPath('whole.parquet');
    await writeParquet(recording, path, { table: 'bars' });
    const { readFileSync } = await import('node:fs');
    const cut = written('cut.parquet', readFileSync(path).subarray(0, 2_000));
    await expect(openData(cut)).rejects.toThrow(/cut\.parquet: expected a whole Parquet file, found: /);
  });
});

test('bars and trades of others are read by the names of their columns, or by a map', async () => {
  const bars = parquetWriteBuffer({
    columnData: [
      {
        name: 'ts',
        data: [new Date('2023-01-01T00:00:00Z'), new Date('2023-01-01T00:01:00Z')],
        type: 'TIMESTAMP',
      },
      { name: 'open', data: [1.1, 2], type: 'DOUBLE' },
      { name: 'high', data: [1.2, 2], type: 'DOUBLE' },
      { name: 'low', data: [0.1, 2], type: 'DOUBLE' },
      { name: 'close', data: [1, 2], type: 'DOUBLE' },
      { name: 'volume', data: [5n, 6n], type: 'INT64' },
    ],
  });
  writeFileSync(scratchPath('BTCUSDT.parquet'), Buffer.from(bars));
  const recording = await openData(scratchPath('BTCUSDT.parquet'));
  expect(recording.instruments.all[0]?.symbol).toBe('BTCUSDT');
  expect((await candlesOf(recording)).map(candleLine)).toEqual([
    '2023-01-01T00:00:00.000Z 1.1 1.2 0.1 1 5',
    '2023-01-01T00:01:00.000Z 2 2 2 2 6',
  ]);
  const trades = parquetWriteBuffer({
    columnData: [
      { name: 'when', data: [1_672_531_200_000_000_000n], type: 'INT64' },
      { name: 'p', data: ['5.10'], type: 'STRING' },
      { name: 'n', data: [3], type: 'INT32' },
    ],
  });
  const path = written('trades.parquet', Buffer.from(trades));
  await expect(openData(path)).rejects.toThrow(
    /expected columns of bars .*, trades .* or books .*, found when, p, n/,
  );
  const [event] = await eventsOf(
    await openData(path, { columns: { time: 'when', price: 'p', quantity: 'n' } }),
  );
  expect(event).toMatchObject({
    kind: 'trades',
    trades: [{ price: 51, quantity: 3, time: 1_672_531_200_000_000 }],
  });
});
