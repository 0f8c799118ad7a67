import { camelKeys } from '../camel.ts';
import type { CamelKeys } from '../camel.ts';
import { amountField, nameField, optionalAmountField, parseWith, timeField } from '../fields.ts';
import { readKeyed } from '../keyed.ts';
import type { PriceHistory, PriceRate } from '../market-rows.ts';
import { candle } from '../resources/market.ts';
import type { V3Candle } from '../resources/market.ts';
import { entriesOf } from './symbols.ts';
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
const convertedMembers = z.object({ target_currency: nameField, data: z.unknown() });

/** A symbol of v3: steps, rates and leverage are exact, `expiry` is null for perpetual contracts. Source: API v3, "Symbol". */
export type V3Symbol = { readonly symbol: string } & CamelKeys<z.output<typeof symbolMembers>>;
/** Candles in another currency. Source: v3-gaps, section 4.3. */
export interface V3Converted<Value> {
  readonly targetCurrency: string;
  readonly data: Value;
}

export function readV3Symbol(json: unknown, symbol: string): V3Symbol {
  return { symbol, ...camelKeys(parseWith(symbolMembers, json, `symbol ${symbol.slice(0, 40)}`)) };
}

/** Converted candles of many symbols. */
export function readV3ConvertedCandles(json: unknown): V3Converted<ReadonlyMap<string, readonly V3Candle[]>> {
  const row = parseWith(convertedMembers, json, 'v3 converted candles');
  return {
    targetCurrency: row.target_currency,
    data: readKeyed(row.data, 'v3 converted candles', candle.v3.readList),
  };
}

/** Converted candles of one symbol. */
export function readV3ConvertedCandlesOf(json: unknown): V3Converted<readonly V3Candle[]> {
  const row = parseWith(convertedMembers, json, 'v3 converted candles');
  return { targetCurrency: row.target_currency, data: candle.v3.readList(row.data) };
}

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
