import type { Format } from '../formats/format.ts';
import { formats } from './formats.ts';
import { readHead } from '../formats/opened-file.ts';

/** One format for people. */
export type FormatDescription = Pick<Format, 'name' | 'looksLike' | 'carries'>;

const own: readonly FormatDescription[] = [
  {
    name: 'event-pack',
    looksLike: 'a pack written by `data import`',
    carries: 'whatever was imported',
  },
  {
    name: 'frame-log',
    looksLike: 'a recording made by `record`, or its folder',
    carries: 'frames as they came, books (sequence proved), trades, tickers, candles',
  },
  {
    name: 'capture-text',
    looksLike: 'a text capture of the Trading API v2 or v3, with or without its symbol list beside it',
    carries: 'books (sequence proved), trades, tickers, candles',
  },
  {
    name: 'binance-raw',
    looksLike: 'lines "<local time> <JSON>" of Binance streams',
    carries: 'books (joined with REST, sequence proved), trades, tickers',
  },
];

/** All formats that can be read, our own first. */
export function describeFormats(): readonly FormatDescription[] {
  return [...own, ...formats.map(({ name, looksLike, carries }) => ({ name, looksLike, carries }))];
}

/** The format of other people's data a file is of, or `undefined`. Throws `BadInput` when it cannot be read. */
export async function foreignFormatOf(path: string): Promise<Format | undefined> {
  const head = await readHead(path);
  return formats.find((one) => one.sniff(head, path));
}
