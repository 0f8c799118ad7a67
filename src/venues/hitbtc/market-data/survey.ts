import type { Members } from '../../../core/base/members.ts';
import { isMembers } from '../../../core/base/members.ts';
import { BadInput } from '../../../core/base/errors.ts';
import { decimalsOf } from '../../../core/base/scan.ts';
import type { FileEnds, FrameSurvey } from '../../../core/model/frame-format.ts';
import type { Frame } from '../../../core/model/frame.ts';
import type { InstrumentSpec } from '../../../core/model/instrument.ts';
import type { Pair } from '../../../core/model/pair.ts';
import { refuseTooMany } from '../../../core/model/symbols-max.ts';
import { pairIn } from '../../../core/model/pair.ts';
import { parseFrame } from '../wire/json.ts';

interface Seen {
  priceDecimals: number;
  sizeDecimals: number;
  /** Whether the decimals are from a book: then nothing else counts. */
  fromBook: boolean;
}

/** Which symbols send market frames, with how many decimals they print prices and sizes, and how each file begins and ends. */
export class PublicFrameSurvey implements FrameSurvey {
  readonly #files: FileEnds[] = [];
  readonly #seen = new Map<string, Seen>();
  readonly #pairs = new Map<string, Pair>();

  /** Begins the next file: what follows is of it. */
  startFile(): void {
    this.#files.push({ first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY, books: new Map() });
  }

  /** The files in the order of their start. */
  get files(): readonly FileEnds[] {
    return this.#files;
  }

  /** Symbols in the order of their first market frame. */
  symbols(): readonly string[] {
    return [...this.#seen.keys()];
  }

  /** Reads the pairs ("POND-USD") of a configuration line; anything else in it is passed over. */
  seeConfiguration(text: string): void {
    for (const [, base = '', quote = ''] of text.matchAll(
      /"([\p{Lu}\p{Lo}\p{Nd}]+)-([\p{Lu}\p{Lo}\p{Nd}]+)"/gu,
    )) {
      if (base !== quote) this.#pairs.set(base + quote, { base, quote });
    }
  }

  /** Looks at one frame. What is no JSON or no market message is passed over: the market-data handler judges frames, not this. */
  see(frame: Frame): void {
    if (frame.direction !== 'in') return;
    let body: unknown;
    try {
      body = parseFrame(frame.bytes);
    } catch (error) {
      if (error instanceof BadInput) return;
      throw error;
    }
    if (!isMembers(body)) return;
    const file = this.#files.at(-1);
    if (file !== undefined) {
      file.first = Math.min(file.first, frame.receiveTime);
      file.last = Math.max(file.last, frame.receiveTime);
    }
    if (frame.channel === 'v3/public') this.#seeV3(body);
    else if (frame.channel === 'v2/public' || frame.channel === 'v2/all') this.#seeV2(body);
  }

  /**
   * Specs of symbols that were seen, with their decimals; `quote` as `pairIn` takes it. Throws `BadInput` where neither a
   * configuration line nor the symbol tells its currencies.
   */
  inferSpecs(symbols: readonly string[], quote?: string): readonly InstrumentSpec[] {
    return symbols.map((symbol) => {
      const seen = this.#of(symbol);
      const { base: baseCurrency, quote: quoteCurrency } = this.#pairs.get(symbol) ?? pairIn(symbol, quote);
      return {
        symbol,
        type: 'spot',
        baseCurrency,
        quoteCurrency,
        feeCurrency: quoteCurrency,
        tickSize: stepOf(seen.priceDecimals),
        quantityIncrement: stepOf(seen.sizeDecimals),
        takeRate: '0.0025',
        makeRate: '0.001',
        feesAssumed: true,
        status: 'working',
        marginTrading: false,
      };
    });
  }

  #seeV2(body: Members): void {
    const params = body['params'];
    if (!isMembers(params) || typeof params['symbol'] !== 'string') return;
    const seen = this.#of(params['symbol']);
    const { method } = body;
    if (method === 'snapshotOrderbook' || method === 'updateOrderbook')
      this.#seeBook(params['symbol'], params['sequence'], method === 'snapshotOrderbook');
    for (const side of ['ask', 'bid']) {
      const levels = params[side];
      if (!Array.isArray(levels)) continue;
      for (const level of levels as readonly unknown[]) {
        if (isMembers(level)) note(seen, level['price'], level['size'], true);
      }
    }
    if (seen.fromBook) return;
    note(seen, params['ask'], undefined, false);
    note(seen, params['bid'], undefined, false);
    const trades = params['data'];
    if (!Array.isArray(trades)) return;
    for (const trade of trades as readonly unknown[]) {
      if (isMembers(trade)) note(seen, trade['price'], trade['quantity'], false);
    }
  }

  #seeV3(body: Members): void {
    const isFullBook = body['ch'] === 'orderbook/full';
    for (const kind of ['snapshot', 'update', 'data']) {
      const bySymbol = body[kind];
      if (!isMembers(bySymbol)) continue;
      for (const [symbol, payload] of Object.entries(bySymbol)) {
        this.#seeV3Payload(this.#of(symbol), payload);
        if (isFullBook && isMembers(payload)) this.#seeBook(symbol, payload['s'], kind === 'snapshot');
      }
    }
  }

  #seeV3Payload(seen: Seen, payload: unknown): void {
    if (Array.isArray(payload)) {
      for (const row of payload as readonly unknown[]) {
        if (isMembers(row) && !seen.fromBook) note(seen, row['p'], row['q'], false);
      }
      return;
    }
    if (!isMembers(payload)) return;
    for (const side of ['a', 'b']) {
      const levels = payload[side];
      if (Array.isArray(levels)) {
        for (const level of levels as readonly unknown[]) {
          if (Array.isArray(level)) note(seen, level[0], level[1], true);
        }
      } else if (!seen.fromBook) {
        note(seen, levels, payload[side.toUpperCase()], false);
      }
    }
  }

  #seeBook(symbol: string, value: unknown, isWhole: boolean): void {
    const sequence = Number(value);
    const books = this.#files.at(-1)?.books;
    if (books === undefined || !Number.isFinite(sequence)) return;
    const book = books.get(symbol);
    if (book === undefined) books.set(symbol, { first: sequence, isWhole, last: sequence });
    else book.last = sequence;
  }

  #of(symbol: string): Seen {
    let seen = this.#seen.get(symbol);
    if (seen === undefined) {
      refuseTooMany(this.#seen.size, symbol);
      seen = { priceDecimals: 0, sizeDecimals: 0, fromBook: false };
      this.#seen.set(symbol, seen);
    }
    return seen;
  }
}

function note(seen: Seen, price: unknown, size: unknown, fromBook: boolean): void {
  if (fromBook && !seen.fromBook) {
    seen.fromBook = true;
    seen.priceDecimals = 0;
    seen.sizeDecimals = 0;
  }
  if (typeof price === 'string') seen.priceDecimals = Math.max(seen.priceDecimals, decimalsOf(price));
  if (typeof size === 'string') seen.sizeDecimals = Math.max(seen.sizeDecimals, decimalsOf(size));
}

/** The step that a number of decimals means: "0.001" for 3, "1" for 0. */
function stepOf(decimals: number): string {
  return decimals === 0 ? '1' : `0.${'1'.padStart(decimals, '0')}`;
}
