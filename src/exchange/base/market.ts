import { zero } from '../../core/base/amount.ts';
import type { Micros } from '../../core/base/clock.ts';
import type { LevelOutcome, TradeOutcome } from '../matching/index.ts';
import type { FlatLevels, MarketData } from '../../core/model/market-event.ts';
import type { Instrument, Lots, Ticks } from '../../core/model/instrument.ts';
import { levelStride } from '../../core/model/level-buffer.ts';
import type { MarketTrade, Ticker } from '../../core/model/market.ts';
import { PublishedBook } from './published-book.ts';
import { CandleSeries } from './candles.ts';
import { DayStats } from './day-stats.ts';
import type { HistoryOptions } from './options.ts';
import { Ring } from './ring.ts';

/** A public trade with its number, so that pages by id need no parsing. */
export interface KeptTrade extends MarketTrade {
  readonly number: number;
}

/** Everything public about one symbol: book, trades, candles, 24-hour figures. Memory is bounded. */
export class MarketState {
  readonly instrument: Instrument;
  readonly book: PublishedBook;
  readonly candles: CandleSeries;
  readonly trades: Ring<KeptTrade>;
  readonly #day = new DayStats();
  #time = 0 as Micros;
  /** Last ticker of a recorded market, whose figures of 24 hours begin before the recording. */
  #recorded: Ticker | undefined;
  #lastTradeNumber = 0;

  constructor(instrument: Instrument, limits: HistoryOptions, now: Micros) {
    this.instrument = instrument;
    this.book = new PublishedBook(now);
    this.candles = new CandleSeries(instrument, limits.candlesMax);
    this.trades = new Ring(limits.publicTradesMax);
    this.#time = now;
  }

  /** Number of the last public trade, 0 before the first. */
  get lastTradeNumber(): number {
    return this.#lastTradeNumber;
  }

  /** When book or trades last changed. */
  get changedAt(): Micros {
    return this.#time;
  }

  onLevel(outcome: Pick<LevelOutcome, 'side' | 'price' | 'quantity'>, now: Micros): void {
    this.book.set(outcome.side, outcome.price, outcome.quantity, now);
    this.#time = now;
  }

  onTrade(outcome: Pick<TradeOutcome, 'price' | 'quantity' | 'side' | 'time' | 'tradeId'>): void {
    const { price, quantity, side, time, tradeId } = outcome;
    this.trades.push({ number: tradeId, tradeId: String(tradeId), price, quantity, side, time });
    this.#lastTradeNumber = tradeId;
    const notional = this.instrument.notional(price, quantity);
    this.candles.add(time, price, quantity, notional);
    this.#day.add(time, price, quantity, notional);
    this.#time = time;
  }

  /**
   * Takes an event of a recorded market: its books and trades are shown as they were. Trades of a snapshot are history; candles are
   * reckoned from trades, and the figures of 24 hours where no ticker has them.
   */
  observe(event: MarketData): void {
    if (event.kind === 'bookSnapshot') this.#clearOthers(event);
    if (event.kind === 'bookSnapshot' || event.kind === 'bookUpdate') {
      const { levels, start, end, exchangeTime } = event;
      for (let at = start; at < end; at += levelStride) {
        const side = levels[at] === 0 ? 'buy' : 'sell';
        this.onLevel(
          { side, price: levels[at + 1] as Ticks, quantity: levels[at + 2] as Lots },
          exchangeTime,
        );
      }
      this.book.stamp(exchangeTime);
    }
    if (event.kind === 'ticker') this.#recorded = { ...event.ticker };
    if (event.kind !== 'trades') return;
    const { snapshot } = event;
    for (const trade of event.trades) {
      const named = Number(trade.tradeId);
      const isNext = Number.isSafeInteger(named) && named > this.#lastTradeNumber;
      // A history that comes again holds nothing new.
      if (snapshot && !isNext && this.#lastTradeNumber > 0) continue;
      // Two trades of a venue may have one number, or none has any: pages by id need numbers that ascend.
      const tradeId = isNext ? named : this.#lastTradeNumber + 1;
      this.onTrade({ ...trade, tradeId });
    }
  }

  /** Removes levels that a snapshot does not name: it is the whole book. */
  #clearOthers({ levels, start, end, exchangeTime }: FlatLevels): void {
    const named = { buy: new Set<number>(), sell: new Set<number>() };
    for (let at = start; at < end; at += levelStride)
      named[levels[at] === 0 ? 'buy' : 'sell'].add(levels[at + 1] as number);
    for (const side of ['buy', 'sell'] as const)
      for (const { price } of this.book.liveLevels(side, 0))
        if (!named[side].has(price)) this.onLevel({ side, price, quantity: 0 as Lots }, exchangeTime);
  }

  /** The ticker at `now`, stamped with the last change. */
  ticker(now: Micros): Ticker {
    const { instrument } = this;
    const recorded = this.#recorded;
    const bid = this.book.best('buy');
    const ask = this.book.best('sell');
    const day = this.#day.view(now);
    const amount = (ticks: Parameters<Instrument['priceAmount']>[0] | undefined) =>
      ticks === undefined ? undefined : instrument.priceAmount(ticks);
    return {
      instrument: instrument.id,
      time: this.#time,
      bid: bid?.price,
      bidQuantity: bid?.quantity,
      ask: ask?.price,
      askQuantity: ask?.quantity,
      last: amount(this.#day.last) ?? recorded?.last,
      open: recorded?.open ?? amount(day.open),
      // Unlike the others, these two are never without a value. Source: API v3 and v2, "Ticker".
      high: recorded?.high ?? amount(day.high) ?? zero,
      low: recorded?.low ?? amount(day.low) ?? zero,
      volume: recorded?.volume ?? instrument.quantityAmount(day.volume),
      volumeQuote: recorded?.volumeQuote ?? day.volumeQuote,
    };
  }
}
