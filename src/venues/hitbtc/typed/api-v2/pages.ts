import type { CallOptions, PageAsked, V2Caller, V2Input } from '../calls/index.ts';
import { historyRows, timePosition } from '../calls/index.ts';

type Paged = 'offset' | 'until' | 'by';

/**
 * Histories of v2 to their end, as async generators of rows, oldest first unless `sort` says DESC. `limit` is the
 * size of a page (1000). Rejects with `CallFailed` when a page cannot be read. Source: API v2, "Conventions", 5.
 */
export class V2Pages {
  readonly #api: V2Caller;

  constructor(api: V2Caller) {
    this.#api = api;
  }

  /** Own orders that were, by time. Right R1. */
  orderHistory(params: Omit<V2Input<'orderHistory'>, Paged> = {}, options?: CallOptions) {
    return historyRows({
      ...params,
      fetch: (page) => this.#api.call('orderHistory', by('timestamp', params, page), options),
      position: (order) => timePosition(order.createdAt),
      identity: (order) => order.id,
    });
  }

  /** Own executions, by id. Right R1. */
  tradeHistory(params: Omit<V2Input<'tradeHistory'>, Paged> = {}, options?: CallOptions) {
    return historyRows({
      ...params,
      fetch: (page) => this.#api.call('tradeHistory', by('id', params, page), options),
      position: (trade) => trade.id,
      identity: (trade) => `${trade.symbol} ${trade.id}`,
    });
  }

  /** Public trades of one symbol, by id. */
  trades(params: Omit<V2Input<'publicTradesOfSymbol'>, Paged>, options?: CallOptions) {
    return historyRows({
      ...params,
      fetch: (page) => this.#api.call('publicTradesOfSymbol', by('id', params, page), options),
      position: (trade) => trade.id,
      identity: (trade) => trade.id,
    });
  }

  /** Candles of one symbol, by time. */
  candles(params: Omit<V2Input<'publicCandlesOfSymbol'>, Paged>, options?: CallOptions) {
    return historyRows({
      ...params,
      fetch: (page) => this.#api.call('publicCandlesOfSymbol', by('timestamp', params, page), options),
      position: (candle) => timePosition(candle.timestamp),
      identity: (candle) => String(candle.timestamp),
    });
  }

  /** Transactions, by index. Right R3. */
  transactions(params: Omit<V2Input<'accountTransactions'>, Paged> = {}, options?: CallOptions) {
    return historyRows({
      ...params,
      fetch: (page) => this.#api.call('accountTransactions', { ...params, by: 'index', ...page }, options),
      position: (transaction) => String(transaction.index),
      identity: (transaction) => transaction.id,
    });
  }
}

function by(what: 'id' | 'timestamp', params: object, page: PageAsked): object {
  return { ...params, by: what, ...page };
}
