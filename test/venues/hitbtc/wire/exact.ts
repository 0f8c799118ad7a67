import type { Amount } from '../../../../src/core/base/amount.ts';
import type { Instrument } from '../../../../src/core/model/instrument.ts';
import type { Candle, Level, MarketTrade, Ticker } from '../../../../src/core/model/market.ts';

// Market data as a caller without instruments gets them: symbols are text, every decimal is an exact amount.

interface ExactLevel {
  readonly price: Amount;
  readonly quantity: Amount;
}

export function exactLevels(one: Instrument, levels: readonly Level[]): readonly ExactLevel[] {
  return levels.map(({ price, quantity }) => ({
    price: one.priceAmount(price),
    quantity: one.quantityAmount(quantity),
  }));
}

export function exactTrade(one: Instrument, trade: MarketTrade): object {
  const { tradeId, price, quantity, side, time } = trade;
  return {
    id: tradeId,
    price: one.priceAmount(price),
    quantity: one.quantityAmount(quantity),
    side,
    timestamp: time,
  };
}

export function exactCandle(candle: Candle): object {
  const { time, open, close, min, max, volume, volumeQuote } = candle;
  return { timestamp: time, open, close, min, max, volume, volumeQuote };
}

/** Sizes of the best prices are not given over REST. */
export function exactTicker(one: Instrument, ticker: Ticker): object {
  const { time, bid, ask, last, open, high, low, volume, volumeQuote } = ticker;
  return {
    timestamp: time,
    last,
    open,
    high,
    low,
    volume,
    volumeQuote,
    ...(bid !== undefined && { bid: one.priceAmount(bid) }),
    ...(ask !== undefined && { ask: one.priceAmount(ask) }),
  };
}
