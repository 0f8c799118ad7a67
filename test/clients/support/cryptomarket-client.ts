import type { EventEmitter } from 'node:events';
import { Client, WSMarketDataClient, WSTradingClient, WSWalletClient } from 'cryptomarket';
import type { Key, RunningExchange } from './exchange.ts';
import { caughtUp, isThrough, withoutFrame } from './through.ts';
import { within } from './waiting.ts';

/** The REST client of the npm package `cryptomarket`, pointed at the exchange. */
export function restClient(exchange: RunningExchange, key: Key): Client {
  const client = new Client(key.apiKey, key.secret);
  const { rest } = key.at ?? exchange;
  client.httpClient.apiPath = `${rest}/api/3/`;
  if (isThrough) waitForDaemon(client, key);
  return client;
}

/** Each request waits until the daemon behind it knows what the exchange has. */
function waitForDaemon(client: Client, key: Key): void {
  const { httpClient } = client;
  const ask = httpClient.makeRequest.bind(httpClient);
  httpClient.makeRequest = async (...args) => {
    await caughtUp(key, `/${args[1]}`);
    return withoutFrame(await ask(...args));
  };
}

export async function marketSocket(exchange: RunningExchange): Promise<WSMarketDataClient> {
  return connected(new WSMarketDataClient(), `${exchange.ws}/api/3/ws/public`);
}

export async function tradingSocket(
  exchange: RunningExchange,
  key: Key,
  window?: number,
): Promise<WSTradingClient> {
  return connected(
    new WSTradingClient(key.apiKey, key.secret, window),
    `${(key.at ?? exchange).ws}/api/3/ws/trading`,
  );
}

export async function walletSocket(exchange: RunningExchange, key: Key): Promise<WSWalletClient> {
  return connected(new WSWalletClient(key.apiKey, key.secret), `${(key.at ?? exchange).ws}/api/3/ws/wallet`);
}

/** The addresses are private members of these classes; nothing else sets them. */
async function connected<Socket extends { connect(): Promise<void> }>(
  socket: Socket,
  uri: string,
): Promise<Socket> {
  (socket as unknown as { uri: string }).uri = uri;
  await within(`connection and login of ${uri}`, socket.connect());
  return socket;
}

/**
 * The error a socket call is refused with. The package turns a refusal into an unhandled rejection and leaves
 * the promise of the call open, so it is caught where it surfaces.
 */
export async function refusalOf(call: () => Promise<unknown>): Promise<Refusal> {
  const emitter = process as EventEmitter;
  const listeners = emitter.listeners('unhandledRejection');
  emitter.removeAllListeners('unhandledRejection');
  try {
    const surfaced = new Promise<Refusal>((resolve) => emitter.once('unhandledRejection', resolve));
    const settled = call().then(
      (value) => Promise.reject(new Error(`expected a refusal, got ${JSON.stringify(value)}`)),
      (error: unknown) => error as Refusal,
    );
    return await within('a refusal', Promise.race([surfaced, settled]));
  } finally {
    emitter.removeAllListeners('unhandledRejection');
    for (const listener of listeners) emitter.on('unhandledRejection', listener as () => void);
  }
}

export interface Refusal {
  readonly code: number;
  readonly message: string;
}
