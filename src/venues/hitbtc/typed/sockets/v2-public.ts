import type { Observable } from 'rxjs';
import { map, merge } from 'rxjs';
import type { CandlePeriod } from '../../../../core/model/market.ts';
import type {
  V2Currency,
  V2Symbol,
  V2BookOf,
  V2CandlesOf,
  V2Ticker,
  V2TradesOf,
} from '../../wire/resources/index.ts';
import type { V2TradingLine } from './trading-line.ts';
import type { CallOptions, Moment } from '../calls/index.ts';

/** The whole, or a change of it. */
export type SnapshotOrUpdate<Value> = Value & { readonly kind: 'snapshot' | 'update' };

/** Which trades `getTrades` gives. */
export interface V2TradesAsked {
  readonly symbol?: string;
  readonly sort?: 'ASC' | 'DESC';
  readonly by?: 'id' | 'timestamp';
  readonly from?: Moment;
  readonly till?: Moment;
  /** 100 unless said otherwise, to 1000. */
  readonly limit?: number;
  /** To 100000. */
  readonly offset?: number;
}

/**
 * Market data on a v2 socket: no login. Subscriptions are kept up over losses of the connection. Per address 100
 * requests a second. Errors: 2001 no such symbol, 2002 no such currency, 10001 a parameter. Source: API v2,
 * "Socket methods"; v2-gaps, section 5.
 */
export class V2SocketMarketData {
  /** 24-hour tickers, on change. */
  readonly ticker$: Observable<V2Ticker>;
  /** Books: a snapshot, which may come again at any time and replaces the book, then every change. */
  readonly book$: Observable<SnapshotOrUpdate<V2BookOf>>;
  /** Trades, oldest first: a snapshot, then every trade. */
  readonly trades$: Observable<SnapshotOrUpdate<V2TradesOf>>;
  /** Candles, oldest first: a snapshot, then the running candle. */
  readonly candles$: Observable<SnapshotOrUpdate<V2CandlesOf>>;
  readonly #line: V2TradingLine;

  constructor(line: V2TradingLine) {
    this.#line = line;
    const { notices } = line;
    this.ticker$ = notices.of('ticker');
    this.book$ = both(notices.of('snapshotOrderbook'), notices.of('updateOrderbook'));
    this.trades$ = both(notices.of('snapshotTrades'), notices.of('updateTrades'));
    this.candles$ = both(notices.of('snapshotCandles'), notices.of('updateCandles'));
  }

  /** One currency; `extended` gives more members. */
  currency(
    params: { readonly currency: string; readonly extended?: boolean },
    options?: CallOptions,
  ): Promise<V2Currency> {
    return this.#line.ask('getCurrency', params, options);
  }

  /** Currencies, all or those of a list. */
  currencies(
    params: { readonly currency?: readonly string[]; readonly extended?: boolean } = {},
    options?: CallOptions,
  ): Promise<readonly V2Currency[]> {
    const { currency, ...rest } = params;
    const asked = currency === undefined ? rest : { ...rest, currency: currency.join(',') };
    return this.#line.ask('getCurrencies', asked, options);
  }

  /** One symbol. */
  symbol(params: { readonly symbol: string }, options?: CallOptions): Promise<V2Symbol> {
    return this.#line.ask('getSymbol', params, options);
  }

  /** Every symbol. */
  symbols(options?: CallOptions): Promise<readonly V2Symbol[]> {
    return this.#line.ask('getSymbols', {}, options);
  }

  /** Trades of a symbol, newest first. */
  trades(params: V2TradesAsked, options?: CallOptions): Promise<V2TradesOf> {
    return this.#line.ask('getTrades', params, options);
  }

  subscribeTicker(symbol: string, options?: CallOptions): Promise<void> {
    return this.#line.subscribe('subscribeTicker', { symbol }, options, symbol);
  }

  unsubscribeTicker(symbol: string, options?: CallOptions): Promise<void> {
    return this.#line.unsubscribe('subscribeTicker', 'unsubscribeTicker', { symbol }, options, symbol);
  }

  subscribeBook(symbol: string, options?: CallOptions): Promise<void> {
    return this.#line.subscribe('subscribeOrderbook', { symbol }, options, symbol);
  }

  unsubscribeBook(symbol: string, options?: CallOptions): Promise<void> {
    return this.#line.unsubscribe('subscribeOrderbook', 'unsubscribeOrderbook', { symbol }, options, symbol);
  }

  /** `limit`: length of the snapshot, 0 to 1000, 100 unless said otherwise. */
  subscribeTrades(symbol: string, limit?: number, options?: CallOptions): Promise<void> {
    return this.#line.subscribe('subscribeTrades', { symbol, limit }, options, symbol);
  }

  unsubscribeTrades(symbol: string, options?: CallOptions): Promise<void> {
    return this.#line.unsubscribe('subscribeTrades', 'unsubscribeTrades', { symbol }, options, symbol);
  }

  /** `limit`: length of the snapshot, 0 to 1000, 100 unless said otherwise. */
  subscribeCandles(
    params: { readonly symbol: string; readonly period: CandlePeriod; readonly limit?: number },
    options?: CallOptions,
  ): Promise<void> {
    return this.#line.subscribe('subscribeCandles', params, options, keyOf(params));
  }

  unsubscribeCandles(
    params: { readonly symbol: string; readonly period: CandlePeriod },
    options?: CallOptions,
  ): Promise<void> {
    return this.#line.unsubscribe('subscribeCandles', 'unsubscribeCandles', params, options, keyOf(params));
  }
}

function keyOf(params: { readonly symbol: string; readonly period: CandlePeriod }): string {
  return `${params.symbol} ${params.period}`;
}

function both<Value>(
  snapshots$: Observable<Value>,
  updates$: Observable<Value>,
): Observable<SnapshotOrUpdate<Value>> {
  return merge(
    snapshots$.pipe(map((value) => ({ ...value, kind: 'snapshot' as const }))),
    updates$.pipe(map((value) => ({ ...value, kind: 'update' as const }))),
  );
}
