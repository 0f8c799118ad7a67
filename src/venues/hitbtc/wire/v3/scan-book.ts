import type { Instrument } from '../../../../core/model/instrument.ts';
import type { LevelBuffer } from '../../../../core/model/level-buffer.ts';
import { microsOfMillis } from '../formats.ts';
import type { MarketSink } from '../market-sink.ts';
import { ascii, cursor, joined, scanInteger, standsAt } from '../../../../core/base/scan-bytes.ts';
import type { SymbolTable } from '../../../../core/model/symbol-table.ts';

const updateLength = 'update":{"'.length;
const snapshotTail = ascii('snapshot":{"');
/** Where `update` and `snapshot` differ. */
const kindAt = 24;

const brace = 0x7d;
const colon = 0x3a;
const comma = 0x2c;
const quote = 0x22;
const open = 0x5b;
const close = 0x5d;
const point = 0x2e;
const zero = 0x30;

/** Reads an `orderbook/full` frame in the one form the service sends; false on anything else, without a call of the sink. */
export function scanV3Book(
  bytes: Uint8Array,
  symbols: SymbolTable,
  buffer: LevelBuffer,
  sink: MarketSink,
): boolean {
  const last = bytes.length - 3;
  if (bytes[last] !== brace || bytes[last + 1] !== brace || bytes[last + 2] !== brace) return false;
  const snapshot = bytes[kindAt] === 0x73;
  if (!isBookHead(bytes)) return false;
  if (snapshot ? !standsAt(bytes, kindAt, snapshotTail) : !isUpdateTail(bytes)) return false;
  const instrument = symbols.find(bytes, kindAt + (snapshot ? snapshotTail.length : updateLength));
  if (instrument === undefined) return false;
  const { end } = symbols;
  if (bytes[end + 1] !== colon || !isMember(bytes, end + 2, 0x7b, 0x74)) return false;
  const time = microsOfMillis(scanInteger(bytes, end + 7));
  if (!(time >= 0) || !isMember(bytes, cursor.at, comma, 0x73)) return false;
  const sequence = scanInteger(bytes, cursor.at + 5);
  if (sequence < 0) return false;
  buffer.beginMessage();
  if (
    isMember(bytes, cursor.at, comma, 0x61) &&
    scanSide(bytes, cursor.at + 5, 1, instrument, buffer) &&
    isMember(bytes, cursor.at, comma, 0x62) &&
    scanSide(bytes, cursor.at + 5, 0, instrument, buffer) &&
    cursor.at === last
  ) {
    sink.book(instrument, snapshot, time, sequence);
    return true;
  }
  buffer.abandon();
  return false;
}

/** Whether `{"ch":"orderbook/full","` stands at the beginning. Written out, because a loop takes twice as long. */
function isBookHead(bytes: Uint8Array): boolean {
  return (
    bytes[0] === 0x7b &&
    bytes[1] === 0x22 &&
    bytes[2] === 0x63 &&
    bytes[3] === 0x68 &&
    bytes[4] === 0x22 &&
    bytes[5] === 0x3a &&
    bytes[6] === 0x22 &&
    bytes[7] === 0x6f &&
    bytes[8] === 0x72 &&
    bytes[9] === 0x64 &&
    bytes[10] === 0x65 &&
    bytes[11] === 0x72 &&
    bytes[12] === 0x62 &&
    bytes[13] === 0x6f &&
    bytes[14] === 0x6f &&
    bytes[15] === 0x6b &&
    bytes[16] === 0x2f &&
    bytes[17] === 0x66 &&
    bytes[18] === 0x75 &&
    bytes[19] === 0x6c &&
    bytes[20] === 0x6c &&
    bytes[21] === 0x22 &&
    bytes[22] === 0x2c &&
    bytes[23] === 0x22
  );
}

/** Whether `update":{"` stands behind that. */
function isUpdateTail(bytes: Uint8Array): boolean {
  return (
    bytes[24] === 0x75 &&
    bytes[25] === 0x70 &&
    bytes[26] === 0x64 &&
    bytes[27] === 0x61 &&
    bytes[28] === 0x74 &&
    bytes[29] === 0x65 &&
    bytes[30] === quote &&
    bytes[31] === colon &&
    bytes[32] === 0x7b &&
    bytes[33] === quote
  );
}

/** Whether `lead` and then a member of one letter, such as `,"s":`, stand at `at`. */
function isMember(bytes: Uint8Array, at: number, lead: number, letter: number): boolean {
  return (
    bytes[at] === lead &&
    bytes[at + 1] === quote &&
    bytes[at + 2] === letter &&
    bytes[at + 3] === quote &&
    bytes[at + 4] === colon
  );
}

/**
 * Reads `[["price","size"],...]`; the cursor goes behind the closing bracket.
 *
 * Both numbers are read as `scanUnits` does, but in place: with calls a snapshot takes a third longer.
 */
function scanSide(
  bytes: Uint8Array,
  start: number,
  side: 0 | 1,
  instrument: Instrument,
  buffer: LevelBuffer,
): boolean {
  let at = start + 1;
  if (bytes[start] !== open) return false;
  if (bytes[at] === close) {
    cursor.at = at + 1;
    return true;
  }
  for (;;) {
    if (bytes[at] !== open || bytes[at + 1] !== quote) return false;
    at += 2;
    let high = 0;
    let low = 0;
    let count = 0;
    let missing = instrument.priceDecimals;
    let digit = (bytes[at] as number) - zero;
    for (; digit >>> 0 < 10; count += 1, digit = (bytes[++at] as number) - zero) {
      if (count < 9) high = (Math.imul(high, 10) + digit) | 0;
      else low = (Math.imul(low, 10) + digit) | 0;
    }
    if (bytes[at] === point) {
      const whole = count;
      digit = (bytes[++at] as number) - zero;
      for (; digit >>> 0 < 10; count += 1, digit = (bytes[++at] as number) - zero) {
        if (count < 9) high = (Math.imul(high, 10) + digit) | 0;
        else low = (Math.imul(low, 10) + digit) | 0;
      }
      missing -= count - whole;
      if (whole === 0 || count === whole || missing < 0) return false;
    }
    if (count === 0 || bytes[at] !== quote || bytes[at + 1] !== comma || bytes[at + 2] !== quote)
      return false;
    const price = instrument.ticksOfUnits(joined(high, low, count, missing));
    at += 3;
    high = 0;
    low = 0;
    count = 0;
    missing = instrument.quantityDecimals;
    digit = (bytes[at] as number) - zero;
    for (; digit >>> 0 < 10; count += 1, digit = (bytes[++at] as number) - zero) {
      if (count < 9) high = (Math.imul(high, 10) + digit) | 0;
      else low = (Math.imul(low, 10) + digit) | 0;
    }
    if (bytes[at] === point) {
      const whole = count;
      digit = (bytes[++at] as number) - zero;
      for (; digit >>> 0 < 10; count += 1, digit = (bytes[++at] as number) - zero) {
        if (count < 9) high = (Math.imul(high, 10) + digit) | 0;
        else low = (Math.imul(low, 10) + digit) | 0;
      }
      missing -= count - whole;
      if (whole === 0 || count === whole || missing < 0) return false;
    }
    if (count === 0 || bytes[at] !== quote || bytes[at + 1] !== close) return false;
    const size = instrument.lotsOfUnits(joined(high, low, count, missing));
    if (!(price > 0 && size >= 0)) return false;
    buffer.push(side, price, size);
    at += 3;
    if (bytes[at - 1] === close) {
      cursor.at = at;
      return true;
    }
    if (bytes[at - 1] !== comma) return false;
  }
}
