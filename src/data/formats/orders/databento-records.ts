import { BadInput } from '../../../core/base/errors.ts';
import type { DbnHeader } from './databento-header.ts';
import { dbnHeaderLength, readDbnHeader } from './databento-header.ts';
import { readBytes } from '../opened-file.ts';

/** One record of a market feed. The object is used again for the next record. Prices are in units of 10^-9. */
export interface DbnRecord {
  /** From 1. */
  number: number;
  rtype: number;
  instrument: number;
  /** Times of the exchange and of the capture, in micros; nanoseconds are cut. */
  eventMicros: number;
  receivedMicros: number;
  /** 0n for records that are of no single order. */
  orderId: bigint;
  /** NaN when undefined. */
  price: number;
  size: number;
  flags: number;
  /** One letter: A add, C cancel, M modify, R clear, T trade, F fill. */
  action: string;
  /** One letter: A ask, B bid, N none. */
  side: string;
  /** Levels after the record: bid, ask price and sizes in fours. Length by `depth`. */
  readonly levels: Float64Array;
  depth: number;
}

/** Record types we read. Source: Databento, "Databento Binary Encoding", rtype. */
export const dbnTypes = { trade: 0, mbp1: 1, mbp10: 10, mbo: 160 } as const;

/** Flag of the last record of an event, and of records that rebuild a book. */
export const dbnLast = 128;
export const dbnSnapshot = 32;

const lengths: ReadonlyMap<number, number> = new Map([
  [dbnTypes.trade, 48],
  [dbnTypes.mbp1, 80],
  [dbnTypes.mbp10, 368],
  [dbnTypes.mbo, 56],
]);
const undefinedPrice = 0x7fff_ffff_ffff_ffffn;
const levelBytes = 32;

/** Whether a price, in units of 10^-9, is one that can be counted exactly. */
export function isDbnPrice(price: number): boolean {
  return Number.isSafeInteger(price) && price > 0;
}

export function badDbnPrice(path: string, record: number, price: number): BadInput {
  return new BadInput(
    `${path}: record ${record}: expected a price above 0 and up to 9007199, found ${price / 1e9}`,
  );
}

/** Sink for what is read from one file: the head first, then each record. */
export interface DbnSink {
  header(header: DbnHeader): void;
  record(record: DbnRecord): void;
  /** A record of a type we do not read. */
  other(rtype: number): void;
}

/**
 * Reads a DBN file, plain or packed. Yields after each piece of the file, so that the caller may pass events on. Throws
 * `BadInput` with path and record when the file is no DBN or is cut short.
 */
export async function* readDbn(path: string, sink: DbnSink): AsyncGenerator<void, void, undefined> {
  let rest: Buffer = Buffer.alloc(0);
  let header: DbnHeader | undefined;
  const record = newRecord();
  let number = 0;
  for await (const piece of readBytes(path)) {
    rest = rest.length === 0 ? Buffer.from(piece) : Buffer.concat([rest, piece]);
    let at = 0;
    if (header === undefined) {
      if (rest.length < 8) continue;
      const length = dbnHeaderLength(rest, path);
      if (rest.length < length) continue;
      header = readDbnHeader(rest.subarray(0, length), path);
      sink.header(header);
      at = length;
    }
    while (at < rest.length) {
      const length = (rest[at] as number) * 4;
      if (length < 16) {
        throw new BadInput(
          `${path}: record ${number + 1}: expected a record of 16 bytes or more, found ${length}`,
        );
      }
      if (at + length > rest.length) break;
      number += 1;
      const rtype = rest[at + 1] as number;
      const expected = lengths.get(rtype);
      if (expected === undefined) {
        sink.other(rtype);
      } else if (length < expected) {
        throw new BadInput(
          `${path}: record ${number}: expected ${expected} bytes in a record of type ${rtype}, found ${length}`,
        );
      } else {
        record.number = number;
        decode(rest, at, record);
        sink.record(record);
      }
      at += length;
    }
    rest = rest.subarray(at);
    yield;
  }
  if (header === undefined || rest.length > 0) {
    throw new BadInput(
      `${path}: expected whole records to the end, found ${rest.length} bytes after record ${number}: the file is cut short`,
    );
  }
}

function decode(bytes: Buffer, at: number, record: DbnRecord): void {
  const rtype = bytes[at + 1] as number;
  record.rtype = rtype;
  record.instrument = bytes.readUInt32LE(at + 4);
  record.eventMicros = microsAt(bytes, at + 8);
  const isOrder = rtype === dbnTypes.mbo;
  record.orderId = isOrder ? bytes.readBigUInt64LE(at + 16) : 0n;
  const body = isOrder ? at + 24 : at + 16;
  record.price = priceAt(bytes, body);
  record.size = bytes.readUInt32LE(body + 8);
  record.flags = bytes[isOrder ? body + 12 : body + 14] as number;
  record.action = String.fromCharCode(bytes[isOrder ? body + 14 : body + 12] as number);
  record.side = String.fromCharCode(bytes[isOrder ? body + 15 : body + 13] as number);
  const received = microsAt(bytes, body + 16);
  record.receivedMicros = received > 0 && received < Number.MAX_SAFE_INTEGER ? received : record.eventMicros;
  record.depth = rtype === dbnTypes.mbp1 ? 1 : rtype === dbnTypes.mbp10 ? 10 : 0;
  for (let level = 0; level < record.depth; level++) {
    const from = at + 48 + level * levelBytes;
    record.levels[level * 4] = priceAt(bytes, from);
    record.levels[level * 4 + 1] = priceAt(bytes, from + 8);
    record.levels[level * 4 + 2] = bytes.readUInt32LE(from + 16);
    record.levels[level * 4 + 3] = bytes.readUInt32LE(from + 20);
  }
}

/** Nanoseconds as whole micros. The division is exact in integers, which doubles of 19 digits are not. */
function microsAt(bytes: Buffer, at: number): number {
  return Number(bytes.readBigUInt64LE(at) / 1_000n);
}

function priceAt(bytes: Buffer, at: number): number {
  const price = bytes.readBigInt64LE(at);
  return price === undefinedPrice ? Number.NaN : Number(price);
}

function newRecord(): DbnRecord {
  return {
    number: 0,
    rtype: 0,
    instrument: 0,
    eventMicros: 0,
    receivedMicros: 0,
    orderId: 0n,
    price: 0,
    size: 0,
    flags: 0,
    action: '',
    side: '',
    levels: new Float64Array(40),
    depth: 0,
  };
}
