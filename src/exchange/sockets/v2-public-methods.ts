import type { CandlePeriod } from '../../core/model/market.ts';
import { v2PublicMethods as table } from '../../venues/hitbtc/wire/v2/public-requests.ts';
import type { AppSetup } from '../app-setup.ts';
import type { Refusal } from '../refusal.ts';
import { currencyNotFound } from '../refusal.ts';
import type { RpcCall, RpcMethod } from './rpc-session.ts';
import { withParams } from './rpc-session.ts';
import type { V2FeedName, V2Feeds } from './v2-feeds.ts';
import { withV2Instrument, v2Instruments, v2InstrumentsNamed } from '../http/instruments.ts';
import type { Instrument } from '../../core/model/instrument.ts';
import { encodeV2Currency } from '../../venues/hitbtc/wire/v2/currencies.ts';
import { encodeV2Trades } from '../../venues/hitbtc/wire/v2/public-notices.ts';
import { encodeV2Symbol } from '../../venues/hitbtc/wire/v2/symbols.ts';
import { currencyOf } from '../market/currencies.ts';
import { pageOf, publicTradeReading } from '../http/page.ts';

interface Subscription {
  readonly symbol: string;
  readonly limit?: number;
  readonly period?: CandlePeriod;
}

/** Methods of the v2 market data socket. Source: API v2, "Socket methods"; v2-gaps, sections 4.1 and 5. */
export function v2PublicSocketMethods(app: AppSetup, feeds: V2Feeds): ReadonlyMap<string, RpcMethod> {
  const subscribe = (name: V2FeedName, read: (run: Subscribe) => RpcMethod['run']): RpcMethod => {
    const fresh = new WeakMap<RpcCall, Subscription>();
    return {
      right: 'open',
      run: read((params, call) =>
        withV2Instrument(app.world.core, params.symbol, ({ symbol }) => {
          const feed = app.publisher.feed(feeds.format(name, params.period));
          if (feed.join(call.session.connection, symbol)) fresh.set(call, { ...params, symbol });
          return 'true';
        }),
      ),
      after(call) {
        const params = fresh.get(call);
        if (params === undefined) return;
        const feed = app.publisher.feed(feeds.format(name, params.period));
        feed.greet(call.session.connection, [params.symbol], params.limit ?? 0);
      },
    };
  };
  const unsubscribe = (name: V2FeedName, read: (run: Subscribe) => RpcMethod['run']): RpcMethod => ({
    right: 'open',
    run: read((params, call) =>
      withV2Instrument(app.world.core, params.symbol, ({ symbol }) => {
        app.publisher.feed(feeds.format(name, params.period)).unsubscribe(call.session.connection, symbol);
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
    ...v2ReadMethods(app),
  ]);
}

type Subscribe = (params: Subscription, call: RpcCall) => string | Refusal;

/** Reads of the v2 market data socket. Source: API v2, "Socket methods". */
function v2ReadMethods(app: AppSetup): [string, RpcMethod][] {
  return [...currencyMethods(app), ...symbolMethods(app), tradesMethod(app)];
}

function currencyMethods({ options }: AppSetup): [string, RpcMethod][] {
  const currencies = options.currencies.map(currencyOf);
  const named = (name: string) => currencies.find(({ code }) => code === name.toUpperCase());
  return [
    [
      'getCurrency',
      {
        right: 'open',
        run: withParams(table.getCurrency, ({ currency, extended }) => {
          const found = named(currency);
          return found === undefined ? currencyNotFound() : JSON.stringify(encodeV2Currency(found, extended));
        }),
      },
    ],
    [
      'getCurrencies',
      {
        right: 'open',
        run: withParams(table.getCurrencies, ({ currency, extended }) => {
          const wanted = currency?.flatMap((name) => named(name) ?? []) ?? currencies;
          return JSON.stringify(wanted.map((one) => encodeV2Currency(one, extended)));
        }),
      },
    ],
  ];
}

function symbolMethods({ world: { core } }: AppSetup): [string, RpcMethod][] {
  const symbolOf = (instrument: Instrument) =>
    encodeV2Symbol({ ...instrument.spec, status: core.exchange.status(instrument.id) });
  return [
    [
      'getSymbol',
      {
        right: 'open',
        run: withParams(table.getSymbol, ({ symbol }) =>
          withV2Instrument(core, symbol, (instrument) => JSON.stringify(symbolOf(instrument))),
        ),
      },
    ],
    [
      'getSymbols',
      {
        right: 'open',
        run: withParams(table.getSymbols, ({ symbol }) =>
          JSON.stringify(v2InstrumentsNamed(core, symbol).map(symbolOf)),
        ),
      },
    ],
  ];
}

/** Without a symbol the result is a list, one `{data,symbol}` per symbol. */
function tradesMethod({ world: { core } }: AppSetup): [string, RpcMethod] {
  return [
    'getTrades',
    {
      right: 'open',
      run: withParams(table.getTrades, ({ symbol, page }) => {
        const tradesOf = (instrument: Instrument) =>
          encodeV2Trades(instrument, pageOf(core.market(instrument.id).trades, page, publicTradeReading));
        return symbol === undefined
          ? `[${v2Instruments(core).map(tradesOf).join(',')}]`
          : withV2Instrument(core, symbol, tradesOf);
      }),
    },
  ];
}
