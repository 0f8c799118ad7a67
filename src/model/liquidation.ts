import type { ClientOrderId } from './order.ts';

/** Longer than the first part of any id of ours: nobody else makes such ids. */
const prefix = 'liquidation-';

/** The id of an order by which a simulated venue closes a position that its margin no longer bears. */
export function liquidationId(number: number): ClientOrderId {
  return `${prefix}${String(number).padStart(6, '0')}` as ClientOrderId;
}

/** Whether a venue made the order to close a position that its margin no longer bore. */
export function isLiquidation(id: ClientOrderId): boolean {
  return id.startsWith(prefix);
}
