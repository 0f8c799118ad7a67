import type { Members } from '../../../core/base/members.ts';
import { BadInput } from '../../../core/base/errors.ts';
import type { Row } from '../bars-rows.ts';
import { parseJson, plainNumber } from '../fields.ts';
import type { FileHead, Format } from '../format.ts';
import { thrownBy } from '../../recording/index.ts';
import { readBytes, readHead } from '../opened-file.ts';
import { fixed, openTables } from './bars-formats.ts';
import { symbolOfPath } from './bars-symbol.ts';

const candleBytesMax = 64 * 1024;

/** The beginning of a candle: its time and at least one price, in any order of the members. */
const listHead = /^\s*\[\s*\{(?=[^}]*"timestamp"\s*:)(?=[^}]*"(?:min|max)"\s*:)[^}]*"close"\s*:/;
const objectHead = /^\s*\{\s*"[^"]+"\s*:\s*\[\s*(?:\]\s*,|\{(?=[^}]*"timestamp"\s*:)[^}]*"(?:min|max)"\s*:)/;

/**
 * A saved reply of `GET /public/candles` or `GET /public/candles/{symbol}` of the Trading API, v3 or v2: an object of
 * lists by symbol, or one list. Source: API v3 and v2, "Public market data", candles.
 */
export const apiCandles: Format = {
  name: 'api-candles',
  bars: true,
  looksLike: 'a saved reply of GET /public/candles or /public/candles/{symbol} of the Trading API v2 or v3',
  carries: 'bars with both volumes',
  detects: (head) => listHead.test(head.text) || objectHead.test(head.text),
  open: (paths, options) =>
    openTables('api-candles', paths, options, async (path) => {
      const head = await readHead(path);
      const fields = ['time', 'open', 'high', 'low', 'close', 'volume', 'volumeQuote'];
      return {
        source: { path, unit: 'row', rows: () => readReply(path) },
        columns: { index: fixed(namesSymbols(head) ? [...fields, 'symbol'] : fields), skip: 0 },
        symbol: symbolOfPath(head.name),
        timeForm: 'calendar',
      };
    }),
};

function namesSymbols(head: FileHead): boolean {
  return head.text.trimStart().startsWith('{');
}

const blank = /[\s,]*/y;
const candleText = /\{[^{}[\]]*\}/y;
const listBegin = /"([^"\\]*)"\s*:\s*\[/y;

/** The rows of a reply as its text comes, so that what stands before a damage is kept. */
async function* readReply(path: string): AsyncGenerator<readonly Row[], void, undefined> {
  const reader = new ReplyReader(path);
  for await (const piece of readBytes(path)) {
    const rows: Row[] = [];
    const refusal = thrownBy(() => reader.takePiece(Buffer.from(piece).toString('latin1'), rows));
    if (rows.length > 0) yield rows;
    if (refusal !== undefined) throw refusal.error;
  }
  reader.endReply();
}

class ReplyReader {
  readonly #path: string;
  #text = '';
  #number = 0;
  /** Where the text stands: before the reply, between the lists of an object, in a list, behind the reply. */
  #place: 'before' | 'between' | 'list' | 'behind' = 'before';
  #isObject = false;
  #symbol = '';

  constructor(path: string) {
    this.#path = path;
  }

  takePiece(piece: string, rows: Row[]): void {
    const text = this.#text + piece;
    let at = 0;
    for (;;) {
      at = ending(blank, text, at);
      const next = this.#step(text, at, rows);
      if (next === at) break;
      at = next;
    }
    this.#text = text.slice(at);
    if (this.#text.length > candleBytesMax) throw this.#unexpected();
  }

  endReply(): void {
    if (this.#place !== 'behind' || this.#text !== '') throw this.#unexpected();
  }

  /** Reads one part of the reply; answers where it ends, or `at` when it is not whole, or is something else. */
  #step(text: string, at: number, rows: Row[]): number {
    const sign = text[at];
    switch (this.#place) {
      case 'before':
        if (sign !== '[' && sign !== '{') return at;
        this.#isObject = sign === '{';
        this.#place = this.#isObject ? 'between' : 'list';
        return at + 1;
      case 'between': {
        if (sign === '}') return this.#go('behind', at + 1);
        const end = ending(listBegin, text, at);
        if (end === at) return at;
        this.#symbol = /"([^"]*)"/.exec(text.slice(at, end))?.[1] ?? '';
        return this.#go('list', end);
      }
      case 'list': {
        if (sign === ']') return this.#go(this.#isObject ? 'between' : 'behind', at + 1);
        const end = ending(candleText, text, at);
        if (end === at) return at;
        const place = `${this.#path}: row ${this.#number + 1}: `;
        const candle = parseJson(Buffer.from(text.slice(at, end), 'latin1'), place);
        rows.push({ number: (this.#number += 1), cells: cellsOf(candle as Members, this.#symbol) });
        return end;
      }
      case 'behind':
        return at;
    }
  }

  #go(place: 'between' | 'list' | 'behind', at: number): number {
    this.#place = place;
    return at;
  }

  #unexpected(): BadInput {
    const found = this.#text === '' ? 'the end' : JSON.stringify(this.#text.slice(0, 60));
    return new BadInput(
      `${this.#path}: row ${this.#number + 1}: expected candles in a list, or in lists by symbol, found ${found}`,
    );
  }
}

/** Where the match of a sticky pattern ends; `at` when there is none. */
function ending(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** The cells of one candle. A member that is missing or no number stays visible, for the reader of the row to refuse. */
function cellsOf(candle: Members, symbol: string): readonly string[] {
  const { timestamp, open, max, min, close } = candle;
  // Candles of index and mark prices have no volumes.
  const { volume = 0, volumeQuote = 0, volume_quote: quoteV3 = volumeQuote } = candle;
  return [...[timestamp, open, max, min, close, volume, quoteV3].map(cellOf), symbol];
}

function cellOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? plainNumber(value) : (JSON.stringify(value) ?? '');
}
