import type { Instrument } from '../../core/model/instrument.ts';
import type { CandlePeriod } from '../../core/model/market.ts';
import type { WireVersion } from '../../venues/hitbtc/wire/index.ts';
import {
  convertedAnswer,
  convertedCandle as convertedRow,
  encodeCandle,
  encodePublicTrade,
} from '../../venues/hitbtc/wire/resources/index.ts';
import type { Core, PageQuery } from '../base/index.ts';
import {
  convertCandle,
  currencyNotFound,
  Refusal,
  candleReading,
  pageOf,
  publicTradeReading,
} from '../base/index.ts';
import { bySymbol, ofSymbol, v2BySymbol, withV2Instrument, v2Route, v3Route } from '../http/index.ts';
import type { RestRoute } from '../http/index.ts';
import type { Rates } from './rates.ts';

interface TradeRouteDeps {
  readonly core: Core;
  readonly rates: Rates;
  readonly currencyCodes: ReadonlySet<string>;
}

/** Public trades and the candles made of them. Source: API v2, "Market data"; v3-gaps, sections 4.2 to 4.4. */
export function tradeRoutes(deps: TradeRouteDeps): readonly RestRoute[] {
  const { core } = deps;
  const tradesOf = (version: WireVersion, page: PageQuery) => (instrument: Instrument) =>
    pageOf(core.market(instrument.id).trades, page, publicTradeReading).map((trade) =>
      encodePublicTrade(version, trade, instrument),
    );
  const candlesOf =
    (version: WireVersion, period: CandlePeriod, page: PageQuery) => (instrument: Instrument) =>
      pageOfCandles(core, instrument, period, page).map((candle) =>
        encodeCandle(version, candle, instrument),
      );
  return [
    v3Route('publicTrades', ({ symbols, page }) => bySymbol(core, symbols, tradesOf('v3', page))),
    v3Route('publicTradesOfSymbol', ({ symbol, page }) => ofSymbol(core, symbol, tradesOf('v3', page))),
    v2Route('publicTrades', ({ symbols, page }) => v2BySymbol(core, symbols, tradesOf('v2', page))),
    v2Route('publicTradesOfSymbol', ({ symbol, page }) =>
      withV2Instrument(core, symbol, tradesOf('v2', page)),
    ),
    v3Route('publicCandles', ({ symbols, period, page }) =>
      bySymbol(core, symbols, candlesOf('v3', period, page)),
    ),
    v3Route('publicCandlesOfSymbol', ({ symbol, period, page }) =>
      ofSymbol(core, symbol, candlesOf('v3', period, page)),
    ),
    v2Route('publicCandles', ({ symbols, period, page }) =>
      v2BySymbol(core, symbols, candlesOf('v2', period, page)),
    ),
    v2Route('publicCandlesOfSymbol', ({ symbol, period, page }) =>
      withV2Instrument(core, symbol, candlesOf('v2', period, page)),
    ),
    ...convertedRoutes(deps),
  ];
}

function pageOfCandles(core: Core, instrument: Instrument, period: CandlePeriod, page: PageQuery) {
  const { candles } = core.market(instrument.id);
  return pageOf(candles.bars(period), page, candleReading).map((bar) => candles.candle(period, bar));
}

/** Candles in another currency; v2 has none. */
function convertedRoutes({ core, rates, currencyCodes }: TradeRouteDeps): RestRoute[] {
  const convertedOf = (period: CandlePeriod, page: PageQuery, target: string) => (instrument: Instrument) => {
    const rate = rates.rate(instrument.spec.quoteCurrency, target);
    if (rate === undefined) return [];
    return pageOfCandles(core, instrument, period, page).map((candle) =>
      convertedRow.v3.write(convertCandle(candle, rate)),
    );
  };
  return [
    v3Route('publicConvertedCandles', ({ symbols, period, page, targetCurrency }) => {
      if (!currencyCodes.has(targetCurrency)) return currencyNotFound();
      const candles = bySymbol(core, symbols, convertedOf(period, page, targetCurrency));
      return convertedAnswer.v3.write({ targetCurrency, data: candles });
    }),
    v3Route('publicConvertedCandlesOfSymbol', ({ symbol, period, page, targetCurrency }) => {
      if (!currencyCodes.has(targetCurrency)) return currencyNotFound();
      const candles = ofSymbol(core, symbol, convertedOf(period, page, targetCurrency));
      return candles instanceof Refusal
        ? candles
        : convertedAnswer.v3.write({ targetCurrency, data: candles });
    }),
  ];
}
