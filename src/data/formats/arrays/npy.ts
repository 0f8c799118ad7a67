import { BadInput } from '../../../core/base/errors.ts';
import type { FileHead } from '../format.ts';
import { readBytes } from '../opened-file.ts';

/** A field of a row: its name, its type as numpy writes it, and where it begins. */
export interface NpyField {
  readonly name: string;
  readonly type: string;
  readonly offset: number;
}

/** The head of an array of numpy. */
export interface NpyHead {
  /** Fields of a structured array; one without a name for each column of a plain one. */
  readonly fields: readonly NpyField[];
  readonly isStructured: boolean;
  readonly rowBytes: number;
  readonly rows: number;
  /** Bytes before the first row. */
  readonly start: number;
}

const magic = '\u0093NUMPY';
const headBytesMax = 64 * 1024;
const sizes = /^[<|]?[a-zA-Z](\d{1,4})$/;

/** Test of a file for an array of numpy, in a zip (`.npz`) or by itself (`.npy`). */
export function isNpy(head: FileHead): boolean {
  return Buffer.from(head.bytes.subarray(0, 6)).toString('latin1') === magic;
}

/**
 * The head of an array. Throws `BadInput` for one that is stored column by column, has more than two dimensions or fields that are no
 * numbers of the order of bytes of PCs. Source: NEP 1, "A simple file format for NumPy arrays".
 */
export function npyHeadOf(bytes: Uint8Array, path: string): NpyHead {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLong = (view[6] ?? 0) > 1;
  // A head that is cut has no length.
  const length = view.length < 12 ? 0 : isLong ? view.readUInt32LE(8) : view.readUInt16LE(8);
  const begin = isLong ? 12 : 10;
  const text = view.toString('latin1', begin, begin + length);
  const descr = /'descr':\s*(\[[^\]]*\]|'[^']*')/.exec(text)?.[1];
  const shape = /'shape':\s*\(([\d, ]*)\)/.exec(text)?.[1]?.match(/\d+/g)?.map(Number);
  if (length > headBytesMax || descr === undefined || shape === undefined)
    throw new BadInput(
      `${path}: expected the head of an array of numpy, found ${JSON.stringify(text.slice(0, 80))}`,
    );
  if (/'fortran_order':\s*True/.test(text) && shape.length > 1)
    throw new BadInput(
      `${path}: expected an array stored row by row, found one stored column by column; save it again with numpy.ascontiguousarray`,
    );
  const [rows = 0, columns = 1] = shape;
  if (shape.length === 0 || shape.length > 2)
    throw new BadInput(`${path}: expected an array of one or two dimensions, found ${shape.length}`);
  const isStructured = descr.startsWith('[');
  const types = isStructured
    ? [...descr.matchAll(/\('([^']*)',\s*'([^']*)'\)/g)].map(([, name = '', type = '']) => ({ name, type }))
    : Array.from({ length: columns }, () => ({ name: '', type: descr.slice(1, -1) }));
  let offset = 0;
  const fields = types.map(({ name, type }): NpyField => {
    const size = Number(sizes.exec(type)?.[1]);
    if (!(size > 0))
      throw new BadInput(`${path}: expected fields of numbers such as <f8, found ${JSON.stringify(type)}`);
    const field = { name, type, offset };
    offset += size;
    return field;
  });
  return { fields, isStructured, rowBytes: offset, rows, start: begin + length };
}

/**
 * The rows of an array, many at a time, each time with a view of whole rows. Throws `BadInput` when there are fewer than the head
 * tells.
 */
export async function* npyRows(
  path: string,
  head: NpyHead,
): AsyncGenerator<
  { readonly first: number; readonly rows: DataView; readonly count: number },
  void,
  undefined
> {
  let skip = head.start;
  let rest = Buffer.alloc(0);
  let first = 1;
  for await (const piece of readBytes(path)) {
    const fresh = skip >= piece.length ? piece.subarray(piece.length) : piece.subarray(skip);
    skip -= piece.length - fresh.length;
    const bytes = Buffer.concat([rest, fresh]);
    const count = Math.min(Math.floor(bytes.length / head.rowBytes), head.rows - first + 1);
    if (count > 0)
      yield { first, rows: new DataView(bytes.buffer, bytes.byteOffset, count * head.rowBytes), count };
    first += count;
    rest = Buffer.from(bytes.subarray(count * head.rowBytes));
  }
  if (first - 1 < head.rows)
    throw new BadInput(`${path}: row ${first}: expected ${head.rows} rows as its head tells, found the end`);
}
