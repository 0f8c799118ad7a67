import { z } from 'zod';
import { BadInput } from '../../../../core/base/errors.ts';
import type { Instrument, Instruments } from '../../../../core/model/instrument.ts';
import type { Candle, CandlePeriod, Level, MarketTrade, Ticker } from '../../../../core/model/market.ts';
import { amountField, idField, nameField, optionalAmountField, parseWith, sideField } from '../fields.ts';
import { timeField, unsignedField } from '../fields.ts';
import type { CandlesOf, LastPrice, PriceHistory, PriceRate, RestBook, TradesOf } from '../market-rows.ts';
import {
  candleOf,
  candleShape,
  levelOf,
  readBySymbol,
  tickerOf,
  tickerShape,
  tradeOf,
} from '../rest-rows.ts';
import { entriesOf } from './symbols.ts';

// Readers of the public REST answers. Lists keyed by symbol pass over symbols that are not among the instruments.

const tickerMembers = z.object({ ...tickerShape, volume_quote: optionalAmountField });
const tradeRows = z.array(
  z.object({ id: idField, price: unsignedField, qty: unsignedField, side: sideField, timestamp: timeField }),
);
const candleRows = z.array(z.object({ ...candleShape, volume_quote: amountField }));
const levels = z.array(z.tuple([unsignedField, unsignedField]));
const bookMembers = z.object({ timestamp: timeField, ask: levels, bid: levels });
const lastPriceMembers = z.object({ price: amountField, timestamp: timeField });
const rateMembers = z.object({ currency: nameField, price: amountField, timestamp: timeField });
const historyMembers = z.object({
  currency: nameField,
  history: z.array(
    z.object({
      timestamp: timeField,
      open: amountField,
      close: amountField,
      min: amountField,
      max: amountField,
    }),
  ),
});

/** Tickers keyed by symbol. Source: API v3, "Ticker". */
export function decodeV3Tickers(json: unknown, instruments: Instruments): readonly Ticker[] {
  return readBySymbol(json, instruments, 'v3 tickers', decodeV3Ticker);
}

/** One ticker; sizes of the best prices are not given over REST. */
export function decodeV3Ticker(json: unknown, instrument: Instrument): Ticker {
  const row = parseWith(tickerMembers, json, `ticker of ${instrument.symbol}`);
  return tickerOf(row, row.volume_quote, instrument);
}

/** Public trades keyed by symbol. Source: API v3, "Public trade". */
export function decodeV3TradesBySymbol(json: unknown, instruments: Instruments): readonly TradesOf[] {
  return readBySymbol(json, instruments, 'v3 trades', (value, instrument) => ({
    instrument: instrument.id,
    trades: decodeV3Trades(value, instrument),
  }));
}

/** Public trades of one symbol. Source: v3-gaps, section 4.4. */
export function decodeV3Trades(json: unknown, instrument: Instrument): readonly MarketTrade[] {
  return parseWith(tradeRows, json, `trades of ${instrument.symbol}`).map((row) =>
    tradeOf(row, [row.qty, 'qty'], instrument),
  );
}

/** Order books keyed by symbol. */
export function decodeV3Books(json: unknown, instruments: Instruments): readonly RestBook[] {
  return readBySymbol(json, instruments, 'v3 order books', decodeV3Book);
}

/** One order book. Source: v3-gaps, section 4.1. */
export function decodeV3Book(json: unknown, instrument: Instrument): RestBook {
  const row = parseWith(bookMembers, json, `order book of ${instrument.symbol}`);
  const side = (rows: z.output<typeof levels>): readonly Level[] =>
    rows.map(([price, size]) => levelOf(instrument, price, size));
  return { instrument: instrument.id, time: row.timestamp, asks: side(row.ask), bids: side(row.bid) };
}

/** Candles keyed by symbol. Source: v3-gaps, section 4.2. */
export function decodeV3CandlesBySymbol(
  json: unknown,
  instruments: Instruments,
  period: CandlePeriod,
): readonly CandlesOf[] {
  return readBySymbol(json, instruments, 'v3 candles', (value, instrument) => ({
    instrument: instrument.id,
    candles: decodeV3Candles(value, instrument, period),
  }));
}

/** Candles of one symbol; the answer does not repeat the period. */
export function decodeV3Candles(
  json: unknown,
  instrument: Instrument,
  period: CandlePeriod,
): readonly Candle[] {
  const rows = parseWith(candleRows, json, `candles of ${instrument.symbol}`);
  return rows.map((row) => candleOf(row, row.volume_quote, { instrument, period }));
}

/** Last prices keyed by symbol. Source: API v3, "Price objects". */
export function decodeV3LastPrices(json: unknown, instruments: Instruments): readonly LastPrice[] {
  return readBySymbol(json, instruments, 'v3 last prices', decodeV3LastPrice);
}

/** The last price of one symbol. */
export function decodeV3LastPrice(json: unknown, instrument: Instrument): LastPrice {
  const row = parseWith(lastPriceMembers, json, `last price of ${instrument.symbol}`);
  return { instrument: instrument.id, price: row.price, time: row.timestamp };
}

/** Rates keyed by source currency. Source: API v3, "Price objects", Rate. */
export function decodeV3Rates(json: unknown): readonly PriceRate[] {
  return entriesOf(json, 'v3 rates').map(([from, value]) => {
    const row = parseWith(rateMembers, value, `rate of ${from.slice(0, 40)}`);
    return { from, to: row.currency, price: row.price, time: row.timestamp };
  });
}

/** Rates over time keyed by source currency. Source: API v3, "Price objects", History entry. */
export function decodeV3RateHistory(json: unknown): readonly PriceHistory[] {
  return entriesOf(json, 'v3 rate history').map(([from, value]) => {
    const row = parseWith(historyMembers, value, `rate history of ${from.slice(0, 40)}`);
    return {
      from,
      to: row.currency,
      history: row.history.map(({ timestamp, ...prices }) => ({ time: timestamp, ...prices })),
    };
  });
}

const convertedMembers = z.object({ target_currency: nameField, data: z.unknown() });

/** Candles in another currency, keyed by symbol. Source: v3-gaps, section 4.3. */
export function decodeV3ConvertedCandles(
  json: unknown,
  instruments: Instruments,
  period: CandlePeriod,
): { readonly targetCurrency: string; readonly candles: readonly CandlesOf[] } {
  const row = parseWith(convertedMembers, json, 'v3 converted candles');
  if (Array.isArray(row.data)) throw new BadInput('v3 converted candles: expected data keyed by symbol');
  return {
    targetCurrency: row.target_currency,
    candles: decodeV3CandlesBySymbol(row.data, instruments, period),
  };
}

/** Candles of one symbol in another currency. */
export function decodeV3ConvertedCandlesOf(
  json: unknown,
  instrument: Instrument,
  period: CandlePeriod,
): { readonly targetCurrency: string; readonly candles: readonly Candle[] } {
  const row = parseWith(convertedMembers, json, 'v3 converted candles');
  return { targetCurrency: row.target_currency, candles: decodeV3Candles(row.data, instrument, period) };
}
