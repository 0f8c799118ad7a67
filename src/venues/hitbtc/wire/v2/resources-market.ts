import { z } from 'zod';
import { amountField, idField, nameField, optionalAmountField, parseList, parseWith } from '../fields.ts';
import { sideField, timeField } from '../fields.ts';
import { candleShape } from '../rest-rows.ts';

// Market data of v2 as the document shows it, whole, for callers without a list of instruments: symbols are text,
// every decimal an exact `Amount`, times `Micros`.

const symbolMembers = z.object({
  id: nameField,
  baseCurrency: nameField,
  quoteCurrency: nameField,
  quantityIncrement: amountField,
  tickSize: amountField,
  takeLiquidityRate: amountField,
  provideLiquidityRate: amountField,
  feeCurrency: nameField,
  marginTrading: z.boolean().default(false),
  maxInitialLeverage: optionalAmountField,
});
const tickerMembers = z.object({
  symbol: nameField,
  ask: optionalAmountField,
  bid: optionalAmountField,
  last: optionalAmountField,
  open: optionalAmountField,
  low: optionalAmountField,
  high: optionalAmountField,
  volume: optionalAmountField,
  volumeQuote: optionalAmountField,
  timestamp: timeField,
});
const tradeMembers = z.object({
  id: idField,
  price: amountField,
  quantity: amountField,
  side: sideField,
  timestamp: timeField,
});
const level = z
  .object({ price: amountField, size: amountField })
  .transform(({ price, size }) => ({ price, quantity: size }));
const bookMembers = z.object({
  symbol: nameField.optional(),
  timestamp: timeField,
  ask: z.array(level),
  bid: z.array(level),
  askAveragePrice: optionalAmountField,
  bidAveragePrice: optionalAmountField,
  sequence: z.int().nonnegative().optional(),
});
const candleMembers = z.object({ ...candleShape, volumeQuote: amountField });

/** Source: API v2, "Symbol". */
export type V2Symbol = Readonly<z.output<typeof symbolMembers>>;
/** 24-hour numbers; a value nobody knows yet is `undefined`. Source: API v2, "Ticker". */
export type V2Ticker = Readonly<z.output<typeof tickerMembers>>;
/** One public trade; `side` is the taker's. Source: API v2, "Public trade". */
export type V2PublicTrade = Readonly<z.output<typeof tradeMembers>>;
/** An order book, best first. Average prices came with a volume, `sequence` on sockets. Source: API v2, "Order book". */
export type V2OrderBook = Readonly<z.output<typeof bookMembers>>;
/** A candle; `timestamp` is the start of its period. Source: API v2, "Candle". */
export type V2Candle = Readonly<z.output<typeof candleMembers>>;

export function readV2Symbol(json: unknown): V2Symbol {
  return parseWith(symbolMembers, json, 'v2 symbol');
}

export function readV2Symbols(json: unknown): readonly V2Symbol[] {
  return parseList(json, 'v2 symbols', readV2Symbol);
}

export function readV2Ticker(json: unknown): V2Ticker {
  return parseWith(tickerMembers, json, 'v2 ticker');
}

export function readV2Tickers(json: unknown): readonly V2Ticker[] {
  return parseList(json, 'v2 tickers', readV2Ticker);
}

export function readV2PublicTrades(json: unknown): readonly V2PublicTrade[] {
  return parseList(json, 'v2 trades', (row) => parseWith(tradeMembers, row, 'v2 trade'));
}

export function readV2OrderBook(json: unknown): V2OrderBook {
  return parseWith(bookMembers, json, 'v2 order book');
}

export function readV2Candles(json: unknown): readonly V2Candle[] {
  return parseList(json, 'v2 candles', (row) => parseWith(candleMembers, row, 'v2 candle'));
}
