import ccxt from 'ccxt';
import type { Key, RunningExchange } from './exchange.ts';
import { caughtUp, isThrough, withoutFrame } from './through.ts';

/** ccxt's class for this API, with sockets, pointed at the exchange. */
export async function ccxtClient(exchange: RunningExchange, key?: Key): Promise<Ccxt> {
  const client = new ccxt.pro.hitbtc(key === undefined ? {} : { apiKey: key.apiKey, secret: key.secret });
  const { rest, ws } = key?.at ?? exchange;
  client.urls['api'] = {
    public: `${rest}/api/3`,
    private: `${rest}/api/3`,
    ws: {
      public: `${ws}/api/3/ws/public`,
      private: `${ws}/api/3/ws/trading`,
    },
  };
  if (isThrough) waitForDaemon(client, key);
  // Without it the class refuses addresses that begin with ws://.
  await client.loadHttpProxyAgent();
  await client.loadMarkets();
  return client;
}

/** Each request waits until the daemon behind it knows what the exchange has; books are without the frame. */
function waitForDaemon(client: Ccxt, key: Key | undefined): void {
  const request = client.fetch.bind(client);
  client.fetch = async (...args) => {
    await caughtUp(key, String(args[0]));
    return withoutFrame(await request(...args));
  };
}

export type Ccxt = InstanceType<typeof ccxt.pro.hitbtc>;

export { ccxt };
