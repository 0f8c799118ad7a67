import { formatAmount } from '../base/amount.ts';
import type { Instrument } from './instrument.ts';
import type { Fill, OrderRequest } from './order.ts';

/** Request of an order in one phrase: `buy 3 ETHBTC at 0.05, limit GTC`. */
export function orderText(
  { side, type, quantity, price, timeInForce, postOnly }: OrderRequest,
  instrument: Instrument,
): string {
  const at = price === undefined ? '' : ` at ${instrument.priceText(price)}`;
  const post = postOnly ? ', post only' : '';
  return `${side} ${instrument.quantityText(quantity)} ${instrument.symbol}${at}, ${type} ${timeInForce}${post}`;
}

/** One execution: quantity, price, fee, side of the market and trade. */
export function fillText({ quantity, price, fee, taker, tradeId }: Fill, instrument: Instrument): string {
  const of = `${instrument.quantityText(quantity)} at ${instrument.priceText(price)}`;
  const paid = `fee ${formatAmount(fee)} ${instrument.spec.feeCurrency}`;
  return `${of}, ${paid}, ${taker ? 'taker' : 'maker'}, trade ${tradeId}`;
}
