import { z } from 'zod';
import type { CamelKeys } from '../camel.ts';
import { camelKeys } from '../camel.ts';
import { amountField, idField, nameField, optionalAmountField, parseList, parseWith } from '../fields.ts';
import { sideField, timeField } from '../fields.ts';
import { readKeyed } from '../keyed.ts';
import { candleShape } from '../rest-rows.ts';

// Market data as the documents show it, whole, for callers without a list of instruments: symbols are text, every
// decimal an exact `Amount`, times `Micros`. The decoders of `rest-public.ts` read the same rows onto the grid.

const symbolMembers = z.object({
  type: z.string().max(40),
  contract_type: z.string().max(40).nullish(),
  expiry: timeField.nullish(),
  underlying: nameField.nullish(),
  base_currency: nameField.nullish(),
  quote_currency: nameField,
  status: z.string().max(40),
  quantity_increment: amountField,
  tick_size: amountField,
  take_rate: amountField,
  make_rate: amountField,
  fee_currency: nameField,
  margin_trading: z.boolean().default(false),
  max_initial_leverage: optionalAmountField,
});
const tickerMembers = z.object({
  ask: optionalAmountField,
  bid: optionalAmountField,
  last: optionalAmountField,
  open: optionalAmountField,
  low: optionalAmountField,
  high: optionalAmountField,
  volume: optionalAmountField,
  volume_quote: optionalAmountField,
  timestamp: timeField,
});
const lastPriceMembers = z.object({ price: amountField, timestamp: timeField });
const tradeMembers = z.object({
  id: idField,
  price: amountField,
  qty: amountField,
  side: sideField,
  timestamp: timeField,
});
const level = z.tuple([amountField, amountField]).transform(([price, quantity]) => ({ price, quantity }));
const bookMembers = z.object({ timestamp: timeField, ask: z.array(level), bid: z.array(level) });
const candleMembers = z.object({ ...candleShape, volume_quote: amountField });
const convertedMembers = z.object({ target_currency: nameField, data: z.unknown() });

/** A symbol of v3: steps, rates and leverage are exact, `expiry` is null for perpetual contracts. Source: API v3, "Symbol". */
export type V3Symbol = { readonly symbol: string } & CamelKeys<z.output<typeof symbolMembers>>;
/** 24-hour numbers of a symbol; a value nobody knows yet is `undefined`. Source: API v3, "Ticker". */
export type V3Ticker = CamelKeys<z.output<typeof tickerMembers>>;
/** Source: API v3, "Price objects", Last price. */
export type V3LastPrice = CamelKeys<z.output<typeof lastPriceMembers>>;
/** One public trade; `side` is the taker's. Source: API v3, "Public trade". */
export type V3PublicTrade = CamelKeys<Omit<z.output<typeof tradeMembers>, 'qty'>> & {
  readonly quantity: z.output<typeof amountField>;
};
/** An order book, best first on both sides, without sequence. Source: v3-gaps, section 4.1. */
export type V3OrderBook = CamelKeys<z.output<typeof bookMembers>>;
/** A candle; `timestamp` is the start of its period. Source: v3-gaps, section 4.2. */
export type V3Candle = CamelKeys<z.output<typeof candleMembers>>;
/** Something told in another currency. Source: v3-gaps, section 4.3. */
export interface V3Converted<Value> {
  readonly targetCurrency: string;
  readonly data: Value;
}

export function readV3Symbol(json: unknown, symbol: string): V3Symbol {
  return { symbol, ...camelKeys(parseWith(symbolMembers, json, `symbol ${symbol.slice(0, 40)}`)) };
}

export function readV3Ticker(json: unknown): V3Ticker {
  return camelKeys(parseWith(tickerMembers, json, 'v3 ticker'));
}

export function readV3LastPrice(json: unknown): V3LastPrice {
  return camelKeys(parseWith(lastPriceMembers, json, 'v3 last price'));
}

export function readV3PublicTrades(json: unknown): readonly V3PublicTrade[] {
  return parseList(json, 'v3 trades', (row) => {
    const { qty, ...rest } = parseWith(tradeMembers, row, 'v3 trade');
    return { ...rest, quantity: qty };
  });
}

export function readV3OrderBook(json: unknown): V3OrderBook {
  return camelKeys(parseWith(bookMembers, json, 'v3 order book'));
}

export function readV3Candles(json: unknown): readonly V3Candle[] {
  return parseList(json, 'v3 candles', (row) => camelKeys(parseWith(candleMembers, row, 'v3 candle')));
}

/** Converted candles of many symbols. */
export function readV3ConvertedCandles(json: unknown): V3Converted<ReadonlyMap<string, readonly V3Candle[]>> {
  const row = parseWith(convertedMembers, json, 'v3 converted candles');
  return {
    targetCurrency: row.target_currency,
    data: readKeyed(row.data, 'v3 converted candles', readV3Candles),
  };
}

/** Converted candles of one symbol. */
export function readV3ConvertedCandlesOf(json: unknown): V3Converted<readonly V3Candle[]> {
  const row = parseWith(convertedMembers, json, 'v3 converted candles');
  return { targetCurrency: row.target_currency, data: readV3Candles(row.data) };
}
