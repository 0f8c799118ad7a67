import { zipSync } from 'fflate';

/** One row of hftbacktest: kind and flags, both times in microseconds, price, quantity. */
export type HftSampleRow = readonly [ev: number, exchange: number, local: number, px: number, qty: number];

export const hftFlags = { exchange: 2 ** 31, local: 2 ** 30, buy: 2 ** 29, sell: 2 ** 28 } as const;

const fields = [
  ['ev', '<u8'],
  ['exch_ts', '<i8'],
  ['local_ts', '<i8'],
  ['px', '<f8'],
  ['qty', '<f8'],
  ['order_id', '<u8'],
  ['ival', '<i8'],
  ['fval', '<f8'],
] as const;

/** An array of numpy: its head, then the rows. */
export function npyOf(descr: string, shape: string, rows: Uint8Array, order = 'False'): Uint8Array {
  const text = `{'descr': ${descr}, 'fortran_order': ${order}, 'shape': (${shape}), }`;
  const head = `${text.padEnd(Math.ceil((text.length + 11) / 64) * 64 - 11)}\n`;
  const length = Buffer.alloc(2);
  length.writeUInt16LE(head.length);
  return Buffer.concat([Buffer.from('\u0093NUMPY\u0001\0', 'latin1'), length, Buffer.from(head), rows]);
}

/** The array of hftbacktest 2. `types` replaces types of fields. */
export function hftArray(
  rows: readonly HftSampleRow[],
  types: Readonly<Record<string, string>> = {},
): Uint8Array {
  const bytes = Buffer.alloc(rows.length * 64);
  for (const [at, [ev, exchange, local, px, qty]] of rows.entries()) {
    bytes.writeBigUInt64LE(BigInt(ev), at * 64);
    bytes.writeBigInt64LE(BigInt(exchange) * 1_000n, at * 64 + 8);
    bytes.writeBigInt64LE(BigInt(local) * 1_000n, at * 64 + 16);
    bytes.writeDoubleLE(px, at * 64 + 24);
    bytes.writeDoubleLE(qty, at * 64 + 32);
  }
  const descr = fields.map(([name, type]) => `('${name}', '${types[name] ?? type}')`).join(', ');
  return npyOf(`[${descr}]`, `${rows.length},`, bytes);
}

/** The array of hftbacktest 1: six columns of doubles. */
export function hftColumns(rows: readonly (readonly number[])[]): Uint8Array {
  const cells = Float64Array.from(rows.flat());
  return npyOf("'<f8'", `${rows.length}, 6`, new Uint8Array(cells.buffer));
}

export function npzOf(array: Uint8Array): Uint8Array {
  return zipSync({ 'data.npy': array });
}
