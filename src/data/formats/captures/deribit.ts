import { captureDecoder, isCaptureOf, captureLines } from './lines.ts';
import type { VenueDecoder } from './lines.ts';
import type { Members } from '../../../core/base/members.ts';
import { isMembers } from '../../../core/base/members.ts';
import {
  integerOf,
  listOf,
  membersOf,
  millisOf,
  optionalText,
  parseJson,
  listRows,
  sideOf,
  textOf,
} from '../fields.ts';
import { quotedIn } from '../../../core/model/pair.ts';
import { decodedFormat } from '../decoded-recording.ts';
import type { MarketWriter, WrittenTrade } from '../market-writer.ts';

/**
 * Deribit: book, trades and ticker. Each change names the state it follows (`prev_change_id`), which proves the sequence.
 * Source: Deribit API v2, "book.{instrument}.{interval}", "trades", "ticker".
 */
export const deribitCapture = decodedFormat({
  name: 'deribit',
  looksLike: 'a text capture of wss://www.deribit.com/ws/api/v2',
  carries: 'books (sequence proved), trades, tickers',
  printing: 'trimmed',
  pairOf: quotedIn('USD'),
  detects: (head) => isCaptureOf(head, /^(www|test)\.deribit\.com$/),
  ...captureLines,
  decoder: () => captureDecoder(decoder),
});

const decoder: VenueDecoder = {
  received: (body, writer) => {
    const message = parseJson(body);
    if (!isMembers(message) || message['method'] !== 'subscription') return;
    const params = membersOf(message['params'], '"params"');
    const channel = textOf(params['channel'], 'the channel');
    if (channel.startsWith('book.')) readBook(membersOf(params['data'], '"data"'), writer);
    else if (channel.startsWith('ticker.')) readTicker(membersOf(params['data'], '"data"'), writer);
    else if (channel.startsWith('trades.')) {
      for (const one of listOf(params['data'], '"data"')) {
        const row = membersOf(one, 'a trade');
        writer.trades(textOf(row['instrument_name'], 'the instrument'), false, [tradeOf(row)]);
      }
    }
  },
};

function readBook(row: Members, writer: MarketWriter): void {
  if (!writer.begin(textOf(row['instrument_name'], 'the instrument'))) return;
  for (const [name, side] of [
    ['bids', 0],
    ['asks', 1],
  ] as const) {
    for (const level of listRows(row[name], `"${name}"`)) {
      const size = level[0] === 'delete' ? '0' : textOf(level[2], 'an amount');
      writer.level(side, textOf(level[1], 'a price'), size);
    }
  }
  const time = millisOf(row['timestamp'], 'the time of a book');
  const sequence = integerOf(row['change_id'], '"change_id"');
  if (row['type'] === 'snapshot') writer.snapshot({ time, sequence });
  else writer.update({ time, sequence, previous: integerOf(row['prev_change_id'], '"prev_change_id"') });
}

function tradeOf(row: Members): WrittenTrade {
  return {
    id: textOf(row['trade_id'], 'the id of a trade'),
    price: textOf(row['price'], 'the price of a trade'),
    quantity: textOf(row['amount'], 'the amount of a trade'),
    side: sideOf(row['direction'], 'the direction of a trade'),
    time: millisOf(row['timestamp'], 'the time of a trade'),
  };
}

function readTicker(row: Members, writer: MarketWriter): void {
  writer.ticker(textOf(row['instrument_name'], 'the instrument'), {
    time: millisOf(row['timestamp'], 'the time of a ticker'),
    bid: optionalText(row['best_bid_price'], '"best_bid_price"'),
    bidQuantity: optionalText(row['best_bid_amount'], '"best_bid_amount"'),
    ask: optionalText(row['best_ask_price'], '"best_ask_price"'),
    askQuantity: optionalText(row['best_ask_amount'], '"best_ask_amount"'),
    last: optionalText(row['last_price'], '"last_price"'),
  });
}
