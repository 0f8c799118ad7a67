import type { Instrument } from '../../../../core/model/instrument.ts';
import type { Candle, CandlePeriod, Level, MarketTrade, Ticker } from '../../../../core/model/market.ts';
import type { BookLevels } from '../book-levels.ts';
import { priceAmountText, printTime, volumeQuoteText, volumeText } from '../formats.ts';
import { sizeText } from '../plain.ts';

// What a server says on the v2 market data socket: params as JSON text, and the notification around them.

/** A notification: `{"jsonrpc":"2.0","method":...,"params":...}`. Source: API v2, "Socket methods". */
export function encodeV2Notification(method: string, params: string): string {
  return `{"jsonrpc":"2.0","method":"${method}","params":${params}}`;
}

/** Params of `snapshotOrderbook` and `updateOrderbook`. Source: v2-gaps, section 5. */
export function encodeV2Book(instrument: Instrument, book: BookLevels): string {
  const asks = levelsText(instrument, book.asks);
  const bids = levelsText(instrument, book.bids);
  return `{"ask":[${asks}],"bid":[${bids}],"symbol":${JSON.stringify(instrument.symbol)},"sequence":${book.sequence},"timestamp":"${printTime(book.time)}"}`;
}

/** Params of `snapshotTrades` and `updateTrades`, in the order given (the service sends ascending ids). */
export function encodeV2Trades(instrument: Instrument, trades: readonly MarketTrade[]): string {
  const rows = trades.map((trade) => encodeV2Trade(instrument, trade));
  return `{"data":[${rows.join(',')}],"symbol":${JSON.stringify(instrument.symbol)}}`;
}

/** One public trade: a member of `data`, and of the REST lists. Source: API v2, "Public trade". */
export function encodeV2Trade(instrument: Instrument, trade: MarketTrade): string {
  const price = instrument.priceText(trade.price);
  const quantity = instrument.quantityText(trade.quantity);
  return `{"id":${trade.tradeId},"price":"${price}","quantity":"${quantity}","side":"${trade.side}","timestamp":"${printTime(trade.time)}"}`;
}

/** Params of `snapshotCandles` and `updateCandles`, in the order given. */
export function encodeV2Candles(
  instrument: Instrument,
  period: CandlePeriod,
  candles: readonly Candle[],
): string {
  const rows = candles.map((candle) => encodeV2Candle(instrument, candle));
  return `{"data":[${rows.join(',')}],"period":"${period}","symbol":${JSON.stringify(instrument.symbol)}}`;
}

/** One candle: a member of `data`, and of the REST lists. Source: API v2, "Candle". */
export function encodeV2Candle(instrument: Instrument, candle: Candle): string {
  const text = (amount: Candle['open']) => priceAmountText(instrument, amount);
  const prices = `"open":"${text(candle.open)}","close":"${text(candle.close)}","min":"${text(candle.min)}","max":"${text(candle.max)}"`;
  return `{"timestamp":"${printTime(candle.time)}",${prices},"volume":"${volumeText(instrument, candle.volume)}","volumeQuote":"${volumeQuoteText(instrument, candle.volumeQuote)}"}`;
}

/** Params of `ticker`, and the REST ticker. Values without data are null. Source: API v2, "Ticker". */
export function encodeV2Ticker(instrument: Instrument, ticker: Ticker): string {
  const best = (ticks: Ticker['bid']) => (ticks === undefined ? 'null' : `"${instrument.priceText(ticks)}"`);
  const price = (amount: Ticker['last']) =>
    amount === undefined ? 'null' : `"${priceAmountText(instrument, amount)}"`;
  const volume = ticker.volume === undefined ? 'null' : `"${volumeText(instrument, ticker.volume)}"`;
  const volumeQuote =
    ticker.volumeQuote === undefined ? 'null' : `"${volumeQuoteText(instrument, ticker.volumeQuote)}"`;
  return `{"ask":${best(ticker.ask)},"bid":${best(ticker.bid)},"last":${price(ticker.last)},"open":${price(ticker.open)},"low":${price(ticker.low)},"high":${price(ticker.high)},"volume":${volume},"volumeQuote":${volumeQuote},"timestamp":"${printTime(ticker.time)}","symbol":${JSON.stringify(instrument.symbol)}}`;
}

function levelsText(instrument: Instrument, levels: readonly Level[]): string {
  let text = '';
  for (const { price, quantity } of levels) {
    text += `${text === '' ? '' : ','}{"price":"${instrument.priceText(price)}","size":"${sizeText(instrument, quantity)}"}`;
  }
  return text;
}
