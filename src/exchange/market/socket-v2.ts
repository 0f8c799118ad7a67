import type { CandlePeriod } from '../../core/model/market.ts';
import type { Core, Refusal } from '../base/index.ts';
import { currencyNotFound, pageOf, publicTradeReading } from '../base/index.ts';
import type { RpcCall, RpcMethod, Publisher } from '../sockets/index.ts';
import { v2Method } from '../sockets/index.ts';
import type { V2FeedName, V2Feeds } from './v2-feeds.ts';
import { withV2Instrument, v2Instruments, v2InstrumentsNamed } from '../http/index.ts';
import type { Instrument } from '../../core/model/instrument.ts';
import type { Currency } from '../../venues/hitbtc/wire/resources/index.ts';
import { encodeV2Currency, encodeV2Trades, encodeSymbol } from '../../venues/hitbtc/wire/resources/index.ts';

interface V2PublicDeps {
  readonly core: Core;
  readonly publisher: Publisher;
  readonly currencies: readonly Currency[];
}

interface Subscription {
  readonly symbol: string;
  readonly limit?: number;
  readonly period?: CandlePeriod;
}

type Subscribe = (params: Subscription, call: RpcCall) => string | Refusal;

/** Methods of the v2 market data socket. Source: API v2, "Socket methods"; v2-gaps, sections 4.1 and 5. */
export function v2PublicSocketMethods(deps: V2PublicDeps, feeds: V2Feeds): ReadonlyMap<string, RpcMethod> {
  const { core, publisher, currencies } = deps;
  const feedOf = (name: V2FeedName, { period }: Subscription) => publisher.feed(feeds.format(name, period));
  const subscribe = (name: V2FeedName): [run: Subscribe, after: (call: RpcCall) => void] => {
    const fresh = new WeakMap<RpcCall, Subscription>();
    return [
      (params, call) =>
        withV2Instrument(core, params.symbol, ({ symbol }) => {
          if (feedOf(name, params).join(call.session.connection, symbol))
            fresh.set(call, { ...params, symbol });
          return 'true';
        }),
      (call) => {
        const params = fresh.get(call);
        if (params === undefined) return;
        feedOf(name, params).sendCurrent(call.session.connection, [params.symbol], params.limit ?? 0);
      },
    ];
  };
  const unsubscribe =
    (name: V2FeedName): Subscribe =>
    (params, call) =>
      withV2Instrument(core, params.symbol, ({ symbol }) => {
        feedOf(name, params).unsubscribe(call.session.connection, symbol);
        return 'true';
      });
  return new Map<string, RpcMethod>([
    v2Method('subscribeTicker', ...subscribe('ticker')),
    v2Method('unsubscribeTicker', unsubscribe('ticker')),
    v2Method('subscribeOrderbook', ...subscribe('orderbook')),
    v2Method('unsubscribeOrderbook', unsubscribe('orderbook')),
    v2Method('subscribeTrades', ...subscribe('trades')),
    v2Method('unsubscribeTrades', unsubscribe('trades')),
    v2Method('subscribeCandles', ...subscribe('candles')),
    v2Method('unsubscribeCandles', unsubscribe('candles')),
    ...currencyMethods(currencies),
    ...symbolMethods(core),
    tradesMethod(core),
  ]);
}

function currencyMethods(currencies: readonly Currency[]): [string, RpcMethod][] {
  const named = (name: string) => currencies.find(({ code }) => code === name.toUpperCase());
  return [
    v2Method('getCurrency', ({ currency, extended }) => {
      const found = named(currency);
      return found === undefined ? currencyNotFound() : encodeV2Currency(found, extended);
    }),
    v2Method('getCurrencies', ({ currency, extended }) => {
      const wanted = currency?.flatMap((name) => named(name) ?? []) ?? currencies;
      return wanted.map((one) => encodeV2Currency(one, extended));
    }),
  ];
}

function symbolMethods(core: Core): [string, RpcMethod][] {
  const symbolOf = (instrument: Instrument) =>
    encodeSymbol('v2', { ...instrument.spec, status: core.exchange.status(instrument.id) });
  return [
    v2Method('getSymbol', ({ symbol }) => withV2Instrument(core, symbol, symbolOf)),
    v2Method('getSymbols', ({ symbol }) => v2InstrumentsNamed(core, symbol).map(symbolOf)),
  ];
}

/** Without a symbol the result is a list, one `{data,symbol}` per symbol. */
function tradesMethod(core: Core): [string, RpcMethod] {
  return v2Method('getTrades', ({ symbol, page }) => {
    const tradesOf = (instrument: Instrument) =>
      encodeV2Trades(pageOf(core.market(instrument.id).trades, page, publicTradeReading), instrument);
    return symbol === undefined
      ? v2Instruments(core).map(tradesOf)
      : withV2Instrument(core, symbol, tradesOf);
  });
}
