import type { CandlePeriod } from '../../../../core/model/market.ts';
import type {
  FuturesState,
  V3ChannelBook,
  V3Candle,
  V3ChannelTicker,
  V3ChannelTop,
  V3PublicTrade,
} from '../../wire/resources/index.ts';
import {
  readFuturesNotice,
  bookNotice,
  candle,
  priceTicker,
  publicTrade,
  readV3ChannelRate,
  ticker,
  topOfBook,
} from '../../wire/resources/index.ts';

/** A channel of the v3 public socket, with how its payloads are read. Source: v3-gaps, section 1.3. */
export interface TypedChannel<Payload> {
  readonly name: string;
  readonly keys: 'symbols' | 'currencies';
  readonly read: (payload: unknown, key: string) => Payload;
  /** Books need every update: a gap asks for a fresh snapshot. */
  readonly sequenced?: boolean;
}

export type TickerSpeed = '1s' | '3s';
export type BookSpeed = '100ms' | '500ms' | '1000ms';
export type BookDepth = 'D5' | 'D10' | 'D20';

/** Public trades: a snapshot when a limit was asked for, then every trade. */
export function tradesChannel(): TypedChannel<readonly V3PublicTrade[]> {
  return { name: 'trades', keys: 'symbols', read: publicTrade.channel.readList };
}

/** Candles: a snapshot when a limit was asked for, then the running candle. */
export function candlesChannel(period: CandlePeriod): TypedChannel<readonly V3Candle[]> {
  return { name: `candles/${period}`, keys: 'symbols', read: candle.channel.readList };
}

/** Candles in another currency. */
export function convertedCandlesChannel(period: CandlePeriod): TypedChannel<readonly V3Candle[]> {
  return { name: `converted/candles/${period}`, keys: 'symbols', read: candle.channel.readList };
}

/** 24-hour tickers, on change. */
export function tickerChannel(speed: TickerSpeed, batch = false): TypedChannel<V3ChannelTicker> {
  return { name: `ticker/${speed}${tail(batch)}`, keys: 'symbols', read: ticker.channel.read };
}

/** Tickers without best prices. */
export function priceTickerChannel(speed: TickerSpeed, batch = false): TypedChannel<V3ChannelTicker> {
  return { name: `ticker/price/${speed}${tail(batch)}`, keys: 'symbols', read: priceTicker.channel.read };
}

/** Prices of currencies in another one. */
export function priceRateChannel(
  speed: TickerSpeed,
  batch = false,
): TypedChannel<ReturnType<typeof readV3ChannelRate>> {
  return { name: `price/rate/${speed}${tail(batch)}`, keys: 'currencies', read: readV3ChannelRate };
}

/** Whole books: a snapshot, then every change. */
export function fullBookChannel(): TypedChannel<V3ChannelBook> {
  return { name: 'orderbook/full', keys: 'symbols', read: bookNotice.channel.read, sequenced: true };
}

/** The best levels, whole each time. */
export function partialBookChannel(
  depth: BookDepth,
  speed: BookSpeed,
  batch = false,
): TypedChannel<V3ChannelBook> {
  return {
    name: `orderbook/${depth}/${speed}${tail(batch)}`,
    keys: 'symbols',
    read: bookNotice.channel.read,
  };
}

/** Best bid and ask. */
export function topOfBookChannel(speed: BookSpeed, batch = false): TypedChannel<V3ChannelTop> {
  return { name: `orderbook/top/${speed}${tail(batch)}`, keys: 'symbols', read: topOfBook.channel.read };
}

/** Mark and index price, funding and open interest of contracts. */
export function futuresInfoChannel(): TypedChannel<FuturesState> {
  return { name: 'futures/info', keys: 'symbols', read: readFuturesNotice };
}

function tail(batch: boolean): string {
  return batch ? '/batch' : '';
}
