import { BadInput } from '../../core/base/errors.ts';

/** Levels as Binance prints them: price and quantity, plain decimals. */
export type BinanceLevels = readonly (readonly [price: string, quantity: string])[];

/** The messages of the raw files that matter here; members as on the wire. Times are milliseconds. */
export interface BinanceDepth {
  readonly e: 'depthUpdate';
  readonly E: number;
  /** Transaction time; spot has none. */
  readonly T?: number;
  readonly s: string;
  /** First and last update id in this message. */
  readonly U: number;
  readonly u: number;
  /** Last update id of the message before; spot has none. */
  readonly pu?: number;
  readonly b: BinanceLevels;
  readonly a: BinanceLevels;
}

export interface BinanceTrade {
  readonly e: 'trade';
  readonly E: number;
  readonly T: number;
  readonly s: string;
  readonly t: number;
  readonly p: string;
  readonly q: string;
  /** How it came about; `MARKET` is an execution of the book. Spot has none. */
  readonly X?: string;
  /** Whether the buyer was the maker. */
  readonly m: boolean;
}

export interface BinanceTop {
  readonly e: 'bookTicker';
  readonly s: string;
  readonly b: string;
  readonly B: string;
  readonly a: string;
  readonly A: string;
  readonly T?: number;
}

/** A REST depth reply. */
export interface BinanceSnapshot {
  readonly lastUpdateId: number;
  readonly T?: number;
  readonly symbol?: string;
  readonly bids: BinanceLevels;
  readonly asks: BinanceLevels;
}

/** Local time of a line: whole microseconds, and the nanoseconds beyond them. */
export interface LocalTime {
  micros: number;
  nanos: number;
}

/** The place of a line among bytes: from `start` to before `end`, its JSON from `from`. */
export interface LinePlace {
  start: number;
  from: number;
  end: number;
}

const digitsMicros = 16;
const digitsNanos = 19;

/** How many digits the local time of the line at `start` has; 0 when it has none that is known. */
function stampLength(line: Uint8Array, start: number): number {
  let length = 0;
  while (length <= digitsNanos && isDigit(line[start + length])) length += 1;
  return (length === digitsMicros || length === digitsNanos) && line[start + length] === 32 ? length : 0;
}

/** Reads the local time of the line at `start` into `time`; returns where the JSON begins, 0 when there is no time. */
export function readLocalTime(line: Uint8Array, time: LocalTime, start = 0): number {
  const length = stampLength(line, start);
  if (length === 0) return 0;
  // Eight digits at a time: what fits 32 bits is read in a third of the time.
  const split = start + 8;
  const behind = start + digitsMicros;
  time.micros = digitsOf(line, start, split) * 100_000_000 + digitsOf(line, split, behind);
  time.nanos = length === digitsNanos ? digitsOf(line, behind, start + digitsNanos) : 0;
  return start + length + 1;
}

/** Whether a first line looks like one of a Binance raw file. */
export function looksLikeBinance(line: Uint8Array): boolean {
  const length = stampLength(line, 0);
  if (length === 0) return false;
  const text = Buffer.from(line.subarray(length + 1)).toString('latin1');
  // A recorder begins with whatever comes first: a stream of all symbols, or the answer to its subscription.
  return /^\{("stream": *"(?:[a-z0-9_]+@|![A-Za-z])|"lastUpdateId":|"e": *"|"result": *null,|"id": *[0-9"])/.test(
    text,
  );
}

/**
 * How far the local clock was ahead of the exchange, in nanoseconds; negative when behind. Exact while the two are
 * within two months of each other.
 */
export function latencyNanos(time: LocalTime, exchangeMillis: number): number {
  return (time.micros - exchangeMillis * 1_000) * 1_000 + time.nanos;
}

/** The error for a line that is not what was expected. */
export function badLine(path: string, number: number, expectation: string, found: string): BadInput {
  return new BadInput(`${path}:${number}: ${expectation}, found ${JSON.stringify(found.slice(0, 80))}`);
}

/** The JSON of a line as text. Recordings are ASCII; one byte is one character. */
export function jsonOf(line: Uint8Array, from: number): string {
  return (line as Buffer).toString('latin1', from);
}

function digitsOf(line: Uint8Array, from: number, to: number): number {
  let value = 0;
  for (let i = from; i < to; i++) value = (Math.imul(value, 10) + (line[i] as number) - 48) | 0;
  return value;
}

/** Whether a byte is a decimal digit. */
export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 48 && byte <= 57;
}

/** A line as the venue prints it: without the spaces that JSON of other hands has behind colons and commas. */
export function compactLine<Line extends Uint8Array>(line: Line, from: number): Line | Buffer {
  const colon = line.indexOf(58, from);
  if (colon < 0 || line[colon + 1] !== 32) return line;
  const text = Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString('utf8');
  return Buffer.from(text.slice(0, from) + text.slice(from).replaceAll(/([:,[{]) +/g, '$1'));
}
