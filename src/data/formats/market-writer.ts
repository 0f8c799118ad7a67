import type { Micros } from '../../core/base/clock.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import type { Printing } from '../recording/index.ts';
import type { Pair } from '../../core/model/pair.ts';
import type { Side } from '../../core/model/order.ts';
import type { ChecksumRule } from './checksums.ts';
import type { FileHead, OpenOptions } from './format.ts';
import type { BookSide } from './order-levels.ts';

/** A trade as its venue sent it: plain decimals as text. */
export interface WrittenTrade {
  /** The venue's id; empty where it gives none (the writer then counts). */
  readonly id: string;
  readonly price: string;
  readonly quantity: string;
  /** The taker's. */
  readonly side: Side;
  readonly time: Micros;
}

/** The top of a book as its venue sent it; a price or size that is absent or 0 is `undefined`. */
export interface WrittenTicker {
  readonly time: Micros | undefined;
  readonly bid?: string | undefined;
  readonly bidQuantity?: string | undefined;
  readonly ask?: string | undefined;
  readonly askQuantity?: string | undefined;
  readonly last?: string | undefined;
}

/** Fields of a book message besides its levels. */
export interface WrittenBook {
  /** Time of the exchange; absent where it sends none: the time of arrival then stands in. */
  readonly time: Micros | undefined;
  /** The venue's number of this state; absent where there is none: messages are then counted. */
  readonly sequence?: number;
  /** The state an update follows, where the venue names it; absent: any state before. */
  readonly previous?: number;
  /** The venue's checksum of the book after this message. */
  readonly checksum?: number;
  /** How many levels a side holds at most: levels beyond are dropped without a message. */
  readonly depth?: number;
}

/**
 * Writer that the decoders of venues write to: prices and sizes as text, exactly as sent. One decoder serves two passes: one
 * learns symbols and decimals, one makes events.
 */
export interface MarketWriter {
  /** Begins a book message; false when the symbol is not wanted (then no levels may follow). */
  begin(symbol: string): boolean;
  /** One level of the message begun; size 0 deletes it. */
  level(side: BookSide, price: string, size: string): void;
  /** The message begun is a whole book. */
  snapshot(book: WrittenBook): void;
  /** The message begun changes a book. */
  update(book: WrittenBook): void;
  /** Trades, oldest first; `history` marks those sent on subscription. */
  trades(symbol: string, history: boolean, trades: readonly WrittenTrade[]): void;
  ticker(symbol: string, ticker: WrittenTicker): void;
  /** The books of these symbols, or of all, are stale. */
  disconnected(symbols?: readonly string[]): void;
  /** Something a reader of results should know; shown as "N times: what". */
  anomaly(what: string): void;
}

/** One piece of a source: a line, a row. */
export interface SourceItem {
  readonly path: string;
  /** The line in that file. */
  readonly number: number;
  readonly receiveTime: Micros;
}

/** Turns the pieces of a source into calls of a writer. Throws `BadInput` without file and line; the caller adds them. */
export interface Decoder<Item extends SourceItem> {
  accept(item: Item, writer: MarketWriter): void;
}

/** A format made of pieces in the order of their arrival, read twice: for its instruments, then for its events. */
export interface DecodedFormat<Item extends SourceItem> {
  readonly name: string;
  readonly looksLike: string;
  readonly carries: string;
  readonly printing: Printing;
  readonly checksum?: ChecksumRule;
  /** Whether a snapshot is joined with updates that came before it (by `sequence` and `previous`). */
  readonly joins?: boolean;
  readonly notes?: readonly string[];
  /** Notes that depend on what was found. */
  notesOf?(instruments: Instruments, options: OpenOptions): readonly string[];
  /** The currencies of a symbol whose name tells them to who knows the venue, such as `MKR-PERP`. */
  pairOf?(symbol: string): Pair | undefined;
  detects(head: FileHead, path: string): boolean;
  read(path: string, options: OpenOptions): AsyncGenerator<readonly Item[], void, undefined>;
  /** Content of a file without market data, in words for a sentence. */
  contentOf?(path: string): Promise<string>;
  decoder(options: OpenOptions): Decoder<Item>;
}
