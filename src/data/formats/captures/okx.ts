import { captureDecoder, isCaptureOf, readCaptureLines } from './lines.ts';
import type { VenueDecoder } from './lines.ts';
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
import { OkxSequence } from '../okx-sequence.ts';
import { tapeFormat } from '../tape-recording.ts';
import { tellLevels } from './tell-levels.ts';
import type { Tape, TapeTrade } from '../tape.ts';

/**
 * OKX and OKEx, socket v5: books (of 400 levels, tick by tick or merged), trades, tickers. Sizes of derivatives are
 * contracts. Numbers come without zeros at the end. Book messages carry a checksum, later ones their place in a sequence too, and
 * the newest that alone (`checksum` is 0). Source: OKX API v5, "Order book channel", "Trades channel", "Tickers channel".
 */
export const okxCapture = tapeFormat({
  name: 'okx-v5',
  looksLike: 'a text capture of wss://ws.okx.com or ws.okex.com, path /ws/v5/public',
  carries: 'books (checksum or sequence proved), trades, tickers',
  printing: 'trimmed',
  checksum: okxChecksum,
  sniff: (head) => isCaptureOf(head, /^ws[a-z]*\.(okx|okex)\.com(:\d+)?$/),
  read: readCaptureLines,
  decoder: () => captureDecoder(decoder(new OkxSequence())),
});

const bookChannels = new Set(['books', 'books-l2-tbt', 'books50-l2-tbt']);

/** Where books are told, and what is known of their sequence. */
interface Hearing {
  readonly tape: Tape;
  readonly sequence: OkxSequence;
}

const decoder = (sequence: OkxSequence): VenueDecoder => ({
  received: (body, tape) => {
    const message = parseJson(body);
    // Answers to subscriptions carry `event` and no data.
    if (!isMembers(message) || message['data'] === undefined) return;
    const argument = membersOf(message['arg'], '"arg"');
    const channel = textOf(argument['channel'], 'the channel');
    for (const one of listOf(message['data'], '"data"')) {
      const row = membersOf(one, 'a row of "data"');
      const symbol = textOf(row['instId'] ?? argument['instId'], 'the instrument');
      if (bookChannels.has(channel))
        readBook(row, symbol, message['action'] === 'snapshot', { tape, sequence });
      else if (channel === 'trades') tape.trades(symbol, false, [tradeOf(row)]);
      else if (channel === 'tickers') readTicker(row, symbol, tape);
    }
  },
});

function readBook(row: Members, symbol: string, isWhole: boolean, { tape, sequence }: Hearing): void {
  if (!tape.begin(symbol)) return;
  const isNumbered = row['seqId'] !== undefined;
  if (!isNumbered && row['checksum'] === undefined)
    throw misfit('a book', 'proved by "seqId" and "prevSeqId", or by a checksum', row);
  const place = isNumbered ? placeOf(row, symbol, isWhole, sequence) : {};
  if (place === undefined) return;
  tellLevels(row, 'bids', 'asks', tape);
  // Where messages are numbered, 0 says that the venue makes checksums no more.
  const isProved = row['checksum'] !== undefined && !(isNumbered && row['checksum'] === 0);
  const book = {
    time: millisOf(row['ts'], '"ts"'),
    ...(isProved ? { checksum: integerOf(row['checksum'], 'the checksum') } : {}),
    ...place,
  };
  if (isWhole) tape.snapshot(book);
  else tape.update(book);
}

function placeOf(row: Members, symbol: string, isWhole: boolean, sequence: OkxSequence) {
  return isWhole ? sequence.whole(symbol, row) : sequence.update(symbol, row);
}

function tradeOf(row: Members): TapeTrade {
  return {
    id: textOf(row['tradeId'], 'the id of a trade'),
    price: textOf(row['px'], 'the price of a trade'),
    quantity: textOf(row['sz'], 'the size of a trade'),
    side: sideOf(row['side'], 'the side of a trade'),
    time: millisOf(row['ts'], 'the time of a trade'),
  };
}

function readTicker(row: Members, symbol: string, tape: Tape): void {
  tape.ticker(symbol, {
    time: millisOf(row['ts'], 'the time of a ticker'),
    bid: optionalText(row['bidPx'], '"bidPx"'),
    bidQuantity: optionalText(row['bidSz'], '"bidSz"'),
    ask: optionalText(row['askPx'], '"askPx"'),
    askQuantity: optionalText(row['askSz'], '"askSz"'),
    last: optionalText(row['last'], '"last"'),
  });
}
