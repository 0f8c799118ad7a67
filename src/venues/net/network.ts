import type { Dispatcher } from 'undici';
import { Pool, ProxyAgent } from 'undici';
import type { ClientOptions as SocketSetting } from 'ws';
import { WebSocket } from 'ws';
import type { Proxy } from '../../core/base/proxy.ts';
import { proxyFor } from '../../core/base/proxy.ts';
import type { ClientOptions } from '../options.ts';
import { openTunnel } from './tunnel.ts';

/** Where requests leave: what is used of undici's pool. */
export type HttpPool = Pick<Dispatcher, 'dispatch' | 'destroy'>;

/** Form that a socket is made with; `proxy`: whether it goes through the proxy that the environment names. */
export interface SocketForm extends Pick<SocketSetting, 'skipUTF8Validation' | 'maxPayload'> {
  readonly proxy: boolean;
}

/** How connections are made. Another one stands in where a whole system is simulated in one thread. */
export interface ClientNetwork {
  /** Begins a socket, which raises the events of `ws`. */
  connect(url: string, setting: SocketForm): WebSocket;
  pool(origin: string, options: ClientOptions['rest']): HttpPool;
}

/**
 * The network of this machine: `ws` without compression (50 us a message), undici without deadlines of its own. Where the
 * environment names a proxy, connections are tunnels through it.
 */
export const openNetwork: ClientNetwork = {
  connect(url, { proxy: mayBeProxied, ...setting }) {
    const proxy = mayBeProxied ? proxyFor(url) : undefined;
    const form = { ...setting, perMessageDeflate: false, followRedirects: false };
    return proxy === undefined ? new WebSocket(url, form) : tunnelled(proxy, url, form);
  },
  pool(origin, { connections, timeoutMs, proxy: mayBeProxied }) {
    const proxy = mayBeProxied ? proxyFor(origin) : undefined;
    // The deadline of a request is counted by the injected clock and covers waiting, sending and reading.
    const form = {
      connections,
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { timeout: timeoutMs },
    };
    if (proxy === undefined) return new Pool(origin, form);
    const { address: uri, authorization: token } = proxy;
    const agent = new ProxyAgent({ ...form, uri, proxyTunnel: true, ...(token !== undefined && { token }) });
    return {
      dispatch: (request, handler) => agent.dispatch({ ...request, origin }, handler),
      destroy: () => agent.destroy(),
    };
  },
};

/** A socket through a proxy. One that is cut before the proxy has answered gives the tunnel up. */
function tunnelled(proxy: Proxy, url: string, form: SocketSetting): WebSocket {
  let giveUp = () => {};
  // Node takes a connection that is made later, which its types do not say.
  const createConnection = (_options: object, done: Parameters<typeof openTunnel>[2]) => {
    giveUp = openTunnel(proxy, url, done);
  };
  const made = createConnection as unknown as NonNullable<SocketSetting['createConnection']>;
  const ws = new WebSocket(url, { ...form, createConnection: made });
  ws.once('close', () => giveUp());
  return ws;
}
