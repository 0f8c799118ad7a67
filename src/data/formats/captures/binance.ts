import { captureDecoder, isCaptureOf, captureLines, writeLevels } from './lines.ts';
import type { VenueDecoder } from './lines.ts';
import { isOfBook, messageOf } from '../../binance/index.ts';
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
  ...captureLines,
  decoder: () => captureDecoder(decoder()),
});

function decoder(): VenueDecoder {
  /** Kind of trades by symbol: single or aggregated. Both are the same trades. */
  const streams = new Map<string, unknown>();
  return {
    received: (body, writer) => {
      const read = parseJson(body);
      if (!isMembers(read)) return;
      const { kind } = messageOf(read);
      const row = isMembers(read['data']) ? read['data'] : read;
      if (kind === 'depth') readUpdate(row, writer);
      else if (kind === 'trade' || row['e'] === 'aggTrade') readTrade(row, writer, streams);
      else if (kind === 'top') readTop(row, writer);
    },
    reply: (body, writer, { url }) => {
      const symbol = /\/depth\?(?:.*&)?symbol=([A-Z0-9_]+)/.exec(url)?.[1];
      if (symbol !== undefined) readReply(membersOf(parseJson(body), 'the reply'), symbol, writer);
    },
  };
}

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

function readTrade(row: Members, writer: MarketWriter, streams: Map<string, unknown>): void {
  if (!isOfBook(row)) {
    writer.anomaly('trades left out, because they did not execute against the book');
    return;
  }
  const symbol = textOf(row['s'], 'the symbol');
  const stream = streams.get(symbol) ?? row['e'];
  streams.set(symbol, stream);
  if (stream !== row['e']) {
    writer.anomaly(`messages of ${String(row['e'])} left out, because ${String(stream)} has the same trades`);
    return;
  }
  writer.trades(symbol, false, [
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
