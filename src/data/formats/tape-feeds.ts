import { OneFileAFeed } from '../recording/one-file-a-feed.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import type { BookSide } from './order-levels.ts';
import type { Tape, TapeBook, TapeItem, TapeTicker, TapeTrade } from './tape.ts';

/**
 * The tape of several files: what is spoken into it goes on, once it is sure that no other file tells the same of the same
 * symbol at the same time. Throws `FilesOverlap` when one does. Whole books that are joined with differences of another
 * file do not count.
 */
export class TapeFeeds implements Tape {
  readonly #tape: Tape;
  readonly #paths: ReadonlyMap<string, number>;
  readonly #instruments: Instruments;
  readonly #joins: boolean;
  readonly #feeds: OneFileAFeed;
  #source = 0;
  #time = 0;
  #symbol = '';

  constructor(tape: Tape, paths: readonly string[], instruments: Instruments, joins: boolean) {
    this.#tape = tape;
    this.#paths = new Map(paths.map((path, index) => [path, index]));
    this.#instruments = instruments;
    this.#joins = joins;
    this.#feeds = new OneFileAFeed(paths, instruments);
  }

  /** The next piece of a file. */
  moveTo({ path, receiveTime }: TapeItem): void {
    this.#source = this.#paths.get(path) ?? 0;
    this.#time = receiveTime;
  }

  begin(symbol: string): boolean {
    this.#symbol = symbol;
    return this.#tape.begin(symbol);
  }

  level(side: BookSide, price: string, size: string): void {
    this.#tape.level(side, price, size);
  }

  snapshot(book: TapeBook): void {
    if (!this.#joins) this.#told('books', this.#symbol);
    this.#tape.snapshot(book);
  }

  update(book: TapeBook): void {
    this.#told('books', this.#symbol);
    this.#tape.update(book);
  }

  trades(symbol: string, history: boolean, trades: readonly TapeTrade[]): void {
    this.#told('trades', symbol);
    this.#tape.trades(symbol, history, trades);
  }

  ticker(symbol: string, ticker: TapeTicker): void {
    this.#told('tickers', symbol);
    this.#tape.ticker(symbol, ticker);
  }

  disconnected(symbols?: readonly string[]): void {
    this.#tape.disconnected(symbols);
  }

  anomaly(what: string): void {
    this.#tape.anomaly(what);
  }

  #told(noun: string, symbol: string): void {
    const instrument = this.#instruments.find(symbol)?.id;
    if (instrument !== undefined) this.#feeds.told(this.#source, { noun, instrument }, this.#time);
  }
}
