import type { AccountId } from '../matching/command.ts';
import type { MarginOutcome } from '../matching/outcome.ts';
import type { CoreListener } from '../core.ts';

/** Hears of the margin accounts of a wing. */
export interface MarginWatcher {
  onMargin(outcome: MarginOutcome): void;
}

/**
 * Carries changes of margin accounts to those who watch them: once whoever caused them has been answered, because a
 * reply to an order comes before the report of its account. Source: v2-gaps, section 6.1 (order of messages).
 */
export class MarginNotices implements CoreListener {
  readonly #watchers = new Map<AccountId, Set<MarginWatcher>>();
  #waiting: MarginOutcome[] = [];

  watch(wing: AccountId, watcher: MarginWatcher): void {
    const watchers = this.#watchers.get(wing) ?? new Set();
    this.#watchers.set(wing, watchers.add(watcher));
  }

  unwatch(wing: AccountId, watcher: MarginWatcher): void {
    const watchers = this.#watchers.get(wing);
    watchers?.delete(watcher);
    if (watchers?.size === 0) this.#watchers.delete(wing);
  }

  onReport(): void {}

  onBalance(): void {}

  onSettled(): void {}

  onMargin(outcome: MarginOutcome): void {
    if (!this.#watchers.has(outcome.account)) return;
    this.#waiting.push(outcome);
    if (this.#waiting.length === 1) queueMicrotask(() => this.flush());
  }

  /** Tells what waits now. */
  flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const outcome of waiting)
      for (const watcher of this.#watchers.get(outcome.account) ?? []) watcher.onMargin(outcome);
  }
}
