import { zero } from '../core/base/amount.ts';
import type { InstrumentId, Lots } from '../core/model/instrument.ts';
import { liquidationOrder } from '../core/model/liquidation.ts';
import { endAndReport, admit } from '../exchange/matching/index.ts';
import type { ExchangeState, OrderRecord } from '../exchange/matching/index.ts';
import { ourAccount } from './product-accounts.ts';

/** Expires the orders of the run's account on these instruments, oldest first. */
export function expireOrders(exchange: ExchangeState, instruments: ReadonlySet<InstrumentId>): void {
  for (const order of exchange.account(ourAccount).orders())
    if (instruments.has(order.instrument)) endAndReport(exchange, order, 'expired');
}

/** The venue's own order that closes a position: it lives, and nothing of it has executed. */
export function openLiquidation(
  exchange: ExchangeState,
  number: number,
  position: { readonly instrument: InstrumentId; readonly lots: number },
  timeInForce: 'IOC' | 'FOK',
): OrderRecord {
  const market = exchange.market(position.instrument);
  const context = exchange.context(exchange.account(ourAccount), market, zero, zero);
  const order = exchange.orders.open(liquidationOrder(number, position, timeInForce), context, {
    number: exchange.nextOrderNumber(),
    createdAt: exchange.now,
    originalClientOrderId: undefined,
    cumulative: 0 as Lots,
  });
  admit(exchange, order);
  return order;
}
