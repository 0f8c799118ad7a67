import { camelKeys } from '../camel.ts';
import type { CamelKeys } from '../camel.ts';
import { amountField, nameField, optionalAmountField, parseWith, timeField } from '../fields.ts';
import { z } from 'zod';

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

/** A symbol of v3: steps, rates and leverage are exact, `expiry` is null for perpetual contracts. Source: API v3, "Symbol". */
export type V3Symbol = { readonly symbol: string } & CamelKeys<z.output<typeof symbolMembers>>;
export function readV3Symbol(json: unknown, symbol: string): V3Symbol {
  return { symbol, ...camelKeys(parseWith(symbolMembers, json, `symbol ${symbol.slice(0, 40)}`)) };
}
