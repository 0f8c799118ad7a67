import type { OpenMarginAccount } from '../../core/model/margin.ts';
import type { Balance } from '../../core/model/market.ts';
import type { StateView } from '../../core/state/index.ts';

/** The accounts of a run as the earlier ones left them. */
export interface LeftAccounts {
  readonly spot: readonly Balance[];
  readonly futures: readonly Balance[];
  readonly accounts: readonly OpenMarginAccount[];
}

/** The accounts that earlier runs left, orders that still held something being gone; `undefined` when there is nothing. */
export function leftOf(state: StateView): LeftAccounts | undefined {
  const spot = state.balances();
  if (spot.length === 0) return undefined;
  return { spot, futures: state.balances('futures'), accounts: state.marginAccounts() };
}
