import { z } from 'zod';
import { formatAmountFixed, zero } from '../../../../core/base/amount.ts';
import type { Instruments } from '../../../../core/model/instrument.ts';
import type {
  MarginAccountView,
  MarginReason,
  MarginReportType,
  PositionView,
} from '../../../../core/model/margin.ts';
import { amountField, nameField, optionalAmountField, parseWith, timeField } from '../fields.ts';
import { feeText, printTime } from '../formats.ts';

/** An isolated margin account as v2 shows it; it has no cross margin. Source: v2-gaps, section 2. */
export function encodeV2MarginAccount(view: MarginAccountView, instruments: Instruments): object {
  const [position] = view.positions;
  return {
    symbol: view.instrument === undefined ? view.currency : instruments.at(view.instrument).symbol,
    leverage: formatAmountFixed(view.leverage ?? zero, 2),
    marginBalance: feeText(view.balance),
    marginBalanceOrders: feeText(view.reservedOrders),
    marginBalanceRequired: feeText(view.reservedPositions),
    createdAt: printTime(view.createdAt),
    updatedAt: printTime(view.updatedAt),
    ...(position !== undefined && { position: encodeV2Position(position, instruments) }),
  };
}

/** The account of a report. Source: v2-gaps, section 6.1. */
export function encodeV2MarginReport(
  report: {
    readonly view: MarginAccountView;
    readonly reportType: MarginReportType;
    readonly reason: MarginReason;
  },
  instruments: Instruments,
): object {
  const { view, reportType, reason } = report;
  return { ...encodeV2MarginAccount(view, instruments), reportType, reportReason: reason };
}

/** A position; prices where nothing leads are `"0"`. */
export function encodeV2Position(position: PositionView, instruments: Instruments): object {
  const instrument = instruments.at(position.instrument);
  const price = (ticks: PositionView['liquidation']) =>
    ticks === undefined ? '0' : instrument.priceText(ticks);
  const { quantity, entry } = position;
  return {
    id: position.id,
    symbol: instrument.symbol,
    quantity: quantity === zero ? '0' : formatAmountFixed(quantity, instrument.quantityDecimals),
    pnl: feeText(position.pnl),
    feeCumulative: feeText(position.feeCumulative),
    priceEntry: entry === zero ? '0' : formatAmountFixed(entry, instrument.priceDecimals),
    priceMarginCall: price(position.marginCall),
    priceLiquidation: price(position.liquidation),
    createdAt: printTime(position.createdAt),
    updatedAt: printTime(position.updatedAt),
  };
}

const positionMembers = z.object({
  id: z.union([z.number(), z.string()]).transform(String),
  symbol: nameField,
  quantity: amountField,
  pnl: amountField,
  feeCumulative: optionalAmountField,
  priceEntry: amountField,
  priceMarginCall: z.string(),
  priceLiquidation: z.string(),
  createdAt: timeField,
  updatedAt: timeField,
});
const accountMembers = z.object({
  symbol: nameField,
  leverage: amountField,
  marginBalance: amountField,
  marginBalanceOrders: amountField,
  marginBalanceRequired: amountField,
  createdAt: timeField,
  updatedAt: timeField,
  position: positionMembers.optional(),
});

/** Reads an account. Throws `BadInput` naming the member. */
export function decodeV2MarginAccount(value: unknown) {
  return parseWith(accountMembers, value, 'v2 margin account');
}

export function decodeV2Position(value: unknown) {
  return parseWith(positionMembers, value, 'v2 position');
}
