import type { Amount } from '../../../core/base/amount.ts';
import { add, zero, cutAfter, multiply, negate, formatAmount } from '../../../core/base/amount.ts';
import type { Instrument, Lots, Ticks } from '../../../core/model/instrument.ts';
import type { MarginRule } from '../../../core/model/margin-math.ts';
import { orderMargin } from '../../../core/model/margin-math.ts';
import type { OrderRecord, ExchangeState, ExchangeMarket } from '../state/index.ts';
import { Met } from '../state/index.ts';
import type { Wallet } from '../accounts/index.ts';
import type { OrderRefusal } from './admission.ts';

/** Whether fills of an order may only make a position smaller. */
export function isReducing(record: OrderRecord): boolean {
  const { margin } = record;
  return margin !== undefined && (margin.reduceOnly || margin.closePosition || record.liquidates);
}

/** How much of a position an execution on the order's side would close at most. */
export function closable(record: OrderRecord): number {
  const position = record.context.margin?.positions.get(record.instrument);
  if (position === undefined) return 0;
  return Math.max(0, record.side === 'buy' ? -position.quantity : position.quantity);
}

/** How much an order may execute now by what it may do to its position. */
export function capOf(record: OrderRecord): number {
  return isReducing(record) ? closable(record) : Number.POSITIVE_INFINITY;
}

/**
 * Whether an order can be executed to its end at once. Adds the lists it would decide to `met`, and does not count
 * on orders that such a decision ends.
 */
export function isFillable(
  exchange: ExchangeState,
  market: ExchangeMarket,
  record: OrderRecord,
  met: Met = new Met(),
): boolean {
  let left: number = record.remaining;
  if (exchange.exclusiveCount > 0 && capOf(record) < left) return false;
  market.fills.visit(record, met, (_price, lots) => {
    left -= lots;
  });
  return left <= 0;
}

/** Cost of buying an order's quantity at market with the worst fee; less when the book has less. */
export function walkCost(market: ExchangeMarket, record: OrderRecord, met: Met): Amount {
  const { terms } = record.context;
  let cost = zero;
  market.fills.visit(record, met, (price, lots) => {
    cost = add(cost, terms.need(price, lots));
  });
  return cost;
}

/** The volume of an order's quantity at market; less when the book has less. */
function walkVolume(market: ExchangeMarket, record: OrderRecord, met: Met): Amount {
  const { terms } = record.context;
  let volume = zero;
  market.fills.visit(record, met, (price, lots) => {
    volume = add(volume, terms.volume(price, lots));
  });
  return volume;
}

// Fees in a currency that is neither bought nor sold: taken from its wallet at the rate of the moment. No document says what
// becomes of an order whose fee that wallet cannot bear; docs/assumptions.md has our reading.

/** Decimals of fees on the wire: those in a third currency have no more, so what is told is what was taken. Source: v3-gaps, section 11. */
const feeDecimals = 12;

/** Whether the wallet of the third currency bears the worst fee of an order as prices are; nothing of it is reserved. */
export function bearsThird(
  exchange: ExchangeState,
  market: ExchangeMarket,
  record: OrderRecord,
  met: Met | undefined,
): boolean {
  const { third, terms, margin } = record.context;
  if (third === undefined || margin !== undefined) return true;
  const price = record.price ?? (record.state === 'suspended' ? record.stopPrice : undefined);
  const volume =
    price === undefined
      ? walkVolume(market, record, met?.copy() ?? new Met())
      : terms.volume(price, record.remaining);
  return third.available >= inThird(exchange, market.instrument, multiply(volume, terms.worstRate));
}

/** Takes a fee from the wallet of the third currency, at most what is there, or pays a rebate into it. `worth`: in quote currency. */
export function takeThird(
  exchange: ExchangeState,
  instrument: Instrument,
  third: Wallet,
  worth: Amount,
): Amount {
  const whole = inThird(exchange, instrument, worth);
  const there = cutAfter(third.available, feeDecimals);
  const fee = whole < there ? whole : there;
  exchange.wallets.deposit(third, negate(fee));
  exchange.wallets.collect(instrument.spec.feeCurrency, fee);
  return fee;
}

function inThird(exchange: ExchangeState, instrument: Instrument, worth: Amount): Amount {
  return cutAfter(multiply(worth, exchange.options.thirdRate(instrument)), feeDecimals);
}

/** More than anybody can reserve. */
const unaffordable = (10n ** 100n) as Amount;

/**
 * The margin an order reserves: for all of it, at its limit, its stop price, or what the book offers. Only an order
 * that is bound to reduce a position needs none; one that merely goes against a position could open another.
 */
export function marginNeed(
  exchange: ExchangeState,
  market: ExchangeMarket,
  record: OrderRecord,
  met: Met | undefined,
): Amount {
  return marginOf(exchange, record, volumeOf(exchange, market, record, met));
}

/** Why the margin of an order cannot be reserved, however much there is: the position would be larger than its leverage allows. */
export function checkPositionLimit(
  exchange: ExchangeState,
  market: ExchangeMarket,
  record: OrderRecord,
  met: Met | undefined,
): OrderRefusal | undefined {
  if (record.context.margin === undefined) return undefined;
  const excess = excessOf(exchange, record, volumeOf(exchange, market, record, met));
  if (excess === undefined) return undefined;
  const { symbol, spec } = market.instrument;
  const { leverage, most, sum } = excess;
  const worth = (amount: Amount) => `${formatAmount(amount)} ${spec.quoteCurrency}`;
  const why = `At a leverage of ${formatAmount(leverage)} a position of ${symbol} may be worth ${worth(most)} with the open orders of its side, and would be worth ${worth(sum)}`;
  return { code: 'POSITION_LIMIT', why };
}

/** Volume that an order would add to a position. */
function volumeOf(
  exchange: ExchangeState,
  market: ExchangeMarket,
  record: OrderRecord,
  met: Met | undefined,
): Amount {
  const { remaining, price, stopPrice } = record;
  if (isReducing(record)) return zero;
  const at = price ?? (record.state === 'suspended' ? stopPrice : undefined);
  if (at !== undefined) return volumeAt(record, at, remaining);
  if (record.timeInForce === 'FOK' && !isFillable(exchange, market, record, met?.copy() ?? new Met()))
    return zero;
  return walkVolume(market, record, met?.copy() ?? new Met());
}

/** Margin that an order that was executed in part still has to reserve: never more than it did. */
export function marginLeft(exchange: ExchangeState, record: OrderRecord): Amount {
  const { price, remaining, held } = record;
  if (price === undefined) return held;
  const needed = marginOf(exchange, record, volumeAt(record, price, remaining));
  return needed < held ? needed : held;
}

function volumeAt({ context }: OrderRecord, price: Ticks, quantity: number): Amount {
  return context.terms.volume(price, quantity as Lots);
}

function marginOf(exchange: ExchangeState, record: OrderRecord, volume: Amount): Amount {
  if (volume === zero) return zero;
  const { instrument } = exchange.market(record.instrument);
  const rule = exchange.options.marginRule(instrument);
  if (rule === undefined) return zero;
  if (excessOf(exchange, record, volume) !== undefined) return unaffordable;
  return orderMargin(volume, { leverage: leverageOf(record, rule), takeRate: instrument.takeRate });
}

function leverageOf({ context }: OrderRecord, rule: MarginRule): Amount {
  return context.margin?.leverage ?? rule.leverage;
}

/** Worth that a position would have, with all there is and all that is asked for, where its leverage does not allow so much. */
function excessOf(
  exchange: ExchangeState,
  record: OrderRecord,
  volume: Amount,
): { readonly leverage: Amount; readonly most: Amount; readonly sum: Amount } | undefined {
  const { margin, account } = record.context;
  const rule = exchange.options.marginRule(exchange.market(record.instrument).instrument);
  if (rule === undefined || margin === undefined || volume === zero) return undefined;
  const leverage = leverageOf(record, rule);
  const most = rule.volumeMax?.(leverage);
  if (most === undefined) return undefined;
  let sum = add(volume, margin.positions.get(record.instrument)?.cost ?? zero);
  for (const other of exchange.account(account).orders()) {
    const counts =
      other !== record && other.context.margin === margin && other.instrument === record.instrument;
    if (!counts || isReducing(other) || other.price === undefined) continue;
    if (other.side === record.side) sum = add(sum, volumeAt(other, other.price, other.remaining));
  }
  return sum > most ? { leverage, most, sum } : undefined;
}
