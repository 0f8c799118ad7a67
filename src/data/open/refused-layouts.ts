import type { FileHead } from '../formats/index.ts';
import { delimiterOf } from '../formats/index.ts';
import { headerWord, headRows } from '../formats/tables/index.ts';
import type { RefusedLayout } from './layout.ts';

/** Layouts that are known and refused, in the order they are asked. The sentence about such a file says what to do. */
export const refusedLayouts: readonly RefusedLayout[] = [
  {
    name: 'HDF5 of pandas and older versions of Freqtrade',
    begins: 'the bytes 89 48 44 46 ("HDF")',
    detects: ({ bytes }) => bytesOf(bytes, 4) === '89484446',
    instead:
      'it is HDF5, and the nearest layout is the feather file of the same tool: convert it (freqtrade convert-data --format-from hdf5 --format-to feather, in pandas read_hdf and to_feather)',
  },
  {
    name: 'Nasdaq and Investing.com',
    begins: 'Date,Close/Last,Volume,Open,High,Low',
    detects: (head) => {
      const words = headerOf(head);
      return words.includes('close/last') || (words.includes('price') && words.includes('change%'));
    },
    instead:
      'its dates tell no order of month and day (01/02/2024): write them as 2024-01-02, and name the close Close, as Stooq does',
  },
  {
    name: 'workbook of Excel',
    begins: 'the bytes d0 cf 11 e0; an .xlsx is a zip, and refused as such',
    detects: ({ bytes }) => bytesOf(bytes, 4) === 'd0cf11e0',
    instead:
      'it is a workbook: save its sheet as CSV, which the layout German Excel reads with decimal commas, too',
  },
  {
    name: 'history of MetaTrader (hst, hcc)',
    begins: 'the bytes 91 01 00 00 or f4 01 00 00',
    detects: ({ bytes }) => /^(?:91010000|90010000|f4010000)/.test(bytesOf(bytes, 4)),
    instead:
      'it is a history of MetaTrader in its own form: export it as CSV (MetaTrader 4: History Center, Export; MetaTrader 5: Symbols, Bars, Export Bars)',
  },
  {
    name: 'pickle of Python',
    begins: 'the bytes 80 04 95 or 80 05 95',
    detects: ({ bytes }) => /^80(?:0[2-5])(?:95|63|7d|5d|28)/.test(bytesOf(bytes, 3)),
    instead:
      'it is a pickle, which runs code when it is read: write the table as Parquet (in pandas to_parquet)',
  },
  {
    name: 'SQLite',
    begins: 'SQLite format 3',
    detects: ({ text }) => text.startsWith('SQLite format 3\0'),
    instead:
      'it is a database: write its table as CSV (sqlite3 -header -csv FILE "select * from candle" > BTC-USDT-1m.csv)',
  },
  {
    name: 'Dukascopy .bi5',
    begins: 'the bytes 5d 00 00 (LZMA)',
    detects: ({ bytes }) => /^5d0000(?:01|04|08|10|20|40|80)00/.test(bytesOf(bytes, 5)),
    instead:
      'it is .bi5 (bare LZMA, prices without a unit), and the nearest layout is its CSV of ticks, which JForex and dukascopy-node (--format csv) write',
  },
  {
    name: 'quotes without sizes',
    begins: 'timestamp,askPrice,bidPrice',
    detects: (head) => {
      const words = headerOf(head);
      const has = (shape: RegExp): boolean => words.some((word) => shape.test(word));
      return (
        has(/^(?:best)?bid(?:price|px|p)?$/) &&
        has(/^(?:best)?ask(?:price|px|p)?$/) &&
        !has(/(?:bid|ask).{0,40}(?:size|sz|qty|quantity|vol|volume|amount)/)
      );
    },
    instead:
      'the nearest format is books-csv: a time, and a price and a size of bids and of asks; export them with sizes (dukascopy-node --volumes), or as bars',
  },
  {
    name: 'reply of REST that tells an error',
    begins: '{"error":["EQuery:Unknown asset pair"]}',
    detects: ({ text }) =>
      text.length < 2_000 &&
      /^\s*\{/.test(text) &&
      /"(?:error|msg|message|retMsg)"\s*:\s*(?:"[^"]|\[\s*"|\{)/.test(text),
    instead: 'it is a reply with an error in place of data: ask the venue again',
  },
];

function bytesOf(bytes: Uint8Array, count: number): string {
  return Buffer.from(bytes.subarray(0, count)).toString('hex');
}

function headerOf(head: FileHead): readonly string[] {
  const [header] = headRows(head, delimiterOf(head.line));
  return header?.cells.map(headerWord) ?? [];
}
