import { z } from 'zod';
import { BadInput } from '../../../../core/base/errors.ts';
import { symbolShape } from '../../../../core/model/symbol-table.ts';
import type { InstrumentSpec, InstrumentStatus } from '../../../../core/model/instrument.ts';
import { entriesOf } from '../keyed.ts';
import { decimalField, nameField, parseWith, unsignedField } from '../fields.ts';

const members = z.object({
  type: z.string(),
  base_currency: nameField.nullish(),
  underlying: nameField.nullish(),
  quote_currency: nameField,
  status: z.string().default('working'),
  quantity_increment: unsignedField,
  tick_size: unsignedField,
  take_rate: decimalField,
  make_rate: decimalField,
  fee_currency: nameField,
  margin_trading: z.boolean().default(false),
  max_initial_leverage: unsignedField.nullish(),
});
const statuses: readonly string[] = ['working', 'suspended', 'clearing', 'expired'];

/**
 * Symbols keyed by code, in the order of the answer. Types other than spot and futures and codes with
 * unusual characters are passed over; a status no source knows reads as `suspended`. Throws `BadInput` naming the symbol. Source: API v3, "Symbol"; v3-gaps, section 4.6.
 */
export function decodeV3Symbols(json: unknown): readonly InstrumentSpec[] {
  const specs: InstrumentSpec[] = [];
  for (const [symbol, value] of entriesOf(json, 'v3 symbols')) {
    const spec = symbolShape.test(symbol) ? specOf(symbol, value) : undefined;
    if (spec !== undefined) specs.push(spec);
  }
  return specs;
}

/** A symbol as the REST replies show it. Source: API v3, "Symbol". */
export function encodeV3Symbol(spec: InstrumentSpec): object {
  const futures = spec.type === 'futures';
  return {
    type: spec.type,
    ...(futures && { contract_type: 'perpetual', expiry: null, underlying: spec.baseCurrency }),
    base_currency: futures ? null : spec.baseCurrency,
    quote_currency: spec.quoteCurrency,
    status: spec.status,
    quantity_increment: spec.quantityIncrement,
    tick_size: spec.tickSize,
    take_rate: spec.takeRate,
    make_rate: spec.makeRate,
    fee_currency: spec.feeCurrency,
    margin_trading: spec.marginTrading,
    ...(spec.maxInitialLeverage !== undefined && { max_initial_leverage: spec.maxInitialLeverage }),
  };
}

function specOf(symbol: string, value: unknown): InstrumentSpec | undefined {
  const row = parseWith(members, value, `symbol ${symbol.slice(0, 40)}`);
  if (row.type !== 'spot' && row.type !== 'futures') return undefined;
  const baseCurrency = row.base_currency ?? row.underlying;
  if (baseCurrency === undefined || baseCurrency === null) {
    throw new BadInput(`symbol ${symbol}: member base_currency: expected a currency, found none`);
  }
  return {
    symbol,
    type: row.type,
    baseCurrency,
    quoteCurrency: row.quote_currency,
    feeCurrency: row.fee_currency,
    tickSize: row.tick_size,
    quantityIncrement: row.quantity_increment,
    takeRate: row.take_rate,
    makeRate: row.make_rate,
    status: statuses.includes(row.status) ? (row.status as InstrumentStatus) : 'suspended',
    marginTrading: row.margin_trading,
    ...(typeof row.max_initial_leverage === 'string' && { maxInitialLeverage: row.max_initial_leverage }),
  };
}
