import type { Instrument, Lots } from '../../core/model/instrument.ts';
import type { CandlePeriod, Level } from '../../core/model/market.ts';
import { encodeV2Currency } from '../../venues/hitbtc/wire/resources/currency.ts';
import { orderBook } from '../../venues/hitbtc/wire/resources/book.ts';
import { encodeCandle, encodePublicTrade, encodeTicker } from '../../venues/hitbtc/wire/resources/market.ts';
import { encodeSymbol } from '../../venues/hitbtc/wire/resources/symbol.ts';
import type { PageQuery } from './page.ts';
import { candleReading, pageOf, publicTradeReading } from './page.ts';
import { currencyOf } from '../market/currencies.ts';
import type { AppSetup } from '../app-setup.ts';
import { lotsFor, v2InstrumentsNamed, withV2Instrument } from './instruments.ts';
import { currencyNotFound, Refusal } from '../refusal.ts';
import type { RestRoute } from './rest-route.ts';
import { v2Route } from './rest-route.ts';
import type { Amount } from '../../core/base/amount.ts';

/** Market data of v2. Source: API v2, "Market data". */
export function v2PublicRoutes(app: AppSetup): readonly RestRoute[] {
  return [...listRoutes(app), ...tickerRoutes(app), ...bookRoutes(app), ...historyRoutes(app)];
}

function listRoutes({ world: { core }, options }: AppSetup): RestRoute[] {
  const currencies = options.currencies.map(currencyOf);
  const named = (name: string) => currencies.find(({ code }) => code === name.toUpperCase());
  const symbolOf = (instrument: Instrument) =>
    encodeSymbol('v2', { ...instrument.spec, status: core.exchange.status(instrument.id) });
  return [
    v2Route('publicCurrencies', (params) => {
      const wanted = params.currencies?.flatMap((name) => named(name) ?? []) ?? currencies;
      return wanted.map((currency) => encodeV2Currency(currency));
    }),
    v2Route('publicCurrency', (params) => {
      const currency = named(params.currency);
      return currency === undefined ? currencyNotFound() : encodeV2Currency(currency);
    }),
    v2Route('publicSymbols', ({ symbols }) => v2InstrumentsNamed(core, symbols).map(symbolOf)),
    v2Route('publicSymbol', ({ symbol }) => withV2Instrument(core, symbol, symbolOf)),
  ];
}

function tickerRoutes({ world: { core } }: AppSetup): RestRoute[] {
  const tickerOf = (instrument: Instrument) =>
    JSON.stringify(encodeTicker('v2', core.market(instrument.id).ticker(core.now()), instrument));
  return [
    v2Route('publicTickers', ({ symbols }) => list(v2InstrumentsNamed(core, symbols).map(tickerOf))),
    v2Route('publicTicker', ({ symbol }) => withV2Instrument(core, symbol, tickerOf)),
  ];
}

function bookRoutes({ world: { core } }: AppSetup): RestRoute[] {
  const bookOf = (instrument: Instrument, limit: number) => {
    const { book } = core.market(instrument.id);
    return orderBook.v2.write(
      {
        symbol: instrument.symbol,
        time: book.liveTime,
        asks: book.liveLevels('sell', limit),
        bids: book.liveLevels('buy', limit),
      },
      instrument,
    );
  };
  const bookForVolume = (instrument: Instrument, volume: string) => {
    const lots = lotsFor(instrument, volume);
    if (lots instanceof Refusal) return lots;
    const { book } = core.market(instrument.id);
    const asks = book.liveLevelsForVolume('sell', lots);
    const bids = book.liveLevelsForVolume('buy', lots);
    return orderBook.v2.write(
      {
        symbol: instrument.symbol,
        time: book.liveTime,
        asks,
        bids,
        askAverage: averageForVolume(instrument, asks, lots) ?? null,
        bidAverage: averageForVolume(instrument, bids, lots) ?? null,
      },
      instrument,
    );
  };
  return [
    v2Route('publicOrderBooks', ({ symbols, limit }) =>
      Object.fromEntries(
        v2InstrumentsNamed(core, symbols).map((instrument) => [instrument.symbol, bookOf(instrument, limit)]),
      ),
    ),
    v2Route('publicOrderBook', ({ symbol, limit, volume }) =>
      withV2Instrument(core, symbol, (instrument) =>
        volume === undefined ? bookOf(instrument, limit) : bookForVolume(instrument, volume),
      ),
    ),
  ];
}

function historyRoutes({ world: { core } }: AppSetup): RestRoute[] {
  const tradesOf = (page: PageQuery) => (instrument: Instrument) =>
    list(
      pageOf(core.market(instrument.id).trades, page, publicTradeReading).map((trade) =>
        JSON.stringify(encodePublicTrade('v2', trade, instrument)),
      ),
    );
  const candlesOf = (period: CandlePeriod, page: PageQuery) => (instrument: Instrument) => {
    const { candles } = core.market(instrument.id);
    const bars = pageOf(candles.bars(period), page, candleReading);
    return list(
      bars.map((bar) => JSON.stringify(encodeCandle('v2', candles.candle(period, bar), instrument))),
    );
  };
  const keyed = (symbols: readonly string[] | undefined, read: (instrument: Instrument) => string) =>
    `{${v2InstrumentsNamed(core, symbols)
      .map((instrument) => `${JSON.stringify(instrument.symbol)}:${read(instrument)}`)
      .join(',')}}`;
  return [
    v2Route('publicTrades', ({ symbols, page }) => keyed(symbols, tradesOf(page))),
    v2Route('publicTradesOfSymbol', ({ symbol, page }) => withV2Instrument(core, symbol, tradesOf(page))),
    v2Route('publicCandles', ({ symbols, period, page }) => keyed(symbols, candlesOf(period, page))),
    v2Route('publicCandlesOfSymbol', ({ symbol, period, page }) =>
      withV2Instrument(core, symbol, candlesOf(period, page)),
    ),
  ];
}

function list(rows: readonly string[]): string {
  return `[${rows.join(',')}]`;
}

/**
 * What one unit costs on average when `lots` are taken off these levels, best first; of all there is when they
 * hold less. Undefined when there is nothing. Cut below 10^-24.
 */
function averageForVolume(
  instrument: Instrument,
  levels: readonly Level[],
  lots: number,
): Amount | undefined {
  let left = lots;
  let cost = 0n;
  for (const { price, quantity } of levels) {
    if (left <= 0) break;
    const taken = Math.min(left, quantity);
    cost += instrument.notional(price, taken as Lots);
    left -= taken;
  }
  const taken = lots - left;
  if (taken <= 0) return undefined;
  // Cost is in units of 10^-24, and so is the increment: their quotient is scaled back by it.
  return ((cost * scale) / instrument.quantityAmount(taken as Lots)) as Amount;
}

const scale = 10n ** 24n;
