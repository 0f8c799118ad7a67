import { captureDecoder, isCaptureOf, readCaptureLines } from './capture-lines.ts';
import type { VenueDecoder } from './capture-lines.ts';
import { okxChecksum } from './checksums.ts';
import type { Members } from './fields.ts';
import {
  integerOf,
  isMembers,
  listOf,
  membersOf,
  millisOf,
  optionalText,
  parseJson,
  sideOf,
  textOf,
} from './fields.ts';
import { tapeFormat } from './tape-recording.ts';
import { tellLevels } from './tell-levels.ts';
import type { Tape, TapeTrade } from './tape.ts';

/**
 * OKX and OKEx, socket v5: books (of 400 levels, tick by tick or merged), trades, tickers. Sizes of derivatives are
 * contracts. Numbers come without zeros at the end; every book message carries a checksum. Source: OKX API v5, "Order book
 * channel", "Trades channel", "Tickers channel".
 */
export const okxCapture = tapeFormat({
  name: 'okx-v5',
  looksLike: 'a text capture of wss://ws.okx.com or ws.okex.com, path /ws/v5/public',
  carries: 'books (checksum proved), trades, tickers',
  printing: 'trimmed',
  checksum: okxChecksum,
  sniff: (head) => isCaptureOf(head, /^ws[a-z]*\.(okx|okex)\.com(:\d+)?$/),
  read: readCaptureLines,
  decoder: () => captureDecoder(decoder),
});

const bookChannels = new Set(['books', 'books-l2-tbt', 'books50-l2-tbt']);

const decoder: VenueDecoder = {
  received: (body, tape) => {
    const message = parseJson(body);
    // Answers to subscriptions carry `event` and no data.
    if (!isMembers(message) || message['data'] === undefined) return;
    const argument = membersOf(message['arg'], '"arg"');
    const channel = textOf(argument['channel'], 'the channel');
    for (const one of listOf(message['data'], '"data"')) {
      const row = membersOf(one, 'a row of "data"');
      const symbol = textOf(row['instId'] ?? argument['instId'], 'the instrument');
      if (bookChannels.has(channel)) readBook(row, symbol, message['action'], tape);
      else if (channel === 'trades') tape.trades(symbol, false, [tradeOf(row)]);
      else if (channel === 'tickers') readTicker(row, symbol, tape);
    }
  },
};

function readBook(row: Members, symbol: string, action: unknown, tape: Tape): void {
  if (!tape.begin(symbol)) return;
  tellLevels(row, 'bids', 'asks', tape);
  const book = {
    time: millisOf(row['ts'], '"ts"'),
    checksum: integerOf(row['checksum'], 'the checksum'),
  };
  if (action === 'snapshot') tape.snapshot(book);
  else tape.update(book);
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
