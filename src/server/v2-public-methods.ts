import type { CandlePeriod } from '../model/market.ts';
import type { Instrument } from '../model/instrument.ts';
import { v2PublicMethods as table } from '../wire/v2/public-requests.ts';
import { encodeV2Trades } from '../wire/v2/public-notices.ts';
import { encodeV2Symbol } from '../wire/v2/symbols.ts';
import type { DoorSetup } from './door-setup.ts';
import { pageOf } from './page.ts';
import type { Refusal } from './refusal.ts';
import { refuse } from './refusal.ts';
import type { RpcCall, RpcMethod } from './rpc-session.ts';
import { withParams } from './rpc-session.ts';
import { publicTradeReading } from './trade-reading.ts';
import type { V2FeedName, V2Feeds } from './v2-feeds.ts';

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
        withInstrument(door, params.symbol, ({ symbol }) => {
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
      withInstrument(door, params.symbol, ({ symbol }) => {
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
    ...readMethods(door),
  ]);
}

function readMethods(door: DoorSetup): [string, RpcMethod][] {
  const { core } = door.world;
  return [
    [
      'getSymbol',
      {
        right: 'open',
        run: withParams(table.getSymbol, ({ symbol }) =>
          withInstrument(door, symbol, (instrument) => JSON.stringify(symbolOf(door, instrument))),
        ),
      },
    ],
    [
      'getSymbols',
      {
        right: 'open',
        run: withParams(table.getSymbols, ({ symbol }) => {
          const wanted = symbol?.map((name) => name.toUpperCase());
          const found = core.instruments.all.filter((one) => wanted?.includes(one.symbol) ?? true);
          return JSON.stringify(found.map((instrument) => symbolOf(door, instrument)));
        }),
      },
    ],
    [
      'getTrades',
      {
        right: 'open',
        run: withParams(table.getTrades, ({ symbol, page }) =>
          withInstrument(door, symbol ?? '', (instrument) =>
            encodeV2Trades(instrument, pageOf(core.market(instrument.id).trades, page, publicTradeReading)),
          ),
        ),
      },
    ],
  ];
}

type Subscribe = (params: Subscription, call: RpcCall) => string | Refusal;

function symbolOf({ world: { core } }: DoorSetup, instrument: Instrument): object {
  return encodeV2Symbol({ ...instrument.spec, status: core.exchange.status(instrument.id) });
}

/** Symbols are compared without case. Source: v2-gaps, section 1. */
function withInstrument(
  door: DoorSetup,
  symbol: string,
  run: (instrument: Instrument) => string | Refusal,
): string | Refusal {
  const instrument = door.world.core.instruments.find(symbol.toUpperCase());
  return instrument === undefined
    ? refuse(2_001, { description: 'Try get /api/2/public/symbol, to get list of all available symbols.' })
    : run(instrument);
}
