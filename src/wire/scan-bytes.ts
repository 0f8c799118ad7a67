import { powersOfTen } from '../base/scan.ts';

// Reading numbers out of frame bytes without making text. Whatever is not exactly the expected form answers -1 (or
// false), and the caller hands the whole frame to the strict path. At most 15 digits, so that every intermediate
// value is exact; callers have proved that the frame ends in a byte that is no digit, so no read passes its end.

/** Where the last read stopped: the index behind what it consumed. One scan runs at a time and never across calls. */
export const cursor = { at: 0 };

const zero = 0x30;
const point = 0x2e;
const quote = 0x22;
const minus = 0x2d;

/** The bytes of an ASCII text. */
export function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

/** Whether `expected` stands at `at`. */
export function standsAt(bytes: Uint8Array, at: number, expected: Uint8Array): boolean {
  if (at + expected.length > bytes.length) return false;
  for (let i = 0; i < expected.length; i++) if (bytes[at + i] !== expected[i]) return false;
  return true;
}

/**
 * A decimal ended by a quote, as an integer in units of 10^-decimals; the cursor goes behind the quote.
 * -1 on an empty part, a sign, an exponent, a non-zero digit beyond `decimals`, or more than 15 digits.
 */
export function scanUnits(bytes: Uint8Array, at: number, decimals: number): number {
  let i = at;
  let digit = (bytes[i] as number) - zero;
  if (digit < 0 || digit > 9) return -1;
  let value = 0;
  do {
    value = value * 10 + digit;
    i += 1;
    digit = (bytes[i] as number) - zero;
  } while (digit >= 0 && digit <= 9);
  let missing = decimals;
  if (bytes[i] === point) {
    i += 1;
    digit = (bytes[i] as number) - zero;
    if (digit < 0 || digit > 9) return -1;
    do {
      if (missing > 0) {
        value = value * 10 + digit;
        missing -= 1;
      } else if (digit !== 0) {
        return -1;
      }
      i += 1;
      digit = (bytes[i] as number) - zero;
    } while (digit >= 0 && digit <= 9);
  }
  if (bytes[i] !== quote || i - at > 16 || (i - at === 16 && missing === decimals)) return -1;
  cursor.at = i + 1;
  if (missing === 0) return value;
  const units = value * (powersOfTen[missing] as number);
  return units <= Number.MAX_SAFE_INTEGER ? units : -1;
}

/** A JSON integer from 0 without leading zeros; the cursor goes behind its last digit. -1 when there is none. */
export function scanInteger(bytes: Uint8Array, at: number): number {
  let i = at;
  let digit = (bytes[i] as number) - zero;
  if (digit < 0 || digit > 9) return -1;
  const first = digit;
  let value = 0;
  do {
    value = value * 10 + digit;
    i += 1;
    digit = (bytes[i] as number) - zero;
  } while (digit >= 0 && digit <= 9);
  if (i - at > 15 || (first === 0 && i - at > 1)) return -1;
  cursor.at = i;
  return value;
}

/** How many digits stood behind the point of the decimal `scanWhole` read last. */
export const lastFraction = { digits: 0 };

/** A decimal ended by a quote as an integer of all its digits; `lastFraction` has the scale. -1 as `scanUnits`. */
export function scanWhole(bytes: Uint8Array, at: number): number {
  let i = at;
  let value = 0;
  let pointAt = -1;
  for (; ; i++) {
    const byte = bytes[i] as number;
    const digit = byte - zero;
    if (digit >= 0 && digit <= 9) value = value * 10 + digit;
    else if (byte === point && pointAt < 0 && i > at) pointAt = i;
    else break;
  }
  if (bytes[i] !== quote || i === at || i - at > (pointAt < 0 ? 15 : 16) || pointAt === i - 1) return -1;
  lastFraction.digits = pointAt < 0 ? 0 : i - pointAt - 1;
  cursor.at = i + 1;
  return value;
}

/** Steps over a signed decimal ended by a quote, of at most 40 characters. */
export function skipDecimal(bytes: Uint8Array, at: number): boolean {
  const start = bytes[at] === minus ? at + 1 : at;
  let i = start;
  let pointAt = -1;
  for (; ; i++) {
    const byte = bytes[i] as number;
    if (byte === point && pointAt < 0 && i > start) pointAt = i;
    else if (byte < zero || byte > zero + 9) break;
  }
  if (bytes[i] !== quote || i === start || i - start > 40 || pointAt === i - 1) return false;
  cursor.at = i + 1;
  return true;
}
