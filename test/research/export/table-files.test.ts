import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { afterAll, expect, test } from 'vitest';
import type { ExportCell, ExportColumns } from '../../../src/research/export/columns.ts';
import { RowSpool, writeTable } from '../../../src/research/export/table-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'godwit-tables-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const columns = {
  at: { type: 'time', meaning: 'when' },
  name: { type: 'text', meaning: 'what' },
  amount: { type: 'decimal', unit: 'currency', meaning: 'how much' },
  share: { type: 'number', meaning: 'of all' },
  count: { type: 'integer', meaning: 'how many' },
  last: { type: 'flag', meaning: 'whether it is the last' },
} as const satisfies ExportColumns;

const rows: readonly (readonly ExportCell[])[] = [
  [1_600_000_000_000_250, 'plain', '0.000000000000000000000001', 0.25, 3, false],
  [1_600_000_000_999_999, 'a "quoted", text\nof two lines', '-12345678901234567890.123456789', 1e-7, 0, true],
  [undefined, null, undefined, undefined, null, undefined],
];

async function readParquet(path: string): Promise<Record<string, unknown>[]> {
  const bytes = readFileSync(path);
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  return await parquetReadObjects({ file, compressors });
}

test('a table is the same in both formats: exact decimals as text, doubles in Parquet, empty cells', async () => {
  expect(await writeTable(folder, 'mixed', columns, rows)).toBe(3);
  expect(readFileSync(join(folder, 'mixed.csv'), 'utf8')).toBe(
    'at,name,amount,share,count,last\n' +
      '2020-09-13T12:26:40.000250Z,plain,0.000000000000000000000001,0.25,3,false\n' +
      '2020-09-13T12:26:40.999999Z,"a ""quoted"", text\nof two lines",-12345678901234567890.123456789,1e-7,0,true\n' +
      ',,,,,\n',
  );
  const read = await readParquet(join(folder, 'mixed.parquet'));
  expect(read).toEqual([
    { at: new Date(1_600_000_000_000), name: 'plain', amount: 1e-24, share: 0.25, count: 3n, last: false },
    {
      at: new Date(1_600_000_000_999),
      name: 'a "quoted", text\nof two lines',
      amount: -12345678901234567000,
      share: 1e-7,
      count: 0n,
      last: true,
    },
    { at: null, name: null, amount: null, share: null, count: null, last: null },
  ]);
  const bytes = readFileSync(join(folder, 'mixed.parquet'));
  const { schema } = parquetMetadata(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength),
  );
  expect(schema.slice(1).map(({ name, type, converted_type: kind }) => [name, type, kind])).toEqual([
    ['at', 'INT64', 'TIMESTAMP_MICROS'],
    ['name', 'BYTE_ARRAY', 'UTF8'],
    ['amount', 'DOUBLE', undefined],
    ['share', 'DOUBLE', undefined],
    ['count', 'INT64', undefined],
    ['last', 'BOOLEAN', undefined],
  ]);
});

test('a table without rows has its columns', async () => {
  await writeTable(folder, 'none', columns, []);
  expect(readFileSync(join(folder, 'none.csv'), 'utf8')).toBe('at,name,amount,share,count,last\n');
  expect(await readParquet(join(folder, 'none.parquet'))).toEqual([]);
});

test('more rows than a row group holds all arrive, and a spool gives them back in order', async () => {
  const spool = new RowSpool(join(folder, 'many.rows.unfinished'));
  const count = 70_000;
  for (let i = 0; i < count; i++) spool.add([i, 'x', String(i), i / 2, i, i % 2 === 0]);
  await writeTable(folder, 'many', columns, spool.rows() as AsyncIterable<readonly ExportCell[]>);
  spool.remove();
  const read = await readParquet(join(folder, 'many.parquet'));
  expect(read.length).toBe(count);
  expect(read.every(({ count: one, amount }, i) => one === BigInt(i) && amount === i)).toBe(true);
  expect(readFileSync(join(folder, 'many.csv'), 'utf8').split('\n').length).toBe(count + 2);
  expect(readdirSync(folder).filter((name) => name.includes('unfinished'))).toEqual([]);
});

test('rows that fail leave no file behind', async () => {
  const broken = async function* (): AsyncGenerator<readonly ExportCell[], void, undefined> {
    await Promise.resolve();
    yield rows[0] as readonly ExportCell[];
    throw new Error('cut');
  };
  await expect(writeTable(folder, 'broken', columns, broken())).rejects.toThrow('cut');
  expect(readdirSync(folder).filter((name) => name.startsWith('broken'))).toEqual([]);
});
