import type { CandlePeriod } from '../../core/model/market.ts';
import type { FuturesSeries } from '../../venues/hitbtc/wire/resources/index.ts';
import { fundingRow, futuresCandleObject, futuresState } from '../../venues/hitbtc/wire/resources/index.ts';
import type { PageQuery, Core } from '../base/index.ts';
import { candleReading, pageOf, refuse, symbolNotFound } from '../base/index.ts';
import type { FuturesMarket } from './market.ts';
import type { ListedContract } from './contract.ts';
import { byName, v3Route } from '../http/index.ts';
import type { RestRoute } from '../http/index.ts';

interface FuturesRouteDeps {
  readonly core: Core;
  readonly futures: FuturesMarket;
}

/** Public data of the futures contracts. Source: v3-gaps, section 4.5. */
export function v3FuturesPublicRoutes({ core, futures }: FuturesRouteDeps): readonly RestRoute[] {
  const listed = (
    symbols: readonly string[] | undefined,
    read: (contract: ListedContract) => object | undefined,
  ) =>
    byName(symbols ?? futures.contracts.map(({ instrument }) => instrument.symbol), (symbol) => {
      const contract = futures.find(symbol);
      return contract && read(contract);
    });
  const one = (symbol: string, read: (contract: ListedContract) => object): object => {
    const contract = futures.find(symbol);
    if (contract !== undefined) return read(contract);
    if (core.instruments.find(symbol) === undefined) return symbolNotFound(symbol);
    return refuse(10_001, { message: `Is not futures:${symbol}` });
  };
  return [
    v3Route('publicFuturesInfos', ({ symbols }) => listed(symbols, stateOf)),
    v3Route('publicFuturesInfo', ({ symbol }) =>
      one(symbol, (contract) => stateOf(contract) ?? refuse(2_001, { message: `No price of ${symbol} yet` })),
    ),
    v3Route('publicFundingHistory', ({ symbols, page }) => listed(symbols, fundingOf(page))),
    v3Route('publicFundingHistoryOfSymbol', ({ symbol, page }) => one(symbol, fundingOf(page))),
    v3Route('publicIndexPriceCandles', ({ symbols, period, page }) =>
      listed(symbols, candlesOf('index_price', period, page)),
    ),
    v3Route('publicIndexPriceCandlesOfSymbol', ({ symbol, period, page }) =>
      one(symbol, candlesOf('index_price', period, page)),
    ),
    v3Route('publicMarkPriceCandles', ({ symbols, period, page }) =>
      listed(symbols, candlesOf('mark_price', period, page)),
    ),
    v3Route('publicMarkPriceCandlesOfSymbol', ({ symbol, period, page }) =>
      one(symbol, candlesOf('mark_price', period, page)),
    ),
    v3Route('publicPremiumIndexCandles', ({ symbols, period, page }) =>
      listed(symbols, candlesOf('premium_index', period, page)),
    ),
    v3Route('publicPremiumIndexCandlesOfSymbol', ({ symbol, period, page }) =>
      one(symbol, candlesOf('premium_index', period, page)),
    ),
    v3Route('publicOpenInterestCandles', ({ symbols, period, page }) =>
      listed(symbols, candlesOf('open_interest', period, page)),
    ),
    v3Route('publicOpenInterestCandlesOfSymbol', ({ symbol, period, page }) =>
      one(symbol, candlesOf('open_interest', period, page)),
    ),
  ];
}

function stateOf({ instrument, state }: ListedContract): object | undefined {
  return state && futuresState.v3.write(state, instrument);
}

function fundingOf(page: PageQuery) {
  return (contract: ListedContract) =>
    pageOf(contract.funding, page, candleReading).map((row) => fundingRow.v3.write(row));
}

function candlesOf(series: FuturesSeries, period: CandlePeriod, page: PageQuery) {
  return (contract: ListedContract) =>
    pageOf(contract.candles.bars(series, period), page, candleReading).map((bar) =>
      futuresCandleObject(contract.instrument, series, bar),
    );
}
