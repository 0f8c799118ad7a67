import type { z } from 'zod';
import type { Amount } from '../../../core/base/amount.ts';
import type { Micros } from '../../../core/base/clock.ts';
import type { Instrument, Instruments } from '../../../core/model/instrument.ts';
import type { Candle, CandlePeriod, Level, MarketTrade, Ticker } from '../../../core/model/market.ts';
import type { Side } from '../../../core/model/order.ts';
import { amountField, optionalAmountField, timeField, unsignedField } from './fields.ts';
import { lotsOf, ticksOf } from './grid.ts';
import { entriesOf } from './v3/symbols.ts';

// Rows of public REST answers. Both versions show the same; the second and the third differ in the spelling of members.

/** A price or volume that may be left out or null, as text. */
const bestField = unsignedField.nullish().transform((text) => text ?? undefined);

/** The members of a ticker that are spelled alike: 24-hour numbers, what nobody knows yet left out or null. */
export const tickerShape = {
  ask: bestField,
  bid: bestField,
  last: optionalAmountField,
  open: optionalAmountField,
  low: optionalAmountField,
  high: optionalAmountField,
  volume: optionalAmountField,
  timestamp: timeField,
};

/** The members of a candle that are spelled alike. */
export const candleShape = {
  timestamp: timeField,
  open: amountField,
  close: amountField,
  min: amountField,
  max: amountField,
  volume: amountField,
};

type TickerRow = { readonly [Name in keyof typeof tickerShape]: z.output<(typeof tickerShape)[Name]> };
type CandleRow = { readonly [Name in keyof typeof candleShape]: z.output<(typeof candleShape)[Name]> };

/** A ticker; sizes of the best prices are not given over REST. Throws `BadInput` naming the member off the grid. */
export function tickerOf(row: TickerRow, volumeQuote: Amount | undefined, instrument: Instrument): Ticker {
  return {
    instrument: instrument.id,
    time: row.timestamp,
    bid: row.bid === undefined ? undefined : ticksOf(instrument, row.bid, 'bid'),
    bidQuantity: undefined,
    ask: row.ask === undefined ? undefined : ticksOf(instrument, row.ask, 'ask'),
    askQuantity: undefined,
    last: row.last,
    open: row.open,
    high: row.high,
    low: row.low,
    volume: row.volume,
    volumeQuote,
  };
}

/** A public trade; `quantity` is its text and the member's name. Throws `BadInput` naming the member off the grid. */
export function tradeOf(
  row: { readonly id: string; readonly price: string; readonly side: Side; readonly timestamp: Micros },
  quantity: readonly [text: string, member: string],
  instrument: Instrument,
): MarketTrade {
  return {
    tradeId: row.id,
    price: ticksOf(instrument, row.price, 'price'),
    quantity: lotsOf(instrument, ...quantity),
    side: row.side,
    time: row.timestamp,
  };
}

/** A level of a book. Throws `BadInput` naming the member off the grid. */
export function levelOf(instrument: Instrument, price: string, size: string): Level {
  return { price: ticksOf(instrument, price, 'price'), quantity: lotsOf(instrument, size, 'size') };
}

/** A candle; answers do not repeat the period. */
export function candleOf(
  row: CandleRow,
  volumeQuote: Amount,
  { instrument, period }: { readonly instrument: Instrument; readonly period: CandlePeriod },
): Candle {
  const { timestamp, open, close, min, max, volume } = row;
  return { instrument: instrument.id, period, time: timestamp, open, close, min, max, volume, volumeQuote };
}

/**
 * What an answer keyed by symbol says of each of the instruments, in its order; other symbols are passed over.
 * Throws `BadInput` when it is not such an answer.
 */
export function readBySymbol<Value>(
  json: unknown,
  instruments: Instruments,
  what: string,
  read: (value: unknown, instrument: Instrument) => Value,
): readonly Value[] {
  const found: Value[] = [];
  for (const [symbol, value] of entriesOf(json, what)) {
    const instrument = instruments.find(symbol);
    if (instrument !== undefined) found.push(read(value, instrument));
  }
  return found;
}
