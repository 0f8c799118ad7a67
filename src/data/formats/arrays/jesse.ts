import { BadInput } from '../../../core/base/errors.ts';
import type { Row, RowSource } from '../bars-rows.ts';
import { plainNumber } from '../fields.ts';
import type { FileHead, Format } from '../format.ts';
import { readHead } from '../opened-file.ts';
import { openNamedColumns } from '../tables/index.ts';
import { isNpy, npyHeadOf, npyRows } from './npy.ts';

/** Columns of an array of candles of Jesse, in its order. Source: Jesse, "Candles", `research.get_candles`. */
const columns = ['timestamp', 'open', 'close', 'high', 'low', 'volume'];
/** Milliseconds of 2001: the first column of other arrays is a kind of event. */
const timeMin = 1e12;
const rowBytes = columns.length * 8;

/** Arrays of candles of Jesse, saved by numpy: six columns of doubles, the first of which counts milliseconds. */
export const jesseCandles: Format = {
  name: 'jesse-candles',
  bars: true,
  looksLike: 'an array of candles of Jesse, saved by numpy (BTC-USDT-1m.npy)',
  carries: 'bars',
  detects: isJesse,
  open: async (paths, options) => {
    for (const path of paths)
      if (!isJesse(await readHead(path)))
        throw new BadInput(
          `${path}: expected an array of ${columns.join(', ')} with times in milliseconds, found another file; numpy.save writes it from the candles of Jesse`,
        );
    const files = paths.map((path) => ({ columns, source: sourceOf(path) }));
    return await openNamedColumns('jesse-candles', 'bars', files, options);
  },
};

/** Test of an array of numpy for candles, by its shape and its first number. */
export function isJesse(head: FileHead): boolean {
  if (!isNpy(head)) return false;
  try {
    const { fields, isStructured, start, rows } = npyHeadOf(head.bytes, head.name);
    const isShape = !isStructured && fields.length === columns.length && fields[0]?.type === '<f8';
    if (!isShape || rows === 0 || head.bytes.length < start + rowBytes) return false;
    return new DataView(head.bytes.buffer, head.bytes.byteOffset + start).getFloat64(0, true) >= timeMin;
  } catch {
    return false;
  }
}

function sourceOf(path: string): RowSource {
  return {
    path,
    unit: 'row',
    rows: async function* () {
      const head = npyHeadOf((await readHead(path)).bytes, path);
      for await (const { first, rows, count } of npyRows(path, head))
        yield Array.from({ length: count }, (_, at): Row => {
          const cell = (column: number): string =>
            plainNumber(rows.getFloat64(at * rowBytes + column * 8, true));
          return { number: first + at, cells: columns.map((_name, column) => cell(column)) };
        });
    },
  };
}
