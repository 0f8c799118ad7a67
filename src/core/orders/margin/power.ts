import type { Amount } from '../../base/amount.ts';
import { add, formatAmount, multiply, negate, subtract, zero } from '../../base/amount.ts';
import type { Instrument, Lots, Ticks } from '../../model/instrument.ts';
import type { MarginTerms } from '../../model/margin-math.ts';
import { orderMargin } from '../../model/margin-math.ts';
import type { MarginAccountKey, MarginAccountView } from '../../model/margin.ts';
import { marginKeyOf, marginNameOf } from '../../model/margin.ts';
import type { Order, OrderRequest } from '../../model/order.ts';
import type { StateView } from '../../state/index.ts';
import type { Control, Rule } from '../base/candidate.ts';
import { deny, worstPrice } from '../base/candidate.ts';
import type { Memory } from '../base/memory.ts';
import type { Reservations } from '../base/reservations.ts';
import { isReduceOnly, nameOf } from './reducing.ts';

/** The account an order is paid from is open, or the order opens it. Source: API v3, "POST /api/3/margin/order", margin_auto. */
export const marginAccountOpen = {
  code: 'MARGIN_ACCOUNT_MISSING',
  control: ({ request, instrument }, view) => {
    const { margin } = request;
    if (margin === undefined) return undefined;
    const key = marginKeyOf(instrument, margin.mode);
    if (view.marginAccount(key) !== undefined || drawsOn(request, key, undefined)) return undefined;
    return deny(
      'MARGIN_ACCOUNT_MISSING',
      `expected the ${margin.mode} margin account of ${nameOf(instrument, margin.mode)} to be open, or an order that opens it (marginAuto); there is none`,
    );
  },
} satisfies Rule;

/**
 * Margin and futures orders need margin: what their account has free, in-flight orders and fills it does not show yet counted. What
 * an automatic account lacks comes from the balance it draws on. Source: v3-gaps, section 8.1.
 */
export const marginFunds: Control = (candidate, view, memory) => {
  const { request, instrument, lots, replaces } = candidate;
  if (request.margin === undefined || isReduceOnly(request)) return undefined;
  const price = worstPrice(request, view, memory);
  if (price === undefined)
    return deny('REFERENCE_PRICE_MISSING', `there is no price of ${instrument.symbol} to value the order at`);
  const key = marginKeyOf(instrument, request.margin.mode);
  const account = accountAsIs(key, view, memory);
  const need = marginNeedAt(request, instrument, { lots, price, account, memory });
  const released =
    replaces === undefined
      ? zero
      : (memory.marginReservations[key.product].of(replaces.clientOrderId)?.amount ?? zero);
  const now = memory.uptime;
  const free = account === undefined ? zero : add(freeMargin(key, account, memory), released);
  if (free >= need) return undefined;
  const where = `the ${key.mode} margin account of ${nameOf(instrument, key.mode)}`;
  const expected = `expected ${formatAmount(need)} ${key.currency} free`;
  if (!drawsOn(request, key, account))
    return deny('MARGIN_FUNDS', `${expected} in ${where}, found ${formatAmount(free)}`);
  const missing = free > zero ? subtract(need, free) : need;
  const payer = marginPayer(key, view, memory);
  const balance = payer.reservations.free(key.currency, payer.balance, now);
  if (balance >= missing) return undefined;
  return deny(
    'MARGIN_FUNDS',
    `${expected} in ${where} and on the ${payer.name} balance that it draws on, found ${formatAmount(free > zero ? free : zero)} and ${formatAmount(balance)}`,
  );
};

/** Whether an order may take the margin that its account lacks from the balance behind it. */
export function drawsOn(
  { margin }: Pick<OrderRequest, 'margin'>,
  { product, mode }: MarginAccountKey,
  account: MarginAccountView | undefined,
): boolean {
  return margin?.auto === true || account?.auto === true || (product === 'futures' && mode === 'cross');
}

/** The balance that margin of an account comes from, and what is held of it. */
export function marginPayer({ product, currency }: MarginAccountKey, view: StateView, memory: Memory): Payer {
  const { spot, futures } = memory.reservations;
  return product === 'futures'
    ? { name: 'futures', balance: view.balance(currency, 'futures'), reservations: futures }
    : { name: 'spot', balance: view.balance(currency), reservations: spot };
}

interface Payer {
  readonly name: 'spot' | 'futures';
  readonly balance: ReturnType<StateView['balance']>;
  readonly reservations: Reservations;
}

/** Margin that new orders may still use under every reading. It may be below 0. */
export function freeMargin(
  key: MarginAccountKey,
  { balance, reservedPositions, reservedOrders }: MarginAccountView,
  memory: Memory,
): Amount {
  const available = subtract(subtract(balance, reservedPositions), reservedOrders);
  const shown = { available, reserved: reservedOrders };
  return memory.marginReservations[key.product].free(marginNameOf(key), shown, memory.uptime);
}

/** A margin account with the worst of what changes of ours on their way may make of it. */
export function accountAsIs(
  key: MarginAccountKey,
  view: StateView,
  memory: Memory,
): MarginAccountView | undefined {
  const account = view.marginAccount(key);
  const change = memory.marginChanges.openOf(key);
  if (account === undefined || change === undefined) return account;
  const { balance = account.balance, leverage = account.leverage } = change;
  const low = balance < account.balance ? balance : account.balance;
  const isLower = leverage !== undefined && account.leverage !== undefined && leverage < account.leverage;
  return { ...account, balance: low, leverage: isLower ? leverage : account.leverage };
}

interface NeedParts {
  readonly lots: number;
  readonly price: Ticks;
  readonly account: MarginAccountView | undefined;
  readonly memory: Memory;
}

/** The margin that the venue reserves for so many lots of an order at a price; none for an order that may only reduce. */
export function marginNeedAt(
  request: Pick<OrderRequest, 'margin' | 'takeRate'>,
  instrument: Instrument,
  { lots, price, account, memory }: NeedParts,
): Amount {
  if (isReduceOnly(request)) return zero;
  return orderMargin(instrument.notional(price, lots as Lots), termsOf(request, instrument, account, memory));
}

/** Amount that a fill takes of the margin account: margin and fee, or of an order that reduces its loss and fee. */
export function marginTaken(
  order: Order,
  { price, quantity }: { readonly price: Ticks; readonly quantity: Lots },
  view: StateView,
  memory: Memory,
): Amount {
  const instrument = view.instruments.at(order.instrument);
  const mode = order.margin?.mode ?? 'isolated';
  const volume = instrument.notional(price, quantity);
  if (!isReduceOnly(order)) {
    const account = view.marginAccount(marginKeyOf(instrument, mode));
    return orderMargin(volume, termsOf(order, instrument, account, memory));
  }
  const fee = multiply(volume, instrument.takeRate);
  const entry = view.venuePosition(order.instrument, mode)?.entry;
  if (entry === undefined || entry === zero) return fee;
  const { contract } = instrument;
  const gained = subtract(contract.worth(price, quantity), contract.worthAt(entry, quantity));
  const lost = order.side === 'sell' ? negate(gained) : gained;
  return lost > zero ? add(lost, fee) : fee;
}

/** Leverage and fee rate by which an order of an account is reckoned; a markup raises the rate. */
export function termsOf(
  { takeRate = zero }: Pick<OrderRequest, 'takeRate'>,
  instrument: Instrument,
  account: MarginAccountView | undefined,
  memory: Memory,
): MarginTerms {
  const most = memory.instruments[instrument.id]?.margin.leverage ?? zero;
  return {
    leverage: account?.leverage ?? most,
    takeRate: takeRate > zero ? add(instrument.takeRate, takeRate) : instrument.takeRate,
  };
}
