import { captureDecoder, isCaptureOf, captureLines, writeLevels } from './lines.ts';
import type { VenueDecoder } from './lines.ts';
import { ftxChecksum } from '../checksums.ts';
import type { Members } from '../../../core/base/members.ts';
import { isMembers } from '../../../core/base/members.ts';
import {
  integerOf,
  isoTimeOf,
  listOf,
  membersOf,
  optionalText,
  parseJson,
  secondsOf,
  sideOf,
  textOf,
} from '../fields.ts';
import { quotedIn } from '../../../core/model/pair.ts';
import { decodedFormat } from '../decoded-recording.ts';
import type { MarketWriter, WrittenTrade } from '../market-writer.ts';

/**
 * FTX and FTX TR: orderbook of 100 levels, trades, ticker. Numbers are JSON doubles; every book message carries a checksum
 * over them as Python prints them. Source: FTX API, "Orderbooks", "Trades", "Ticker".
 */
export const ftxCapture = decodedFormat({
  name: 'ftx',
  looksLike: 'a text capture of wss://ftx.com, ftexchange.com or ftxtr.com, path /ws/',
  carries: 'books (checksum proved), trades, tickers',
  printing: 'shortest',
  pairOf: quotedIn('USD'),
  checksum: ftxChecksum,
  detects: (head) => isCaptureOf(head, /^(ftx\.com|ftx\.us|ftexchange\.com|ftxtr\.com)$/),
  ...captureLines,
  decoder: () => captureDecoder(decoder),
});

const decoder: VenueDecoder = {
  received: (body, writer) => {
    const message = parseJson(body);
    if (!isMembers(message) || message['data'] === undefined || message['market'] === undefined) return;
    const market = textOf(message['market'], 'the market');
    if (message['channel'] === 'orderbook') {
      readBook(membersOf(message['data'], '"data"'), market, message['type'] === 'partial', writer);
    } else if (message['channel'] === 'trades') {
      const rows = listOf(message['data'], '"data"').map((row) => tradeOf(membersOf(row, 'a trade')));
      writer.trades(market, message['type'] === 'partial', rows);
    } else if (message['channel'] === 'ticker') {
      readTicker(membersOf(message['data'], '"data"'), market, writer);
    }
  },
};

function readBook(row: Members, market: string, isWhole: boolean, writer: MarketWriter): void {
  if (!writer.begin(market)) return;
  writeLevels(row, 'bids', 'asks', writer);
  const book = {
    time: secondsOf(row['time'], 'the time of a book'),
    checksum: integerOf(row['checksum'], 'the checksum'),
  };
  if (isWhole) writer.snapshot(book);
  else writer.update(book);
}

function tradeOf(row: Members): WrittenTrade {
  return {
    id: textOf(row['id'], 'the id of a trade'),
    price: textOf(row['price'], 'the price of a trade'),
    quantity: textOf(row['size'], 'the size of a trade'),
    side: sideOf(row['side'], 'the side of a trade'),
    time: isoTimeOf(row['time'], 'the time of a trade'),
  };
}

function readTicker(row: Members, market: string, writer: MarketWriter): void {
  writer.ticker(market, {
    time: secondsOf(row['time'], 'the time of a ticker'),
    bid: optionalText(row['bid'], '"bid"'),
    bidQuantity: optionalText(row['bidSize'], '"bidSize"'),
    ask: optionalText(row['ask'], '"ask"'),
    askQuantity: optionalText(row['askSize'], '"askSize"'),
    last: optionalText(row['last'], '"last"'),
  });
}
