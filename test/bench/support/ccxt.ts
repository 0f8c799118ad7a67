import { benchSpec } from './book-frames.ts';

/** What the benches use of ccxt.pro's hitbtc. */
export interface CcxtExchange {
  handleMessage(client: object, message: unknown): void;
  readonly orderbooks: Record<string, CcxtBook | undefined>;
  setMarkets(markets: readonly object[]): void;
  parseMarket(market: object): object;
  watchOrderBook(symbol: string): Promise<CcxtBook>;
  loadHttpProxyAgent(): Promise<unknown>;
  close(): Promise<void>;
  readonly urls: { api: Record<string, unknown> };
}

export interface CcxtBook {
  readonly bids: readonly (readonly number[])[];
  readonly asks: readonly (readonly number[])[];
  readonly nonce: number;
}

type Constructor = new (options: object) => CcxtExchange;

/** A ccxt.pro hitbtc that knows our one symbol; `address`: host and port to use instead of the venue's. */
export async function openCcxt(address?: string): Promise<CcxtExchange> {
  const file = new URL('../peers/node_modules/ccxt/js/src/pro/hitbtc.js', import.meta.url);
  const module = (await import(file.href)) as { default: Constructor };
  const exchange = new module.default({});
  const market = {
    id: benchSpec.symbol,
    symbol: 'ETH/BTC',
    base: 'ETH',
    quote: 'BTC',
    baseId: 'ETH',
    quoteId: 'BTC',
    type: 'spot',
    spot: true,
    active: true,
    precision: { amount: 0.0001, price: 0.000001 },
    limits: {},
    info: {},
  };
  exchange.setMarkets([market]);
  if (address !== undefined) {
    exchange.urls.api['ws'] = {
      public: `ws://${address}/api/3/ws/public`,
      private: `ws://${address}/api/3/ws/trading`,
    };
    await exchange.loadHttpProxyAgent();
  }
  return exchange;
}
