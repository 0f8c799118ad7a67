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
      return { name, type: countType(form), data: cells.map((cell) => countOf(String(cell), form)) };
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

function countType(form: CountForm): string {
  return form;
}

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
