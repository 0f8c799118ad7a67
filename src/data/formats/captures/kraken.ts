import type { Micros } from '../../../core/base/clock.ts';
import { isCaptureOf, captureDecoder, readCaptureLines } from './lines.ts';
import type { VenueDecoder } from './lines.ts';
import { krakenChecksum } from '../checksums.ts';
import type { Members } from '../../../core/base/members.ts';
import { integerOf, membersOf, misfit, parseJson, rowsOf, secondsOf, textOf } from '../fields.ts';
import { tapeFormat } from '../tape-recording.ts';
import type { Tape, TapeTrade } from '../tape.ts';

/**
 * Kraken's socket v1: book, trade and ticker. A message is `[channel id, payload..., channel, pair]`; a book of depth N
 * keeps N levels a side, what falls beyond is never deleted by name. Every update carries a CRC-32 of its ten best levels.
 * Source: Kraken WebSocket v1, "book", "trade", "ticker".
 */
export const krakenCapture = tapeFormat({
  name: 'kraken-v1',
  looksLike: 'a text capture of wss://ws.kraken.com',
  carries: 'books (checksum proved), trades, tickers',
  printing: 'fixed',
  checksum: krakenChecksum,
  detects: (head) => isCaptureOf(head, /^(ws|beta-ws)\.kraken\.com$/),
  read: readCaptureLines,
  decoder: () => captureDecoder(decoder),
});

const decoder: VenueDecoder = {
  received: (body, tape) => {
    const message = parseJson(body);
    // Events such as heartbeats are objects.
    if (!Array.isArray(message)) return;
    const list = message as readonly unknown[];
    const channel = textOf(list.at(-2), 'the channel name');
    const pair = textOf(list.at(-1), 'the pair');
    const payloads = list.slice(1, -2);
    if (channel.startsWith('book-')) readBook(payloads, Number(channel.slice(5)), pair, tape);
    else if (channel === 'trade') readTrades(payloads[0], pair, tape);
    else if (channel === 'ticker') readTicker(membersOf(payloads[0], 'the ticker'), pair, tape);
  },
};

function readBook(payloads: readonly unknown[], depth: number, pair: string, tape: Tape): void {
  if (!Number.isInteger(depth)) throw misfit('the channel', 'book-<depth>', `book-${depth}`);
  if (!tape.begin(pair)) return;
  let time = 0;
  let isWhole = false;
  let sum: number | undefined;
  for (const payload of payloads) {
    const members = membersOf(payload, 'a part of the book');
    if (members['as'] !== undefined || members['bs'] !== undefined) isWhole = true;
    time = Math.max(time, readSide(members, 'bs', 0, tape), readSide(members, 'as', 1, tape));
    time = Math.max(time, readSide(members, 'b', 0, tape), readSide(members, 'a', 1, tape));
    if (members['c'] !== undefined) sum = integerOf(members['c'], 'the checksum');
  }
  const book = {
    time: time === 0 ? undefined : (time as Micros),
    depth,
    ...(sum === undefined ? {} : { checksum: sum }),
  };
  if (isWhole) tape.snapshot(book);
  else tape.update(book);
}

/** Returns the latest time of a level, in microseconds; 0 when there is none. */
function readSide(members: Members, name: string, side: 0 | 1, tape: Tape): number {
  let latest = 0;
  for (const row of rowsOf(members[name], `the side "${name}"`)) {
    tape.level(side, textOf(row[0], 'a price'), textOf(row[1], 'a volume'));
    latest = Math.max(latest, secondsOf(row[2], 'the time of a level'));
  }
  return latest;
}

function readTrades(payload: unknown, pair: string, tape: Tape): void {
  const trades = rowsOf(payload, 'the trades').map((row): TapeTrade => ({
    id: '',
    price: textOf(row[0], 'a price'),
    quantity: textOf(row[1], 'a volume'),
    side: row[3] === 'b' ? 'buy' : 'sell',
    time: secondsOf(row[2], 'the time of a trade'),
  }));
  tape.trades(pair, false, trades);
}

function readTicker(ticker: Members, pair: string, tape: Tape): void {
  const at = (name: string, index: number): string | undefined => {
    const values = ticker[name];
    return Array.isArray(values) ? textOf(values[index], `"${name}"`) : undefined;
  };
  tape.ticker(pair, {
    time: undefined,
    bid: at('b', 0),
    bidQuantity: at('b', 2),
    ask: at('a', 0),
    askQuantity: at('a', 2),
    last: at('c', 0),
  });
}
