import { z } from 'zod';
import { amountField, nameField, optionalAmountField, parseList, parseWith } from '../fields.ts';
import { timeField } from '../fields.ts';

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

/** Source: API v2, "Symbol". */
export type V2Symbol = Readonly<z.output<typeof symbolMembers>>;
/** An order book, best first. Average prices came with a volume, `sequence` on sockets. Source: API v2, "Order book". */
export type V2OrderBook = Readonly<z.output<typeof bookMembers>>;

export function readV2Symbol(json: unknown): V2Symbol {
  return parseWith(symbolMembers, json, 'v2 symbol');
}

export function readV2Symbols(json: unknown): readonly V2Symbol[] {
  return parseList(json, 'v2 symbols', readV2Symbol);
}

export function readV2OrderBook(json: unknown): V2OrderBook {
  return parseWith(bookMembers, json, 'v2 order book');
}
