import { z } from 'zod';
import type { Amount } from '../../../../core/base/amount.ts';
import { formatAmountFixed } from '../../../../core/base/amount.ts';
import type { Ticks } from '../../../../core/model/instrument.ts';
import { camelKeys } from '../camel.ts';
import { amountField, optionalAmountField, parseWith } from '../fields.ts';
import type { GridKind } from '../kinds.ts';
import {
  feeKind,
  flagKind,
  gridOf,
  idKind,
  modeKind,
  nameKind,
  nullable,
  printedAmountKind,
  timeKind,
  wordKind,
} from '../kinds.ts';
import type { Kind, RowOf, ValueOf, WireVersion } from '../resource.ts';
import { optional, resource } from '../resource.ts';
import { reads } from '../sent.ts';

// Accounts and positions of margin and futures, both versions; v2 has isolated margin only.
// Source: API v3, "Margin account"; v3-gaps, sections 2.4, 2.5 and 8; v2-gaps, section 2.

/** A leverage: two decimals. */
const leverageKind: Kind<Amount, Amount, Amount> = {
  value: amountField,
  row: amountField,
  write: (leverage) => formatAmountFixed(leverage, 2),
};
/** A quantity of either sign, at the scale of the increment, `"0"` when zero. */
const signedQuantityKind: GridKind<Amount, Amount> = {
  value: amountField,
  row: amountField,
  onGrid: true,
  write: (amount, context) => fixedText(amount, gridOf(context).quantityDecimals),
};
/** A price of entry, at the scale of the tick, `"0"` when zero. */
const entryKind: GridKind<Amount, Amount> = {
  ...signedQuantityKind,
  write: (amount, context) => fixedText(amount, gridOf(context).priceDecimals),
};
/** A price at which something would happen: `"0"` where nothing leads there (null); some hosts send empty text. */
const boundary = z.union([z.literal('').transform(() => undefined), optionalAmountField]);
const boundaryKind: Kind<Amount | undefined, Amount | undefined, Ticks | null> & { readonly onGrid: true } = {
  value: boundary,
  row: boundary,
  onGrid: true,
  write: (ticks, context) => (ticks === null ? '0' : gridOf(context).priceText(ticks)),
};

const reportFields = {
  reportType: { v3: 'report_type', v2: 'reportType', kind: optional(wordKind) },
  reportReason: { v3: 'report_reason', v2: 'reportReason', kind: optional(wordKind) },
} as const;

/** A position; the quantity of a short one is negative. */
export const position = resource('position', {
  id: { v3: 'id', v2: 'id', kind: idKind },
  symbol: { v3: 'symbol', v2: 'symbol', kind: nameKind },
  quantity: { v3: 'quantity', v2: 'quantity', kind: signedQuantityKind },
  leverage: { v3: 'leverage', kind: optional(leverageKind) },
  marginMode: { v3: 'margin_mode', kind: optional(modeKind) },
  pnl: { v3: 'pnl', v2: 'pnl', kind: optional(feeKind) },
  feeCumulative: { v3: 'fee_cumulative', v2: 'feeCumulative', kind: optional(feeKind) },
  entry: { v3: 'price_entry', v2: 'priceEntry', kind: optional(entryKind) },
  marginCall: { v3: 'price_margin_call', v2: 'priceMarginCall', kind: boundaryKind },
  liquidation: { v3: 'price_liquidation', v2: 'priceLiquidation', kind: boundaryKind },
  createdAt: { v3: 'created_at', v2: 'createdAt', kind: timeKind },
  updatedAt: { v3: 'updated_at', v2: 'updatedAt', kind: timeKind },
  marginAuto: { v3: 'margin_auto', kind: optional(flagKind) },
  amr: { v3: 'amr', kind: optional(flagKind) },
  reportType: { v3: 'report_type', kind: optional(wordKind) },
  reportReason: { v3: 'report_reason', kind: optional(wordKind) },
});
/** Source: API v3, "Margin account", Position. */
export type V3Position = ValueOf<typeof position.fields, 'v3'>;
/** Source: API v2, "Margin account report", position. */
export type V2Position = ValueOf<typeof position.fields, 'v2'>;

/** Positions in an account: each is printed on the grid of its own instrument, so that the writer takes them printed. */
function positionsKind<V extends WireVersion>(
  version: V,
): Kind<
  readonly ValueOf<typeof position.fields, V>[],
  readonly RowOf<typeof position.fields, V>[],
  readonly object[]
> {
  const row = z.lazy(() => z.array(position.members[version].row)) as unknown as z.ZodType<
    readonly RowOf<typeof position.fields, V>[]
  >;
  const value = z.lazy(() => z.array(position.members[version].value)) as unknown as z.ZodType<
    readonly ValueOf<typeof position.fields, V>[]
  >;
  return { value, row, write: (objects) => objects };
}
const v2PositionKind: Kind<V2Position, object, object> = {
  value: z.lazy(() => position.members.v2.value) as unknown as z.ZodType<V2Position>,
  row: z.lazy(() => position.members.v2.row),
  write: (object) => object,
};

const currency = resource(
  'currency',
  {
    code: { v3: 'code', kind: nameKind },
    marginBalance: { v3: 'margin_balance', kind: feeKind },
    reservedOrders: { v3: 'reserved_orders', kind: feeKind },
    reservedPositions: { v3: 'reserved_positions', kind: feeKind },
    marginCallMargin: { v3: 'margin_call_margin', kind: optional(feeKind) },
    liquidationMargin: { v3: 'liquidation_margin', kind: optional(feeKind) },
    debtSum: { v3: 'debt_sum', kind: optional(feeKind) },
  },
  { title: 'margin currency' },
);

/** A margin account; reports of the sockets carry `reportType` and `reportReason`. */
export const marginAccount = resource('margin account', {
  symbol: { v3: 'symbol', kind: optional(nameKind) },
  isolatedSymbol: { v2: 'symbol', kind: nameKind },
  currency: { v3: 'currency', kind: optional(nameKind) },
  type: { v3: 'type', kind: modeKind },
  leverage: { v3: 'leverage', v2: 'leverage', kind: optional(leverageKind) },
  marginBalance: { v2: 'marginBalance', kind: feeKind },
  marginBalanceOrders: { v2: 'marginBalanceOrders', kind: feeKind },
  marginBalanceRequired: { v2: 'marginBalanceRequired', kind: feeKind },
  createdAt: { v3: 'created_at', v2: 'createdAt', kind: timeKind },
  updatedAt: { v3: 'updated_at', v2: 'updatedAt', kind: timeKind },
  currencies: { v3: 'currencies', rows: currency, needed: true },
  positions: {
    v3: 'positions',
    kind: {
      ...printsNull(positionsKind('v3')),
      sent: () => z.array(position.members.v3.sent).nullish(),
    },
  },
  position: {
    v2: 'position',
    kind: { ...nullable(v2PositionKind), sent: () => position.members.v2.sent.nullish() },
  },
  marginCall: { v3: 'margin_call', kind: optional(flagKind) },
  marginAuto: { v3: 'margin_auto', kind: optional(flagKind) },
  amr: { v3: 'amr', kind: optional(flagKind) },
  ...reportFields,
});
export type V3MarginAccount = ValueOf<typeof marginAccount.fields, 'v3'>;
/** A margin account, with its position when there is one. Source: API v2, "Margin account report". */
export type V2MarginAccount = ValueOf<typeof marginAccount.fields, 'v2'>;

/** As `kind`, where null stands for none and is printed. */
function printsNull<Value, Row, Model>(
  kind: Kind<Value, Row, Model>,
): Kind<Value | null | undefined, Row | undefined, Model | null> {
  return {
    ...nullable(kind),
    write: (model, context) => (model === null ? null : kind.write(model, context)),
  };
}

/** Terms of a symbol or contract on margin. Source: v3-gaps, section 8, "Shapes". */
export const marginConfig = resource(
  'margin config',
  {
    symbol: { v3: 'symbol', kind: nameKind },
    callMultiplier: { v3: 'margin_call_leverage_mul', kind: leverageKind },
    liquidationMultiplier: { v3: 'liquidation_leverage_mul', kind: leverageKind },
    leverage: { v3: 'max_initial_leverage', kind: leverageKind },
    marginMode: { v3: 'margin_mode', kind: modeKind },
    forceCloseFee: { v3: 'force_close_fee', kind: optional(printedAmountKind) },
    enabled: { v3: 'enabled', kind: flagKind },
    active: { v3: 'active', kind: flagKind },
    limitBase: { v3: 'limit_base', kind: optional(printedAmountKind) },
    limitPower: { v3: 'limit_power', kind: optional(printedAmountKind) },
    unlimitedThreshold: { v3: 'unlimited_threshold', kind: optional(printedAmountKind) },
  },
  { spare: 'optional' },
);
export type V3MarginConfig = ValueOf<typeof marginConfig.fields, 'v3'>;

const configs = z.object({ config: z.array(z.unknown()) });

export const readMarginConfig = reads(configOf, () =>
  z.object({ config: z.array(marginConfig.members.v3.sent) }),
);

function configOf(json: unknown): readonly V3MarginConfig[] {
  return marginConfig.v3.readList(parseWith(configs, json, 'v3 margin config').config);
}

const settingFields = {
  marginMode: { v3: 'margin_mode', kind: modeKind },
  symbol: { v3: 'symbol', kind: printsNull(nameKind) },
  currency: { v3: 'currency', kind: printsNull(nameKind) },
} as const;
/** Settings of what a margin account does by itself: replenishing (`amr`) and managing (`amm`). Source: v3-gaps, section 8; docs/assumptions.md. */
export const marginSetting = resource('margin setting', {
  ...settingFields,
  amr: { v3: 'amr', kind: optional(flagKind) },
  amm: { v3: 'amm', kind: optional(flagKind) },
});
export type V3MarginSetting = ValueOf<typeof marginSetting.fields, 'v3'>;
/** Whether margin is replenished by the service. Source: API v3, "PUT /api/3/futures/margin-settings/amr". */
export const amrSetting = resource(
  'margin setting',
  {
    ...settingFields,
    amr: { v3: 'amr', kind: flagKind },
  },
  { title: 'AMR setting' },
);
export type V3AmrSetting = ValueOf<typeof amrSetting.fields, 'v3'>;

/** A row whose members no source describes; names in camel case, values as they came. */
export type V3HistoryRow = Readonly<Record<string, unknown>>;

const records = z.array(z.record(z.string(), z.unknown()));

/** Histories of positions and clearing: their members are unknown (v3-gaps, section 14). */
export const readHistoryRows = reads(historyOf, () => records);

function historyOf(json: unknown): readonly V3HistoryRow[] {
  return parseWith(records, json, 'v3 history').map((row) => camelKeys(row));
}

function fixedText(amount: Amount, decimals: number): string {
  return amount === 0n ? '0' : formatAmountFixed(amount, decimals);
}
