import { captureDecoder, isCaptureOf, captureLines, writeLevels } from './lines.ts';
import type { VenueDecoder } from './lines.ts';
import { okexV3Capture } from './okex-v3.ts';
import { okxChecksum } from '../checksums.ts';
import type { Members } from '../../../core/base/members.ts';
import { isMembers } from '../../../core/base/members.ts';
import {
  integerOf,
  listOf,
  membersOf,
  millisOf,
  misfit,
  optionalText,
  parseJson,
  sideOf,
  textOf,
} from '../fields.ts';
import { decodedFormat } from '../decoded-recording.ts';
import type { MarketWriter, WrittenTrade } from '../market-writer.ts';

/**
 * OKX and OKEx, socket v5: books (of 400 levels, tick by tick or merged), trades, tickers. Sizes of derivatives are
 * contracts. Numbers come without zeros at the end. Book messages carry a checksum, later ones their place in a sequence too, and
 * the newest that alone (`checksum` is 0). Source: OKX API v5, "Order book channel", "Trades channel", "Tickers channel".
 */
export const okxCapture = decodedFormat({
  name: 'okx-v5',
  looksLike: 'a text capture of wss://ws.okx.com or ws.okex.com, path /ws/v5/public',
  carries: 'books (checksum or sequence proved), trades, tickers',
  printing: 'trimmed',
  checksum: okxChecksum,
  detects: (head, path) =>
    isCaptureOf(head, /^(ws[a-z]*|www|aws)\.(okx|okex)\.com(:\d+)?$/) && !okexV3Capture.detects(head, path),
  ...captureLines,
  decoder: () => captureDecoder(decoder(new OkxSequence())),
});

const bookChannels = new Set(['books', 'books-l2-tbt', 'books50-l2-tbt']);

function isRead(channel: string): boolean {
  return bookChannels.has(channel) || channel === 'trades' || channel === 'tickers';
}

/** Where books are written, and what is known of their sequence. */
interface Hearing {
  readonly writer: MarketWriter;
  readonly sequence: OkxSequence;
}

const decoder = (sequence: OkxSequence): VenueDecoder => ({
  received: (body, writer) => {
    const message = parseJson(body);
    // Answers to subscriptions carry `event` and no data.
    if (!isMembers(message) || message['data'] === undefined) return;
    const { arg: argument } = message;
    // Answers to orders carry data and no channel.
    if (!isMembers(argument)) return;
    const channel = textOf(argument['channel'], 'the channel');
    if (!isRead(channel)) return;
    for (const one of listOf(message['data'], '"data"')) {
      const row = membersOf(one, 'a row of "data"');
      const symbol = textOf(row['instId'] ?? argument['instId'], 'the instrument');
      if (bookChannels.has(channel))
        readBook(row, symbol, message['action'] === 'snapshot', { writer, sequence });
      else if (channel === 'trades') writer.trades(symbol, false, [tradeOf(row)]);
      else if (channel === 'tickers') readTicker(row, symbol, writer);
    }
  },
});

function readBook(row: Members, symbol: string, isWhole: boolean, { writer, sequence }: Hearing): void {
  if (!writer.begin(symbol)) return;
  const isNumbered = row['seqId'] !== undefined;
  if (!isNumbered && row['checksum'] === undefined)
    throw misfit('a book', 'proved by "seqId" and "prevSeqId", or by a checksum', row);
  const place = isNumbered ? placeOf(row, symbol, isWhole, sequence) : {};
  if (place === undefined) return;
  writeLevels(row, 'bids', 'asks', writer);
  // Where messages are numbered, 0 says that the venue makes checksums no more.
  const isProved = row['checksum'] !== undefined && !(isNumbered && row['checksum'] === 0);
  const book = {
    time: millisOf(row['ts'], '"ts"'),
    ...(isProved ? { checksum: integerOf(row['checksum'], 'the checksum') } : {}),
    ...place,
  };
  if (isWhole) writer.snapshot(book);
  else writer.update(book);
}

function placeOf(row: Members, symbol: string, isWhole: boolean, sequence: OkxSequence) {
  return isWhole ? sequence.whole(symbol, row) : sequence.update(symbol, row);
}

function tradeOf(row: Members): WrittenTrade {
  return {
    id: textOf(row['tradeId'], 'the id of a trade'),
    price: textOf(row['px'], 'the price of a trade'),
    quantity: textOf(row['sz'], 'the size of a trade'),
    side: sideOf(row['side'], 'the side of a trade'),
    time: millisOf(row['ts'], 'the time of a trade'),
  };
}

function readTicker(row: Members, symbol: string, writer: MarketWriter): void {
  writer.ticker(symbol, {
    time: millisOf(row['ts'], 'the time of a ticker'),
    bid: optionalText(row['bidPx'], '"bidPx"'),
    bidQuantity: optionalText(row['bidSz'], '"bidSz"'),
    ask: optionalText(row['askPx'], '"askPx"'),
    askQuantity: optionalText(row['askSz'], '"askSz"'),
    last: optionalText(row['last'], '"last"'),
  });
}

/** Where a book message stands in the sequence of its symbol. */
export interface OkxPlace {
  readonly sequence: number;
  /** The state it follows; absent in whole books. */
  readonly previous?: number;
}

interface Chain {
  /** The venue's number of the last message. */
  last: number;
  /** Shift added to the venue's numbers, so that they rise where it begins anew. */
  shift: number;
}

/**
 * The sequence of OKX's books: each update names the message before it (`prevSeqId`). It proves by that name alone: numbers
 * leap, and begin anew lower with an update of `seqId` below `prevSeqId`. A message without levels, in which both are the
 * last number, only says that the line is alive. Source: OKX API v5, "Order book channel", "Sequence ID".
 */
export class OkxSequence {
  readonly #chains = new Map<string, Chain>();

  whole(symbol: string, row: Members): OkxPlace {
    const last = integerOf(row['seqId'], '"seqId"');
    this.#chains.set(symbol, { last, shift: 0 });
    return { sequence: last };
  }

  /** `undefined` for a message that only says that the line is alive. */
  update(symbol: string, row: Members): OkxPlace | undefined {
    const sequence = integerOf(row['seqId'], '"seqId"');
    const previous = integerOf(row['prevSeqId'], '"prevSeqId"');
    const chain = this.#chains.get(symbol);
    // Nothing to follow yet: the count of updates without a book includes this one.
    if (chain === undefined) return { sequence, previous };
    const { last, shift } = chain;
    const before = last + shift;
    if (sequence === last && previous <= last)
      return isEmpty(row) ? undefined : { sequence: before, previous: before };
    chain.last = sequence;
    if (previous !== last) return missing(before, sequence + shift, previous + shift);
    if (sequence < previous) chain.shift = before + 1 - sequence;
    return { sequence: sequence + chain.shift, previous: before };
  }
}

/** A place that does not follow `before`, whatever its numbers. */
function missing(before: number, sequence: number, previous: number): OkxPlace {
  return { sequence: Math.max(sequence, before + 2), previous: Math.max(previous, before + 1) };
}

function isEmpty({ bids, asks }: Members): boolean {
  return Array.isArray(bids) && bids.length === 0 && Array.isArray(asks) && asks.length === 0;
}
