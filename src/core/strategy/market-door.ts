import type { Observable } from 'rxjs';
import { BadInput } from '../base/errors.ts';
import type { InstrumentId } from '../model/instrument.ts';
import type { BookView, Candle, CandlePeriod, MarketTrade, Ticker } from '../model/market.ts';
import type { StateView } from '../state/view.ts';
import type { Market } from './context.ts';
import type { DeclaredFeeds } from './feed-request.ts';
import type { Blame } from './guarded-stream.ts';
import { StreamSource } from './guarded-stream.ts';

/**
 * The market as one strategy sees it: declared feeds only, so that a strategy sees the same in the trader's
 * thread, where the state holds more, and in a worker, where it does not.
 */
export class MarketDoor implements Market {
  readonly #state: StateView;
  readonly #feeds: DeclaredFeeds;
  readonly #blame: Blame;
  readonly #books: (StreamSource<BookView> | undefined)[];
  readonly #trades: (StreamSource<MarketTrade> | undefined)[];
  readonly #tickers: (StreamSource<Ticker> | undefined)[];
  readonly #candles: (Map<CandlePeriod, StreamSource<Candle>> | undefined)[];

  constructor(state: StateView, feeds: DeclaredFeeds, blame: Blame) {
    this.#state = state;
    this.#feeds = feeds;
    this.#blame = blame;
    const length = state.instruments.all.length;
    this.#books = Array.from({ length }, () => undefined);
    this.#trades = Array.from({ length }, () => undefined);
    this.#tickers = Array.from({ length }, () => undefined);
    this.#candles = Array.from({ length }, () => undefined);
  }

  book(symbol: string): BookView {
    return this.#state.book(this.#declared(symbol, 'book', this.#feeds.books));
  }

  ticker(symbol: string): Ticker | undefined {
    const ticker = this.#state.ticker(this.#declared(symbol, 'ticker', this.#feeds.tickers));
    return ticker && { ...ticker };
  }

  trades(symbol: string): readonly MarketTrade[] {
    return this.#state
      .trades(this.#declared(symbol, 'trades', this.#feeds.trades))
      .map((trade) => ({ ...trade }));
  }

  lastTrade(symbol: string): MarketTrade | undefined {
    const trade = this.#state.lastTrade(this.#declared(symbol, 'trades', this.#feeds.trades));
    return trade && { ...trade };
  }

  candles(symbol: string, period: CandlePeriod): readonly Candle[] {
    return this.#state
      .candles(this.#declaredCandles(symbol, period), period)
      .map((candle) => ({ ...candle }));
  }

  books$(symbol: string): Observable<BookView> {
    return this.#source(this.#books, this.#declared(symbol, 'book', this.#feeds.books)).stream;
  }

  trades$(symbol: string): Observable<MarketTrade> {
    return this.#source(this.#trades, this.#declared(symbol, 'trades', this.#feeds.trades)).stream;
  }

  tickers$(symbol: string): Observable<Ticker> {
    return this.#source(this.#tickers, this.#declared(symbol, 'ticker', this.#feeds.tickers)).stream;
  }

  candles$(symbol: string, period: CandlePeriod): Observable<Candle> {
    const id = this.#declaredCandles(symbol, period);
    const byPeriod = this.#candles[id] ?? new Map<CandlePeriod, StreamSource<Candle>>();
    this.#candles[id] = byPeriod;
    const source = byPeriod.get(period) ?? new StreamSource<Candle>(this.#blame);
    byPeriod.set(period, source);
    return source.stream;
  }

  /** The dispatcher's side of the streams: a source is there once somebody asked for its stream. */
  bookSource(id: InstrumentId): StreamSource<BookView> | undefined {
    return this.#books[id];
  }

  tradeSource(id: InstrumentId): StreamSource<MarketTrade> | undefined {
    return this.#trades[id];
  }

  tickerSource(id: InstrumentId): StreamSource<Ticker> | undefined {
    return this.#tickers[id];
  }

  candleSource(id: InstrumentId, period: CandlePeriod): StreamSource<Candle> | undefined {
    return this.#candles[id]?.get(period);
  }

  #source<Value>(sources: (StreamSource<Value> | undefined)[], id: InstrumentId): StreamSource<Value> {
    const source = sources[id] ?? new StreamSource<Value>(this.#blame);
    sources[id] = source;
    return source;
  }

  #declared(symbol: string, what: string, flags: Uint8Array): InstrumentId {
    const { id } = this.#state.instruments.get(symbol);
    if (flags[id] !== 1) {
      throw new BadInput(`feeds() must declare { symbol: '${symbol}', ${what}: true } to use it`);
    }
    return id;
  }

  #declaredCandles(symbol: string, period: CandlePeriod): InstrumentId {
    const { id } = this.#state.instruments.get(symbol);
    if (this.#feeds.candles[id]?.includes(period) !== true) {
      throw new BadInput(`feeds() must declare { symbol: '${symbol}', candles: ['${period}'] } to use them`);
    }
    return id;
  }
}
