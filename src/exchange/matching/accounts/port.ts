import type { Execution } from './execution.ts';
import type { Amount } from '../../../core/base/amount.ts';
import type { InstrumentId, Lots, Ticks } from '../../../core/model/instrument.ts';
import type { Side } from '../../../core/model/order.ts';

/** An order as an account sees it. */
export interface PaidOrder {
  readonly instrument: InstrumentId;
  readonly side: Side;
  readonly remaining: Lots;
}

/**
 * An account that pays for orders and is not kept in the wallets: it says what an order needs, reserves that, and books
 * what the order executes.
 */
export interface AccountPort {
  /** Whether only orders that rest hold funds: what executes at once is paid as it executes. */
  readonly holdsAtRest?: boolean;
  /** Amount to reserve for what is left of an order; `at`: its limit, its stop price, or the worst price it would fill at. */
  need(order: PaidOrder, at: Ticks): Amount;
  /** False, and nothing is done, when the account does not have it. */
  reserve(order: PaidOrder, amount: Amount): boolean;
  release(order: PaidOrder, amount: Amount): void;
  /** Books an execution, for which its part of what was reserved, if any, has been released; the fee. */
  settle(order: PaidOrder, execution: Execution, taker: boolean): Amount;
}
