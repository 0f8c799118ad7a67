import { captureDecoder, isCaptureOf, captureLines, writeLevels } from './lines.ts';
import type { VenueDecoder } from './lines.ts';
import { okxChecksum } from '../checksums.ts';
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
import { decodedFormat } from '../decoded-recording.ts';
import type { MarketWriter, WrittenTrade } from '../market-writer.ts';

/**
 * Bitget's sockets v1, spot and mix (futures): books, trades, tickers. Every book message carries a checksum by the rule
 * of OKX. Source: Bitget API v1, "Depth channel", "Trades channel", "Tickers channel".
 */
export const bitgetCapture = decodedFormat({
  name: 'bitget-v1',
  looksLike: 'a text capture of wss://ws.bitget.com, path /spot/v1/stream or /mix/v1/stream',
  carries: 'books (checksum proved), trades, tickers',
  printing: 'fixed',
  checksum: okxChecksum,
  detects: (head) => isCaptureOf(head, /^(ws|api)\.bitget\.com$/),
  ...captureLines,
  decoder: () => captureDecoder(decoder),
});

const decoder: VenueDecoder = {
  received: (body, writer) => {
    const message = parseJson(body);
    if (!isMembers(message) || message['data'] === undefined) return;
    const { arg: argument } = message;
    if (!isMembers(argument) || argument['instId'] === undefined) return;
    const symbol = textOf(argument['instId'], 'the instrument');
    const isWhole = message['action'] === 'snapshot';
    const data = listOf(message['data'], '"data"');
    if (argument['channel'] === 'books') {
      for (const row of data) readBook(membersOf(row, 'a book'), symbol, isWhole, writer);
    } else if (argument['channel'] === 'trade') {
      // The newest comes first.
      writer.trades(symbol, isWhole, listRows(data, '"data"').map(tradeOf).toReversed());
    } else if (argument['channel'] === 'ticker') {
      for (const row of data) readTicker(membersOf(row, 'a ticker'), symbol, writer);
    }
  },
};

function readBook(row: Members, symbol: string, isWhole: boolean, writer: MarketWriter): void {
  if (!writer.begin(symbol)) return;
  writeLevels(row, 'bids', 'asks', writer);
  const book = {
    time: millisOf(row['ts'], '"ts"'),
    checksum: integerOf(row['checksum'], 'the checksum'),
  };
  if (isWhole) writer.snapshot(book);
  else writer.update(book);
}

function tradeOf(row: readonly unknown[]): WrittenTrade {
  return {
    id: '',
    price: textOf(row[1], 'the price of a trade'),
    quantity: textOf(row[2], 'the size of a trade'),
    side: sideOf(row[3], 'the side of a trade'),
    time: millisOf(row[0], 'the time of a trade'),
  };
}

function readTicker(row: Members, symbol: string, writer: MarketWriter): void {
  const time = row['ts'] ?? row['systemTime'];
  writer.ticker(symbol, {
    time: time === undefined ? undefined : millisOf(time, 'the time of a ticker'),
    bid: optionalText(row['bestBid'], '"bestBid"'),
    ask: optionalText(row['bestAsk'], '"bestAsk"'),
    last: optionalText(row['last'], '"last"'),
  });
}
