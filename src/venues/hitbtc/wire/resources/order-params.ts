import { Decimal } from '../../../../core/base/decimal.ts';
import type { Instrument, Lots, Ticks } from '../../../../core/model/instrument.ts';
import type { MarginMark } from '../../../../core/model/margin.ts';
import { marginModes } from '../../../../core/model/margin.ts';
import type { ClientOrderId, OrderRequest, OrderType } from '../../../../core/model/order.ts';
import { defaultTimeInForce, needsPrice, needsStopPrice } from '../../../../core/model/order.ts';
import type { WireError } from '../errors.ts';
import { wireError } from '../errors.ts';
import { parameterError } from '../param-errors.ts';
import type { MarginOrderParams, OrderParams, ReplaceParams } from './order-request.ts';

export type Gridded<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: WireError };

/**
 * The order in ticks and lots. Without `strictValidate` prices and quantities are rounded half down to the grid;
 * with it an off-grid value is refused (2012, 2022). Missing, unreadable and too low values have codes of their
 * own (2010, 2011, 2020, 2021). Source: API v3, strict_validate; v3-gaps, sections 9 and 10.
 */
export function toOrderRequest(
  params: OrderParams,
  instrument: Instrument,
  clientOrderId: ClientOrderId,
): Gridded<OrderRequest> {
  const { type, strictValidate } = params;
  const quantity = toLots(params.quantity, instrument, strictValidate);
  if (!quantity.ok) return quantity;
  const price = toPrice(needsPrice(type), params.price, instrument, strictValidate);
  if (!price.ok) return price;
  const stopPrice = toPrice(needsStopPrice(type), params.stopPrice, instrument, strictValidate);
  if (!stopPrice.ok) return stopPrice;
  const timeInForce = params.timeInForce ?? defaultTimeInForce(type);
  if (timeInForce === 'GTD' && params.expireTime === undefined) {
    return { ok: false, error: parameterError('expire_time', 'Parameter is required for GTD') };
  }
  return {
    ok: true,
    value: {
      clientOrderId,
      instrument: instrument.id,
      side: params.side,
      type,
      timeInForce,
      quantity: quantity.value,
      price: price.value,
      stopPrice: stopPrice.value,
      expireTime: timeInForce === 'GTD' ? params.expireTime : undefined,
      postOnly: params.postOnly,
    },
  };
}

/** Members of an order that a margin account pays for; `undefined` for a mode that is none (error 2024). */
export function toMarginMark({
  marginMode: mode = 'isolated',
  reduceOnly = false,
  closePosition = false,
  marginAuto: auto = false,
}: Partial<MarginOrderParams>): MarginMark | undefined {
  const known = marginModes.find((one) => one === mode);
  return known === undefined ? undefined : { mode: known, reduceOnly, closePosition, auto };
}

/** Quantity and prices of a replacement, on the grid as in `toOrderRequest`; `type` is that of the order replaced. */
export function toReplacement(
  params: ReplaceParams,
  instrument: Instrument,
  type: OrderType,
): Gridded<{
  readonly quantity: Lots;
  readonly price: Ticks | undefined;
  readonly stopPrice: Ticks | undefined;
}> {
  const quantity = toLots(params.quantity, instrument, params.strictValidate);
  if (!quantity.ok) return quantity;
  const price = toPrice(needsPrice(type), params.price, instrument, params.strictValidate);
  if (!price.ok) return price;
  const wantsStop = needsStopPrice(type) && params.stopPrice !== undefined;
  const stopPrice = toPrice(wantsStop, params.stopPrice, instrument, params.strictValidate);
  if (!stopPrice.ok) return stopPrice;
  return { ok: true, value: { quantity: quantity.value, price: price.value, stopPrice: stopPrice.value } };
}

/** A price on the grid, as in `toOrderRequest`. */
export function toPriceTicks(text: string, instrument: Instrument, strict: boolean): Gridded<Ticks> {
  const read = toPrice(true, text, instrument, strict);
  if (!read.ok) return read;
  return read.value === undefined ? { ok: false, error: wireError(2020) } : { ok: true, value: read.value };
}

function toLots(text: string | undefined, instrument: Instrument, strict: boolean): Gridded<Lots> {
  if (text === undefined || !isPlain(text)) return { ok: false, error: wireError(2010) };
  const lots = instrument.readLots(text);
  if (lots > 0) return { ok: true, value: lots };
  const increment = instrument.spec.quantityIncrement;
  const steps = toSteps(text, increment, strict);
  if (steps === undefined) return refused(2012, `Quantity must be a multiple of ${increment}`);
  if (steps <= 0) return refused(2011, `Minimum quantity is ${increment}`);
  if (!Number.isSafeInteger(steps)) return refused(2012, 'Quantity is too large');
  return { ok: true, value: steps as Lots };
}

function toPrice(
  needed: boolean,
  text: string | undefined,
  instrument: Instrument,
  strict: boolean,
): Gridded<Ticks | undefined> {
  if (!needed) return { ok: true, value: undefined };
  if (text === undefined || !isPlain(text)) return { ok: false, error: wireError(2020) };
  const ticks = instrument.readTicks(text);
  if (ticks > 0) return { ok: true, value: ticks };
  const tick = instrument.spec.tickSize;
  const steps = toSteps(text, tick, strict);
  if (steps === undefined) return refused(2022, `Price must be a multiple of ${tick}`);
  if (steps <= 0) return refused(2021, `Minimum price is ${tick}`);
  if (!Number.isSafeInteger(steps)) return refused(2022, 'Price is too large');
  return { ok: true, value: steps as Ticks };
}

/** How many steps fit a text that is not on the grid as it stands, rounded half down; `undefined` when `strict` and it is no whole number. */
function toSteps(text: string, step: string, strict: boolean): number | undefined {
  const steps = new Decimal(text).dividedBy(step);
  if (strict && !steps.isInteger()) return undefined;
  return steps.toDecimalPlaces(0, Decimal.ROUND_HALF_DOWN).toNumber();
}

function isPlain(text: string): boolean {
  return /^-?\d{1,40}(?:\.\d{1,40})?$/.test(text);
}

function refused(code: number, description: string): { readonly ok: false; readonly error: WireError } {
  return { ok: false, error: wireError(code, { description }) };
}
