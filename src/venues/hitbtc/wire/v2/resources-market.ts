import { z } from 'zod';
import { amountField, nameField, optionalAmountField, parseList, parseWith } from '../fields.ts';

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

/** Source: API v2, "Symbol". */
export type V2Symbol = Readonly<z.output<typeof symbolMembers>>;
export function readV2Symbol(json: unknown): V2Symbol {
  return parseWith(symbolMembers, json, 'v2 symbol');
}

export function readV2Symbols(json: unknown): readonly V2Symbol[] {
  return parseList(json, 'v2 symbols', readV2Symbol);
}
