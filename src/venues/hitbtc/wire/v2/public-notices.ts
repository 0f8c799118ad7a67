import type { Instrument } from '../../../../core/model/instrument.ts';
import type { Candle, CandlePeriod, Level, MarketTrade } from '../../../../core/model/market.ts';
import type { BookLevels } from '../book-levels.ts';
import { printTime } from '../formats.ts';
import { sizeText } from '../plain.ts';
import { encodeCandle, encodePublicTrade } from '../resources/market.ts';

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
  const data = trades.map((trade) => encodePublicTrade('v2', trade, instrument));
  return JSON.stringify({ data, symbol: instrument.symbol });
}

/** Params of `snapshotCandles` and `updateCandles`, in the order given. */
export function encodeV2Candles(
  instrument: Instrument,
  period: CandlePeriod,
  candles: readonly Candle[],
): string {
  const data = candles.map((candle) => encodeCandle('v2', candle, instrument));
  return JSON.stringify({ data, period, symbol: instrument.symbol });
}

function levelsText(instrument: Instrument, levels: readonly Level[]): string {
  let text = '';
  for (const { price, quantity } of levels) {
    text += `${text === '' ? '' : ','}{"price":"${instrument.priceText(price)}","size":"${sizeText(instrument, quantity)}"}`;
  }
  return text;
}
