import type { Micros } from '../base/clock.ts';
import type { BookStale, CandlesChanged, ContractInfo, MarketData, TradesPrinted } from '../model/event.ts';
import type { InstrumentId } from '../model/instrument.ts';
import { copyOf, knownOf } from '../model/known-candle.ts';
import type { Candle } from '../model/market.ts';
import type { SeriesEvent, SeriesRow } from '../model/event.ts';
import type { StateView } from '../state/index.ts';
import type { Streams } from '../bus/index.ts';
import { CandleWatch } from './candle-watch.ts';
import type { DeclaredFeeds } from './feed-request.ts';
import type { StrategyGuard } from './guard.ts';
import type { StrategyHandlers } from './handlers.ts';

/** A row that a strategy may keep and write to. */
export function copyOfRow(row: SeriesRow): SeriesRow {
  return { ...row, values: { ...row.values } };
}

const forever = Number.MAX_SAFE_INTEGER as Micros;

/**
 * Market data to handlers, then to streams: the path of every recorded event of a backtest. Books are passed without
 * allocation, everything else as a copy; an undeclared feed costs one byte read.
 */
export class MarketDispatch {
  /** Set when the strategy has been created. */
  handlers: StrategyHandlers = {};
  readonly #state: StateView;
  readonly #feeds: DeclaredFeeds;
  readonly #streams: Streams;
  readonly #guard: StrategyGuard;
  readonly #candles: readonly (readonly CandleWatch[])[];

  constructor(state: StateView, feeds: DeclaredFeeds, streams: Streams, guard: StrategyGuard) {
    this.#state = state;
    this.#feeds = feeds;
    this.#streams = streams;
    this.#guard = guard;
    this.#candles = feeds.candles.map((specs, id) =>
      specs.map((spec) => new CandleWatch(state, id as InstrumentId, spec)),
    );
  }

  /** Takes the candles known at the start as history. */
  beginBooks(): void {
    for (const watches of this.#candles) {
      for (const watch of watches) watch.lookForClosed(forever, () => {}, true);
    }
  }

  handle(event: MarketData): void {
    switch (event.kind) {
      case 'bookUpdate':
      case 'bookSnapshot':
        if (this.#feeds.books[event.instrument] !== 1) return;
        this.#book(event.instrument);
        this.#streams.next(event);
        return;
      case 'trades':
        if (this.#feeds.trades[event.instrument] === 1 && !event.snapshot) {
          this.#trades(event);
          this.#streams.next(event);
        }
        this.#lookAtCandles(event, event.trades.at(-1)?.time ?? event.receiveTime);
        return;
      case 'candles':
        this.#lookAtCandles(event, forever);
        return;
      case 'ticker':
        if (this.#feeds.tickers[event.instrument] !== 1) return;
        if (this.handlers.onTicker !== undefined) {
          this.#guard.where = 'onTicker';
          this.#guard.settle(this.handlers.onTicker({ ...event.ticker }));
        }
        this.#streams.next(event);
        return;
    }
  }

  #book(id: InstrumentId): void {
    if (this.handlers.onBook === undefined) return;
    this.#guard.where = 'onBook';
    this.#guard.settle(this.handlers.onBook(this.#state.book(id)));
  }

  #trades(event: TradesPrinted): void {
    if (this.handlers.onTrade === undefined) return;
    const instrument = this.#state.instruments.at(event.instrument);
    for (const trade of event.trades) {
      this.#guard.where = 'onTrade';
      this.#guard.settle(this.handlers.onTrade({ ...trade }, instrument));
      if (!this.#guard.running) return;
    }
  }

  #lookAtCandles({ instrument, snapshot }: TradesPrinted | CandlesChanged, latest: Micros): void {
    const watches = this.#candles[instrument];
    if (watches === undefined || watches.length === 0 || !this.#guard.running) return;
    for (const watch of watches) watch.lookForClosed(latest, this.#tellCandle, snapshot);
  }

  readonly #tellCandle = (closed: Candle): void => {
    if (!this.#guard.running) return;
    // Indicators take its numbers, which a plain copy has not.
    const known = knownOf(closed);
    const period = this.#feeds.declaredName(closed.instrument, closed.period);
    const candle = known === undefined || period !== closed.period ? { ...closed, period } : copyOf(known);
    if (this.handlers.onCandle !== undefined) {
      this.#guard.where = 'onCandle';
      this.#guard.settle(this.handlers.onCandle(candle));
    }
    this.#streams.closed(candle);
  };

  /** Events of the market that are no market data, and of series: they are few. */
  handleRest(event: BookStale | ContractInfo | SeriesEvent): void {
    switch (event.kind) {
      case 'bookStale':
        return this.#stale(event);
      case 'contractInfo':
        return this.#contract(event);
      default:
        this.#series(event);
    }
  }

  /** A row of a declared series, or that there is none any more. */
  #series(event: SeriesEvent): void {
    if (!this.#feeds.series.has(event.series)) return;
    if (event.kind === 'seriesStale') {
      if (this.handlers.onOutage === undefined) return;
      this.#guard.where = 'onOutage';
      const { series, why } = event;
      this.#guard.settle(this.handlers.onOutage({ of: 'series', series, why }));
      return;
    }
    if (this.handlers.onSeries !== undefined) {
      this.#guard.where = 'onSeries';
      this.#guard.settle(this.handlers.onSeries(copyOfRow(event)));
    }
    this.#streams.nextRow(event);
  }

  /** Its book may not be traded on. */
  #stale(event: BookStale): void {
    if (this.#feeds.books[event.instrument] !== 1 || this.handlers.onOutage === undefined) return;
    const { symbol } = this.#state.instruments.at(event.instrument);
    this.#guard.where = 'onOutage';
    this.#guard.settle(this.handlers.onOutage({ of: 'book', symbol, reason: event.reason }));
  }

  #contract(event: ContractInfo): void {
    if (this.#feeds.contracts[event.instrument] !== 1 || this.handlers.onContract === undefined) return;
    this.#guard.where = 'onContract';
    this.#guard.settle(this.handlers.onContract({ ...event }));
  }
}
