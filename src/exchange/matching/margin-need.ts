import type { Amount } from '../../core/base/amount.ts';
import { add, zero } from '../../core/base/amount.ts';
import type { Lots, Ticks } from '../../core/model/instrument.ts';
import type { ExchangeState } from './exchange-state.ts';
import { Met } from './fills.ts';
import { orderMargin } from '../../core/model/margin-math.ts';
import type { ExchangeMarket } from './market.ts';
import type { OrderRecord } from './order-record.ts';
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
  const { remaining, price, stopPrice } = record;
  if (isReducing(record)) return zero;
  const at = price ?? (record.state === 'suspended' ? stopPrice : undefined);
  if (at !== undefined) return marginOf(exchange, record, volumeAt(record, at, remaining));
  if (record.timeInForce === 'FOK' && !isFillable(exchange, market, record, met?.copy() ?? new Met()))
    return zero;
  return marginOf(exchange, record, walkVolume(market, record, met?.copy() ?? new Met()));
}

/** What an order that was executed in part still has to reserve: never more than it did. */
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
  const { instrument } = exchange.market(record.instrument);
  const rule = exchange.options.marginRule(instrument);
  if (rule === undefined) return zero;
  const leverage = record.context.margin?.leverage ?? rule.leverage;
  if (exceeds(exchange, record, { volume, most: rule.volumeMax?.(leverage) })) return unaffordable;
  return orderMargin(volume, { leverage, takeRate: instrument.takeRate });
}

/** Whether a position would be larger than its leverage allows: with all there is and all that is asked for. */
function exceeds(
  exchange: ExchangeState,
  record: OrderRecord,
  { volume, most }: { readonly volume: Amount; readonly most: Amount | undefined },
): boolean {
  const { margin, account } = record.context;
  if (most === undefined || margin === undefined) return false;
  let sum = add(volume, margin.positions.get(record.instrument)?.cost ?? zero);
  for (const other of exchange.account(account).orders()) {
    const counts =
      other !== record && other.context.margin === margin && other.instrument === record.instrument;
    if (!counts || isReducing(other) || other.price === undefined) continue;
    if (other.side === record.side) sum = add(sum, volumeAt(other, other.price, other.remaining));
  }
  return sum > most;
}
