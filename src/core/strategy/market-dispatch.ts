import type { Micros } from '../base/clock.ts';
import type { BookStale, MarketData, TradesPrinted } from '../model/event.ts';
import type { InstrumentId } from '../model/instrument.ts';
import { KnownCandle } from '../model/known-candle.ts';
import type { Candle } from '../model/market.ts';
import type { StateView } from '../state/view.ts';
import { CandleWatch } from './candle-watch.ts';
import type { DeclaredFeeds } from './feed-request.ts';
import type { StrategyGuard } from './guard.ts';
import type { StrategyHandlers } from './handlers.ts';
import type { MarketDoor } from './market-door.ts';

const forever = Number.MAX_SAFE_INTEGER as Micros;

/**
 * Market events to handlers and streams: the path every recorded event of a backtest takes. Books are told without
 * allocation, everything else as a copy; an undeclared feed costs one byte read.
 */
export class MarketDispatch {
  /** Set when the strategy has been created. */
  handlers: StrategyHandlers = {};
  readonly #state: StateView;
  readonly #feeds: DeclaredFeeds;
  readonly #door: MarketDoor;
  readonly #guard: StrategyGuard;
  readonly #candles: readonly (readonly CandleWatch[])[];

  constructor(state: StateView, feeds: DeclaredFeeds, door: MarketDoor, guard: StrategyGuard) {
    this.#state = state;
    this.#feeds = feeds;
    this.#door = door;
    this.#guard = guard;
    this.#candles = feeds.candles.map((periods, id) =>
      periods.map((period) => new CandleWatch(state, id as InstrumentId, period)),
    );
  }

  /** Takes the candles known at the start as history. */
  begin(): void {
    for (const watches of this.#candles) {
      for (const watch of watches) watch.look(forever, () => {});
    }
  }

  handle(event: MarketData): void {
    switch (event.kind) {
      case 'bookUpdate':
      case 'bookSnapshot':
        if (this.#feeds.books[event.instrument] === 1) this.#book(event.instrument);
        return;
      case 'trades':
        if (this.#feeds.trades[event.instrument] === 1 && !event.snapshot) this.#trades(event);
        this.#lookAtCandles(event.instrument, event.trades.at(-1)?.time ?? event.receiveTime);
        return;
      case 'candles':
        this.#lookAtCandles(event.instrument, forever);
        return;
      case 'ticker':
        if (this.#feeds.tickers[event.instrument] !== 1) return;
        if (this.handlers.onTicker !== undefined) {
          this.#guard.where = 'onTicker';
          this.#guard.settle(this.handlers.onTicker({ ...event.ticker }));
        }
        if (this.#guard.running) this.#door.tickerSource(event.instrument)?.next({ ...event.ticker });
        return;
    }
  }

  #book(id: InstrumentId): void {
    const book = this.#state.book(id);
    if (this.handlers.onBook !== undefined) {
      this.#guard.where = 'onBook';
      this.#guard.settle(this.handlers.onBook(book));
    }
    const source = this.#door.bookSource(id);
    if (source !== undefined && this.#guard.running) source.next(book);
  }

  #trades(event: TradesPrinted): void {
    const source = this.#door.tradeSource(event.instrument);
    if (source === undefined && this.handlers.onTrade === undefined) return;
    const instrument = this.#state.instruments.at(event.instrument);
    for (const told of event.trades) {
      const trade = { ...told };
      if (this.handlers.onTrade !== undefined) {
        this.#guard.where = 'onTrade';
        this.#guard.settle(this.handlers.onTrade(trade, instrument));
      }
      if (!this.#guard.running) return;
      if (source !== undefined) source.next(trade);
      if (!this.#guard.running) return;
    }
  }

  #lookAtCandles(id: InstrumentId, latest: Micros): void {
    const watches = this.#candles[id];
    if (watches === undefined || watches.length === 0 || !this.#guard.running) return;
    for (const watch of watches) watch.look(latest, this.#tellCandle);
  }

  readonly #tellCandle = (closed: Candle): void => {
    if (!this.#guard.running) return;
    // Indicators take its numbers, which a plain copy has not.
    const candle = KnownCandle.of(closed)?.copy() ?? { ...closed };
    if (this.handlers.onCandle !== undefined) {
      this.#guard.where = 'onCandle';
      this.#guard.settle(this.handlers.onCandle(candle));
    }
    if (this.#guard.running) this.#door.candleSource(candle.instrument, candle.period)?.next(candle);
  };

  /** Its book may not be traded on. */
  stale(event: BookStale): void {
    if (this.#feeds.books[event.instrument] !== 1 || this.handlers.onOutage === undefined) return;
    const { symbol } = this.#state.instruments.at(event.instrument);
    this.#guard.where = 'onOutage';
    this.#guard.settle(this.handlers.onOutage({ of: 'book', symbol, reason: event.reason }));
  }
}
