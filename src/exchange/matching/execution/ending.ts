import type { VenueOrderState } from '../../../core/model/order.ts';
import type { ExchangeState } from '../state/index.ts';
import { giveBack, leaveList, makeExclusive } from './reservations.ts';
import { none } from '../book/index.ts';
import type { OrderRecord } from '../orders/index.ts';
import { isReducing } from './reducing.ts';

/** Takes a live order off its book or its triggers, without ending it. */
export function withdraw(exchange: ExchangeState, record: OrderRecord): void {
  if (record.where === 'nowhere') return;
  const market = exchange.market(record.instrument);
  if (record.where === 'triggers') {
    market.triggers.remove(record);
    return;
  }
  market.fills.leaveBook(record);
  leftBook(record);
}

/** The order's handle is no longer its own: it has left the book. */
export function leftBook(record: OrderRecord): void {
  record.handle = none;
  record.where = 'nowhere';
}

/** Ends an order: off the book, what is still held goes back, its id begins to age. Says nothing. */
export function endOrder(exchange: ExchangeState, record: OrderRecord, state: VenueOrderState): void {
  withdraw(exchange, record);
  record.state = state;
  record.updatedAt = exchange.now;
  // A sell that is filled has paid with all it held, but for a fee that might have been higher.
  if (state !== 'filled' || record.side === 'buy' || mayHoldMore(record)) giveBack(exchange, record);
  if (isReducing(record)) exchange.exclusiveCount -= 1;
  if (record.expiresAt !== 0) exchange.expiries.forget();
  exchange.account(record.context.account).endOrder(record, exchange.now);
  exchange.orders.close(record);
  if (record.list !== undefined) leaveList(exchange, record);
}

/** Ends an order and reports it; the orders that waited for it end with it. */
export function endAndReport(
  exchange: ExchangeState,
  record: OrderRecord,
  state: 'canceled' | 'expired',
): void {
  endOrder(exchange, record, state);
  exchange.report(record, state, undefined);
  const { list } = record;
  if (list === undefined || list.primary !== record) return;
  list.primary = undefined;
  for (const other of list.others(record)) endAndReport(exchange, other, 'canceled');
}

/** An order of a list has executed and this was reported: ends those it excludes, wakes those that waited for it. */
export function followTrade(exchange: ExchangeState, record: OrderRecord): void {
  const { list } = record;
  if (list === undefined) return;
  if (list.decided) {
    for (const other of list.others(record)) endAndReport(exchange, other, 'canceled');
    return;
  }
  if (list.primary !== record || record.state !== 'filled') return;
  list.primary = undefined;
  if (list.members.length === 0) return;
  if (list.contingency === 'oneTriggerOneCancelOther') makeExclusive(exchange, list);
  exchange.fired.push(...list.members);
}

/** Whether a sell may hold something when it is filled. */
function mayHoldMore({ context }: OrderRecord): boolean {
  return context.margin !== undefined || context.terms.feesInBase;
}
