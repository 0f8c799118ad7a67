import type { Amount } from '../../../core/base/amount.ts';
import { add, formatAmount, zero } from '../../../core/base/amount.ts';
import type { Lots, Ticks } from '../../../core/model/instrument.ts';
import type { OrderRefusal } from './admission.ts';
import type { ExchangeState, ExchangeMarket } from '../state/index.ts';
import { Met } from '../orders/index.ts';
import type { MarginRule } from '../../../core/model/margin-math.ts';
import { orderMargin } from '../../../core/model/margin-math.ts';
import type { OrderRecord } from '../orders/index.ts';
import { isReducing } from './reducing.ts';
import { isFillable, walkVolume } from './walk.ts';

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
