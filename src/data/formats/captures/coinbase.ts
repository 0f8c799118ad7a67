import { captureDecoder, isCaptureOf, captureLines, writeLevels } from './lines.ts';
import type { VenueDecoder } from './lines.ts';
import type { Members } from '../../../core/base/members.ts';
import { isMembers } from '../../../core/base/members.ts';
import { isoTimeOf, optionalText, parseJson, listRows, sideOf, textOf } from '../fields.ts';
import { decodedFormat } from '../decoded-recording.ts';
import type { MarketWriter } from '../market-writer.ts';

/**
 * Coinbase's feed: level2, ticker, matches. The level2 channel has no sequence number, so a lost update cannot be seen.
 * Source: Coinbase Exchange, "WebSocket feed: level2, ticker, match".
 */
export const coinbaseCapture = decodedFormat({
  name: 'coinbase-level2',
  looksLike: 'a text capture of wss://ws-feed.pro.coinbase.com or ws-feed.exchange.coinbase.com',
  carries: 'books (no sequence), trades, tickers',
  printing: 'fixed',
  notes: ['the level2 channel of Coinbase has no sequence number: lost updates cannot be seen'],
  detects: (head) =>
    isCaptureOf(head, /^(ws-feed|api)\.(pro|exchange)?\.?coinbase\.com$|^ws-feed\.gdax\.com$/),
  ...captureLines,
  decoder: () => captureDecoder(decoder()),
});

function decoder(): VenueDecoder {
  const lastTrade = new Map<string, number>();
  return {
    received: (body, writer) => {
      const message = parseJson(body);
      if (!isMembers(message) || message['product_id'] === undefined) return;
      const product = textOf(message['product_id'], 'the product');
      switch (message['type']) {
        case 'snapshot':
          readSnapshot(message, product, writer);
          break;
        case 'l2update':
          readUpdate(message, product, writer);
          break;
        case 'match':
        case 'last_match':
          readMatch(message, product, writer, lastTrade);
          break;
        case 'ticker':
          readTicker(message, product, writer);
          break;
        case 'received':
        case 'open':
        case 'change':
        case 'done':
          writer.anomaly('messages of single orders left out (the full channel): books are those of level2');
          break;
      }
    },
  };
}

function readSnapshot(message: Members, product: string, writer: MarketWriter): void {
  if (!writer.begin(product)) return;
  writeLevels(message, 'bids', 'asks', writer);
  const { time } = message;
  writer.snapshot({ time: time === undefined ? undefined : isoTimeOf(time, 'the time of a book') });
}

function readUpdate(message: Members, product: string, writer: MarketWriter): void {
  if (!writer.begin(product)) return;
  for (const change of listRows(message['changes'], '"changes"')) {
    const side = sideOf(change[0], 'the side of a change') === 'buy' ? 0 : 1;
    writer.level(side, textOf(change[1], 'a price'), textOf(change[2], 'a size'));
  }
  writer.update({ time: isoTimeOf(message['time'], 'the time of an update') });
}

function readMatch(
  message: Members,
  product: string,
  writer: MarketWriter,
  lastTrade: Map<string, number>,
): void {
  const id = textOf(message['trade_id'], 'the id of a trade');
  const last = lastTrade.get(product);
  if (last !== undefined && Number(id) !== last + 1) writer.anomaly('gaps between ids of trades');
  lastTrade.set(product, Number(id));
  writer.trades(product, message['type'] === 'last_match', [
    {
      id,
      price: textOf(message['price'], 'the price of a trade'),
      quantity: textOf(message['size'], 'the size of a trade'),
      // The venue names the maker's side.
      side: sideOf(message['side'], 'the side of a trade') === 'buy' ? 'sell' : 'buy',
      time: isoTimeOf(message['time'], 'the time of a trade'),
    },
  ]);
}

function readTicker(message: Members, product: string, writer: MarketWriter): void {
  const { time } = message;
  writer.ticker(product, {
    time: time === undefined ? undefined : isoTimeOf(time, 'the time of a ticker'),
    bid: optionalText(message['best_bid'], '"best_bid"'),
    ask: optionalText(message['best_ask'], '"best_ask"'),
    last: optionalText(message['price'], '"price"'),
  });
}
