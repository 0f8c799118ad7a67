import type { SourceChange } from './planted-source.ts';
import { one } from './planted-source.ts';

/** Defects of margin and of futures. */
export const marginBugs: Readonly<Record<string, readonly SourceChange[]>> = {
  'trades of the history are booked on spot': one(
    'core/state/orders.ts',
    'if (marginMode !== undefined) return fill;',
    'if (fill.quantity > 0) return fill;',
  ),
  'trades on margin are booked on spot': one(
    'core/ledger/ledger.ts',
    'this.#accounts[account].book(trade, {',
    'this.#accounts.spot.book(trade, {',
  ),
  'a carried position is one of spot': one(
    'core/ledger/ledger.ts',
    "this.#accounts[one.account ?? 'spot'].takePosition(one)",
    'this.#accounts.spot.takePosition(one)',
  ),
  'a carried position forgets its funding': one(
    'core/ledger/holding.ts',
    'this.#charges = carried.charges ?? zero;',
    'this.#charges = zero;',
  ),
  'funding and interest are booked as received': one(
    'core/state/margin.ts',
    'subtract(known.balance, account.balance)',
    'subtract(account.balance, known.balance)',
  ),
  'fills of a margin account are lost with the carried state': one(
    'core/state/margin.ts',
    'if (rests !== undefined) this.#ledger.rests.takeRests(rests, liquidated, former);',
  ),
  'a liquidation belongs to nobody': one(
    'core/state/stores.ts',
    'return isForeign ? this.ledger.holderAgainst(instrument, side, marginMode) : undefined;',
    'return isForeign ? undefined : undefined;',
  ),
  'what others closed is booked at the price of what is left': one(
    'core/orders/margin/comparison.ts',
    'return middleOf(view, instrument) ?? own?.averagePrice ?? entry;',
    'return own === undefined ? middleOf(view, instrument) : entry;',
  ),
  'a reduce-only order may turn the position over': one(
    'core/orders/margin/reducing.ts',
    'if (open > 0 && working + lots <= open) return undefined;',
    'if (open > 0) return undefined;',
  ),
  'margin orders are cancelled on spot': one(
    'venues/hitbtc/client/rest/commands.ts',
    'callOf(cancelRows[product], ',
    "callOf(cancelRows[product.length > 0 ? 'spot' : product], ",
  ),
  'active orders are read of spot alone': one(
    'core/orders/base/reads.ts',
    "for (const name of named) targets.push({ of: 'activeOrders', ...name });",
    "targets.push({ of: 'activeOrders' });",
  ),
  'trades are read of spot alone': one(
    'core/orders/base/reads.ts',
    "for (const name of named) targets.push({ of: 'tradeHistory', since, ...name });",
    "targets.push({ of: 'tradeHistory', since });",
  ),
};
