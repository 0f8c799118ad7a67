import { z } from 'zod';
import type { Amount } from '../../../../core/base/amount.ts';
import { formatAmountFixed } from '../../../../core/base/amount.ts';
import type { Instrument, Instruments } from '../../../../core/model/instrument.ts';
import type { MarginAccountView, MarginReport, PositionView } from '../../../../core/model/margin.ts';
import type { MarginReason, MarginReportType } from '../../../../core/model/margin.ts';
import { camelKeys } from '../camel.ts';
import { amountField, nameField, parseWith, timeField } from '../fields.ts';
import { feeText, printTimeShort } from '../formats.ts';

/** How a margin mode is spelled: lower case for margin, with a capital for futures. Source: v3-gaps, section 2.5. */
export type ModeSpelling = 'lower' | 'capital';

/** A margin account. Amounts have 12 decimals. Source: API v3, "Margin account". */
export function encodeMarginAccount(
  view: MarginAccountView,
  instruments: Instruments,
  spelling: ModeSpelling = 'lower',
): Record<string, unknown> {
  const { mode, instrument, currency } = view;
  return {
    symbol: instrument === undefined ? currency : instruments.at(instrument).symbol,
    // Lower case also where `margin_mode` has a capital: recorded replies of both.
    type: mode,
    ...(view.leverage !== undefined && { leverage: leverageText(view.leverage) }),
    created_at: printTimeShort(view.createdAt),
    updated_at: printTimeShort(view.updatedAt),
    currencies: [
      {
        code: currency,
        margin_balance: feeText(notNegative(view.balance)),
        reserved_orders: feeText(view.reservedOrders),
        reserved_positions: feeText(view.reservedPositions),
        ...(mode === 'cross' && {
          margin_call_margin: feeText(view.callMargin),
          liquidation_margin: feeText(view.liquidationMargin),
        }),
        ...((mode === 'cross' || view.balance < 0n) && {
          debt_sum: feeText(notNegative(-view.balance as Amount)),
        }),
      },
    ],
    positions:
      view.positions.length === 0
        ? null
        : view.positions.map((position) => encodePosition(position, instruments, spelling)),
    margin_call: view.called,
    margin_auto: view.auto,
    amr: view.amr,
  };
}

/** An account as the sockets report it. Source: v3-gaps, section 2.4. */
export function encodeMarginAccountReport(
  report: {
    readonly view: MarginAccountView;
    readonly reportType: MarginReportType;
    readonly reason: MarginReason;
  },
  instruments: Instruments,
  spelling: ModeSpelling = 'lower',
): object {
  const account = encodeMarginAccount(report.view, instruments, spelling);
  return { ...account, report_type: report.reportType, report_reason: report.reason };
}

/** A position; prices where nothing leads are `"0"`. Source: API v3, "Margin account", Position. */
export function encodePosition(
  position: PositionView,
  instruments: Instruments,
  spelling: ModeSpelling = 'lower',
): object {
  const instrument = instruments.at(position.instrument);
  const price = (ticks: PositionView['liquidation']) =>
    ticks === undefined ? '0' : instrument.priceText(ticks);
  return {
    id: position.id,
    symbol: instrument.symbol,
    quantity: fixedText(position.quantity, instrument.quantityDecimals),
    leverage: leverageText(position.leverage),
    margin_mode: modeText(position.mode, spelling),
    pnl: feeText(position.pnl),
    fee_cumulative: feeText(position.feeCumulative),
    price_entry: fixedText(position.entry, instrument.priceDecimals),
    price_margin_call: price(position.marginCall),
    price_liquidation: price(position.liquidation),
    created_at: printTimeShort(position.createdAt),
    updated_at: printTimeShort(position.updatedAt),
    margin_auto: position.auto,
    amr: position.amr,
  };
}

/** A position as the sockets report one of a cross account. Source: v3-gaps, section 2.5; API v3, "AMR rules". */
export function encodePositionReport(
  report: {
    readonly position: PositionView;
    readonly reportType: MarginReportType;
    readonly reason: MarginReason;
  },
  instruments: Instruments,
  spelling: ModeSpelling,
): object {
  const position = encodePosition(report.position, instruments, spelling);
  return { ...position, report_type: report.reportType, report_reason: report.reason };
}

/** What a margin order has beyond a spot order. Source: API v3, "Margin order". */
export function marginOrderMembers(
  margin: MarginReport | undefined,
  spelling: ModeSpelling = 'lower',
): object {
  if (margin === undefined) return {};
  return {
    reduce_only: margin.reduceOnly,
    close_position: margin.closePosition,
    margin_mode: modeText(margin.mode, spelling),
    ...(margin.auto && { margin_auto: true }),
  };
}

/** What an account does by itself. Source: v3-gaps, section 8; members: docs/assumptions.md. */
export function encodeMarginSetting(view: MarginAccountView, instruments: Instruments): object {
  const { mode, instrument, currency, amr, auto } = view;
  const where = instrument === undefined ? { currency } : { symbol: instruments.at(instrument).symbol };
  return { margin_mode: mode, ...where, amr, amm: auto };
}

/** What margin on an instrument demands, as the configuration shows it. */
export interface MarginConfigRow {
  readonly leverage: Amount;
  readonly callMultiplier: Amount;
  readonly liquidationMultiplier: Amount;
  /** Plain decimals, as they were configured. */
  readonly shown: {
    readonly forceCloseFee: string;
    readonly limitBase: string;
    readonly limitPower: string;
    readonly unlimitedThreshold: string;
  };
}

/** A row of margin/config. Source: v3-gaps, section 8 ("Shapes"). */
export function encodeMarginConfig(instrument: Instrument, rule: MarginConfigRow): object {
  const { shown } = rule;
  return {
    symbol: instrument.symbol,
    margin_call_leverage_mul: leverageText(rule.callMultiplier),
    liquidation_leverage_mul: leverageText(rule.liquidationMultiplier),
    max_initial_leverage: leverageText(rule.leverage),
    margin_mode: 'Isolated',
    force_close_fee: shown.forceCloseFee,
    enabled: true,
    active: true,
    limit_base: shown.limitBase,
    limit_power: shown.limitPower,
    unlimited_threshold: shown.unlimitedThreshold,
  };
}

const positionMembers = z.object({
  id: z.union([z.number(), z.string()]).transform(String),
  symbol: nameField,
  quantity: amountField,
  leverage: amountField.optional(),
  margin_mode: nameField,
  pnl: amountField,
  fee_cumulative: amountField.optional(),
  price_entry: amountField,
  price_margin_call: z.string(),
  price_liquidation: z.string(),
  created_at: timeField,
  updated_at: timeField,
});
const accountMembers = z.object({
  symbol: nameField,
  type: nameField,
  leverage: amountField.optional(),
  created_at: timeField,
  updated_at: timeField,
  currencies: z.array(
    z.object({
      code: nameField,
      margin_balance: amountField,
      reserved_orders: amountField,
      reserved_positions: amountField,
    }),
  ),
  positions: z.array(positionMembers).nullable(),
  margin_call: z.boolean().default(false),
  margin_auto: z.boolean().default(false),
  amr: z.boolean().default(false),
});

/** Reads an account. Throws `BadInput` naming the member. */
export function decodeMarginAccount(value: unknown) {
  const { currencies, positions, ...own } = parseWith(accountMembers, value, 'margin account');
  return {
    ...camelKeys(own),
    currencies: currencies.map(camelKeys),
    positions: (positions ?? []).map(camelKeys),
  };
}

export function decodePosition(value: unknown) {
  return camelKeys(parseWith(positionMembers, value, 'position'));
}

function modeText(mode: string, spelling: ModeSpelling): string {
  return spelling === 'lower' ? mode : mode.charAt(0).toUpperCase() + mode.slice(1);
}

function leverageText(leverage: Amount): string {
  return formatAmountFixed(leverage, 2);
}

function notNegative(amount: Amount): Amount {
  return amount < 0n ? (0n as Amount) : amount;
}

function fixedText(amount: Amount, decimals: number): string {
  return amount === 0n ? '0' : formatAmountFixed(amount, decimals);
}
