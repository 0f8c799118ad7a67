import { BadInput } from '../../../core/base/errors.ts';
import type { Instrument, Lots, Ticks } from '../../../core/model/instrument.ts';
import type { OrderType } from '../../../core/model/order.ts';
import { needsPrice, needsStopPrice } from '../../../core/model/order.ts';
import { readPrice, readSize } from './plain.ts';

// Prices and quantities of account messages: on the grid, or refused with the member's name.

/** A quantity; throws `BadInput` naming `member` when it is off the increment. */
export function lotsOf(instrument: Instrument, text: string, member: string): Lots {
  const lots = readSize(instrument, text);
  if (lots >= 0) return lots;
  throw new BadInput(
    `member ${member} of ${instrument.symbol}: expected a multiple of ${instrument.spec.quantityIncrement}, found ${JSON.stringify(text.slice(0, 60))}`,
  );
}

/** A price; throws `BadInput` naming `member` when it is off the tick or not above zero. */
export function ticksOf(instrument: Instrument, text: string, member: string): Ticks {
  const ticks = readPrice(instrument, text);
  if (ticks > 0) return ticks;
  throw new BadInput(
    `member ${member} of ${instrument.symbol}: expected a positive multiple of ${instrument.spec.tickSize}, found ${JSON.stringify(text.slice(0, 60))}`,
  );
}

/**
 * The prices of an order, as its type needs them. A price on a type that has none (history shows the execution
 * price of market orders) is dropped; a missing one throws. Source: v3-gaps, section 7.
 */
export function orderPrices(
  instrument: Instrument,
  type: OrderType,
  prices: { readonly price: string | undefined; readonly stopPrice: string | undefined },
  members: { readonly price: string; readonly stopPrice: string },
): { readonly price: Ticks | undefined; readonly stopPrice: Ticks | undefined } {
  return {
    price: needsPrice(type)
      ? ticksOf(instrument, needed(prices.price, members.price), members.price)
      : undefined,
    stopPrice: needsStopPrice(type)
      ? ticksOf(instrument, needed(prices.stopPrice, members.stopPrice), members.stopPrice)
      : undefined,
  };
}

/**
 * What an order is for and what of it was executed. `order` and `member` are the order and the member of the executed
 * quantity as an error names them: it throws when more was executed than ordered.
 */
export function orderSizes(
  instrument: Instrument,
  sizes: { readonly quantity: string; readonly cumulative: string },
  { order, member }: { readonly order: string; readonly member: string },
): { readonly quantity: Lots; readonly cumulative: Lots } {
  const cumulative = lotsOf(instrument, sizes.cumulative, member);
  const quantity = lotsOf(instrument, sizes.quantity, 'quantity');
  if (cumulative > quantity) {
    throw new BadInput(
      `${order}: member ${member}: expected at most ${sizes.quantity}, found ${sizes.cumulative}`,
    );
  }
  return { quantity, cumulative };
}

function needed(text: string | undefined, member: string): string {
  if (text === undefined)
    throw new BadInput(`member ${member}: expected a price for this order type, found none`);
  return text;
}
