import { createRequire } from 'node:module';
import type { Key, RunningExchange } from './exchange.ts';
import { caughtUp, isThrough, withoutFrame } from './through.ts';

/** What the conversations use of the class of ccxt 1.95.43 that speaks API v2. */
export interface CcxtV2 {
  urls: { api: object };
  /** What the sockets reported so far. */
  readonly orderbooks: Readonly<Record<string, Book | undefined>>;
  fetchMarkets(): Promise<Record<string, unknown>[]>;
  loadMarkets(): Promise<Record<string, Record<string, unknown>>>;
  setMarkets(markets: readonly object[]): unknown;
  fetchCurrencies(): Promise<Record<string, Record<string, unknown>>>;
  fetchTicker(symbol: string): Promise<Record<string, unknown>>;
  fetchTickers(): Promise<Record<string, Record<string, unknown>>>;
  fetchOrderBook(symbol: string, limit?: number): Promise<Book>;
  fetchTrades(symbol: string, since?: number, limit?: number): Promise<Trade[]>;
  fetchOHLCV(symbol: string, timeframe?: string, since?: number, limit?: number): Promise<number[][]>;
  fetchBalance(params?: object): Promise<Record<string, { free: number; used: number; total: number }>>;
  fetchTradingFee(symbol: string): Promise<{ maker: number; taker: number }>;
  createOrder(
    symbol: string,
    type: string,
    side: string,
    amount: number,
    price?: number,
    params?: object,
  ): Promise<Order>;
  editOrder(
    id: string,
    symbol: string,
    type: string,
    side: string,
    amount: number,
    price: number,
  ): Promise<Order>;
  cancelOrder(id: string, symbol?: string): Promise<Order>;
  fetchOrder(id: string, symbol?: string): Promise<Order>;
  fetchOpenOrder(id: string, symbol?: string): Promise<Order>;
  fetchOpenOrders(symbol?: string): Promise<Order[]>;
  fetchClosedOrders(symbol?: string): Promise<Order[]>;
  fetchMyTrades(symbol?: string): Promise<Trade[]>;
  fetchOrderTrades(id: string, symbol?: string): Promise<Trade[]>;
  createDepositAddress(code: string): Promise<{ address: string; tag?: string }>;
  fetchDepositAddress(code: string): Promise<{ address: string; tag?: string }>;
  transfer(code: string, amount: number, from: string, to: string): Promise<{ id: string; amount: number }>;
  withdraw(code: string, amount: number, address: string): Promise<{ id: string }>;
  fetchTransactions(code?: string): Promise<Transaction[]>;
  watchOrderBook(symbol: string): Promise<Book>;
  watchTicker(symbol: string): Promise<Record<string, unknown>>;
  watchTrades(symbol: string): Promise<Trade[]>;
  watchOHLCV(symbol: string, timeframe?: string): Promise<number[][]>;
  close(): Promise<unknown>;
  fetch(url: string, ...rest: unknown[]): Promise<unknown>;
}

export interface Book {
  readonly bids: [number, number][];
  readonly asks: [number, number][];
  readonly timestamp: number;
  readonly nonce?: number;
}

export interface Trade {
  readonly id: string;
  readonly price: number;
  readonly amount: number;
  readonly cost: number;
  readonly side: string;
  readonly timestamp: number;
  readonly symbol: string;
  readonly order?: string;
  readonly fee?: { readonly cost: number; readonly currency: string };
}

export interface Transaction {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly currency: string;
  readonly amount: number;
  readonly address?: string;
  readonly fee?: { readonly cost: number; readonly currency: string };
}

export interface Order {
  readonly id: string;
  readonly status: string;
  readonly type: string;
  readonly side: string;
  readonly symbol: string;
  readonly price: number;
  readonly amount: number;
  readonly filled: number;
  readonly remaining: number;
  readonly info: Record<string, unknown>;
}

const ccxt = createRequire(import.meta.url)('ccxt-v2') as {
  pro: Record<'hitbtc' | 'bequant', new (options: object) => CcxtV2>;
} & Record<string, new () => Error>;

/** ccxt 1.95.43, whose class of this name speaks API v2, pointed at the exchange. It loads markets when asked. */
export function ccxtV2Client(
  exchange: RunningExchange,
  key?: Pick<Key, 'apiKey' | 'secret' | 'at'>,
  name: 'hitbtc' | 'bequant' = 'hitbtc',
): CcxtV2 {
  const client = new ccxt.pro[name](key === undefined ? {} : { apiKey: key.apiKey, secret: key.secret });
  const { rest, ws } = key?.at ?? exchange;
  client.urls.api = { public: rest, private: rest, ws: `${ws}/api/2/ws` };
  if (isThrough) waitForDaemon(client, key);
  return client;
}

/** Each request waits until the daemon behind it knows what the exchange has; books are without the frame. */
function waitForDaemon(client: CcxtV2, key: Parameters<typeof caughtUp>[0]): void {
  const ask = client.fetch.bind(client);
  client.fetch = async (...args) => {
    await caughtUp(key, args[0]);
    return withoutFrame(await ask(...args));
  };
}

export { ccxt as ccxtV2 };
