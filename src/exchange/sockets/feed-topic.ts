import type { Micros } from '../../core/base/clock.ts';
import type { Candle } from '../../core/model/market.ts';
import type { Bar } from '../market/candles.ts';
import type { Connection } from './connection.ts';
import type { CandlesFormat, TradesFormat } from './feed-format.ts';
import type { KeptTrade, Market } from '../market/market.ts';
import type { Ring } from '../ring.ts';

/** What a feed knows of one symbol (or currency). */
export interface Topic {
  readonly key: string;
  readonly market: Market | undefined;
  readonly subscribers: Set<Connection>;
  /** Number of the last trade sent, for trades and candles. */
  tradeNumber: number;
  /** Start of the last candle sent, and its text: an unchanged one is not repeated. */
  candleTime: Micros;
  candleText: string;
  /** Mark of the last value sent. */
  mark: string;
}

/** Trades since the last message, as an update. */
export function newTrades(format: TradesFormat, market: Market, topic: Topic): string {
  const trades: KeptTrade[] = [];
  for (let i = market.trades.size - 1; i >= 0; i--) {
    const trade = market.trades.at(i) as KeptTrade;
    if (trade.number <= topic.tradeNumber) break;
    trades.push(trade);
  }
  return format.trades(market, trades.reverse());
}

/** Candles that are new or have changed since the last message; undefined when none has. */
export function newCandles(format: CandlesFormat, market: Market, topic: Topic): string | undefined {
  const bars = market.candles.bars(format.period);
  const changed: Candle[] = [];
  for (let i = bars.size - 1; i >= 0; i--) {
    const bar = bars.at(i) as Bar;
    if (bar.time < topic.candleTime) break;
    changed.push(market.candles.candle(format.period, bar));
    // Before the first message only the running candle is of interest.
    if (topic.candleTime === 0) break;
  }
  changed.reverse();
  // The candle sent last comes again only if it has changed since.
  const first = changed[0];
  if (changed.length > 1 && first !== undefined && format.candles(market, [first]) === topic.candleText)
    changed.shift();
  const last = changed.at(-1);
  if (last === undefined) return undefined;
  topic.candleTime = last.time;
  topic.candleText = format.candles(market, [last]);
  return changed.length === 1 ? topic.candleText : format.candles(market, changed);
}

/** The newest `limit` of the first `size` items, oldest first. */
export function newest<Item>(ring: Ring<Item>, limit: number, size: number): Item[] {
  const items: Item[] = [];
  for (let i = Math.max(0, size - limit); i < size; i++) items.push(ring.at(i) as Item);
  return items;
}

/** How many trades have a number up to this one. */
export function countUpTo(trades: Ring<KeptTrade>, tradeNumber: number): number {
  return trades.lowerBound(tradeNumber + 1, (trade) => trade.number);
}
