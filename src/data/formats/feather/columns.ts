import { plainNumber } from '../fields.ts';
import type { FlatTable } from './flat-table.ts';

/** A column of a schema: its name, and how its cells become texts. */
export interface ArrowColumn {
  readonly name: string;
  readonly type: ArrowType;
  /** The number of the dictionary that its cells are numbers in; absent where they stand for themselves. */
  readonly dictionary?: number;
  /** Columns inside it, which are passed over. */
  readonly children: readonly ArrowColumn[];
}

/** A type of cells: the number of its buffers, and the reader of them. A type without a reader is passed over. */
export interface ArrowType {
  /** Name for sentences, such as `list`. */
  readonly name: string;
  readonly buffers: number;
  readonly read?: (buffers: readonly Uint8Array[], count: number) => CellOf;
}

/** The text of the cell of a row. */
export type CellOf = (row: number) => string;

/** Numbers of the types in the schema of Arrow. Source: Apache Arrow, format/Schema.fbs. */
const typeOf: Readonly<Record<number, (type: FlatTable) => ArrowType>> = {
  1: () => ({ name: 'null', buffers: 0, read: () => () => '' }),
  2: (type) => numberType(`int${type.int(0)}`, wholeOf(type.int(0), type.byte(1) === 1)),
  3: (type) => [halfType, floatType, doubleType][type.short(0)] ?? unknown(3),
  4: () => texts('binary', false),
  5: () => texts('text', false),
  6: () => ({ name: 'bool', buffers: 2, read: readBits }),
  7: (type) => decimalType(type.int(1), type.int(2, 128)),
  8: (type) => dateType(type.short(0, 1)),
  9: (type) => numberType('time', wholeOf(type.int(1, 32), true)),
  10: () => numberType('time', wholeOf(64, true)),
  11: () => ({ name: 'interval', buffers: 2 }),
  12: () => ({ name: 'list', buffers: 2 }),
  13: () => ({ name: 'struct', buffers: 1 }),
  15: () => ({ name: 'binary', buffers: 2 }),
  16: () => ({ name: 'list', buffers: 1 }),
  17: () => ({ name: 'map', buffers: 2 }),
  18: () => numberType('duration', wholeOf(64, true)),
  19: () => texts('binary', true),
  20: () => texts('text', true),
  21: () => ({ name: 'list', buffers: 2 }),
};

/** Reads a field of a schema. Throws an `Error` for a type that is not known, whose buffers could not be passed over. */
export function columnOf(field: FlatTable): ArrowColumn {
  const kind = field.byte(2);
  const type = field.table(3);
  const dictionary = field.table(4);
  const index = dictionary?.table(1);
  const own = typeOf[kind];
  if (own === undefined || type === undefined) throw unknown(kind);
  const name = field.text(0) ?? '';
  const children = field.tables(5).map(columnOf);
  if (dictionary === undefined) return { name, type: own(type), children };
  const whole = wholeOf(index?.int(0) ?? 32, index === undefined || index.byte(1) === 1);
  return { name, type: numberType('number', whole), dictionary: dictionary.long(0), children };
}

/** The type of the values of a dictionary. */
export function valueTypeOf(field: FlatTable): ArrowType {
  const own = typeOf[field.byte(2)];
  const type = field.table(3);
  if (own === undefined || type === undefined) throw unknown(field.byte(2));
  return own(type);
}

function unknown(kind: number): never {
  throw new Error(`a column of the type ${kind} of Arrow, which is not read`);
}

type ReadNumber = (view: DataView, row: number) => string;

function numberType(name: string, read: { readonly bytes: number; readonly of: ReadNumber }): ArrowType {
  return {
    name,
    buffers: 2,
    read: ([valid, values], count) => {
      const view = viewOf(values, count * read.bytes);
      return whereValid(valid, (row) => read.of(view, row));
    },
  };
}

function wholeOf(bits: number, isSigned: boolean): { readonly bytes: number; readonly of: ReadNumber } {
  const bytes = bits / 8;
  switch (bits) {
    case 8:
      return { bytes, of: (view, row) => String(isSigned ? view.getInt8(row) : view.getUint8(row)) };
    case 16:
      return {
        bytes,
        of: (view, row) => String(isSigned ? view.getInt16(row * 2, true) : view.getUint16(row * 2, true)),
      };
    case 32:
      return {
        bytes,
        of: (view, row) => String(isSigned ? view.getInt32(row * 4, true) : view.getUint32(row * 4, true)),
      };
    case 64:
      return {
        bytes,
        of: (view, row) =>
          String(isSigned ? view.getBigInt64(row * 8, true) : view.getBigUint64(row * 8, true)),
      };
    default:
      throw new Error(`whole numbers of ${bits} bits`);
  }
}

const halfType: ArrowType = { name: 'float16', buffers: 2 };
const floatType = numberType('float32', {
  bytes: 4,
  of: (view, row) => shortestFloat(view.getFloat32(row * 4, true)),
});
const doubleType = numberType('float64', {
  bytes: 8,
  of: (view, row) => decimalText(view.getFloat64(row * 8, true)),
});

function decimalText(value: number): string {
  return Number.isFinite(value) ? plainNumber(value) : 'NaN';
}

/** The decimal with the fewest digits that names a number of 32 bits. */
function shortestFloat(value: number): string {
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return decimalText(short);
  }
  return decimalText(Number(value.toPrecision(9)));
}

/** Decimals of 32 to 256 bits: whole numbers of steps, least byte first. */
function decimalType(scale: number, bits: number): ArrowType {
  const bytes = bits / 8;
  return numberType('decimal', {
    bytes,
    of: (view, row) => {
      let steps = BigInt(view.getInt8(row * bytes + bytes - 1));
      for (let at = bytes - 2; at >= 0; at--) steps = (steps << 8n) | BigInt(view.getUint8(row * bytes + at));
      return `${steps}e-${scale}`;
    },
  });
}

const dayMillis = 86_400_000;

/** Days, or milliseconds of whole days, as a date. */
function dateType(unit: number): ArrowType {
  const dateText = (millis: number): string => new Date(millis).toISOString().slice(0, 10);
  return unit === 0
    ? numberType('date', { bytes: 4, of: (view, row) => dateText(view.getInt32(row * 4, true) * dayMillis) })
    : numberType('date', { bytes: 8, of: (view, row) => dateText(Number(view.getBigInt64(row * 8, true))) });
}

/** Texts one behind the other, with the places where each begins. */
function texts(name: string, isLarge: boolean): ArrowType {
  return {
    name,
    buffers: 3,
    read: ([valid, places, content], count) => {
      const width = isLarge ? 8 : 4;
      const view = viewOf(places, count === 0 ? 0 : (count + 1) * width);
      const bytes = bufferOf(content);
      const place = (row: number): number =>
        isLarge ? Number(view.getBigInt64(row * 8, true)) : view.getInt32(row * 4, true);
      return whereValid(valid, (row) => bytes.toString('utf8', place(row), place(row + 1)));
    },
  };
}

function bufferOf(bytes: Uint8Array | undefined): Buffer {
  return bytes === undefined
    ? Buffer.alloc(0)
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function readBits([valid, bits]: readonly Uint8Array[], count: number): CellOf {
  const view = viewOf(bits, Math.ceil(count / 8));
  return whereValid(valid, (row) => String(((view.getUint8(row >> 3) >> (row & 7)) & 1) === 1));
}

/** An empty text where the bit of a row is not set; without bits every row has a cell. */
function whereValid(valid: Uint8Array | undefined, cell: CellOf): CellOf {
  if (valid === undefined || valid.length === 0) return cell;
  return (row) => ((((valid[row >> 3] ?? 0) >> (row & 7)) & 1) === 1 ? cell(row) : '');
}

function viewOf(buffer: Uint8Array | undefined, bytes: number): DataView {
  if (buffer === undefined || buffer.length < bytes) throw new Error('a column with fewer cells than rows');
  return new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
}
