import { inflateRawSync } from 'node:zlib';
import { BadInput } from '../../../core/base/errors.ts';
import type { Members } from '../../../core/base/members.ts';
import { isMembers } from '../../../core/base/members.ts';
import { lineBytesMax } from '../../recording/index.ts';
import { okxChecksum } from '../checksums.ts';
import { decodedFormat } from '../decoded-recording.ts';
import {
  integerOf,
  isoTimeOf,
  listOf,
  membersOf,
  optionalText,
  parseJson,
  sideOf,
  textOf,
} from '../fields.ts';
import type { MarketWriter } from '../market-writer.ts';
import type { VenueDecoder } from './lines.ts';
import { captureDecoder, captureLines, isCaptureOf, writeLevels } from './lines.ts';

/**
 * OKEx and OKCoin, socket v3: depth (with a checksum in every message), trades, tickers of every kind of market. Its frames
 * are deflated; recorders print them as Python prints bytes (`b'...'`), or inflated. Source: OKEx API v3, "WebSocket",
 * depth, depth_l2_tbt, trade, ticker.
 */
export const okexV3Capture = decodedFormat({
  name: 'okex-v3',
  looksLike: 'a text capture of wss://real.okex.com or real.okcoin.com, path /ws/v3',
  carries: 'books (checksum proved), trades, tickers',
  printing: 'trimmed',
  checksum: okxChecksum,
  detects: (head) => isCaptureOf(head, /^real\.(okex|okcoin)\.com(:\d+)?$/),
  ...captureLines,
  decoder: () => captureDecoder(decoder),
});

const decoder: VenueDecoder = {
  received: (body, writer) => {
    const message = parseJson(inflated(body));
    if (!isMembers(message) || typeof message['table'] !== 'string') return;
    const channel = /^[a-z]+\/(depth|depth_l2_tbt|trade|ticker)$/.exec(message['table'])?.[1];
    if (channel === undefined) return;
    for (const one of listOf(message['data'], '"data"')) {
      const row = membersOf(one, 'a row of "data"');
      const symbol = textOf(row['instrument_id'], 'the instrument');
      if (channel === 'trade') readTrade(row, symbol, writer);
      else if (channel === 'ticker') readTicker(row, symbol, writer);
      else readBook(row, symbol, message['action'] === 'partial', writer);
    }
  },
};

function readBook(row: Members, symbol: string, isWhole: boolean, writer: MarketWriter): void {
  if (!writer.begin(symbol)) return;
  writeLevels(row, 'bids', 'asks', writer);
  const book = {
    time: isoTimeOf(row['timestamp'], 'the time of a book'),
    checksum: integerOf(row['checksum'], 'the checksum'),
  };
  if (isWhole) writer.snapshot(book);
  else writer.update(book);
}

function readTrade(row: Members, symbol: string, writer: MarketWriter): void {
  writer.trades(symbol, false, [
    {
      id: textOf(row['trade_id'], 'the id of a trade'),
      price: textOf(row['price'], 'the price of a trade'),
      // Spot and margin have `size`, contracts `qty`.
      quantity: textOf(row['size'] ?? row['qty'], 'the size of a trade'),
      side: sideOf(row['side'], 'the side of a trade'),
      time: isoTimeOf(row['timestamp'], 'the time of a trade'),
    },
  ]);
}

function readTicker(row: Members, symbol: string, writer: MarketWriter): void {
  writer.ticker(symbol, {
    time: isoTimeOf(row['timestamp'], 'the time of a ticker'),
    bid: optionalText(row['best_bid'], '"best_bid"'),
    bidQuantity: optionalText(row['best_bid_size'], '"best_bid_size"'),
    ask: optionalText(row['best_ask'], '"best_ask"'),
    askQuantity: optionalText(row['best_ask_size'], '"best_ask_size"'),
    last: optionalText(row['last'], '"last"'),
  });
}

/** A frame as text: what Python printed as bytes is read as those bytes, and inflated. */
function inflated(body: Uint8Array): Uint8Array {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1').trimEnd();
  const literal = /^b(['"])([^]*)\1$/.exec(text)?.[2];
  if (literal === undefined) return body;
  try {
    return inflateRawSync(bytesOf(literal), { maxOutputLength: lineBytesMax });
  } catch (error) {
    throw new BadInput(
      `expected a deflated frame of OKEx v3, found ${JSON.stringify(text.slice(0, 40))}: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** The bytes of a Python literal. Source: Python, "Lexical analysis", bytes literals. */
function bytesOf(literal: string): Buffer {
  const text = literal.replaceAll(/\\(?:x([0-9a-f]{2})|([^]))/g, (_, hex?: string, letter: string = '') =>
    hex === undefined ? (escapes[letter] ?? letter) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(text, 'latin1');
}
