import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { zstdDecompressSync } from 'node:zlib';
import { BadInput } from '../../../core/base/errors.ts';
import type { Row, RowSource } from '../bars-rows.ts';
import { headOf } from '../../recording/index.ts';
import type { ArrowColumn, ArrowType, CellOf } from './columns.ts';
import { columnOf, valueTypeOf } from './columns.ts';
import { FlatTable } from './flat-table.ts';
import { unpackLz4Frame } from './lz4-frame.ts';

/** The mark at the beginning and at the end of a file. */
export const arrowMark = 'ARROW1';

/** The mark of the first version of feather, which has no batches. */
export const featherOneMark = 'FEA1';

/** A feather file, opened for its columns. */
export interface ArrowFile extends RowSource {
  readonly columns: readonly string[];
}

/** Kinds of messages. Source: Apache Arrow, format/Message.fbs. */
const schemaMessage = 1;
const dictionaryMessage = 2;
const batchMessage = 3;

const messageBytesMax = 16 * 1024 * 1024;
const bodyBytesMax = 512 * 1024 * 1024;
const batchRows = 4_096;

interface Message {
  readonly kind: number;
  readonly header: FlatTable;
  /** Place of the body in the file, and its length. */
  readonly body: number;
  readonly bodyBytes: number;
  readonly end: number;
}

/**
 * Opens a feather file (version 2, which is an Arrow IPC file). Its messages are read one behind the other, so that the rows before the
 * place where a file is cut are given; memory is bounded by one batch. Throws `BadInput` with the path when it is no such file, or when its
 * columns cannot be read. Source: "Arrow Columnar Format", serialization and IPC.
 */
export async function openArrowFile(path: string): Promise<ArrowFile> {
  const columns = await reading(path, async (reader) => {
    const { fields } = await reader.schema();
    return fields.map(({ name }) => name);
  });
  return { path, unit: 'row', columns, rows: () => readRows(path) };
}

async function* readRows(path: string): AsyncGenerator<readonly Row[], void, undefined> {
  const reader = await ArrowReader.open(path);
  try {
    let number = 0;
    for await (const { cells, count } of reader.batches()) {
      for (let from = 0; from < count; from += batchRows) {
        const rows: Row[] = [];
        for (let row = from; row < Math.min(count, from + batchRows); row++)
          rows.push({ number: (number += 1), cells: cells.map((cell) => cell(row)) });
        yield rows;
      }
    }
  } catch (error) {
    throw error instanceof BadInput ? error : damaged(path, error);
  } finally {
    await reader.close();
  }
}

async function reading<T>(path: string, read: (reader: ArrowReader) => Promise<T>): Promise<T> {
  const reader = await ArrowReader.open(path);
  try {
    return await read(reader);
  } catch (error) {
    throw error instanceof BadInput ? error : damaged(path, error);
  } finally {
    await reader.close();
  }
}

function damaged(path: string, error: unknown): BadInput {
  const why = error instanceof Error ? error.message : String(error);
  return new BadInput(`${path}: expected a whole feather file (Arrow IPC), found: ${why}`, { cause: error });
}

interface Schema {
  readonly fields: readonly ArrowColumn[];
  /** Types of the values of dictionaries, by their numbers. */
  readonly values: ReadonlyMap<number, ArrowType>;
  readonly end: number;
}

class ArrowReader {
  readonly #file: FileHandle;
  readonly #bytes: number;
  readonly #dictionaries = new Map<number, CellOf>();

  private constructor(file: FileHandle, bytes: number) {
    this.#file = file;
    this.#bytes = bytes;
  }

  /** Opens a file. Throws `BadInput` for one that is feather of version 1. */
  static async open(path: string): Promise<ArrowReader> {
    const head = Buffer.from(await headOf(path, 8)).toString('latin1');
    if (head.startsWith(featherOneMark))
      throw new BadInput(
        `${path}: expected feather of version 2, found version 1; write it again (in pandas read_feather and to_feather)`,
      );
    const file = await open(path, 'r');
    const { size } = await file.stat();
    return new ArrowReader(file, size);
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  /** The columns, which the first message holds. */
  async schema(): Promise<Schema> {
    const first = await this.#message(8);
    if (first?.kind !== schemaMessage) throw new Error('no columns at its beginning');
    if (first.header.short(0) !== 0) throw new Error('numbers with their greatest byte first');
    const fields = first.header.tables(1);
    const values = new Map<number, ArrowType>();
    for (const field of fields) {
      const dictionary = field.table(4);
      if (dictionary !== undefined) values.set(dictionary.long(0), valueTypeOf(field));
    }
    return { fields: fields.map(columnOf), values, end: first.end };
  }

  /** The batches in their order, each as a reader of the cells of every column. */
  async *batches(): AsyncGenerator<{ readonly cells: readonly CellOf[]; readonly count: number }> {
    const { fields, values, end } = await this.schema();
    let at = end;
    for (;;) {
      const message = await this.#message(at);
      if (message === undefined) return;
      at = message.end;
      if (message.kind === batchMessage) {
        const body = await this.#read(message.body, message.bodyBytes);
        const buffers = new Buffers(message.header, body);
        const count = message.header.long(0);
        yield { cells: fields.map((field) => this.#cellsOf(field, buffers, count)), count };
      } else if (message.kind === dictionaryMessage) {
        const number = message.header.long(0);
        const batch = message.header.table(1);
        const type = values.get(number);
        if (batch === undefined || type?.read === undefined || message.header.byte(2) !== 0)
          throw new Error('a list of values that is not read');
        const buffers = new Buffers(batch, await this.#read(message.body, message.bodyBytes));
        this.#dictionaries.set(number, type.read(buffers.take(type.buffers), batch.long(0)));
      }
    }
  }

  #cellsOf({ type, dictionary, children }: ArrowColumn, buffers: Buffers, count: number): CellOf {
    const own = buffers.take(type.buffers);
    for (const child of children) this.#skip(child, buffers);
    const cell = type.read?.(own, count);
    // A column that is needed is refused by the reader of the row, and others do not matter.
    if (cell === undefined) return () => `[${type.name}]`;
    if (dictionary === undefined) return cell;
    const values = this.#dictionaries.get(dictionary);
    return (row) => {
      const at = cell(row);
      return at === '' ? '' : (values?.(Number(at)) ?? '');
    };
  }

  #skip({ type, children }: ArrowColumn, buffers: Buffers): void {
    buffers.take(type.buffers);
    for (const child of children) this.#skip(child, buffers);
  }

  /** The message at a place; `undefined` behind the last one. Throws an `Error` where the file ends without that mark. */
  async #message(at: number): Promise<Message | undefined> {
    const head = await this.#read(at, 8);
    const isMarked = head.readUInt32LE(0) === 0xffffffff;
    const length = head.readInt32LE(isMarked ? 4 : 0);
    if (length === 0) return undefined;
    if (length < 0 || length > messageBytesMax) throw new Error(`a message of ${length} bytes`);
    const begin = at + (isMarked ? 8 : 4);
    const message = FlatTable.root(await this.#read(begin, length));
    const header = message.table(2);
    const bodyBytes = message.long(3);
    if (header === undefined || bodyBytes < 0 || bodyBytes > bodyBytesMax)
      throw new Error(`a message with a body of ${bodyBytes} bytes`);
    const body = begin + length;
    return { kind: message.byte(1), header, body, bodyBytes, end: body + bodyBytes };
  }

  async #read(at: number, bytes: number): Promise<Buffer> {
    if (at + bytes > this.#bytes) throw new Error('its end in the middle of the rows: it is cut short');
    const buffer = Buffer.alloc(bytes);
    await this.#file.read(buffer, 0, bytes, at);
    return buffer;
  }
}

/** Buffers of one batch in their order, unpacked when they are taken. */
class Buffers {
  readonly #places: readonly (readonly [number, number])[];
  readonly #body: Buffer;
  /** 0 is LZ4, 1 zstd; `undefined` where nothing is packed. */
  readonly #codec: number | undefined;
  #next = 0;

  constructor(batch: FlatTable, body: Buffer) {
    this.#places = batch.pairs(2);
    this.#body = body;
    this.#codec = batch.table(3)?.byte(0);
  }

  take(count: number): readonly Uint8Array[] {
    const taken = this.#places.slice(this.#next, this.#next + count);
    if (taken.length < count) throw new Error('fewer buffers than its columns need');
    this.#next += count;
    return taken.map(([at, bytes]) => {
      if (at < 0 || bytes < 0 || at + bytes > this.#body.length) throw new Error('a buffer behind its batch');
      return this.#unpacked(this.#body.subarray(at, at + bytes));
    });
  }

  #unpacked(buffer: Buffer): Uint8Array {
    if (this.#codec === undefined || buffer.length === 0) return buffer;
    const length = Number(buffer.readBigInt64LE(0));
    const packed = buffer.subarray(8);
    if (length === -1) return packed;
    if (length < 0 || length > bodyBytesMax) throw new Error(`a buffer of ${length} bytes`);
    return this.#codec === 0 ? unpackLz4Frame(packed, length) : zstdDecompressSync(packed);
  }
}
