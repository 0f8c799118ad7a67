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
  sideOf,
  textOf,
} from '../fields.ts';
import { quotedIn } from '../../../core/model/pair.ts';
import { decodedFormat } from '../decoded-recording.ts';
import type { MarketWriter, WrittenTrade } from '../market-writer.ts';

/**
 * Kraken Futures, socket v1: book, trade, ticker_lite. One level per message; `seq` counts per product without a gap.
 * Source: Kraken Futures, "WebSocket API: book, trade, ticker_lite".
 */
export const krakenFuturesCapture = decodedFormat({
  name: 'kraken-futures',
  looksLike: 'a text capture of wss://futures.kraken.com/ws/v1',
  carries: 'books (sequence proved), trades, tickers',
  printing: 'trimmed',
  pairOf: quotedIn('USD'),
  detects: (head) => isCaptureOf(head, /^(demo-)?futures\.(kraken|cryptofacilities)\.com$/),
  ...captureLines,
  decoder: () => captureDecoder(decoder),
});

const decoder: VenueDecoder = {
  received: (body, writer) => {
    const message = parseJson(body);
    // Answers to subscriptions carry `event`.
    if (!isMembers(message) || message['event'] !== undefined || message['product_id'] === undefined) return;
    const product = textOf(message['product_id'], 'the product');
    switch (message['feed']) {
      case 'book_snapshot':
        readSnapshot(message, product, writer);
        break;
      case 'book':
        readUpdate(message, product, writer);
        break;
      case 'trade':
        writer.trades(product, false, [tradeOf(message)]);
        break;
      case 'trade_snapshot': {
        // The newest comes first.
        const rows = listOf(message['trades'], '"trades"').toReversed();
        writer.trades(
          product,
          true,
          rows.map((row) => tradeOf(membersOf(row, 'a trade'))),
        );
        break;
      }
      case 'ticker_lite':
        writer.ticker(product, {
          time: undefined,
          bid: optionalText(message['bid'], '"bid"'),
          ask: optionalText(message['ask'], '"ask"'),
        });
        break;
    }
  },
};

function readSnapshot(message: Members, product: string, writer: MarketWriter): void {
  if (!writer.begin(product)) return;
  for (const [name, side] of [
    ['bids', 0],
    ['asks', 1],
  ] as const) {
    for (const one of listOf(message[name], `"${name}"`)) {
      const level = membersOf(one, 'a level');
      writer.level(side, textOf(level['price'], 'a price'), textOf(level['qty'], 'a quantity'));
    }
  }
  writer.snapshot({
    time: millisOf(message['timestamp'], 'the time of a book'),
    sequence: integerOf(message['seq'], '"seq"'),
  });
}

function readUpdate(message: Members, product: string, writer: MarketWriter): void {
  if (!writer.begin(product)) return;
  const side = sideOf(message['side'], 'the side of a level') === 'buy' ? 0 : 1;
  writer.level(side, textOf(message['price'], 'a price'), textOf(message['qty'], 'a quantity'));
  const sequence = integerOf(message['seq'], '"seq"');
  writer.update({
    time: millisOf(message['timestamp'], 'the time of an update'),
    sequence,
    previous: sequence - 1,
  });
}

function tradeOf(row: Members): WrittenTrade {
  return {
    id: textOf(row['uid'], 'the id of a trade'),
    price: textOf(row['price'], 'the price of a trade'),
    quantity: textOf(row['qty'], 'the quantity of a trade'),
    side: sideOf(row['side'], 'the side of a trade'),
    time: millisOf(row['time'], 'the time of a trade'),
  };
}
