import type { Micros } from '../base/clock.ts';
import type { OrderReport } from './event.ts';
import type { Order } from './order.ts';

/** The report of an order that may have been live and is known to be gone: it was canceled with what it had executed. */
export function canceledReport(
  order: Order,
  { exchangeTime, receiveTime }: { readonly exchangeTime: Micros; readonly receiveTime: Micros },
): OrderReport {
  return {
    kind: 'orderReport',
    exchangeTime,
    receiveTime,
    reportType: 'canceled',
    order: {
      clientOrderId: order.clientOrderId,
      instrument: order.instrument,
      side: order.side,
      type: order.type,
      timeInForce: order.timeInForce,
      quantity: order.quantity,
      price: order.price,
      stopPrice: order.stopPrice,
      expireTime: order.expireTime,
      postOnly: order.postOnly,
      venueOrderId: order.venueOrderId ?? '',
      state: 'canceled',
      cumulative: order.cumulative,
      originalClientOrderId: order.originalClientOrderId,
      orderListId: undefined,
      createdAt: order.createdAt,
      updatedAt: receiveTime,
      ...(order.margin !== undefined && { margin: order.margin }),
    },
    fill: undefined,
  };
}
