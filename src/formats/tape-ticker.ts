import { parseAmount } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import type { TickerChanged } from '../model/event.ts';
import type { Instrument, Lots, Ticks } from '../model/instrument.ts';
import type { TapeTicker } from './tape.ts';

/** What a venue said of the top of a book, as an event; without a time of the venue's that of arrival stands in. */
export function tickerEvent(instrument: Instrument, ticker: TapeTicker, receiveTime: Micros): TickerChanged {
  const time = ticker.time ?? receiveTime;
  const none = undefined;
  return {
    kind: 'ticker',
    instrument: instrument.id,
    ticker: {
      instrument: instrument.id,
      time,
      bid: onGrid(ticker.bid, (text) => instrument.readTicks(text)),
      bidQuantity: onGrid(ticker.bidQuantity, (text) => instrument.readLots(text)),
      ask: onGrid(ticker.ask, (text) => instrument.readTicks(text)),
      askQuantity: onGrid(ticker.askQuantity, (text) => instrument.readLots(text)),
      last: ticker.last === undefined ? none : parseAmount(ticker.last),
      open: none,
      high: none,
      low: none,
      volume: none,
      volumeQuote: none,
    },
    exchangeTime: time,
    receiveTime,
  };
}

/** Tickers are rounded by some venues: what is off the grid is left out. */
function onGrid<Unit extends Ticks | Lots>(
  text: string | undefined,
  read: (text: string) => Unit,
): Unit | undefined {
  if (text === undefined) return undefined;
  const value = read(text);
  return value > 0 ? value : undefined;
}
