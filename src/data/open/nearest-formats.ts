import type { FileHead } from '../formats/index.ts';
import { booksCsv } from '../formats/books/index.ts';
import { delimiterOf } from '../formats/index.ts';
import {
  headerWord,
  lackingIn,
  headRows,
  barFields,
  tradeFields,
  barsCsv,
  tradesCsv,
} from '../formats/tables/index.ts';
import { layoutNearest } from './layouts.ts';
import { refusedLayouts } from './refused-layouts.ts';

/** The beginning of a file of no known format for a sentence: what was seen, and the formats that are nearest to it. */
export function seenIn(head: FileHead): string {
  const begins = `a file that begins with ${shown(head)}`;
  const refused = refusedLayouts.find(({ detects }) => detects(head));
  const near = refused?.instead ?? tableWords(head) ?? nearestOf(head.text.trimStart());
  return near === undefined ? begins : `${begins}; ${near}`;
}

/** Columns that a table lacks to be one of bars or of trades; `undefined` for what is no table with a header. */
function tableWords(head: FileHead): string | undefined {
  const [header] = headRows(head, delimiterOf(head.line));
  const names = header?.cells.filter((cell) => /[A-Za-z]/.test(cell)) ?? [];
  if (header === undefined || names.length < 3 || names.length < header.cells.length / 2) return undefined;
  if (/^[[{]/.test(head.line.trimStart()) || names.some((name) => name.length > 40)) return undefined;
  const layout = layoutNearest(header.cells);
  if (layout !== undefined)
    return `the nearest layout is ${layout.name} (${layout.begins}), read as ${layout.format}`;
  if (header.cells.some((cell) => isOfBooks.test(headerWord(cell))))
    return `the nearest format is ${booksCsv.name}: a time, and a price and a size of bids and of asks (bid_0_price, bid_0_size, ask_0_price, ...), or a row for each level (time, side, price, size; no sizes that are added to a level, no ids of orders)`;
  const lacks = [
    [barsCsv.name, lackingIn(header.cells, barFields)],
    [tradesCsv.name, lackingIn(header.cells, tradeFields)],
  ] as const;
  const words = lacks.map(
    ([name, fields]) => `${name}${fields.length > 0 ? `, which lacks ${fields.join(', ')}` : ''}`,
  );
  return `the nearest formats are ${words.join(', and ')}; say which column is what with --columns`;
}

/** A column of bids or asks. */
const isOfBooks =
  /^(?:best)?(?:bid|ask)s?(?:price|px|p|size|sz|qty|quantity|amount|volume|vol)?\d*$|^isbuy$|^isbid$|^entrypx$/;

/** Formats of text by their looks. */
const looks: readonly (readonly [shape: RegExp, formats: string])[] = [
  [/^\{"topic"|^\{"ts"/, 'bybit-ob (lines of JSON)'],
  [/^\d{16,19} /, 'binance-raw and hyperliquid-raw (lines "<local time> <JSON>")'],
  [
    /^[[{]/,
    'api-candles, freqtrade-bars and trades-json (JSON), and binance-raw (lines "<local time> <JSON>")',
  ],
  [/^(?:wss?|https?):\/\//, 'the captures of venues (lines "<url> <-> <time>")'],
  [
    /^[\d.,;:\t -]+(?:\n|$)/,
    'bars-csv and trades-csv without a header (name the columns with --columns time=0,...)',
  ],
];

function nearestOf(text: string): string | undefined {
  const found = looks.find(([shape]) => shape.test(text.slice(0, 400).split('\n', 1)[0] ?? ''));
  return found === undefined ? undefined : `the nearest formats are ${found[1]}`;
}

/** The beginning of a file: printable text as it is, anything else as the bytes it is made of. */
function shown(head: FileHead): string {
  const start = head.line.slice(0, 60);
  return /^[\t\x20-\x7e]+$/.test(start)
    ? JSON.stringify(start)
    : `the bytes ${Buffer.from(head.bytes.subarray(0, 8)).toString('hex')}`;
}
