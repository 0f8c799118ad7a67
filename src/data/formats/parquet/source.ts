import { zstdDecompressSync } from 'node:zlib';
import type { AsyncBuffer, FileMetaData } from 'hyparquet';
import { BadInput } from '../../../core/base/errors.ts';
import type { Row, RowSource } from '../bars-rows.ts';
import { plainNumber } from '../fields.ts';

/** A row as it is read: integers as bigint, times as their whole count, dates and texts as text. */
export type ParquetRow = Readonly<Record<string, unknown>>;

/** A Parquet file, opened for its head. */
export interface ParquetFile {
  readonly path: string;
  readonly columns: readonly string[];
  readonly rowCount: number;
  /** The metadata under that key; `undefined` when there is none. */
  meta(key: string): string | undefined;
  /** The rows, some thousands at a time. Throws `BadInput` with the path when the file is damaged. */
  rows(): AsyncGenerator<readonly ParquetRow[], void, undefined>;
}

const batchRows = 65_536;

/** Times keep their whole count, which a Date would cut to milliseconds; dates become text. */
const parsers = {
  timestampFromMilliseconds: (millis: bigint) => millis,
  timestampFromMicroseconds: (micros: bigint) => micros,
  timestampFromNanoseconds: (nanos: bigint) => nanos,
  dateFromDays: (days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10),
};

/** Opens a Parquet file. Throws `BadInput` with the path when it is none, is packed, or is cut short. */
export async function openParquetFile(path: string): Promise<ParquetFile> {
  // Loaded where a file is opened: their tables are made at once, and most commands read no Parquet.
  const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, parquetSchema } =
    await import('hyparquet');
  let file: AsyncBuffer;
  let metadata: FileMetaData;
  try {
    file = await asyncBufferFromFile(path);
    metadata = await parquetMetadataAsync(file, { parsers });
  } catch (error) {
    throw damaged(path, error);
  }
  const rowCount = Number(metadata.num_rows);
  return {
    path,
    columns: parquetSchema(metadata).children.map(({ element }) => element.name),
    rowCount,
    meta: (key) => metadata.key_value_metadata?.find((one) => one.key === key)?.value,
    rows: async function* () {
      const { compressors } = await import('hyparquet-compressors');
      const unpackers = {
        ...compressors,
        ZSTD: (bytes: Uint8Array): Uint8Array => zstdDecompressSync(bytes),
      };
      for (let rowStart = 0; rowStart < rowCount; rowStart += batchRows) {
        const rowEnd = Math.min(rowCount, rowStart + batchRows);
        let rows: readonly ParquetRow[];
        try {
          rows = await parquetReadObjects({
            file,
            metadata,
            rowStart,
            rowEnd,
            parsers,
            compressors: unpackers,
          });
        } catch (error) {
          throw damaged(path, error);
        }
        yield rows;
      }
    },
  };
}

/** The rows of a Parquet file as cells of text, in the order of its columns: what tables of bars and trades are read from. */
export function parquetSource(file: ParquetFile): RowSource {
  return {
    path: file.path,
    unit: 'row',
    rows: async function* () {
      let number = 0;
      for await (const rows of file.rows()) {
        yield rows.map((row): Row => {
          number += 1;
          return { number, cells: file.columns.map((name) => readCellText(row[name])) };
        });
      }
    },
  };
}

/** Text of a value; a double becomes the shortest decimal that names it. */
export function readCellText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? plainNumber(value) : 'NaN';
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (value instanceof Date) return value.toISOString();
  return '';
}

function damaged(path: string, error: unknown): BadInput {
  const why = error instanceof Error ? error.message : String(error);
  return new BadInput(`${path}: expected a whole Parquet file, found: ${why}`, { cause: error });
}
