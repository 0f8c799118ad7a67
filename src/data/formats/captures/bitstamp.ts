import { captureDecoder, isCaptureOf, captureLines, writeLevels } from './lines.ts';
import type { VenueDecoder } from './lines.ts';
import type { Members } from '../../../core/base/members.ts';
import { isMembers } from '../../../core/base/members.ts';
import { integerOf, membersOf, parseJson, textOf } from '../fields.ts';
import { decodedFormat } from '../decoded-recording.ts';
import type { Micros } from '../../../core/base/clock.ts';
import type { MarketWriter } from '../market-writer.ts';

/**
 * Bitstamp: diff_order_book and live_trades, joined with REST books recorded beside them. States are numbered by
 * `microtimestamp`: differences older than the REST book are left out, those after it are applied on top. Nothing names the
 * state a difference follows, so a lost one cannot be seen. Source: Bitstamp WebSocket API v2, "Live full order book".
 */
export const bitstampCapture = decodedFormat({
  name: 'bitstamp-diff',
  looksLike: 'text captures of wss://ws.bitstamp.net and of its REST books, given together',
  carries: 'books (joined with REST), trades',
  printing: 'fixed',
  joins: true,
  notes: ['the differences of Bitstamp do not name the state they follow: lost ones cannot be seen'],
  detects: (head) => isCaptureOf(head, /^(ws|www)\.bitstamp\.net$/),
  ...captureLines,
  decoder: () => captureDecoder(decoder),
});

const decoder: VenueDecoder = {
  received: (body, writer) => {
    const message = parseJson(body);
    if (!isMembers(message)) return;
    const { channel } = message;
    if (typeof channel !== 'string') return;
    if (message['event'] === 'data' && channel.startsWith('diff_order_book_')) {
      readBook(membersOf(message['data'], '"data"'), channel.slice(16), false, writer);
    } else if (message['event'] === 'trade' && channel.startsWith('live_trades_')) {
      readTrade(membersOf(message['data'], '"data"'), channel.slice(12), writer);
    }
  },
  reply: (body, writer, { url }) => {
    const symbol = /\/order_book\/([a-z0-9]+)/.exec(url)?.[1];
    if (symbol !== undefined) readBook(membersOf(parseJson(body), 'the reply'), symbol, true, writer);
  },
};

function readBook(row: Members, symbol: string, isWhole: boolean, writer: MarketWriter): void {
  if (!writer.begin(symbol)) return;
  writeLevels(row, 'bids', 'asks', writer);
  const time = integerOf(row['microtimestamp'], '"microtimestamp"') as Micros;
  if (isWhole) writer.snapshot({ time, sequence: time });
  else writer.update({ time, sequence: time });
}

function readTrade(row: Members, symbol: string, writer: MarketWriter): void {
  writer.trades(symbol, false, [
    {
      id: textOf(row['id'], 'the id of a trade'),
      price: textOf(row['price_str'] ?? row['price'], 'the price of a trade'),
      quantity: textOf(row['amount_str'] ?? row['amount'], 'the amount of a trade'),
      side: row['type'] === 0 ? 'buy' : 'sell',
      time: integerOf(row['microtimestamp'], 'the time of a trade') as Micros,
    },
  ]);
}
