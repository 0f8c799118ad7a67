import type { Order, VenueOrder } from '../../core/model/order.ts';
import type { StateView } from '../../core/state/index.ts';
import type { Refusal } from '../../exchange/base/index.ts';
import { currencyNotFound, feeRate, notSpot, symbolNotFound } from '../../exchange/base/index.ts';
import { feeRates, spotBalance, withMargin } from '../../venues/hitbtc/wire/resources/index.ts';
import type { VenueKnownOrder } from './desk.ts';

// What a program reads of the account and of its orders, as the documents show it, over HTTP and sockets.

/** Balances of the account that are not nothing. */
export function heldBalances(state: StateView): readonly object[] {
  return state
    .balances()
    .filter(({ available, reserved }) => available !== 0n || reserved !== 0n)
    .map((one) => spotBalance.v3.write(withMargin(one)));
}

/** The balance of a currency that is held, or that a symbol of the venue is in, as `write` shows it. */
export function balanceOf(
  state: StateView,
  currency: string,
  write: (balance: ReturnType<typeof withMargin<ReturnType<StateView['balance']>>>) => object,
): object | Refusal {
  const isKnown =
    state.balances().some((one) => one.currency === currency) ||
    state.instruments.all.some(
      ({ spec }) => spec.baseCurrency === currency || spec.quoteCurrency === currency,
    );
  return isKnown ? write(withMargin(state.balance(currency))) : currencyNotFound();
}

/** Fee rates of every symbol of spot. */
export function spotFees({ instruments }: StateView): readonly object[] {
  return instruments.all
    .filter(({ spec }) => spec.type === 'spot')
    .map((instrument) => feeRates.v3.write(feeRate(instrument)));
}

export function spotFee({ instruments }: StateView, symbol: string): object | Refusal {
  const instrument = instruments.find(symbol);
  if (instrument === undefined) return symbolNotFound(symbol);
  return instrument.spec.type === 'spot' ? feeRates.v3.write(feeRate(instrument)) : notSpot(symbol);
}

/** An order under the ids that its program knows. */
export function programOrder(order: VenueKnownOrder, state: StateView): VenueOrder {
  const original =
    order.originalClientOrderId === undefined ? undefined : state.order(order.originalClientOrderId);
  return {
    ...order,
    clientOrderId: nameOf(order),
    venueOrderId: order.venueOrderId ?? '0',
    originalClientOrderId: original === undefined ? order.originalClientOrderId : nameOf(original),
    orderListId: undefined,
  };
}

function nameOf({ alias, clientOrderId }: Order): VenueOrder['clientOrderId'] {
  return (alias ?? clientOrderId) as VenueOrder['clientOrderId'];
}
