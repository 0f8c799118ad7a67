import type { Instrument } from '../../core/model/instrument.ts';
import type { CandlePeriod } from '../../core/model/market.ts';
import { orderBook } from '../../venues/hitbtc/wire/resources/book.ts';
import type { PageQuery } from './page.ts';
import { candleReading, pageOf } from './page.ts';
import { convertedCandle } from '../market/candles.ts';
import type { AppSetup } from '../app-setup.ts';
import { bySymbol, ofSymbol, lotsFor } from './instruments.ts';
import { currencyNotFound, Refusal } from '../refusal.ts';
import type { RestRoute } from './rest-route.ts';
import { v3Route } from './rest-route.ts';
import {
  convertedAnswer,
  convertedCandle as convertedRow,
  encodeCandle,
} from '../../venues/hitbtc/wire/resources/market.ts';

/** Order books of v3. Source: v3-gaps, section 4.1. */
export function v3BookRoutes({ world: { core } }: AppSetup): RestRoute[] {
  const bookOf = (instrument: Instrument, depth: number) => {
    const { book } = core.market(instrument.id);
    return orderBook.v3.write(
      {
        time: book.liveTime,
        asks: book.liveLevels('sell', depth),
        bids: book.liveLevels('buy', depth),
      },
      instrument,
    );
  };
  const bookForVolume = (instrument: Instrument, volume: string) => {
    const lots = lotsFor(instrument, volume);
    if (lots instanceof Refusal) return lots;
    const { book } = core.market(instrument.id);
    return orderBook.v3.write(
      {
        time: book.liveTime,
        asks: book.liveLevelsForVolume('sell', lots),
        bids: book.liveLevelsForVolume('buy', lots),
      },
      instrument,
    );
  };
  return [
    v3Route('publicOrderBooks', ({ symbols, depth }) =>
      bySymbol(core, symbols, (instrument) => bookOf(instrument, depth)),
    ),
    v3Route('publicOrderBook', ({ symbol, depth, volume }) =>
      ofSymbol(core, symbol, (instrument) =>
        volume === undefined ? bookOf(instrument, depth) : bookForVolume(instrument, volume),
      ),
    ),
  ];
}

/** Candles of v3, plain and converted. Source: v3-gaps, sections 4.2 and 4.3. */
export function v3CandleRoutes({ world: { core, rates }, options }: AppSetup): RestRoute[] {
  const candlesOf = (instrument: Instrument, period: CandlePeriod, page: PageQuery) => {
    const { candles } = core.market(instrument.id);
    return pageOf(candles.bars(period), page, candleReading).map((bar) => candles.candle(period, bar));
  };
  const plain = (period: CandlePeriod, page: PageQuery) => (instrument: Instrument) =>
    candlesOf(instrument, period, page).map((candle) => encodeCandle('v3', candle, instrument));
  const converted = (period: CandlePeriod, page: PageQuery, target: string) => (instrument: Instrument) => {
    const rate = rates.rate(instrument.spec.quoteCurrency, target);
    if (rate === undefined) return [];
    return candlesOf(instrument, period, page).map((candle) =>
      convertedRow.v3.write(convertedCandle(candle, rate)),
    );
  };
  const isCurrency = (name: string) => options.currencies.some(({ code }) => code === name);
  return [
    v3Route('publicCandles', ({ symbols, period, page }) => bySymbol(core, symbols, plain(period, page))),
    v3Route('publicCandlesOfSymbol', ({ symbol, period, page }) =>
      ofSymbol(core, symbol, plain(period, page)),
    ),
    v3Route('publicConvertedCandles', ({ symbols, period, page, targetCurrency }) => {
      if (!isCurrency(targetCurrency)) return currencyNotFound();
      const candles = bySymbol(core, symbols, converted(period, page, targetCurrency));
      return convertedAnswer.v3.write({ targetCurrency, data: candles });
    }),
    v3Route('publicConvertedCandlesOfSymbol', ({ symbol, period, page, targetCurrency }) => {
      if (!isCurrency(targetCurrency)) return currencyNotFound();
      const candles = ofSymbol(core, symbol, converted(period, page, targetCurrency));
      return candles instanceof Refusal
        ? candles
        : convertedAnswer.v3.write({ targetCurrency, data: candles });
    }),
  ];
}
