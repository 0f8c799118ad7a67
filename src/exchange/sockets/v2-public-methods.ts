import type { CandlePeriod } from '../../core/model/market.ts';
import { v2PublicMethods as table } from '../../venues/hitbtc/wire/v2/public-requests.ts';
import type { DoorSetup } from '../door-setup.ts';
import type { Refusal } from '../refusal.ts';
import type { RpcCall, RpcMethod } from './rpc-session.ts';
import { withParams } from './rpc-session.ts';
import type { V2FeedName, V2Feeds } from './v2-feeds.ts';
import { withV2Instrument } from '../market/v2-instruments.ts';
import { v2ReadMethods } from './v2-read-methods.ts';

interface Subscription {
  readonly symbol: string;
  readonly limit?: number;
  readonly period?: CandlePeriod;
}

/** Methods of the v2 market data socket. Source: API v2, "Socket methods"; v2-gaps, sections 4.1 and 5. */
export function v2PublicSocketMethods(door: DoorSetup, feeds: V2Feeds): ReadonlyMap<string, RpcMethod> {
  const subscribe = (name: V2FeedName, read: (run: Subscribe) => RpcMethod['run']): RpcMethod => {
    const fresh = new WeakMap<RpcCall, Subscription>();
    return {
      right: 'open',
      run: read((params, call) =>
        withV2Instrument(door.world.core, params.symbol, ({ symbol }) => {
          const feed = door.publisher.feed(feeds.format(name, params.period));
          if (feed.join(call.session.connection, symbol)) fresh.set(call, { ...params, symbol });
          return 'true';
        }),
      ),
      after(call) {
        const params = fresh.get(call);
        if (params === undefined) return;
        const feed = door.publisher.feed(feeds.format(name, params.period));
        feed.greet(call.session.connection, [params.symbol], params.limit ?? 0);
      },
    };
  };
  const unsubscribe = (name: V2FeedName, read: (run: Subscribe) => RpcMethod['run']): RpcMethod => ({
    right: 'open',
    run: read((params, call) =>
      withV2Instrument(door.world.core, params.symbol, ({ symbol }) => {
        door.publisher.feed(feeds.format(name, params.period)).unsubscribe(call.session.connection, symbol);
        return 'true';
      }),
    ),
  });
  return new Map<string, RpcMethod>([
    ['subscribeTicker', subscribe('ticker', (run) => withParams(table.subscribeTicker, run))],
    ['unsubscribeTicker', unsubscribe('ticker', (run) => withParams(table.unsubscribeTicker, run))],
    ['subscribeOrderbook', subscribe('orderbook', (run) => withParams(table.subscribeOrderbook, run))],
    ['unsubscribeOrderbook', unsubscribe('orderbook', (run) => withParams(table.unsubscribeOrderbook, run))],
    ['subscribeTrades', subscribe('trades', (run) => withParams(table.subscribeTrades, run))],
    ['unsubscribeTrades', unsubscribe('trades', (run) => withParams(table.unsubscribeTrades, run))],
    ['subscribeCandles', subscribe('candles', (run) => withParams(table.subscribeCandles, run))],
    ['unsubscribeCandles', unsubscribe('candles', (run) => withParams(table.unsubscribeCandles, run))],
    ...v2ReadMethods(door),
  ]);
}

type Subscribe = (params: Subscription, call: RpcCall) => string | Refusal;
