import { assert } from '../../../core/base/assert.ts';
import { encodeV2PublicRequest } from '../wire/v2/public-requests.ts';
import type { Feed, MarketProtocol } from './market-protocol.ts';

/** Version 2: one method per feed, one symbol per message. Source: API v2, "Socket methods"; v2-gaps, section 4. */
export const marketProtocolV2: MarketProtocol = {
  channel: 'v2/public',
  path: '/api/2/ws/public',
  scope: 'publicV2',
  symbolsMax: 1,
  subscribe: (id, feed, symbols, history) => request('subscribe', feed, symbols, history, id),
  unsubscribe: (id, feed, symbols) => request('unsubscribe', feed, symbols, undefined, id),
};

const names = { book: 'Orderbook', trades: 'Trades', ticker: 'Ticker', candles: 'Candles' } as const;

function request(
  verb: 'subscribe' | 'unsubscribe',
  feed: Feed,
  symbols: readonly string[],
  ...[history, id]: readonly [number | undefined, string]
): string {
  const [symbol] = symbols;
  assert(symbols.length === 1, 'a v2 subscription names one symbol');
  const period = feed.kind === 'candles' ? { period: feed.period } : {};
  const limited = history !== undefined && (feed.kind === 'trades' || feed.kind === 'candles');
  const params = { symbol, ...period, ...(limited ? { limit: Math.max(1, history) } : {}) };
  return encodeV2PublicRequest(`${verb}${names[feed.kind]}`, params, id);
}
