import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { zstdCompressSync } from 'node:zlib';
import type { ColumnSource, SchemaElement, Writer } from 'hyparquet-writer';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { unwritable } from '../../recording/index.ts';

/** Rows of a group: so many are handed to `write` at once. */
export const groupRows = 65_536;

/**
 * A Parquet file (zstd) that is written row group by row group, and appears under its name only when it is whole. Throws `BadInput`
 * with the path when the disk refuses.
 */
export class ParquetOutput {
  readonly #path: string;
  readonly #unfinished: string;
  readonly #output: FileOutput;
  readonly #writer: ParquetWriter;

  constructor(
    path: string,
    schema: SchemaElement[],
    kvMetadata: { readonly key: string; readonly value: string }[] = [],
  ) {
    this.#path = path;
    this.#unfinished = `${path}.unfinished`;
    this.#output = new FileOutput(this.#unfinished, path);
    this.#writer = new ParquetWriter({
      writer: this.#output.writer,
      schema,
      codec: 'ZSTD',
      compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
      kvMetadata,
      createdBy: 'godwit',
    });
  }

  /** Writes one row group, its columns in the order of the schema. */
  async write(columnData: ColumnSource[]): Promise<void> {
    await this.#writer.write({ columnData });
  }

  async finish(): Promise<void> {
    await this.#writer.finish();
    this.#output.close();
    try {
      renameSync(this.#unfinished, this.#path);
    } catch (error) {
      throw unwritable(this.#path, error);
    }
  }

  /** Nothing stays of a file that was not finished. */
  discard(): void {
    this.#output.close();
    rmSync(this.#unfinished, { force: true });
  }
}

/** Where the bytes go: what a row group left in memory is written when it is done. */
class FileOutput {
  readonly writer: Writer;
  readonly #bytes = new ByteWriter();
  readonly #path: string;
  #file: number | undefined;

  /** `path` is named in errors: what the file is called when it is whole. */
  constructor(unfinished: string, path: string) {
    this.#path = path;
    try {
      this.#file = openSync(unfinished, 'w');
    } catch (error) {
      throw unwritable(path, error);
    }
    this.writer = this.#bytes;
    this.writer.flush = () => this.#flush();
    this.writer.finish = () => this.#flush();
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #flush(): void {
    if (this.#file === undefined) return;
    const bytes = new Uint8Array(this.#bytes.buffer, 0, this.#bytes.index);
    try {
      for (let from = 0; from < bytes.length;) from += writeSync(this.#file, bytes, from);
    } catch (error) {
      throw unwritable(this.#path, error);
    }
    this.#bytes.index = 0;
  }
}
