import type { Micros } from '../../../core/base/clock.ts';
import { integerOf, optionalText, plainNumber, sideOf } from '../fields.ts';
import { quotedIn } from '../../../core/model/pair.ts';
import { decodedFormat } from '../decoded-recording.ts';
import type { MarketWriter, Decoder, WrittenTrade } from '../market-writer.ts';
import type { TardisItem } from './tardis-rows.ts';
import { readTardis, tardisHeader } from './tardis-rows.ts';

/**
 * The CSV data sets of Tardis.dev: incremental_book_L2, book_snapshot_N, trades, quotes, one or several together. Rows carry
 * both times; the sequence was checked by the recorder and is not in the file. Source: Tardis.dev, "Downloadable CSV files".
 */
export const tardis = decodedFormat({
  name: 'tardis-csv',
  looksLike: `CSV whose header begins with ${tardisHeader}`,
  carries: 'books (no sequence), trades, tickers',
  printing: 'trimmed',
  // Deribit's and FTX's: BTC-PERPETUAL, BTC-25JUN21-30000-C, MKR-PERP.
  pairOf: (symbol) =>
    /^[A-Z0-9]+-(?:PERP(?:ETUAL)?$|\d{1,2}[A-Z]{3}\d{2})/.test(symbol) ? quotedIn('USD')(symbol) : undefined,
  notes: ['the files of Tardis have no sequence numbers: lost updates cannot be seen'],
  detects: (head) => head.line.startsWith(tardisHeader),
  read: readTardis,
  decoder,
});

function decoder(): Decoder<TardisItem> {
  /** Symbols whose last rows were of a snapshot. */
  const inSnapshot = new Set<string>();
  return {
    accept: (item, writer) => {
      switch (item.kind) {
        case 'incremental':
          readIncremental(item, inSnapshot, writer);
          break;
        case 'snapshots':
          readSnapshot(item, writer);
          break;
        case 'trades':
          readTrades(item, writer);
          break;
        case 'quotes':
          readQuote(item, writer);
          break;
      }
    },
  };
}

/** A book begins anew where rows of a snapshot follow others; what of a snapshot arrives later adds to it. */
function readIncremental(item: TardisItem, inSnapshot: Set<string>, writer: MarketWriter): void {
  const [first = []] = item.rows;
  const symbol = cell(item, first, 'symbol');
  const isSnapshot = cell(item, first, 'is_snapshot').toLowerCase() === 'true';
  const begins = isSnapshot && !inSnapshot.has(symbol);
  if (isSnapshot) inSnapshot.add(symbol);
  else inSnapshot.delete(symbol);
  if (!writer.begin(symbol)) return;
  for (const row of item.rows) {
    const side = sideOf(cell(item, row, 'side'), 'the side') === 'buy' ? 0 : 1;
    writer.level(side, decimal(cell(item, row, 'price')), decimal(cell(item, row, 'amount')));
  }
  const book = { time: timeOf(item, item.rows.at(-1) ?? first) };
  if (begins) writer.snapshot(book);
  else writer.update(book);
}

function readSnapshot(item: TardisItem, writer: MarketWriter): void {
  const [row = []] = item.rows;
  if (!writer.begin(cell(item, row, 'symbol'))) return;
  for (const [side, name] of [
    [0, 'bids'],
    [1, 'asks'],
  ] as const) {
    for (let at = 0; item.columns.has(`${name}[${at}].price`); at++) {
      const price = cell(item, row, `${name}[${at}].price`);
      // A thin book leaves cells empty.
      if (price !== '') writer.level(side, decimal(price), decimal(cell(item, row, `${name}[${at}].amount`)));
    }
  }
  writer.snapshot({ time: timeOf(item, row) });
}

function readTrades(item: TardisItem, writer: MarketWriter): void {
  const [first = []] = item.rows;
  const trades = item.rows.map((row): WrittenTrade => {
    const side = cell(item, row, 'side');
    if (side === 'unknown') writer.anomaly('trades of unknown side, taken as bought');
    return {
      id: cell(item, row, 'id'),
      price: decimal(cell(item, row, 'price')),
      quantity: decimal(cell(item, row, 'amount')),
      side: side === 'unknown' ? 'buy' : sideOf(side, 'the side'),
      time: timeOf(item, row),
    };
  });
  writer.trades(cell(item, first, 'symbol'), false, trades);
}

function readQuote(item: TardisItem, writer: MarketWriter): void {
  const [row = []] = item.rows;
  const value = (name: string): string | undefined => {
    const text = optionalText(cell(item, row, name), name);
    return text === undefined ? undefined : decimal(text);
  };
  writer.ticker(cell(item, row, 'symbol'), {
    time: timeOf(item, row),
    bid: value('bid_price'),
    bidQuantity: value('bid_amount'),
    ask: value('ask_price'),
    askQuantity: value('ask_amount'),
  });
}

function cell(item: TardisItem, row: readonly string[], name: string): string {
  return row[item.columns.get(name) ?? -1] ?? '';
}

function timeOf(item: TardisItem, row: readonly string[]): Micros {
  return integerOf(cell(item, row, 'timestamp'), 'the timestamp') as Micros;
}

/** Very small numbers come with an exponent. */
function decimal(text: string): string {
  return /e/i.test(text) ? plainNumber(Number(text)) : text;
}
