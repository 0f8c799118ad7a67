import { z } from 'zod';
import type { CamelKeys } from '../camel.ts';
import { camelKeys } from '../camel.ts';
import { amountField, idField, nameField, optionalAmountField, parseList, parseWith } from '../fields.ts';
import { timeField } from '../fields.ts';

// Margin and futures accounts as the documents show them, whole, for callers without a list of instruments.

/** Margin modes are compared without case. Source: v3-gaps, section 2.5. */
const mode = z
  .string()
  .toLowerCase()
  .pipe(z.enum(['isolated', 'cross']));
/** A price that may be an empty text. Source: v3-gaps, section 8. */
const boundary = z.union([z.literal('').transform(() => undefined), optionalAmountField]);
const positionMembers = z.object({
  id: idField,
  symbol: nameField,
  quantity: amountField,
  leverage: optionalAmountField,
  margin_mode: mode.optional(),
  pnl: optionalAmountField,
  fee_cumulative: optionalAmountField,
  price_entry: optionalAmountField,
  price_margin_call: boundary,
  price_liquidation: boundary,
  created_at: timeField,
  updated_at: timeField,
  margin_auto: z.boolean().optional(),
  amr: z.boolean().optional(),
});
const currencyMembers = z.object({
  code: nameField,
  margin_balance: amountField,
  reserved_orders: amountField,
  reserved_positions: amountField,
  margin_call_margin: optionalAmountField,
  liquidation_margin: optionalAmountField,
  debt_sum: optionalAmountField,
});
const accountMembers = z.object({
  symbol: nameField.optional(),
  currency: nameField.optional(),
  type: mode,
  leverage: optionalAmountField,
  created_at: timeField,
  updated_at: timeField,
  currencies: z.array(currencyMembers),
  positions: z.array(positionMembers).nullish(),
  margin_call: z.boolean().optional(),
  margin_auto: z.boolean().optional(),
  amr: z.boolean().optional(),
  report_type: z.string().max(40).optional(),
  report_reason: z.string().max(40).optional(),
});
const positionReportMembers = positionMembers.extend({
  report_type: z.string().max(40).optional(),
  report_reason: z.string().max(40).optional(),
});

/** A position; the quantity of a short one is negative. Source: API v3, "Margin account", Position. */
export type V3Position = CamelKeys<z.output<typeof positionReportMembers>>;
/** A margin account; reports of the socket say `reportType` and `reportReason`. Source: API v3, "Margin account". */
export type V3MarginAccount = CamelKeys<z.output<typeof accountMembers>>;

export function readV3MarginAccount(json: unknown): V3MarginAccount {
  return camelKeys(parseWith(accountMembers, json, 'v3 margin account'));
}

export function readV3MarginAccounts(json: unknown): readonly V3MarginAccount[] {
  return parseList(json, 'v3 margin accounts', readV3MarginAccount);
}

export function readV3Position(json: unknown): V3Position {
  return camelKeys(parseWith(positionReportMembers, json, 'v3 position'));
}

const configMembers = z.object({
  symbol: nameField,
  margin_call_leverage_mul: amountField,
  liquidation_leverage_mul: amountField,
  max_initial_leverage: amountField,
  margin_mode: mode,
  force_close_fee: optionalAmountField,
  enabled: z.boolean(),
  active: z.boolean(),
  limit_base: optionalAmountField,
  limit_power: optionalAmountField,
  unlimited_threshold: optionalAmountField,
});
const settingMembers = z.object({
  margin_mode: mode,
  symbol: nameField.nullish(),
  currency: nameField.nullish(),
  amr: z.boolean(),
});
const switchesMembers = z.object({
  margin_mode: mode,
  symbol: nameField.nullish(),
  currency: nameField.nullish(),
  amr: z.boolean().optional(),
  amm: z.boolean().optional(),
});
const records = z.array(z.record(z.string(), z.unknown()));

/** What a symbol or contract allows on margin. Source: v3-gaps, section 8, "Shapes". */
export type V3MarginConfig = CamelKeys<z.output<typeof configMembers>>;
/** Whether margin is replenished by the service. Source: API v3, "PUT /api/3/futures/margin-settings/amr". */
export type V3AmrSetting = CamelKeys<z.output<typeof settingMembers>>;
/** What a margin account does by itself: replenishing (`amr`) and managing (`amm`). Source: v3-gaps, section 8. */
export type V3MarginSetting = CamelKeys<z.output<typeof switchesMembers>>;
/** A row whose members no source describes; names in camel case, values as they came. */
export type V3HistoryRow = Readonly<Record<string, unknown>>;

export function readV3Positions(json: unknown): readonly V3Position[] {
  return parseList(json, 'v3 positions', readV3Position);
}

export function readV3MarginConfig(json: unknown): readonly V3MarginConfig[] {
  const { config } = parseWith(z.object({ config: z.array(configMembers) }), json, 'v3 margin config');
  return config.map((row) => camelKeys(row));
}

export function readV3AmrSetting(json: unknown): V3AmrSetting {
  return camelKeys(parseWith(settingMembers, json, 'v3 margin setting'));
}

export function readV3MarginSetting(json: unknown): V3MarginSetting {
  return camelKeys(parseWith(switchesMembers, json, 'v3 margin setting'));
}

export function readV3MarginSettings(json: unknown): readonly V3MarginSetting[] {
  return parseList(json, 'v3 margin settings', readV3MarginSetting);
}

/** Histories of positions and clearing: their members are unknown (v3-gaps, section 14). */
export function readV3HistoryRows(json: unknown): readonly V3HistoryRow[] {
  return parseWith(records, json, 'v3 history').map((row) => camelKeys(row));
}
