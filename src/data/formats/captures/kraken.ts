import type { Micros } from '../../../core/base/clock.ts';
import { isCaptureOf, captureDecoder, captureLines } from './lines.ts';
import type { VenueDecoder } from './lines.ts';
import { krakenChecksum } from '../checksums.ts';
import type { Members } from '../../../core/base/members.ts';
import { integerOf, membersOf, misfit, parseJson, listRows, secondsOf, textOf } from '../fields.ts';
import { decodedFormat } from '../decoded-recording.ts';
import type { MarketWriter, WrittenTrade } from '../market-writer.ts';

/**
 * Kraken's socket v1: book, trade and ticker. A message is `[channel id, payload..., channel, pair]`; a book of depth N
 * keeps N levels a side, what falls beyond is never deleted by name. Every update carries a CRC-32 of its ten best levels.
 * Source: Kraken WebSocket v1, "book", "trade", "ticker".
 */
export const krakenCapture = decodedFormat({
  name: 'kraken-v1',
  looksLike: 'a text capture of wss://ws.kraken.com',
  carries: 'books (checksum proved), trades, tickers',
  printing: 'fixed',
  checksum: krakenChecksum,
  detects: (head) => isCaptureOf(head, /^(ws|beta-ws|api)\.kraken\.com$/),
  ...captureLines,
  decoder: () => captureDecoder(decoder),
});

const decoder: VenueDecoder = {
  received: (body, writer) => {
    const message = parseJson(body);
    // Events such as heartbeats are objects.
    if (!Array.isArray(message)) return;
    const list = message as readonly unknown[];
    const channel = list.at(-2);
    if (typeof channel !== 'string') return;
    const pair = textOf(list.at(-1), 'the pair');
    const payloads = list.slice(1, -2);
    if (channel.startsWith('book-')) readBook(payloads, Number(channel.slice(5)), pair, writer);
    else if (channel === 'trade') readTrades(payloads[0], pair, writer);
    else if (channel === 'ticker') readTicker(membersOf(payloads[0], 'the ticker'), pair, writer);
  },
};

function readBook(payloads: readonly unknown[], depth: number, pair: string, writer: MarketWriter): void {
  if (!Number.isInteger(depth)) throw misfit('the channel', 'book-<depth>', `book-${depth}`);
  if (!writer.begin(pair)) return;
  let time = 0;
  let isWhole = false;
  let sum: number | undefined;
  for (const payload of payloads) {
    const members = membersOf(payload, 'a part of the book');
    if (members['as'] !== undefined || members['bs'] !== undefined) isWhole = true;
    time = Math.max(time, readSide(members, 'bs', 0, writer), readSide(members, 'as', 1, writer));
    time = Math.max(time, readSide(members, 'b', 0, writer), readSide(members, 'a', 1, writer));
    if (members['c'] !== undefined) sum = integerOf(members['c'], 'the checksum');
  }
  const book = {
    time: time === 0 ? undefined : (time as Micros),
    depth,
    ...(sum === undefined ? {} : { checksum: sum }),
  };
  if (isWhole) writer.snapshot(book);
  else writer.update(book);
}

/** Returns the latest time of a level, in microseconds; 0 when there is none. */
function readSide(members: Members, name: string, side: 0 | 1, writer: MarketWriter): number {
  let latest = 0;
  for (const row of listRows(members[name], `the side "${name}"`)) {
    writer.level(side, textOf(row[0], 'a price'), textOf(row[1], 'a volume'));
    latest = Math.max(latest, secondsOf(row[2], 'the time of a level'));
  }
  return latest;
}

function readTrades(payload: unknown, pair: string, writer: MarketWriter): void {
  const trades = listRows(payload, 'the trades').map((row): WrittenTrade => ({
    id: '',
    price: textOf(row[0], 'a price'),
    quantity: textOf(row[1], 'a volume'),
    side: row[3] === 'b' ? 'buy' : 'sell',
    time: secondsOf(row[2], 'the time of a trade'),
  }));
  writer.trades(pair, false, trades);
}

function readTicker(ticker: Members, pair: string, writer: MarketWriter): void {
  const at = (name: string, index: number): string | undefined => {
    const values = ticker[name];
    return Array.isArray(values) ? textOf(values[index], `"${name}"`) : undefined;
  };
  writer.ticker(pair, {
    time: undefined,
    bid: at('b', 0),
    bidQuantity: at('b', 2),
    ask: at('a', 0),
    askQuantity: at('a', 2),
    last: at('c', 0),
  });
}
