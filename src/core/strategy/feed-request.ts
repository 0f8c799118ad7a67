import { BadInput } from '../base/errors.ts';
import type { InstrumentId, Instruments } from '../model/instrument.ts';
import type { CandlePeriod } from '../model/market.ts';
import { candlePeriods } from '../model/market.ts';
import { refuseUnknown } from './known-keys.ts';

/**
 * The feeds of one symbol that a strategy subscribes to. It may trade the symbols it declares, by whatever feed, or by none. An order
 * leaves only while the book of its symbol is fresh, and those of the symbols in `needs` (faults, I9).
 */
export interface FeedRequest {
  readonly symbol: string;
  readonly book?: boolean | undefined;
  readonly trades?: boolean | undefined;
  readonly ticker?: boolean | undefined;
  readonly candles?: readonly CandlePeriod[] | undefined;
  /**
   * Symbols that orders of this one are priced from: while the book of one is not fresh, only orders that reduce leave. `feeds()` names
   * them with `book: true`.
   */
  readonly needs?: readonly string[] | undefined;
  /** Symbols of one name are held against one another: a limit on loss does not break the hedge apart. */
  readonly hedge?: string | undefined;
  /** Mark and index price and the coming funding rate of a contract. */
  readonly contract?: boolean | undefined;
}

const known: ReadonlySet<string> = new Set<keyof FeedRequest>([
  'symbol',
  'book',
  'trades',
  'ticker',
  'candles',
  'needs',
  'hedge',
  'contract',
]);
const noPeriods: readonly CandlePeriod[] = [];

/** The declared feeds by instrument id: one byte each, read on every market event. */
export class DeclaredFeeds {
  readonly requests: readonly FeedRequest[];
  readonly books: Uint8Array;
  readonly trades: Uint8Array;
  readonly tickers: Uint8Array;
  readonly contracts: Uint8Array;
  /** Periods by instrument id; an empty list where none was declared. */
  readonly candles: readonly (readonly CandlePeriod[])[];

  /** Throws `BadInput` naming the strategy and what is wrong: an unknown symbol or period, or nothing wanted. */
  constructor(strategy: string, requests: readonly FeedRequest[], instruments: Instruments) {
    const count = instruments.all.length;
    this.requests = requests;
    this.books = new Uint8Array(count);
    this.trades = new Uint8Array(count);
    this.tickers = new Uint8Array(count);
    this.contracts = new Uint8Array(count);
    const candles: (readonly CandlePeriod[])[] = Array.from({ length: count }, () => noPeriods);
    checkFeeds(strategy, requests);
    for (const request of requests) {
      const instrument = instruments.find(request.symbol);
      if (instrument === undefined) {
        throw new BadInput(
          `strategy ${strategy}: feeds() asks for ${JSON.stringify(request.symbol)}, expected a symbol of this run; ${instruments.listed()} (a strategy with a parameter symbol takes it as --param symbol=NAME, in a file under params)`,
        );
      }
      const { id } = instrument;
      if (request.book === true) this.books[id] = 1;
      if (request.trades === true) this.trades[id] = 1;
      if (request.ticker === true) this.tickers[id] = 1;
      if (request.contract === true) this.contracts[id] = 1;
      candles[id] = [...new Set([...(candles[id] ?? noPeriods), ...(request.candles ?? noPeriods)])];
    }
    this.candles = candles;
  }

  /** Whether anything at all was declared for an instrument. */
  any(id: InstrumentId): boolean {
    return (
      this.books[id] === 1 ||
      this.trades[id] === 1 ||
      this.tickers[id] === 1 ||
      this.contracts[id] === 1 ||
      (this.candles[id] ?? noPeriods).length > 0
    );
  }
}

/** Throws `BadInput` naming the strategy and what no request of any run may say: an unknown member or period, a need without a book. */
export function checkFeeds(strategy: string, requests: readonly FeedRequest[]): void {
  const books = new Set(requests.filter(({ book }) => book === true).map(({ symbol }) => symbol));
  for (const request of requests) {
    refuseUnknown(request, known, `feeds() of strategy ${strategy}`);
    for (const needed of request.needs ?? []) {
      if (books.has(needed)) continue;
      throw new BadInput(
        `strategy ${strategy}: feeds() says that ${request.symbol} needs ${JSON.stringify(needed)}, expected a symbol that it names with book: true`,
      );
    }
    for (const period of request.candles ?? noPeriods) {
      if (candlePeriods.includes(period)) continue;
      throw new BadInput(
        `strategy ${strategy}: feeds() asks for candles ${JSON.stringify(period)}, expected one of ${candlePeriods.join(', ')}`,
      );
    }
  }
}
