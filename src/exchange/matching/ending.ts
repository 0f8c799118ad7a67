import type { VenueOrderState } from '../../core/model/order.ts';
import type { Desk } from './desk.ts';
import { giveBack, leaveList, makeExclusive } from './holding.ts';
import { none } from './order-pool.ts';
import type { OrderRecord } from './order-record.ts';
import { isReducing } from './reducing.ts';

/** Takes a live order off its book or its triggers, without ending it. */
export function withdraw(desk: Desk, record: OrderRecord): void {
  if (record.where === 'nowhere') return;
  const market = desk.market(record.instrument);
  if (record.where === 'triggers') {
    market.triggers.remove(record);
    return;
  }
  market.fills.leave(record);
  leftBook(record);
}

/** The order's handle is no longer its own: it has left the book. */
export function leftBook(record: OrderRecord): void {
  record.handle = none;
  record.where = 'nowhere';
}

/** Ends an order: off the book, what is still held goes back, its id begins to age. Says nothing. */
export function end(desk: Desk, record: OrderRecord, state: VenueOrderState): void {
  withdraw(desk, record);
  record.state = state;
  record.updatedAt = desk.now;
  // A sell that is filled has paid with all it held.
  if (state !== 'filled' || record.side === 'buy' || record.seat.margin !== undefined) giveBack(desk, record);
  if (isReducing(record)) desk.exclusiveCount -= 1;
  if (record.expiresAt !== 0) desk.expiries.forget();
  desk.account(record.seat.account).end(record, desk.now);
  desk.orders.close(record);
  if (record.list !== undefined) leaveList(desk, record);
}

/** Ends an order and reports it; the orders that waited for it end with it. */
export function endAndReport(desk: Desk, record: OrderRecord, state: 'canceled' | 'expired'): void {
  end(desk, record, state);
  desk.report(record, state, undefined);
  const { list } = record;
  if (list === undefined || list.primary !== record) return;
  list.primary = undefined;
  for (const other of list.others(record)) endAndReport(desk, other, 'canceled');
}

/** An order of a list has executed and this was reported: ends those it excludes, wakes those that waited for it. */
export function followTrade(desk: Desk, record: OrderRecord): void {
  const { list } = record;
  if (list === undefined) return;
  if (list.decided) {
    for (const other of list.others(record)) endAndReport(desk, other, 'canceled');
    return;
  }
  if (list.primary !== record || record.state !== 'filled') return;
  list.primary = undefined;
  if (list.members.length === 0) return;
  if (list.contingency === 'oneTriggerOneCancelOther') makeExclusive(desk, list);
  desk.fired.push(...list.members);
}
