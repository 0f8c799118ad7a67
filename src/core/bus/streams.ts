import type { Observable } from 'rxjs';
import type { Cancel } from '../base/clock.ts';
import { fail } from '../base/assert.ts';
import type {
  BalancesChanged,
  BookSnapshot,
  BookStale,
  BookUpdate,
  CandlesChanged,
  Event,
  ModeChanged,
  OrderReport,
  OrderRejected,
  CancelRejected,
  SessionDown,
  SessionUp,
  TickerChanged,
  TradesPrinted,
  VerdictEvent,
} from '../model/event.ts';
import type { InstrumentId } from '../model/instrument.ts';
import type { BookView } from '../model/market.ts';
import type { OwnTrade } from '../model/event.ts';
import type { StampedEvent } from '../model/stamped-event.ts';
import type { OnWatcherError } from './guarded.ts';
import { Topic } from './topic.ts';

/** What changes a book. */
export type BookEvent = BookSnapshot | BookUpdate | BookStale;

/** What happens to orders: our verdicts and the venue's market data. */
export type OrderEvent = VerdictEvent | OrderReport | OrderRejected | CancelRejected;

/** Where streams come from: the bus, or a worker's replica that is fed the same events. */
export interface StreamSource {
  on(watcher: (stamped: StampedEvent) => void): Cancel;
}

export interface StreamOptions {
  readonly source: StreamSource;
  /** The state's book of an instrument, already changed by the event that a stream tells of. */
  readonly book: (instrument: InstrumentId) => BookView;
  /** The own fills that the last order report or read answer booked for the first time (`State.booked`). */
  readonly booked: () => readonly OwnTrade[];
  readonly onError?: OnWatcherError;
}

/**
 * Observables for strategy authors and watchers: one topic per kind and instrument, looked up by number, so that
 * twenty consumers of twenty symbols cost twenty calls and not four hundred filters. All are guarded.
 */
export class Streams {
  readonly #options: StreamOptions;
  readonly #books: Topics<BookView>;
  readonly #bookEvents: Topics<BookEvent>;
  readonly #trades: Topics<TradesPrinted>;
  readonly #tickers: Topics<TickerChanged>;
  readonly #candles: Topics<CandlesChanged>;
  readonly #fills: Topics<OwnTrade>;
  readonly #orders: Topic<OrderEvent>;
  readonly #balances: Topic<BalancesChanged>;
  readonly #modes: Topic<ModeChanged>;
  readonly #sessions: Topic<SessionUp | SessionDown>;
  #cancel: Cancel | undefined;

  constructor(options: StreamOptions) {
    this.#options = options;
    const onError = options.onError ?? ignore;
    this.#books = new Topics(onError);
    this.#bookEvents = new Topics(onError);
    this.#trades = new Topics(onError);
    this.#tickers = new Topics(onError);
    this.#candles = new Topics(onError);
    this.#fills = new Topics(onError);
    this.#orders = new Topic({ onError });
    this.#balances = new Topic({ onError });
    this.#modes = new Topic({ onError });
    this.#sessions = new Topic({ onError });
  }

  /** The book after every change of it, also when it becomes stale. The view is valid until the next event. */
  books$(instrument: InstrumentId): Observable<BookView> {
    return this.#open(this.#books.of(instrument));
  }

  /** The changes themselves. */
  bookEvents$(instrument: InstrumentId): Observable<BookEvent> {
    return this.#open(this.#bookEvents.of(instrument));
  }

  /** Public trades, one emission per message. */
  trades$(instrument: InstrumentId): Observable<TradesPrinted> {
    return this.#open(this.#trades.of(instrument));
  }

  tickers$(instrument: InstrumentId): Observable<TickerChanged> {
    return this.#open(this.#tickers.of(instrument));
  }

  /** Candles as the feed sends them, running ones included. */
  candles$(instrument: InstrumentId): Observable<CandlesChanged> {
    return this.#open(this.#candles.of(instrument));
  }

  /** Own fills, each exactly once, whichever way it became known. */
  fills$(instrument: InstrumentId): Observable<OwnTrade> {
    return this.#open(this.#fills.of(instrument));
  }

  /** Verdicts and market data on all orders. */
  orders$(): Observable<OrderEvent> {
    return this.#open(this.#orders);
  }

  balances$(): Observable<BalancesChanged> {
    return this.#open(this.#balances);
  }

  modes$(): Observable<ModeChanged> {
    return this.#open(this.#modes);
  }

  sessions$(): Observable<SessionUp | SessionDown> {
    return this.#open(this.#sessions);
  }

  /** Completes every stream. */
  close(): void {
    this.#cancel?.();
    this.#cancel = ignore;
    const perInstrument = [
      this.#books,
      this.#bookEvents,
      this.#trades,
      this.#tickers,
      this.#candles,
      this.#fills,
    ];
    for (const topics of perInstrument) topics.close();
    for (const topic of [this.#orders, this.#balances, this.#modes, this.#sessions]) topic.close();
  }

  /** The source is watched from the first stream on: a run that uses none pays nothing. */
  #open<T>(topic: Topic<T>): Observable<T> {
    this.#cancel ??= this.#options.source.on((stamped) => this.#route(stamped.event));
    return topic;
  }

  #route(event: Event): void {
    switch (event.kind) {
      case 'bookUpdate':
      case 'bookSnapshot':
      case 'bookStale':
        this.#bookEvents.next(event.instrument, event);
        if (this.#books.observed(event.instrument)) {
          this.#books.next(event.instrument, this.#options.book(event.instrument));
        }
        return;
      case 'trades':
        this.#trades.next(event.instrument, event);
        return;
      case 'ticker':
        this.#tickers.next(event.instrument, event);
        return;
      case 'candles':
        this.#candles.next(event.instrument, event);
        return;
      case 'balances':
        this.#balances.next(event);
        return;
      case 'modeChanged':
        this.#modes.next(event);
        return;
      case 'sessionUp':
      case 'sessionDown':
        this.#sessions.next(event);
        return;
      default:
        this.#routeOrder(event);
    }
  }

  #routeOrder(event: Event): void {
    switch (event.kind) {
      case 'orderReport':
      case 'orderRejected':
      case 'cancelRejected':
      case 'orderPending':
      case 'cancelPending':
      case 'replacePending':
      case 'readPending':
      case 'orderDenied':
      case 'orderUnknown':
      case 'orderProvenAbsent':
      case 'orderFoundAlive':
        this.#orders.next(event);
        break;
      default:
    }
    if (event.kind !== 'orderReport' && event.kind !== 'readAnswered') return;
    for (const fill of this.#options.booked()) this.#fills.next(fill.instrument, fill);
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
      topic = new Topic<T>({ onError: this.#onError });
      this.#byInstrument[instrument] = topic;
    }
    return topic;
  }

  observed(instrument: InstrumentId): boolean {
    return this.#byInstrument[instrument]?.observed === true;
  }

  next(instrument: InstrumentId, value: T): void {
    this.#byInstrument[instrument]?.next(value);
  }

  close(): void {
    for (const topic of this.#byInstrument) topic?.close();
  }
}

function ignore(): void {}
