import type { CallOptions, PageAsked, V3Caller, V3Input } from '../calls/index.ts';
import { historyRows, timePosition } from '../calls/index.ts';

type Paged = 'offset' | 'until';

/**
 * Histories of v3 to their end, as async generators of rows, oldest first unless `sort` says DESC. `limit` is the
 * size of a page (1000). Rejects with `CallFailed` when a page cannot be read. Source: API v3, "Pagination parameters".
 */
export class V3Pages {
  readonly #api: V3Caller;

  constructor(api: V3Caller) {
    this.#api = api;
  }

  /** Own orders that were, by id. Right R1. */
  orderHistory(params: Omit<V3Input<'spotOrderHistory'>, Paged | 'by'> = {}, options?: CallOptions) {
    return historyRows({
      ...params,
      fetch: (page) => this.#api.call('spotOrderHistory', by('id', params, page), options),
      position: (order) => order.id,
      identity: (order) => order.id,
    });
  }

  /** Own executions, by id. Right R1. */
  tradeHistory(params: Omit<V3Input<'spotTradeHistory'>, Paged | 'by'> = {}, options?: CallOptions) {
    return historyRows({
      ...params,
      fetch: (page) => this.#api.call('spotTradeHistory', by('id', params, page), options),
      position: (trade) => trade.id,
      identity: (trade) => `${trade.symbol} ${trade.id}`,
    });
  }

  /** Public trades of one symbol, by id. */
  trades(params: Omit<V3Input<'publicTradesOfSymbol'>, Paged | 'by'>, options?: CallOptions) {
    return historyRows({
      ...params,
      fetch: (page) => this.#api.call('publicTradesOfSymbol', by('id', params, page), options),
      position: (trade) => trade.id,
      identity: (trade) => trade.id,
    });
  }

  /** Candles of one symbol, by time. */
  candles(params: Omit<V3Input<'publicCandlesOfSymbol'>, Paged | 'by'>, options?: CallOptions) {
    return historyRows({
      ...params,
      fetch: (page) => this.#api.call('publicCandlesOfSymbol', by('timestamp', params, page), options),
      position: (candle) => timePosition(candle.timestamp),
      identity: (candle) => String(candle.timestamp),
    });
  }

  /** Settlements of one contract, by time. */
  fundingHistory(params: Omit<V3Input<'publicFundingHistoryOfSymbol'>, Paged | 'by'>, options?: CallOptions) {
    return historyRows({
      ...params,
      fetch: (page) => this.#api.call('publicFundingHistoryOfSymbol', by('timestamp', params, page), options),
      position: (row) => timePosition(row.time),
      identity: (row) => String(row.time),
    });
  }

  /** Wallet transactions, by id. Right R3. */
  transactions(params: Omit<V3Input<'walletTransactions'>, Paged | 'orderBy'> = {}, options?: CallOptions) {
    return historyRows({
      ...params,
      fetch: (page) => this.#api.call('walletTransactions', { ...params, orderBy: 'id', ...page }, options),
      position: (transaction) => String(transaction.id),
      identity: (transaction) => String(transaction.id),
    });
  }
}

function by(what: 'id' | 'timestamp', params: object, page: PageAsked): object {
  return { ...params, by: what, ...page };
}
