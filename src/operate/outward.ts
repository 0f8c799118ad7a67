import type { Dispatcher } from 'undici';
import { ProxyAgent } from 'undici';
import { proxyFor } from '../core/base/proxy.ts';

/** How messages to a service leave: through the proxy that the environment names for it, where it names one. */
export function outwardTo(address: string): { readonly dispatcher?: Dispatcher } {
  const proxy = proxyFor(address);
  if (proxy === undefined) return {};
  const { address: uri, authorization: token } = proxy;
  const way = { uri, proxyTunnel: true, ...(token !== undefined && { token }) };
  return { dispatcher: new ProxyAgent(way) };
}
