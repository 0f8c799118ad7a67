import { parquetWriteBuffer } from 'hyparquet-writer';

/** How a build of NautilusTrader writes prices and sizes: whole numbers, 8 bytes, or 16 bytes in high precision. */
export type CountForm = 'int64' | 'bytes8' | 'bytes16';

export interface CatalogSample {
  readonly form: CountForm;
  /** Columns in their order: decimals as text are counts, others whole numbers or texts. */
  readonly columns: Readonly<Record<string, readonly (string | number | bigint)[]>>;
  /** Columns that hold counts. */
  readonly counts: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
}

/** A Parquet file as a catalog of NautilusTrader holds it. */
export function catalogFile({ form, columns, counts, metadata }: CatalogSample): Uint8Array {
  const kinds = Object.entries(columns).map(([name, cells]) => {
    if (counts.includes(name))
      return { name, type: form, data: cells.map((cell) => countOf(String(cell), form)) };
    const isText = typeof cells[0] === 'string';
    return {
      name,
      type: isText ? 'text' : 'int64',
      data: cells.map((cell) => (isText ? cell : BigInt(cell))),
    };
  });
  return new Uint8Array(
    parquetWriteBuffer({
      columnData: kinds.map(({ name, data }) => ({ name, data })),
      schema: [
        { name: 'root', num_children: kinds.length },
        ...kinds.map(({ name, type }) => ({ name, repetition_type: 'REQUIRED' as const, ...types[type] })),
      ],
      kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key, value })),
    }),
  );
}

const types: Record<
  string,
  { type: 'INT64' | 'BYTE_ARRAY' | 'FIXED_LEN_BYTE_ARRAY'; converted_type?: 'UTF8'; type_length?: number }
> = {
  int64: { type: 'INT64' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  bytes8: { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 8 },
  bytes16: { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16 },
};

function countOf(decimal: string, form: CountForm): bigint | Uint8Array {
  const scale = form === 'bytes16' ? 16 : 9;
  const [whole = '0', fraction = ''] = decimal.split('.');
  const count = BigInt(whole + fraction.padEnd(scale, '0'));
  if (form === 'int64') return count;
  const bytes = Buffer.alloc(form === 'bytes16' ? 16 : 8);
  bytes.writeBigUInt64LE(BigInt.asUintN(64, count), 0);
  if (form === 'bytes16') bytes.writeBigInt64LE(count >> 64n, 8);
  return new Uint8Array(bytes);
}

/**
 * The schema of Arrow as Rust writes it into a Parquet file: a message in base64 whose metadata stand within it. All tables are laid out
 * before what they point to.
 */
export function arrowSchema(metadata: Readonly<Record<string, string>>): string {
  const bytes = Buffer.alloc(4_096);
  let end = 8;
  /** A table with members that are offsets, each of four bytes; answers where the table begins. */
  const table = (members: readonly boolean[]): number => {
    const kept = members.filter((is) => is).length;
    const head = end;
    bytes.writeUInt16LE(4 + members.length * 2, head);
    bytes.writeUInt16LE(4 + kept * 4, head + 2);
    let place = 4;
    for (const [at, is] of members.entries()) {
      bytes.writeUInt16LE(is ? place : 0, head + 4 + at * 2);
      if (is) place += 4;
    }
    const begin = Math.ceil((head + 4 + members.length * 2) / 4) * 4;
    bytes.writeInt32LE(begin - head, begin);
    end = begin + 4 + kept * 4;
    return begin;
  };
  const point = (from: number, to: number): void => void bytes.writeUInt32LE(to - from, from);
  const text = (value: string): number => {
    const begin = end;
    bytes.writeUInt32LE(value.length, begin);
    bytes.write(value, begin + 4);
    end = Math.ceil((begin + 5 + value.length) / 4) * 4;
    return begin;
  };
  const message = table([false, false, true]);
  bytes.writeUInt32LE(message - 0, 0);
  const schema = table([false, false, true]);
  point(message + 4, schema);
  const pairs = Object.entries(metadata);
  const list = end;
  point(schema + 4, list);
  bytes.writeUInt32LE(pairs.length, list);
  end = list + 4 + pairs.length * 4;
  for (const [at, [key, value]] of pairs.entries()) {
    const pair = table([true, true]);
    point(list + 4 + at * 4, pair);
    point(pair + 4, text(key));
    point(pair + 8, text(value));
  }
  const mark = Buffer.alloc(8, 0xff);
  mark.writeUInt32LE(end, 4);
  return Buffer.concat([mark, bytes.subarray(0, end)]).toString('base64');
}
