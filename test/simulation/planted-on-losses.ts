import type { SourceChange } from './planted-source.ts';
import { one } from './planted-source.ts';

/** Defects of limits on loss. */
export const lossBugs: Readonly<Record<string, readonly SourceChange[]>> = {
  'a limit on loss is forgotten over a restart': one(
    'core/state/state.ts',
    'this.#stores.mode.beginRun();',
    'this.#stores.mode.beginRun(); for (const one of this.#stores.losses.latches) this.#stores.losses.applyCleared({ ...one, profit: undefined } as never);',
  ),
  'losses count from the last restart': one(
    'core/state/losses.ts',
    'for (const mark of marks) this.#marks.set(keyOf(mark), mark);',
  ),
  'an order that opens passes a limit on loss': one(
    'core/orders/controls/loss.ts',
    ": reducingDenial(candidate, view, memory, { code: 'LOSS_LIMIT', why: latch.why });",
    ': undefined;',
  ),
  'a limit on loss cancels nothing': one(
    'core/orders/loss-watch.ts',
    'isHeldBack(order, latch, view, this.#parts.memory),',
    'isHeldBack(order, latch, view, this.#parts.memory) && false,',
  ),
  'a limit on loss is over at once': one('core/orders/loss-watch.ts', ' || latch.until > now'),
  'a higher profit is no new peak': one(
    'core/orders/loss-watch.ts',
    'peakWith(known?.peak, profit)',
    '(known?.peak ?? profit)',
  ),
  'orders without an answer do not count in losses': one(
    'core/orders/base/profit.ts',
    'if (view.unknownCount() > 0) {',
    'if (view.unknownCount() > 1_000) {',
  ),
  'funding does not count in losses': one(
    'core/ledger/valuation.ts',
    'subtract(realized, add(feesInQuote, charges))',
    'subtract(realized, feesInQuote)',
  ),
};
