import { z } from 'zod';
import { symbolShape } from '../../../../core/model/symbol-table.ts';
import type { InstrumentSpec } from '../../../../core/model/instrument.ts';
import { decimalField, nameField, parseList, parseWith, unsignedField } from '../fields.ts';

const members = z.object({
  id: nameField,
  baseCurrency: nameField,
  quoteCurrency: nameField,
  quantityIncrement: unsignedField,
  tickSize: unsignedField,
  takeLiquidityRate: decimalField,
  provideLiquidityRate: decimalField,
  feeCurrency: nameField,
  marginTrading: z.boolean().default(false),
  maxInitialLeverage: unsignedField.nullish(),
});

/** Symbols as a list; codes with unusual characters are passed over. Throws `BadInput` naming the member. Source: API v2, "Symbol". */
export function decodeV2Symbols(json: unknown): readonly InstrumentSpec[] {
  return parseList(json, 'v2 symbols', decodeV2Symbol).filter((spec) => symbolShape.test(spec.symbol));
}

/** One symbol. v2 shows no status: what is listed counts as working, and as spot. */
export function decodeV2Symbol(json: unknown): InstrumentSpec {
  const row = parseWith(members, json, 'v2 symbol');
  return {
    symbol: row.id,
    type: 'spot',
    baseCurrency: row.baseCurrency,
    quoteCurrency: row.quoteCurrency,
    feeCurrency: row.feeCurrency,
    tickSize: row.tickSize,
    quantityIncrement: row.quantityIncrement,
    takeRate: row.takeLiquidityRate,
    makeRate: row.provideLiquidityRate,
    status: 'working',
    marginTrading: row.marginTrading,
    ...(typeof row.maxInitialLeverage === 'string' && { maxInitialLeverage: row.maxInitialLeverage }),
  };
}

/** A symbol as the REST list and `getSymbols` show it; margin members on margin symbols only. Source: v2-gaps, section 5.2. */
export function encodeV2Symbol(spec: InstrumentSpec): object {
  return {
    id: spec.symbol,
    baseCurrency: spec.baseCurrency,
    quoteCurrency: spec.quoteCurrency,
    quantityIncrement: spec.quantityIncrement,
    tickSize: spec.tickSize,
    takeLiquidityRate: spec.takeRate,
    provideLiquidityRate: spec.makeRate,
    feeCurrency: spec.feeCurrency,
    ...(spec.marginTrading && { marginTrading: true }),
    ...(spec.marginTrading &&
      spec.maxInitialLeverage !== undefined && { maxInitialLeverage: spec.maxInitialLeverage }),
  };
}
