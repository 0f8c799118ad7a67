import type { Dispatcher } from 'undici';
import { Pool } from 'undici';
import type { ClientOptions as SocketSetting } from 'ws';
import { WebSocket } from 'ws';
import type { ClientOptions } from '../../options.ts';

/** Where requests leave: what is used of undici's pool. */
export type HttpPool = Pick<Dispatcher, 'dispatch' | 'destroy'>;

/** How connections are made. Another one stands in where a whole system is simulated in one thread. */
export interface ClientNetwork {
  /** Begins a socket, which raises the events of `ws`. */
  connect(url: string, setting: Pick<SocketSetting, 'skipUTF8Validation' | 'maxPayload'>): WebSocket;
  pool(origin: string, options: ClientOptions['rest']): HttpPool;
}

/** The network of this machine: `ws` without compression (50 us a message), undici without deadlines of its own. */
export const openNetwork: ClientNetwork = {
  connect: (url, setting) =>
    new WebSocket(url, { ...setting, perMessageDeflate: false, followRedirects: false }),
  // The deadline of a request is counted by the injected clock and covers waiting, sending and reading.
  pool: (origin, { connections, timeoutMs }) =>
    new Pool(origin, {
      connections,
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { timeout: timeoutMs },
    }),
};
