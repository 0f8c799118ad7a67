import type { Observable } from 'rxjs';
import { fail } from '../base/assert.ts';
import type { MarketData } from '../model/event.ts';
import type { InstrumentId } from '../model/instrument.ts';
import type { MarginReason, OpenMarginAccount } from '../model/margin.ts';
import type { BarSpec, BookView, Candle, MarketTrade, Ticker } from '../model/market.ts';
import type { SeriesRow } from '../model/event.ts';
import type { Position } from '../ledger/index.ts';
import type { OnWatcherError } from './guarded.ts';
import { Topic } from './topic.ts';

export interface StreamOptions {
  /** The book of an instrument, with the event that is shown already applied. */
  readonly book: (instrument: InstrumentId) => BookView;
  /** Receives what subscribers and operators throw. */
  readonly onError: OnWatcherError;
}

/** A margin account, and why it was reported. */
export interface MarginReported extends OpenMarginAccount {
  readonly reason: MarginReason;
}

/** More subscribers of one stream than any program needs: something subscribes in a loop. */
const subscribersMax = 1_000;

/**
 * The events behind the journal as guarded Observables, for strategies and other watchers: one topic per kind and
 * instrument, looked up by number, so that twenty consumers of twenty symbols cost twenty calls and not four hundred filters.
 *
 * Fed by `next` after an event was applied to the state: by the runner of a strategy, in the trader's thread or in a worker, or
 * by a watcher of the bus. Values are copies that a subscriber may keep; only a book is a view, valid until the next event.
 */
export class Streams {
  readonly #book: (instrument: InstrumentId) => BookView;
  readonly #onError: OnWatcherError;
  readonly #books: Topics<BookView>;
  readonly #trades: Topics<MarketTrade>;
  readonly #tickers: Topics<Ticker>;
  readonly #candles = new Map<BarSpec, Topics<Candle>>();
  readonly #margin: Topic<MarginReported>;
  readonly #positions: Topic<Position>;
  readonly #series = new Map<string, Topic<SeriesRow>>();
  /** Whether a stream was ever asked for: a run that uses none pays one look at this. */
  #active = false;

  constructor({ book, onError }: StreamOptions) {
    this.#book = book;
    this.#onError = onError;
    this.#books = new Topics(onError);
    this.#trades = new Topics(onError);
    this.#tickers = new Topics(onError);
    this.#margin = new Topic({ onError, handlersMax: subscribersMax });
    this.#positions = new Topic({ onError, handlersMax: subscribersMax });
  }

  /** The book after every change of it. */
  books$(instrument: InstrumentId): Observable<BookView> {
    this.#active = true;
    return this.#books.of(instrument);
  }

  /** Public trades. The history that a venue sends on subscription is not repeated here. */
  trades$(instrument: InstrumentId): Observable<MarketTrade> {
    this.#active = true;
    return this.#trades.of(instrument);
  }

  tickers$(instrument: InstrumentId): Observable<Ticker> {
    this.#active = true;
    return this.#tickers.of(instrument);
  }

  /** Closed candles. */
  candles$(instrument: InstrumentId, period: BarSpec): Observable<Candle> {
    this.#active = true;
    let topics = this.#candles.get(period);
    if (topics === undefined) {
      topics = new Topics(this.#onError);
      this.#candles.set(period, topics);
    }
    return topics.of(instrument);
  }

  /** Margin accounts, of any product, as the venue reports them. */
  margin$(): Observable<MarginReported> {
    this.#active = true;
    return this.#margin;
  }

  /** Own positions, of any instrument and account, after each execution. */
  positions$(): Observable<Position> {
    this.#active = true;
    return this.#positions;
  }

  /** Rows of a series. */
  series$(series: string): Observable<SeriesRow> {
    this.#active = true;
    let topic = this.#series.get(series);
    if (topic === undefined) {
      topic = new Topic<SeriesRow>({ onError: this.#onError, handlersMax: subscribersMax });
      this.#series.set(series, topic);
    }
    return topic;
  }

  /** Emits nothing more. Subscribers are not completed, because that would call them once again. */
  stop(): void {
    this.#active = false;
  }

  /** Shows market data that the state has applied. Closed candles come by `closed`. */
  next(data: MarketData): void {
    if (!this.#active) return;
    switch (data.kind) {
      case 'bookUpdate':
      case 'bookSnapshot': {
        const books = this.#books.observed(data.instrument);
        if (books !== undefined) books.next(this.#book(data.instrument));
        return;
      }
      case 'trades': {
        const trades = data.snapshot ? undefined : this.#trades.observed(data.instrument);
        if (trades === undefined) return;
        // A subscriber that throws may stop the streams.
        for (const trade of data.trades) if (this.#active) trades.next({ ...trade });
        return;
      }
      case 'ticker':
        this.#tickers.observed(data.instrument)?.next({ ...data.ticker });
        return;
      case 'candles':
    }
  }

  /** A row of a series that the state has applied. */
  nextRow(row: SeriesRow): void {
    const topic = this.#active ? this.#series.get(row.series) : undefined;
    if (topic?.observed === true) topic.next({ ...row, values: { ...row.values } });
  }

  /** A margin account was reported. */
  marginChanged(reported: MarginReported): void {
    if (this.#active && this.#margin.observed) this.#margin.next(reported);
  }

  /** An execution changed an own position. */
  positionChanged(position: Position): void {
    if (this.#active && this.#positions.observed) this.#positions.next(position);
  }

  /** A candle is over: a later one has begun. */
  closed(candle: Candle): void {
    if (this.#active) this.#candles.get(candle.period)?.observed(candle.instrument)?.next(candle);
  }
}

/** One topic per instrument, made when first asked for. Bounded by the number of instruments. */
class Topics<T> {
  readonly #byInstrument: (Topic<T> | undefined)[] = [];
  readonly #onError: OnWatcherError;

  constructor(onError: OnWatcherError) {
    this.#onError = onError;
  }

  of(instrument: InstrumentId): Topic<T> {
    if (!(instrument >= 0)) fail('there is no such instrument', { instrument });
    let topic = this.#byInstrument[instrument];
    if (topic === undefined) {
      topic = new Topic<T>({ onError: this.#onError, handlersMax: subscribersMax });
      this.#byInstrument[instrument] = topic;
    }
    return topic;
  }

  /** The topic of an instrument that has subscribers. */
  observed(instrument: InstrumentId): Topic<T> | undefined {
    const topic = this.#byInstrument[instrument];
    return topic?.observed === true ? topic : undefined;
  }
}
