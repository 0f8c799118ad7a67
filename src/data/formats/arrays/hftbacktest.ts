import { basename } from 'node:path';
import type { Micros } from '../../../core/base/clock.ts';
import { BadInput } from '../../../core/base/errors.ts';
import { pairOrShareIn } from '../../../core/model/pair.ts';
import { decodedFormat } from '../decoded-recording.ts';
import { OtherKind, plainNumber } from '../fields.ts';
import type { Format, OpenOptions } from '../format.ts';
import type { Decoder, SourceItem } from '../market-writer.ts';
import { readHead } from '../opened-file.ts';
import { untilDamage } from '../partial-recording.ts';
import type { BookSide } from '../order-levels.ts';
import { quoteNote, refuseNoSymbol, symbolOfPath } from '../tables/index.ts';
import { isJesse } from './jesse.ts';
import type { NpyHead } from './npy.ts';
import { isNpy, npyHeadOf, npyRows } from './npy.ts';

/** Kinds of events, in the low bits of `ev`. */
const depth = 1;
const trade = 2;
const clear = 3;
const snapshot = 4;
/** Events 10 to 13 are of single orders; from 100 on they are a user's own. */
const orderEvents = { first: 10, last: 13 };
const kindMask = 0xff;
/** Flags of `ev`: valid at the local side, of a buyer, of a seller. */
const localFlag = 2 ** 30;
const buyFlag = 2 ** 29;
const sellFlag = 2 ** 28;

interface Level {
  readonly kind: number;
  /** `undefined` of an event of both sides. */
  readonly side: BookSide | undefined;
  readonly price: number;
  readonly quantity: number;
}

/** Rows of one pair of times that follow one another: changes of the book, or trades. */
interface HftItem extends SourceItem {
  readonly symbol: string;
  readonly time: Micros;
  readonly isTrades: boolean;
  readonly rows: readonly Level[];
}

/** One row, whatever the version of the file. */
interface HftRow extends Level {
  readonly isLocal: boolean;
  readonly exchange: number;
  readonly local: number;
}

/** Facts about files that are learnt before their rows are read. */
interface HftFacts {
  /** First time of any file: that of whole books without one. */
  readonly from: Micros;
  /** Whether a whole book comes soon. */
  readonly hasSnapshot: boolean;
}

const partialBookNote =
  'times the rows of a first time are taken for a whole book, because none comes soon: levels that stood before are missing';

/**
 * The arrays of hftbacktest, version 2 (`ev`, `exch_ts`, `local_ts`, `px`, `qty`, ...) and version 1 (six columns). Rows that are valid
 * at the local side are the feed in the order of arrival. A snapshot file is given with the data that it begins. Source: hftbacktest,
 * `types.py` and "Data", the event flags.
 */
export const hftbacktest: Format = {
  name: 'hftbacktest',
  looksLike: 'an array of hftbacktest (btcusdt_20240808.npz), with its snapshot file or without',
  carries: 'books (no sequence), trades',
  detects: (head) => isNpy(head) && !isJesse(head),
  open: async (paths, options) => await formatWith(await factsOf(paths)).open(paths, options),
};

function formatWith(facts: HftFacts): Format {
  return decodedFormat<HftItem>({
    name: hftbacktest.name,
    looksLike: hftbacktest.looksLike,
    carries: hftbacktest.carries,
    printing: 'trimmed',
    notes: ['the array has no sequence numbers: lost updates cannot be seen'],
    notesOf: (instruments, options) => quoteNote(instruments, options),
    pairOf: (symbol) => pairOrShareIn(symbol),
    detects: isNpy,
    read: (path, options) => readItems(path, options, facts),
    decoder: () => decoderOf(facts),
  });
}

/** The rows at the beginning of a file by which it is known whether a whole book comes. */
const soonRows = 65_536;

async function factsOf(paths: readonly string[]): Promise<HftFacts> {
  let from = Number.POSITIVE_INFINITY;
  let hasSnapshot = false;
  for (const path of paths) {
    const head = await headOf(path);
    const read = rowReaderOf(head, path);
    // The second look meets damage again.
    for await (const { first, rows, count } of untilDamage(npyRows(path, head), true)) {
      for (let at = 0; at < count; at++) {
        const { kind, local } = read(rows, at * head.rowBytes);
        if (kind === snapshot) hasSnapshot = true;
        if (local > 0) from = Math.min(from, local);
      }
      if (first + count > soonRows) break;
    }
  }
  if (from === Number.POSITIVE_INFINITY)
    throw new BadInput(
      `${paths.join(', ')}: expected rows with times, found none; give a snapshot file with the data that it begins`,
    );
  return { from: from as Micros, hasSnapshot };
}

async function headOf(path: string): Promise<NpyHead> {
  const file = await readHead(path);
  if (!isNpy(file)) throw new BadInput(`${path}: expected an array of numpy, found another file`);
  return npyHeadOf(file.bytes, path);
}

/** A reader of rows by their place in a view. Throws `BadInput` where the array has other fields than hftbacktest writes. */
function rowReaderOf(head: NpyHead, path: string): (rows: DataView, at: number) => HftRow {
  if (!head.isStructured) return columnReaderOf(head, path);
  const place = (name: string, types: RegExp): number => {
    const field = head.fields.find((one) => one.name === name);
    if (field !== undefined && types.test(field.type)) return field.offset;
    const found = head.fields.map((one) => `${one.name} ${one.type}`).join(', ');
    throw new BadInput(
      `${path}: expected the fields ev <u8, exch_ts <i8, local_ts <i8, px <f8 and qty <f8 of hftbacktest, found ${found.slice(0, 200)}`,
    );
  };
  const ev = place('ev', /^<[ui]8$/);
  const exchange = place('exch_ts', /^<[ui]8$/);
  const local = place('local_ts', /^<[ui]8$/);
  const price = place('px', /^<f8$/);
  const quantity = place('qty', /^<f8$/);
  return (rows, at) => {
    const flags = rows.getUint32(at + ev, true);
    return {
      kind: flags & kindMask,
      side: (flags & buyFlag) !== 0 ? 0 : (flags & sellFlag) !== 0 ? 1 : undefined,
      isLocal: (flags & localFlag) !== 0,
      exchange: microsOf(rows.getBigInt64(at + exchange, true)),
      local: microsOf(rows.getBigInt64(at + local, true) + 999n),
      price: rows.getFloat64(at + price, true),
      quantity: rows.getFloat64(at + quantity, true),
    };
  };
}

function microsOf(nanos: bigint): number {
  return Number(nanos / 1_000n);
}

/** Version 1: event, time of the exchange, local time, side, price, quantity; a time of -1 is not valid at that side. */
function columnReaderOf(head: NpyHead, path: string): (rows: DataView, at: number) => HftRow {
  if (head.fields.length !== 6 || head.fields[0]?.type !== '<f8')
    throw new BadInput(
      `${path}: expected six columns of <f8 (event, exch_timestamp, local_timestamp, side, price, qty) or the fields of hftbacktest 2, found ${head.fields.length} of ${head.fields[0]?.type ?? 'none'}`,
    );
  return (rows, at) => {
    const cell = (column: number): number => rows.getFloat64(at + column * 8, true);
    const [exchange, local, side] = [microsOfCount(cell(1)), microsOfCount(cell(2)), cell(3)];
    return {
      kind: cell(0),
      side: side === 1 ? 0 : side === -1 ? 1 : undefined,
      isLocal: local > 0,
      exchange: exchange > 0 ? exchange : local,
      local,
      price: cell(4),
      quantity: cell(5),
    };
  };
}

/** Version 1 counts in the unit of its source, which the size tells. */
function microsOfCount(count: number): number {
  if (count >= 1e17) return Math.floor(count / 1_000);
  if (count >= 1e14) return count;
  return count >= 1e11 ? count * 1_000 : count;
}

async function* readItems(
  path: string,
  options: OpenOptions,
  { from }: HftFacts,
): AsyncGenerator<readonly HftItem[], void, undefined> {
  const head = await headOf(path);
  const read = rowReaderOf(head, path);
  const symbol = symbolOf(path, options);
  let group: (HftItem & { readonly rows: Level[] }) | undefined;
  for await (const { first, rows, count } of npyRows(path, head)) {
    const items: HftItem[] = [];
    for (let at = 0; at < count; at++) {
      const row = read(rows, at * head.rowBytes);
      const number = first + at;
      if (row.kind >= orderEvents.first && row.kind <= orderEvents.last)
        throw new OtherKind(
          `${path}: row ${number}: expected levels and trades, found an event of a single order (${row.kind}); give the DBN of Databento that it was made of`,
        );
      if (!row.isLocal) continue;
      const receiveTime = (row.local > 0 ? row.local : from) as Micros;
      const time = (row.exchange > 0 ? row.exchange : receiveTime) as Micros;
      const isTrades = row.kind === trade;
      if (group === undefined || !isSame(group, { receiveTime, time, isTrades })) {
        if (group !== undefined) items.push(group);
        group = { path, number, symbol, receiveTime, time, isTrades, rows: [] };
      }
      group.rows.push(row);
    }
    if (items.length > 0) yield items;
  }
  if (group !== undefined) yield [group];
}

function isSame(group: HftItem, next: Pick<HftItem, 'receiveTime' | 'time' | 'isTrades'>): boolean {
  return (
    group.receiveTime === next.receiveTime && group.time === next.time && group.isTrades === next.isTrades
  );
}

/** Files of hftbacktest are named in small letters: `btcusdt_20240808.npz`. */
function symbolOf(path: string, options: OpenOptions): string {
  const given =
    options.symbol ?? (options.instruments?.length === 1 ? options.instruments[0]?.symbol : undefined);
  const symbol = given ?? symbolOfPath(basename(path).replace(/\.np[yz]$/i, '')).symbol.toUpperCase();
  refuseNoSymbol(symbol);
  return symbol;
}

function decoderOf({ hasSnapshot }: HftFacts): Decoder<HftItem> {
  /** Sizes by price of each side, bids first, by symbol: a clear names no levels. */
  const books = new Map<string, readonly [Map<number, number>, Map<number, number>]>();
  return {
    accept: (item, writer) => {
      const { symbol, time, rows } = item;
      if (item.isTrades) {
        if (rows.some(({ side }) => side === undefined))
          writer.anomaly('times trades without a side are taken for those of buyers');
        const trades = rows.map(({ side, price, quantity }) => ({
          id: '',
          price: numberOf(price),
          quantity: numberOf(quantity),
          side: side === 1 ? ('sell' as const) : ('buy' as const),
          time,
        }));
        writer.trades(symbol, false, trades);
        return;
      }
      const others = rows.filter(({ kind }) => kind !== depth && kind !== clear && kind !== snapshot).length;
      if (others > 0) writer.anomaly('times events of a kind of the user are left out');
      if (others === rows.length) return;
      const known = books.get(symbol);
      const book = known ?? ([new Map(), new Map()] as const);
      books.set(symbol, book);
      const changed = rows.flatMap((row) => changedBy(row, book));
      const isFirst = known === undefined && !hasSnapshot;
      const isWhole = isFirst || rows.some(({ kind }) => kind === snapshot);
      if (!writer.begin(symbol)) return;
      if (isFirst) writer.anomaly(partialBookNote);
      const levels = isWhole
        ? book.flatMap((side, at) => [...side].map(([price, size]) => [at as BookSide, price, size] as const))
        : changed;
      for (const [side, price, size] of levels) writer.level(side, numberOf(price), numberOf(size));
      if (isWhole) writer.snapshot({ time });
      else writer.update({ time });
    },
  };
}

/** The levels that a row changes, which it changes in `book`, too. */
function changedBy(
  { kind, side, price, quantity }: Level,
  book: readonly [Map<number, number>, Map<number, number>],
): readonly (readonly [side: BookSide, price: number, size: number])[] {
  if (kind === clear) {
    const sides: readonly BookSide[] = side === undefined ? [0, 1] : [side];
    return sides.flatMap((one) => {
      const reach = (level: number): boolean => (one === 0 ? level >= price : level <= price);
      // Without a side or a price all levels go.
      const isAll = side === undefined || !Number.isFinite(price) || price <= 0;
      const gone = [...book[one].keys()].filter((level) => isAll || reach(level));
      for (const level of gone) book[one].delete(level);
      return gone.map((level) => [one, level, 0] as const);
    });
  }
  if ((kind !== depth && kind !== snapshot) || side === undefined) return [];
  if (quantity === 0) book[side].delete(price);
  else book[side].set(price, quantity);
  return [[side, price, quantity]];
}

function numberOf(value: number): string {
  if (Number.isFinite(value) && value >= 0) return plainNumber(value);
  throw new BadInput(`expected a price or a quantity that is a number and not below 0, found ${value}`);
}
