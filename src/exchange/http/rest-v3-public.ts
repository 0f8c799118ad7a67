import type { Instrument } from '../../core/model/instrument.ts';
import type { Currency } from '../../venues/hitbtc/wire/resources/currency.ts';
import { encodeV3Currency } from '../../venues/hitbtc/wire/resources/currency.ts';
import { encodeSymbol } from '../../venues/hitbtc/wire/resources/symbol.ts';
import { currencyOf } from '../market/currencies.ts';
import type { AppSetup } from '../app-setup.ts';
import { byName, bySymbol, ofSymbol } from './instruments.ts';
import type { PageQuery } from './page.ts';
import { historyOf, pageOf, publicTradeReading } from './page.ts';
import { rateHistory } from '../market/rate-history.ts';
import { currencyNotFound, refuse } from '../refusal.ts';
import type { RestRoute } from './rest-route.ts';
import { v3Route } from './rest-route.ts';
import {
  encodePublicTrade,
  encodeTicker,
  lastPrice,
  priceHistory,
  priceRate,
} from '../../venues/hitbtc/wire/resources/market.ts';

/** Symbols, currencies, tickers, trades and rates of v3. Source: API v3, "Market data"; v3-gaps, section 4. */
export function v3PublicRoutes(app: AppSetup): readonly RestRoute[] {
  return [...listRoutes(app), ...tickerRoutes(app), ...tradeRoutes(app), ...rateRoutes(app)];
}

function listRoutes({ world: { core }, options }: AppSetup): RestRoute[] {
  const currencies = options.currencies.map(currencyOf);
  const symbolOf = (instrument: Instrument) =>
    encodeSymbol('v3', { ...instrument.spec, status: core.exchange.status(instrument.id) });
  const currencyNamed = (name: string) => currencies.find(({ code }) => code === name);
  return [
    v3Route('publicCurrencies', (params) =>
      byName(params.currencies ?? currencies.map(({ code }) => code), (name) => {
        const currency = currencyNamed(name);
        return currency && encodeV3Currency(preferring(currency, params.preferredNetwork));
      }),
    ),
    v3Route('publicCurrency', (params) => {
      const currency = currencyNamed(params.currency);
      return currency === undefined ? currencyNotFound() : encodeV3Currency(currency);
    }),
    v3Route('publicSymbols', ({ symbols }) => bySymbol(core, symbols, symbolOf)),
    v3Route('publicSymbol', ({ symbol }) => ofSymbol(core, symbol, symbolOf)),
  ];
}

/** With the network of that code as the default one, where the currency has it. Source: API v3, GET /api/3/public/currency. */
function preferring(currency: Currency, code: string | undefined): Currency {
  if (!currency.networks.some(({ network }) => network === code)) return currency;
  const networks = currency.networks.map((one) => ({ ...one, default: one.network === code }));
  return { ...currency, networks };
}

function tickerRoutes({ world: { core } }: AppSetup): RestRoute[] {
  const tickerOf = (instrument: Instrument) =>
    encodeTicker('v3', core.market(instrument.id).ticker(core.now()), instrument);
  const lastPriceOf = (instrument: Instrument) => {
    const last = core.market(instrument.id).trades.last;
    if (last === undefined) return undefined;
    return lastPrice.v3.write({ price: instrument.priceAmount(last.price), time: last.time }, instrument);
  };
  return [
    v3Route('publicTickers', ({ symbols }) => bySymbol(core, symbols, tickerOf)),
    v3Route('publicTicker', ({ symbol }) => ofSymbol(core, symbol, tickerOf)),
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

function tradeRoutes({ world: { core } }: AppSetup): RestRoute[] {
  const tradesOf = (instrument: Instrument, page: PageQuery) =>
    pageOf(core.market(instrument.id).trades, page, publicTradeReading).map((trade) =>
      encodePublicTrade('v3', trade, instrument),
    );
  return [
    v3Route('publicTrades', ({ symbols, page }) =>
      bySymbol(core, symbols, (instrument) => tradesOf(instrument, page)),
    ),
    v3Route('publicTradesOfSymbol', ({ symbol, page }) =>
      ofSymbol(core, symbol, (instrument) => tradesOf(instrument, page)),
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
          { numberOf: (entry) => entry.time, timeOf: (entry) => entry.time, accepts: () => true },
        );
        return priceHistory.v3.write({ to, history });
      });
    }),
  ];
}
