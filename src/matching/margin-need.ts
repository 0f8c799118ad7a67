import type { Amount } from '../base/amount.ts';
import { zero } from '../base/amount.ts';
import type { Lots, Ticks } from '../model/instrument.ts';
import type { Desk } from './desk.ts';
import { orderMargin } from './margin-math.ts';
import type { Market } from './market.ts';
import type { OrderRecord } from './order-record.ts';
import { closable, isReducing } from './reducing.ts';
import type { Met } from './walk.ts';
import { copyOf, isFillable, walkVolume } from './walk.ts';

/**
 * The margin an order reserves: for what it can open, at its limit, its stop price, or what the book offers. What
 * closes a position that is open now needs none.
 */
export function marginNeed(desk: Desk, market: Market, record: OrderRecord, met: Met | undefined): Amount {
  const { remaining, price, stopPrice } = record;
  const opening = remaining - Math.min(remaining, closable(record));
  if (opening === 0 || isReducing(record)) return zero;
  const at = price ?? (record.state === 'suspended' ? stopPrice : undefined);
  if (at !== undefined) return marginOf(desk, record, volumeAt(record, at, opening));
  if (record.timeInForce === 'FOK' && !isFillable(desk, market, record, copyOf(met))) return zero;
  const whole = walkVolume(desk, market, record, copyOf(met));
  return marginOf(desk, record, ((whole * BigInt(opening)) / BigInt(remaining)) as Amount);
}

/** What an order that was executed in part still has to reserve: never more than it did. */
export function marginLeft(desk: Desk, record: OrderRecord): Amount {
  const { price, remaining, held } = record;
  if (price === undefined) return held;
  const needed = marginOf(desk, record, volumeAt(record, price, remaining));
  return needed < held ? needed : held;
}

function volumeAt({ seat }: OrderRecord, price: Ticks, quantity: number): Amount {
  return seat.terms.volume(price, quantity as Lots);
}

function marginOf(desk: Desk, record: OrderRecord, volume: Amount): Amount {
  const { instrument } = desk.market(record.instrument);
  const rule = desk.options.marginRule(instrument);
  if (rule === undefined) return zero;
  const leverage = record.seat.margin?.leverage ?? rule.leverage;
  return orderMargin(volume, { leverage, takeRate: instrument.takeRate });
}
