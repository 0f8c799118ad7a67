import type { InstrumentId, Lots } from './instrument.ts';
import type { ClientOrderId, OrderRequest } from './order.ts';

/** Longer than the first part of any id of ours: only the venue makes such ids. */
const prefix = 'liquidation-';

/** The id of an order by which a simulated venue closes a position that its margin no longer bears. */
export function liquidationId(number: number): ClientOrderId {
  return `${prefix}${String(number).padStart(6, '0')}` as ClientOrderId;
}

/** Such an order, of a position of `lots`, signed. */
export function liquidationOrder(
  number: number,
  position: { readonly instrument: InstrumentId; readonly lots: number },
  timeInForce: 'IOC' | 'FOK',
): OrderRequest {
  return {
    clientOrderId: liquidationId(number),
    instrument: position.instrument,
    side: position.lots > 0 ? 'sell' : 'buy',
    type: 'market',
    timeInForce,
    quantity: Math.abs(position.lots) as Lots,
    price: undefined,
    stopPrice: undefined,
    expireTime: undefined,
    postOnly: false,
  };
}

/** Whether a venue made the order to close a position that its margin no longer bore. */
export function isLiquidation(id: ClientOrderId): boolean {
  return id.startsWith(prefix);
}

/** Longer than the first part of any id of ours, too. */
const settlementPrefix = 'settlement-';

/** Whether a venue made the order to close a position of a contract that expired. Source: docs/assumptions.md, contracts that expire. */
export function isSettlement(id: ClientOrderId): boolean {
  return id.startsWith(settlementPrefix);
}
