import {
  appendFileSync,
  closeSync,
  existsSync,
  createReadStream,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ParquetOutput, groupRows } from '../../data/formats/parquet/row-groups.ts';
import { unwritable } from '../../data/recording/index.ts';
import type { ExportCell, ExportColumns } from './columns.ts';
import { csvCell, parquetCell, parquetSchema } from './columns.ts';

const heldMax = 4_096;

/**
 * Rows of a run that are kept on disk until it has ended, since a run may make more of them than memory holds. The first
 * error of the disk is kept for `rows`: it must not end the run.
 */
export class RowSpool {
  readonly #path: string;
  #held: string[] = [];
  #error: unknown;

  /** Removes what a run that was killed left at `path`; a file is made with the first rows. Throws `BadInput` when that fails. */
  constructor(path: string) {
    this.#path = path;
    try {
      rmSync(path, { force: true });
    } catch (error) {
      throw unwritable(path, error);
    }
  }

  add(row: readonly unknown[]): void {
    if (this.#error !== undefined) return;
    this.#held.push(JSON.stringify(row));
    if (this.#held.length >= heldMax) this.#flush();
  }

  /** All rows, oldest first. Throws `BadInput` where the disk had refused one. */
  async *rows(): AsyncGenerator<readonly unknown[], void, undefined> {
    this.#flush();
    if (this.#error !== undefined) throw unwritable(this.#path, this.#error);
    if (!existsSync(this.#path)) return;
    const lines = createInterface({
      input: createReadStream(this.#path),
      crlfDelay: Number.POSITIVE_INFINITY,
    });
    for await (const line of lines) yield JSON.parse(line) as readonly unknown[];
  }

  remove(): void {
    rmSync(this.#path, { force: true });
  }

  #flush(): void {
    if (this.#held.length === 0 || this.#error !== undefined) return;
    try {
      appendFileSync(this.#path, `${this.#held.join('\n')}\n`);
    } catch (error) {
      this.#error = error;
    }
    this.#held = [];
  }
}

/**
 * Writes rows as `NAME.csv` and `NAME.parquet` into a directory. Each appears under its name when it is whole. Throws `BadInput`
 * with the path when the disk refuses.
 */
export async function writeTable(
  directory: string,
  name: string,
  columns: ExportColumns,
  rows: AsyncIterable<readonly ExportCell[]> | Iterable<readonly ExportCell[]>,
): Promise<number> {
  const types = Object.values(columns).map(({ type }) => type);
  const names = Object.keys(columns);
  const csv = new CsvFile(join(directory, `${name}.csv`), names);
  const parquet = new ParquetOutput(join(directory, `${name}.parquet`), parquetSchema(columns));
  let group: unknown[][] = names.map(() => []);
  let count = 0;
  const flush = async (): Promise<void> => {
    await parquet.write(names.map((column, i) => ({ name: column, data: group[i] ?? [] })));
    group = names.map(() => []);
  };
  try {
    for await (const row of rows) {
      csv.add(types.map((type, i) => csvCell(type, row[i])).join(','));
      for (const [i, type] of types.entries()) group[i]?.push(parquetCell(type, row[i]));
      count += 1;
      if (count % groupRows === 0) await flush();
    }
    if (count % groupRows !== 0 || count === 0) await flush();
    csv.finish();
    await parquet.finish();
    return count;
  } catch (error) {
    csv.discard();
    parquet.discard();
    throw error;
  }
}

/** Lines of text, written in blocks. */
class CsvFile {
  readonly #path: string;
  readonly #unfinished: string;
  readonly #file: number;
  #lines: string[];

  constructor(path: string, columns: readonly string[]) {
    this.#path = path;
    this.#unfinished = `${path}.unfinished`;
    this.#lines = [columns.join(',')];
    try {
      this.#file = openSync(this.#unfinished, 'w');
    } catch (error) {
      throw unwritable(path, error);
    }
  }

  add(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length >= heldMax) this.#flush();
  }

  finish(): void {
    this.#flush();
    try {
      closeSync(this.#file);
      renameSync(this.#unfinished, this.#path);
    } catch (error) {
      throw unwritable(this.#path, error);
    }
  }

  discard(): void {
    rmSync(this.#unfinished, { force: true });
  }

  #flush(): void {
    try {
      writeFileSync(this.#file, `${this.#lines.join('\n')}\n`);
    } catch (error) {
      throw unwritable(this.#path, error);
    }
    this.#lines = [];
  }
}
