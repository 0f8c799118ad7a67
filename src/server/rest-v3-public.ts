import type { Instrument } from '../model/instrument.ts';
import type { CandlePeriod } from '../model/market.ts';
import { encodeV3Currency } from '../wire/v3/currencies.ts';
import {
  encodeV3LastPrice,
  encodeV3RateHistory,
  encodeV3RestBook,
  encodeV3RestCandle,
  encodeV3RestConvertedCandle,
  encodeV3RestRate,
  encodeV3RestTicker,
  encodeV3RestTrade,
} from '../wire/v3/encode-public.ts';
import { encodeV3Symbol } from '../wire/v3/symbols.ts';
import * as schemas from './codec/rest-params.ts';
import type { Bar } from './candles.ts';
import { convertedCandle } from './candles.ts';
import type { Core } from './core.ts';
import { currencyOf } from './currencies.ts';
import type { DoorSetup } from './door-setup.ts';
import { lotsFor } from './lots-for.ts';
import type { PageQuery, Reading } from './page.ts';
import { historyOf, pageOf } from './page.ts';
import { rateHistory } from './rate-history.ts';
import { badParameter, currencyNotFound, Refusal, refuse, symbolNotFound } from './refusal.ts';
import type { RestRoute } from './rest-route.ts';
import { withRestParams } from './rest-route.ts';
import { publicTradeReading } from './trade-reading.ts';

const candleReading: Reading<Bar> = { numberOf: (bar) => bar.time, timeOf: (bar) => bar.time, accepts: () => true };

/** The public endpoints of v3. Source: API v3, "Market data"; v3-gaps, section 4. */
export function v3PublicRoutes(door: DoorSetup): readonly RestRoute[] {
  return [...listRoutes(door), ...tickerRoutes(door), ...rateRoutes(door), ...bookRoutes(door), ...candleRoutes(door)];
}

function open(path: string, run: RestRoute['run']): RestRoute {
  return { method: 'GET', path: `/api/3/public/${path}`, right: 'open', run };
}

function listRoutes({ world: { core }, options }: DoorSetup): RestRoute[] {
  const currencies = options.currencies.map(currencyOf);
  const symbolOf = (instrument: Instrument) =>
    encodeV3Symbol({ ...instrument.spec, status: core.exchange.status(instrument.id) });
  return [
    open('currency', withRestParams(schemas.listOfCurrencies, (params) =>
      Object.fromEntries(
        currencies
          .filter(({ code }) => params.currencies?.includes(code) ?? true)
          .map((currency) => [currency.code, encodeV3Currency(currency)]),
      ))),
    open('currency/:currency', withRestParams(schemas.oneCurrency, (params) => {
      const currency = currencies.find(({ code }) => code === params.currency);
      return currency === undefined ? currencyNotFound() : encodeV3Currency(currency);
    })),
    open('symbol', withRestParams(schemas.listOfSymbols, ({ symbols }) => bySymbol(core, symbols, symbolOf))),
    open('symbol/:symbol', withRestParams(schemas.oneSymbol, ({ symbol }) => ofSymbol(core, symbol, symbolOf))),
  ];
}

function tickerRoutes({ world: { core } }: DoorSetup): RestRoute[] {
  const tickerOf = (instrument: Instrument) =>
    encodeV3RestTicker(instrument, core.market(instrument.id).ticker(core.now()));
  const lastPriceOf = (instrument: Instrument) => {
    const last = core.market(instrument.id).trades.last;
    return last === undefined
      ? undefined
      : encodeV3LastPrice(instrument, { price: instrument.priceAmount(last.price), time: last.time });
  };
  const tradesOf = (instrument: Instrument, page: PageQuery) =>
    pageOf(core.market(instrument.id).trades, page, publicTradeReading).map((trade) =>
      encodeV3RestTrade(instrument, trade),
    );
  return [
    open('ticker', withRestParams(schemas.listOfSymbols, ({ symbols }) => bySymbol(core, symbols, tickerOf))),
    open('ticker/:symbol', withRestParams(schemas.oneSymbol, ({ symbol }) => ofSymbol(core, symbol, tickerOf))),
    open('price/ticker', withRestParams(schemas.listOfSymbols, ({ symbols }) => bySymbol(core, symbols, lastPriceOf))),
    open(
      'price/ticker/:symbol',
      withRestParams(schemas.oneSymbol, ({ symbol }) =>
        ofSymbol(core, symbol, (instrument) => lastPriceOf(instrument) ?? refuse(2_001, { message: 'No price yet' })),
      ),
    ),
    open(
      'trades',
      withRestParams(schemas.tradesOfSymbols, ({ symbols, page }) =>
        bySymbol(core, symbols, (instrument) => tradesOf(instrument, page)),
      ),
    ),
    open(
      'trades/:symbol',
      withRestParams(schemas.tradesOfSymbol, ({ symbol, page }) =>
        ofSymbol(core, symbol, (instrument) => tradesOf(instrument, page)),
      ),
    ),
  ];
}

function rateRoutes({ world: { rates }, options }: DoorSetup): RestRoute[] {
  const codes = options.currencies.map(({ code }) => code);
  const sourcesOf = (from: string | undefined) => (from === undefined ? codes : from.split(','));
  return [
    open(
      'price/rate',
      withRestParams(schemas.rates, ({ from, to }) => {
        if (!codes.includes(to)) return currencyNotFound();
        return fromEntries(sourcesOf(from), (source) => {
          const price = codes.includes(source) ? rates.rate(source, to) : undefined;
          return price === undefined
            ? undefined
            : encodeV3RestRate({ to, price, time: rates.changedAt(source, to) });
        });
      }),
    ),
    open(
      'price/history',
      withRestParams(schemas.rateHistory, ({ from, to, since, until, limit, period, sort }) => {
        if (!codes.includes(to)) return currencyNotFound();
        return fromEntries(sourcesOf(from), (source) => {
          if (!codes.includes(source) || source === to) return undefined;
          const history = pageOf(
            historyOf(rateHistory(rates, source, to, period)),
            { sort, by: 'timestamp', from: since, till: until, limit, offset: 0 },
            { numberOf: (entry) => entry.time, timeOf: (entry) => entry.time, accepts: () => true },
          );
          return encodeV3RateHistory({ to, history });
        });
      }),
    ),
  ];
}

function bookRoutes({ world: { core } }: DoorSetup): RestRoute[] {
  const bookOf = (instrument: Instrument, depth: number) => {
    const { book } = core.market(instrument.id);
    const count = Math.max(0, depth);
    return encodeV3RestBook(instrument, {
      time: book.liveTime,
      asks: book.liveLevels('sell', count),
      bids: book.liveLevels('buy', count),
    });
  };
  return [
    open(
      'orderbook',
      withRestParams(schemas.books, ({ symbols, depth }) =>
        bySymbol(core, symbols, (instrument) => bookOf(instrument, depth)),
      ),
    ),
    open(
      'orderbook/:symbol',
      withRestParams(schemas.book, ({ symbol, depth, volume }) =>
        ofSymbol(core, symbol, (instrument) => {
          if (volume === undefined) return bookOf(instrument, depth);
          const lots = lotsFor(instrument, volume);
          if (lots instanceof Refusal) return lots;
          const { book } = core.market(instrument.id);
          return encodeV3RestBook(instrument, {
            time: book.liveTime,
            asks: book.liveLevelsForVolume('sell', lots),
            bids: book.liveLevelsForVolume('buy', lots),
          });
        }),
      ),
    ),
  ];
}

function candleRoutes(door: DoorSetup): RestRoute[] {
  const { core } = door.world;
  const candlesOf = (instrument: Instrument, period: CandlePeriod, page: PageQuery) => {
    const { candles } = core.market(instrument.id);
    return pageOf(candles.bars(period), page, candleReading).map((bar) => candles.candle(period, bar));
  };
  const plain = (period: CandlePeriod, page: PageQuery) => (instrument: Instrument) =>
    candlesOf(instrument, period, page).map((candle) => encodeV3RestCandle(instrument, candle));
  const converted = (period: CandlePeriod, page: PageQuery, target: string) => (instrument: Instrument) => {
    const rate = door.world.rates.rate(instrument.spec.quoteCurrency, target);
    if (rate === undefined) return [];
    return candlesOf(instrument, period, page).map((candle) =>
      encodeV3RestConvertedCandle(convertedCandle(candle, rate)),
    );
  };
  const targetOf = (target: string | undefined): string | Refusal => {
    if (target === undefined) return badParameter('Bad request parameter [target_currency]. Parameter is required');
    return door.options.currencies.some(({ code }) => code === target) ? target : currencyNotFound();
  };
  return [
    open(
      'candles',
      withRestParams(schemas.candlesOfSymbols, ({ symbols, period, page }) =>
        bySymbol(core, symbols, plain(period, page)),
      ),
    ),
    open(
      'candles/:symbol',
      withRestParams(schemas.candlesOfSymbol, ({ symbol, period, page }) => ofSymbol(core, symbol, plain(period, page))),
    ),
    open(
      'converted/candles',
      withRestParams(schemas.candlesOfSymbols, ({ symbols, period, page, target }) => {
        const currency = targetOf(target);
        if (currency instanceof Refusal) return currency;
        return { target_currency: currency, data: bySymbol(core, symbols, converted(period, page, currency)) };
      }),
    ),
    open(
      'converted/candles/:symbol',
      withRestParams(schemas.candlesOfSymbol, ({ symbol, period, page, target }) => {
        const currency = targetOf(target);
        if (currency instanceof Refusal) return currency;
        const data = ofSymbol(core, symbol, converted(period, page, currency));
        return data instanceof Refusal ? data : { target_currency: currency, data };
      }),
    ),
  ];
}

/** Values keyed by symbol; unknown symbols are left out, as live hosts do. Source: v3-gaps, section 4.6. */
function bySymbol(
  core: Core,
  symbols: readonly string[] | undefined,
  read: (instrument: Instrument) => object | undefined,
): object {
  const names = symbols ?? core.instruments.all.map(({ symbol }) => symbol);
  return fromEntries(names, (name) => {
    const instrument = core.instruments.find(name);
    return instrument === undefined ? undefined : read(instrument);
  });
}

function ofSymbol<Value>(
  core: Core,
  symbol: string,
  read: (instrument: Instrument) => Value,
): Value | Refusal {
  const instrument = core.instruments.find(symbol);
  return instrument === undefined ? symbolNotFound(symbol) : read(instrument);
}

function fromEntries(names: readonly string[], read: (name: string) => object | undefined): object {
  const entries: [string, object][] = [];
  for (const name of names) {
    const value = read(name);
    if (value !== undefined) entries.push([name, value]);
  }
  return Object.fromEntries(entries);
}
