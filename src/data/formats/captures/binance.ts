import { captureDecoder, isCaptureOf, readCaptureLines, writeLevels } from './lines.ts';
import type { VenueDecoder } from './lines.ts';
import type { Members } from '../../../core/base/members.ts';
import { isMembers } from '../../../core/base/members.ts';
import { integerOf, membersOf, millisOf, optionalText, parseJson, textOf } from '../fields.ts';
import { decodedFormat } from '../decoded-recording.ts';
import type { MarketWriter } from '../market-writer.ts';

/**
 * Binance spot, USD-M and COIN-M: depth, trades (single or aggregated), bookTicker, joined with REST depth replies
 * recorded beside them by the venue's rule: differences that end behind `lastUpdateId` are applied on top of it. `pu`
 * (futures) or `U` (spot) proves the sequence. Source: Binance, "How to manage a local order book correctly".
 */
export const binanceCapture = decodedFormat({
  name: 'binance-capture',
  looksLike:
    'text captures of wss://stream.binance.com, fstream or dstream and of the REST depth, given together',
  carries: 'books (joined with REST, sequence proved), trades, tickers',
  printing: 'fixed',
  joins: true,
  detects: (head) => isCaptureOf(head, /^[a-z0-9]+\.binance\.(com|us|vision)(:\d+)?$/),
  read: readCaptureLines,
  decoder: () => captureDecoder(decoder),
});

const decoder: VenueDecoder = {
  received: (body, writer) => {
    const message = parseJson(body);
    if (!isMembers(message)) return;
    const row = isMembers(message['data']) ? message['data'] : message;
    if (row['e'] === 'depthUpdate') readUpdate(row, writer);
    else if (row['e'] === 'trade' || row['e'] === 'aggTrade') readTrade(row, writer);
    else if (row['e'] === 'bookTicker' || (row['e'] === undefined && row['B'] !== undefined))
      readTop(row, writer);
  },
  reply: (body, writer, { url }) => {
    const symbol = /\/depth\?(?:.*&)?symbol=([A-Z0-9_]+)/.exec(url)?.[1];
    if (symbol !== undefined) readReply(membersOf(parseJson(body), 'the reply'), symbol, writer);
  },
};

function readUpdate(row: Members, writer: MarketWriter): void {
  if (!writer.begin(textOf(row['s'], 'the symbol'))) return;
  writeLevels(row, 'b', 'a', writer);
  writer.update({
    time: millisOf(row['T'] ?? row['E'], 'the time of an update'),
    sequence: integerOf(row['u'], '"u"'),
    previous: row['pu'] === undefined ? integerOf(row['U'], '"U"') - 1 : integerOf(row['pu'], '"pu"'),
  });
}

function readReply(row: Members, symbol: string, writer: MarketWriter): void {
  if (!writer.begin(symbol)) return;
  writeLevels(row, 'bids', 'asks', writer);
  writer.snapshot({
    time: row['T'] === undefined ? undefined : millisOf(row['T'], 'the time of a reply'),
    sequence: integerOf(row['lastUpdateId'], '"lastUpdateId"'),
  });
}

function readTrade(row: Members, writer: MarketWriter): void {
  writer.trades(textOf(row['s'], 'the symbol'), false, [
    {
      id: textOf(row['t'] ?? row['a'], 'the id of a trade'),
      price: textOf(row['p'], 'the price of a trade'),
      quantity: textOf(row['q'], 'the quantity of a trade'),
      // `m`: the buyer was the maker.
      side: row['m'] === true ? 'sell' : 'buy',
      time: millisOf(row['T'], 'the time of a trade'),
    },
  ]);
}

function readTop(row: Members, writer: MarketWriter): void {
  writer.ticker(textOf(row['s'], 'the symbol'), {
    time: row['T'] === undefined ? undefined : millisOf(row['T'], 'the time of a ticker'),
    bid: optionalText(row['b'], '"b"'),
    bidQuantity: optionalText(row['B'], '"B"'),
    ask: optionalText(row['a'], '"a"'),
    askQuantity: optionalText(row['A'], '"A"'),
  });
}
