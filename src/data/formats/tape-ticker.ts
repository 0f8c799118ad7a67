import { parseAmount } from '../../core/base/amount.ts';
import type { Micros } from '../../core/base/clock.ts';
import type { TickerChanged } from '../../core/model/event.ts';
import type { Instrument, Lots, Ticks } from '../../core/model/instrument.ts';
import { misfit } from './fields.ts';
import { decimal } from './symbol-survey.ts';
import type { TapeTicker } from './tape.ts';

/**
 * What a venue said of the top of a book, as an event; without a time of the venue's that of arrival stands in. Throws
 * `BadInput` where a price or a quantity is no number.
 */
export function tickerEvent(instrument: Instrument, ticker: TapeTicker, receiveTime: Micros): TickerChanged {
  const time = ticker.time ?? receiveTime;
  const none = undefined;
  return {
    kind: 'ticker',
    instrument: instrument.id,
    ticker: {
      instrument: instrument.id,
      time,
      bid: onGrid(ticker.bid, 'price', (text) => instrument.readTicks(text)),
      bidQuantity: onGrid(ticker.bidQuantity, 'quantity', (text) => instrument.readLots(text)),
      ask: onGrid(ticker.ask, 'price', (text) => instrument.readTicks(text)),
      askQuantity: onGrid(ticker.askQuantity, 'quantity', (text) => instrument.readLots(text)),
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
  what: 'price' | 'quantity',
  read: (text: string) => Unit,
): Unit | undefined {
  if (text === undefined) return undefined;
  const value = read(text);
  if (value > 0) return value;
  if (value !== 0 && !decimal.test(text)) throw misfit(`the ${what}`, 'a plain decimal', text);
  return undefined;
}
