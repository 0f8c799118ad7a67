import type { Instrument } from '../../core/model/instrument.ts';
import type { WireVersion } from '../../venues/hitbtc/wire/resource.ts';
import {
  encodeTicker,
  lastPrice,
  priceHistory,
  priceRate,
} from '../../venues/hitbtc/wire/resources/market.ts';
import type { AppSetup } from '../server/app-setup.ts';
import { rateHistory } from './rate-history.ts';
import { currencyNotFound, refuse } from '../base/refusal.ts';
import { byName, bySymbol, ofSymbol, v2InstrumentsNamed, withV2Instrument } from '../http/instruments.ts';
import { candleReading, historyOf, pageOf } from '../base/page.ts';
import type { RestRoute } from '../http/rest-route.ts';
import { v2Route, v3Route } from '../http/rest-route.ts';

/** Tickers, last prices and rates between currencies. Source: API v3, "Market data"; API v2, "Market data". */
export function priceRoutes(app: AppSetup): readonly RestRoute[] {
  return [...tickerRoutes(app), ...rateRoutes(app)];
}

function tickerRoutes({ world: { core } }: AppSetup): RestRoute[] {
  const tickerOf = (version: WireVersion) => (instrument: Instrument) =>
    encodeTicker(version, core.market(instrument.id).ticker(core.now()), instrument);
  const lastPriceOf = (instrument: Instrument) => {
    const last = core.market(instrument.id).trades.last;
    if (last === undefined) return undefined;
    return lastPrice.v3.write({ price: instrument.priceAmount(last.price), time: last.time }, instrument);
  };
  return [
    v3Route('publicTickers', ({ symbols }) => bySymbol(core, symbols, tickerOf('v3'))),
    v3Route('publicTicker', ({ symbol }) => ofSymbol(core, symbol, tickerOf('v3'))),
    v2Route('publicTickers', ({ symbols }) => v2InstrumentsNamed(core, symbols).map(tickerOf('v2'))),
    v2Route('publicTicker', ({ symbol }) => withV2Instrument(core, symbol, tickerOf('v2'))),
    v3Route('publicPriceTickers', ({ symbols }) => bySymbol(core, symbols, lastPriceOf)),
    v3Route('publicPriceTicker', ({ symbol }) =>
      ofSymbol(
        core,
        symbol,
        (instrument) =>
          lastPriceOf(instrument) ?? refuse(2_001, { message: `No price of ${instrument.symbol} yet` }),
      ),
    ),
  ];
}

function rateRoutes({ world: { rates }, options }: AppSetup): RestRoute[] {
  const codes = options.currencies.map(({ code }) => code);
  const sourcesOf = (from: readonly string[] | undefined) =>
    from?.filter((code) => codes.includes(code)) ?? codes;
  return [
    v3Route('publicPriceRates', ({ from, to }) => {
      if (!codes.includes(to)) return currencyNotFound();
      return byName(sourcesOf(from), (source) => {
        const price = rates.rate(source, to);
        return price && priceRate.v3.write({ to, price, time: rates.changedAt(source, to) });
      });
    }),
    v3Route('publicPriceHistory', ({ from, to, since, until, limit, period, sort }) => {
      if (!codes.includes(to)) return currencyNotFound();
      return byName(sourcesOf(from), (source) => {
        if (source === to) return undefined;
        const history = pageOf(
          historyOf(rateHistory(rates, source, to, period)),
          { sort, by: 'timestamp', from: since, till: until, limit, offset: 0 },
          candleReading,
        );
        return priceHistory.v3.write({ to, history });
      });
    }),
  ];
}
