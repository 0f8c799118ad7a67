import type { Instrument } from '../../core/model/instrument.ts';
import type { WireVersion } from '../../venues/hitbtc/wire/index.ts';
import {
  encodeTicker,
  lastPrice,
  priceHistory,
  priceRate,
} from '../../venues/hitbtc/wire/resources/index.ts';
import type { Core } from '../base/index.ts';
import type { Rates } from './rates.ts';
import { rateHistory } from './rate-history.ts';
import { currencyNotFound, refuse, candleReading, historyOf, pageOf } from '../base/index.ts';
import {
  byName,
  bySymbol,
  ofSymbol,
  v2InstrumentsNamed,
  withV2Instrument,
  v2Route,
  v3Route,
} from '../http/index.ts';
import type { RestRoute } from '../http/index.ts';

interface PriceRouteDeps {
  readonly core: Core;
  readonly rates: Rates;
  readonly currencyCodes: ReadonlySet<string>;
}

/** Tickers, last prices and rates between currencies. Source: API v3, "Market data"; API v2, "Market data". */
export function priceRoutes(deps: PriceRouteDeps): readonly RestRoute[] {
  return [...tickerRoutes(deps), ...rateRoutes(deps)];
}

function tickerRoutes({ core }: PriceRouteDeps): RestRoute[] {
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

function rateRoutes({ rates, currencyCodes }: PriceRouteDeps): RestRoute[] {
  const sourcesOf = (from: readonly string[] | undefined) =>
    from?.filter((code) => currencyCodes.has(code)) ?? [...currencyCodes];
  return [
    v3Route('publicPriceRates', ({ from, to }) => {
      if (!currencyCodes.has(to)) return currencyNotFound();
      return byName(sourcesOf(from), (source) => {
        const price = rates.rate(source, to);
        return price && priceRate.v3.write({ to, price, time: rates.changedAt(source, to) });
      });
    }),
    v3Route('publicPriceHistory', ({ from, to, since, until, limit, period, sort }) => {
      if (!currencyCodes.has(to)) return currencyNotFound();
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
