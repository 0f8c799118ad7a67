import type { Micros } from '../../../core/base/clock.ts';
import type { CancelOrderCommand, ReadTarget } from '../../../core/model/command.ts';
import { printTime } from '../wire/formats.ts';
import type { RestCall } from './rest.ts';

/** Rows per page, and how far paging reaches. Source: API v3, "GET /api/3/spot/history/trade query". */
export const pageRows = 1_000;
export const pageOffsetMax = 100_000;

/** Every symbol. Source: API v3, "Market data". */
export function symbolsCall(symbols: readonly string[]): RestCall {
  const query = symbols.length === 0 ? '' : `symbols=${symbols.map(encodeURIComponent).join(',')}`;
  return { method: 'GET', path: '/public/symbol', query, signed: false };
}

/** Source: API v3, "Spot trading": DELETE /api/3/spot/order/{client_order_id}. */
export function cancelCall(command: CancelOrderCommand): RestCall {
  return { method: 'DELETE', path: `/spot/order/${encodeURIComponent(command.clientOrderId)}`, signed: true };
}

/** The call that answers a read; for trades the page that begins at `offset`. Source: API v3, "Spot trading". */
export function readCall(what: ReadTarget, offset: number): RestCall {
  switch (what.of) {
    case 'activeOrders':
      return { method: 'GET', path: '/spot/order', signed: true };
    case 'balances':
      return { method: 'GET', path: '/spot/balance', signed: true };
    case 'orderHistory':
      return {
        method: 'GET',
        path: '/spot/history/order',
        query: `client_order_id=${encodeURIComponent(what.clientOrderId)}`,
        signed: true,
      };
    case 'tradeHistory':
      return {
        method: 'GET',
        path: '/spot/history/trade',
        query: tradeQuery(what.since, offset),
        signed: true,
      };
  }
}

/** Oldest first: new trades come at the end, so pages do not shift while they are read. */
function tradeQuery(since: Micros, offset: number): string {
  const from = encodeURIComponent(printTime(since));
  return `sort=ASC&by=timestamp&from=${from}&limit=${pageRows}&offset=${offset}`;
}
