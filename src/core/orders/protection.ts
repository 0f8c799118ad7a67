import type { Instrument, Lots } from '../model/instrument.ts';
import { accountOf } from '../model/margin.ts';
import type { Order } from '../model/order.ts';
import { needsStopPrice } from '../model/order.ts';
import type { StateView } from '../state/index.ts';
import { onlyReduces } from './controls/index.ts';
import type { Outbox } from './base/outbox.ts';

/** Warns of orders that are cancelled although they protected a position: a line for each, with the order and the position. */
export function tellProtection(
  going: readonly Order[],
  view: StateView,
  outbox: Pick<Outbox, 'noteText'>,
  why: string,
): void {
  for (const order of going)
    if (protects(order, view))
      outbox.noteText(
        order.strategy,
        'warn',
        `${protectionText(order, view)}; it is being cancelled (${why})`,
      );
}

/** Whether a live order leaves or protects a position: it only reduces it, or is a stop that has become larger than it. */
export function protects(order: Order, view: StateView): boolean {
  if (onlyReduces(order, view)) return true;
  const { instrument, strategy, side, type, list, clientOrderId } = order;
  if (!needsStopPrice(type) || (list !== undefined && list.orders[0] !== clientOrderId)) return false;
  const held = view.position(instrument, strategy, accountOf(order)).quantity;
  return side === 'buy' ? held < 0 : held > 0;
}

/** The order and what it protects, in words. */
export function protectionText(order: Order, view: StateView): string {
  const { instrument, strategy } = order;
  const of = view.instruments.at(instrument);
  const account = accountOf(order);
  const held = view.position(instrument, strategy, account).quantity;
  const where = account === 'spot' ? '' : ` (${account} margin)`;
  return `${leftText(order, of)} protects the position of ${of.quantityText(held as Lots)} ${of.symbol}${where}`;
}

/** The order in words: its id, and what is left of it. */
export function leftText(order: Order, of: Instrument): string {
  const { clientOrderId, side, type, quantity, cumulative, margin } = order;
  const size = margin?.closePosition === true ? 'all' : of.quantityText((quantity - cumulative) as Lots);
  return `order ${clientOrderId} (${side} ${type} ${size} ${priceText(order, of)})`;
}

function priceText({ price, stopPrice }: Order, instrument: Instrument): string {
  const texts = [
    ...(stopPrice === undefined ? [] : [`stop ${instrument.priceText(stopPrice)}`]),
    ...(price === undefined ? [] : [`at ${instrument.priceText(price)}`]),
  ];
  return texts.length === 0 ? 'at the market' : texts.join(' ');
}
