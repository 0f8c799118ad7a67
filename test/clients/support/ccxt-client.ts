import ccxt from 'ccxt';
import type { Key, RunningExchange } from './exchange.ts';

/** ccxt's class for this API, with sockets, pointed at the exchange. */
export async function ccxtClient(exchange: RunningExchange, key?: Key): Promise<Ccxt> {
  const client = new ccxt.pro.hitbtc(key === undefined ? {} : { apiKey: key.apiKey, secret: key.secret });
  client.urls['api'] = {
    public: `${exchange.rest}/api/3`,
    private: `${exchange.rest}/api/3`,
    ws: {
      public: `${exchange.ws}/api/3/ws/public`,
      private: `${exchange.ws}/api/3/ws/trading`,
    },
  };
  // Without it the class refuses addresses that begin with ws://.
  await client.loadHttpProxyAgent();
  await client.loadMarkets();
  return client;
}

export type Ccxt = InstanceType<typeof ccxt.pro.hitbtc>;

export { ccxt };
