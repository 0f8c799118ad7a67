import { assert } from '../../../../core/base/assert.ts';
import type { Channel } from '../../../../core/model/frame.ts';
import type { CandlePeriod } from '../../../../core/model/market.ts';
import type { Scope } from '../../budgets/api.ts';
import { idMember } from '../../wire/index.ts';
import { encodeV3Subscribe } from '../../wire/v3/index.ts';

/** One kind of stream. */
export type MarketFeed =
  | { readonly kind: 'book' }
  | { readonly kind: 'trades' }
  | { readonly kind: 'ticker' }
  | { readonly kind: 'contract' }
  | { readonly kind: 'candles'; readonly period: CandlePeriod };

/** How a version of the API spells subscriptions on its public socket. */
export interface MarketProtocol {
  readonly channel: Channel;
  /** Below `ws_url`. */
  readonly path: string;
  /** The limit its messages count against. */
  readonly scope: Scope;
  /** Symbols one message may name. */
  readonly symbolsMax: number;
  /** Whether contracts show themselves there. */
  readonly hasContracts: boolean;
  /** `history`: how many past trades or candles to ask for. */
  subscribe(id: string, feed: MarketFeed, symbols: readonly string[], history: number): string;
  unsubscribe(id: string, feed: MarketFeed, symbols: readonly string[]): string;
}

/** Version 3: `subscribe` and `unsubscribe` on a channel, many symbols at once. Source: v3-gaps, sections 1.1 and 1.3. */
export const marketProtocolV3: MarketProtocol = {
  channel: 'v3/public',
  path: '/api/3/ws/public',
  scope: 'publicSocket',
  symbolsMax: 1_000,
  hasContracts: true,
  subscribe: (id, feed, symbols, history) =>
    encodeV3Subscribe(
      'subscribe',
      channelOf(feed),
      hasHistory(feed) ? { symbols, limit: history } : { symbols },
      id,
    ),
  unsubscribe: (id, feed, symbols) => encodeV3Subscribe('unsubscribe', channelOf(feed), { symbols }, id),
};

function channelOf(feed: MarketFeed): string {
  switch (feed.kind) {
    case 'book':
      return 'orderbook/full';
    case 'trades':
      return 'trades';
    case 'ticker':
      return 'ticker/1s';
    case 'contract':
      return 'futures/info';
    case 'candles':
      return `candles/${feed.period}`;
  }
}

function hasHistory(feed: MarketFeed): boolean {
  return feed.kind === 'trades' || feed.kind === 'candles';
}

/** Version 2: one method per feed, one symbol per message. Source: API v2, "Socket methods"; v2-gaps, section 4. */
export const marketProtocolV2: MarketProtocol = {
  channel: 'v2/public',
  path: '/api/2/ws/public',
  scope: 'publicV2',
  symbolsMax: 1,
  hasContracts: false,
  subscribe: (id, feed, symbols, history) => request('subscribe', feed, symbols, history, id),
  unsubscribe: (id, feed, symbols) => request('unsubscribe', feed, symbols, undefined, id),
};

const names = { book: 'Orderbook', trades: 'Trades', ticker: 'Ticker', candles: 'Candles' } as const;

function request(
  verb: 'subscribe' | 'unsubscribe',
  feed: MarketFeed,
  symbols: readonly string[],
  ...[history, id]: readonly [number | undefined, string]
): string {
  const [symbol] = symbols;
  assert(symbols.length === 1, 'a v2 subscription names one symbol');
  assert(feed.kind !== 'contract', 'version 2 has no feed of contracts');
  const period = feed.kind === 'candles' ? { period: feed.period } : {};
  const limited = history !== undefined && (feed.kind === 'trades' || feed.kind === 'candles');
  const params = { symbol, ...period, ...(limited ? { limit: Math.max(1, history) } : {}) };
  return `{"method":"${verb}${names[feed.kind]}","params":${JSON.stringify(params)}${idMember(id)}}`;
}
