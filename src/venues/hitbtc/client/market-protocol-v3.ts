import { encodeV3Subscribe } from '../wire/v3/public-requests.ts';
import type { Feed, MarketProtocol } from './market-protocol.ts';

/** Version 3: `subscribe` and `unsubscribe` on a channel, many symbols at once. Source: v3-gaps, sections 1.1 and 1.3. */
export const marketProtocolV3: MarketProtocol = {
  channel: 'v3/public',
  path: '/api/3/ws/public',
  scope: 'publicSocket',
  symbolsMax: 1_000,
  subscribe: (id, feed, symbols, history) =>
    encodeV3Subscribe(
      'subscribe',
      channelOf(feed),
      hasHistory(feed) ? { symbols, limit: history } : { symbols },
      id,
    ),
  unsubscribe: (id, feed, symbols) => encodeV3Subscribe('unsubscribe', channelOf(feed), { symbols }, id),
};

function channelOf(feed: Feed): string {
  switch (feed.kind) {
    case 'book':
      return 'orderbook/full';
    case 'trades':
      return 'trades';
    case 'ticker':
      return 'ticker/1s';
    case 'candles':
      return `candles/${feed.period}`;
  }
}

function hasHistory(feed: Feed): boolean {
  return feed.kind === 'trades' || feed.kind === 'candles';
}
