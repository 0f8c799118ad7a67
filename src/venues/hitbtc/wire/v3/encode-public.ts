import { formatAmount } from '../../../../core/base/amount.ts';
import type { Instrument } from '../../../../core/model/instrument.ts';
import type { Candle, Level, MarketTrade, Ticker } from '../../../../core/model/market.ts';
import { priceAmountText, printTime, volumeQuoteText, volumeText } from '../formats.ts';
import { idNumber } from '../id-number.ts';
import type { LastPrice, PriceHistory, PriceRate, RestBook } from '../market-rows.ts';
import { sizeText } from '../plain.ts';

// Writers of the public REST answers: the value of one symbol. Lists are objects of these keyed by symbol.

/** Source: API v3, "Ticker". Values without data are null. */
export function encodeV3RestTicker(instrument: Instrument, ticker: Ticker): object {
  const price = (amount: Ticker['last']) =>
    amount === undefined ? null : priceAmountText(instrument, amount);
  return {
    ask: ticker.ask === undefined ? null : instrument.priceText(ticker.ask),
    bid: ticker.bid === undefined ? null : instrument.priceText(ticker.bid),
    last: price(ticker.last),
    low: price(ticker.low),
    high: price(ticker.high),
    open: price(ticker.open),
    volume: ticker.volume === undefined ? null : volumeText(instrument, ticker.volume),
    volume_quote: ticker.volumeQuote === undefined ? null : volumeQuoteText(instrument, ticker.volumeQuote),
    timestamp: printTime(ticker.time),
  };
}

/** Source: API v3, "Public trade". */
export function encodeV3RestTrade(instrument: Instrument, trade: MarketTrade): object {
  return {
    id: idNumber(trade.tradeId),
    price: instrument.priceText(trade.price),
    qty: instrument.quantityText(trade.quantity),
    side: trade.side,
    timestamp: printTime(trade.time),
  };
}

/** Source: v3-gaps, section 4.1. */
export function encodeV3RestBook(instrument: Instrument, book: Omit<RestBook, 'instrument'>): object {
  const rows = (levels: readonly Level[]) =>
    levels.map(({ price, quantity }) => [instrument.priceText(price), sizeText(instrument, quantity)]);
  return { timestamp: printTime(book.time), ask: rows(book.asks), bid: rows(book.bids) };
}

/** Source: v3-gaps, section 4.2. */
export function encodeV3RestCandle(instrument: Instrument, candle: Candle): object {
  return {
    timestamp: printTime(candle.time),
    open: priceAmountText(instrument, candle.open),
    close: priceAmountText(instrument, candle.close),
    min: priceAmountText(instrument, candle.min),
    max: priceAmountText(instrument, candle.max),
    volume: volumeText(instrument, candle.volume),
    volume_quote: volumeQuoteText(instrument, candle.volumeQuote),
  };
}

/** A candle in another currency, whose scale the symbol does not give. Source: v3-gaps, section 4.3. */
export function encodeV3RestConvertedCandle(candle: Candle): object {
  return {
    timestamp: printTime(candle.time),
    open: formatAmount(candle.open),
    close: formatAmount(candle.close),
    min: formatAmount(candle.min),
    max: formatAmount(candle.max),
    volume: formatAmount(candle.volume),
    volume_quote: formatAmount(candle.volumeQuote),
  };
}

/** Source: API v3, "Price objects", Last price. */
export function encodeV3LastPrice(instrument: Instrument, last: Omit<LastPrice, 'instrument'>): object {
  return { price: priceAmountText(instrument, last.price), timestamp: printTime(last.time) };
}

/** The value under the source currency. Source: API v3, "Price objects", Rate. */
export function encodeV3RestRate(rate: Omit<PriceRate, 'from'>): object {
  return { currency: rate.to, price: formatAmount(rate.price), timestamp: printTime(rate.time) };
}

/** The value under the source currency. Source: API v3, "Price objects", History entry. */
export function encodeV3RateHistory(history: Omit<PriceHistory, 'from'>): object {
  return {
    currency: history.to,
    history: history.history.map((entry) => ({
      timestamp: printTime(entry.time),
      open: formatAmount(entry.open),
      close: formatAmount(entry.close),
      min: formatAmount(entry.min),
      max: formatAmount(entry.max),
    })),
  };
}
