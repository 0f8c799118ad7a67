import { captureDecoder, isCaptureOf, captureLines } from './lines.ts';
import type { VenueDecoder } from './lines.ts';
import type { Members } from '../../../core/base/members.ts';
import { isMembers } from '../../../core/base/members.ts';
import {
  integerOf,
  isoTimeOf,
  listOf,
  membersOf,
  optionalText,
  parseJson,
  sideOf,
  textOf,
} from '../fields.ts';
import { quotedIn } from '../../../core/model/pair.ts';
import { decodedFormat } from '../decoded-recording.ts';
import type { MarketWriter, WrittenTrade } from '../market-writer.ts';

/**
 * BitMEX: orderBookL2 (and _25), trade, quote. Levels are named by id; only `partial` and `insert` name the price, so the
 * ids are remembered. Sizes are contracts. Book rows of the time carry no stamp: arrival stands in.
 * Source: BitMEX WebSocket API, "Order book".
 */
export const bitmexCapture = decodedFormat({
  name: 'bitmex-l2',
  looksLike: 'a text capture of wss://www.bitmex.com/realtime or ws.bitmex.com',
  carries: 'books (no sequence), trades, tickers',
  printing: 'trimmed',
  // Dated contracts of other coins are quoted in bitcoin.
  pairOf: (symbol) => quotedIn(/^XBT|USD/.test(symbol) ? 'USD' : 'XBT')(symbol),
  notes: ['the books of BitMEX have no sequence number: lost updates cannot be seen'],
  detects: (head) => isCaptureOf(head, /^(www|ws|testnet)\.bitmex\.com$/),
  ...captureLines,
  decoder: () => captureDecoder(decoder()),
});

/** Prices of the levels of one symbol by id. */
type Prices = Map<number, string>;

function decoder(): VenueDecoder {
  const books = new Map<string, Prices>();
  return {
    received: (body, writer) => {
      const message = parseJson(body);
      if (!isMembers(message) || message['data'] === undefined) return;
      const { table } = message;
      if (typeof table !== 'string' || !/^(orderBookL2|trade$|quote$)/.test(table)) return;
      const rows = listOf(message['data'], '"data"').map((row) => membersOf(row, 'a row of "data"'));
      const action = textOf(message['action'], 'the action');
      if (table.startsWith('orderBookL2')) {
        for (const [symbol, its] of bySymbol(rows)) readBook(symbol, its, action, { books, writer });
      } else if (table === 'trade') {
        for (const [symbol, its] of bySymbol(rows)) {
          writer.trades(symbol, action === 'partial', its.map(tradeOf));
        }
      } else if (table === 'quote') {
        for (const row of rows) readQuote(row, writer);
      }
    },
  };
}

function bySymbol(rows: readonly Members[]): ReadonlyMap<string, readonly Members[]> {
  const groups = new Map<string, Members[]>();
  for (const row of rows) {
    const symbol = textOf(row['symbol'], 'the symbol');
    const group = groups.get(symbol);
    if (group === undefined) groups.set(symbol, [row]);
    else group.push(row);
  }
  return groups;
}

interface Books {
  readonly books: Map<string, Prices>;
  readonly writer: MarketWriter;
}

function readBook(symbol: string, rows: readonly Members[], action: string, { books, writer }: Books): void {
  if (action === 'partial') books.set(symbol, new Map());
  const prices = books.get(symbol);
  // The documents: what comes before the partial does not count.
  if (prices === undefined || !writer.begin(symbol)) return;
  for (const row of rows) readRow(row, action, prices, writer);
  const stamp = rows.at(-1)?.['timestamp'];
  const book = { time: stamp === undefined ? undefined : isoTimeOf(stamp, 'the time of a level') };
  if (action === 'partial') writer.snapshot(book);
  else writer.update(book);
}

function readRow(row: Members, action: string, prices: Prices, writer: MarketWriter): void {
  const id = integerOf(row['id'], 'the id of a level');
  const named = row['price'] === undefined ? undefined : textOf(row['price'], 'a price');
  const price = named ?? prices.get(id);
  if (price === undefined) {
    writer.anomaly('updates and deletes of unknown levels left out');
    return;
  }
  if (action === 'delete') prices.delete(id);
  else prices.set(id, price);
  const size = action === 'delete' ? '0' : textOf(row['size'], 'a size');
  writer.level(sideOf(row['side'], 'the side of a level') === 'buy' ? 0 : 1, price, size);
}

function tradeOf(row: Members): WrittenTrade {
  return {
    id: textOf(row['trdMatchID'], 'the id of a trade'),
    price: textOf(row['price'], 'the price of a trade'),
    quantity: textOf(row['size'], 'the size of a trade'),
    side: sideOf(row['side'], 'the side of a trade'),
    time: isoTimeOf(row['timestamp'], 'the time of a trade'),
  };
}

function readQuote(row: Members, writer: MarketWriter): void {
  writer.ticker(textOf(row['symbol'], 'the symbol'), {
    time: isoTimeOf(row['timestamp'], 'the time of a quote'),
    bid: optionalText(row['bidPrice'], '"bidPrice"'),
    bidQuantity: optionalText(row['bidSize'], '"bidSize"'),
    ask: optionalText(row['askPrice'], '"askPrice"'),
    askQuantity: optionalText(row['askSize'], '"askSize"'),
  });
}
