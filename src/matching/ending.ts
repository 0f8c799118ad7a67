import { zero } from '../base/amount.ts';
import type { VenueOrderState } from '../model/order.ts';
import type { Desk } from './desk.ts';
import { keyOf } from './order-book.ts';
import { none } from './order-pool.ts';
import type { OrderRecord } from './order-record.ts';

/** Takes a live order off its book or its triggers, without ending it. */
export function withdraw(desk: Desk, record: OrderRecord): void {
  if (record.where === 'nowhere') return;
  const market = desk.market(record.instrument);
  desk.records[record.handle] = undefined;
  if (record.where === 'triggers') {
    market.triggers.remove(record);
    return;
  }
  desk.levelNotes.note(market, record.side, keyOf(record.side, record.request.price ?? 0));
  market.book.queue(record.side).remove(record.handle);
  record.handle = none;
  record.where = 'nowhere';
}

/** Ends an order: off the book, what is still held goes back, its id begins to age. Says nothing. */
export function end(desk: Desk, record: OrderRecord, state: VenueOrderState): void {
  withdraw(desk, record);
  record.state = state;
  record.updatedAt = desk.now;
  if (record.held !== zero) {
    desk.ledger.release(record.side === 'buy' ? record.seat.quote : record.seat.base, record.held);
    record.held = zero;
  }
  if (record.expiresAt !== 0) desk.expiries.forget();
  desk.account(record.account).end(record, desk.now);
}

/** Ends an order and reports it. */
export function endAndReport(desk: Desk, record: OrderRecord, state: 'canceled' | 'expired'): void {
  end(desk, record, state);
  desk.report(record, state, undefined);
}
