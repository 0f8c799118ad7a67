import type { AccountId, MarginOutcome } from '../matching/index.ts';
import type { CoreListener } from '../base/index.ts';

/** Is called with each change of the margin accounts of a product account. */
export interface MarginWatcher {
  onMargin(outcome: MarginOutcome): void;
}

/**
 * Delivers changes of margin accounts to their watchers, after the request that caused them has been answered: a
 * reply to an order comes before the report of its account. Source: v2-gaps, section 6.1 (order of messages).
 */
export class MarginNotices implements CoreListener {
  readonly #watchers = new Map<AccountId, Set<MarginWatcher>>();
  #waiting: MarginOutcome[] = [];

  watch(owner: AccountId, watcher: MarginWatcher): void {
    const watchers = this.#watchers.get(owner) ?? new Set();
    this.#watchers.set(owner, watchers.add(watcher));
  }

  unwatch(owner: AccountId, watcher: MarginWatcher): void {
    const watchers = this.#watchers.get(owner);
    watchers?.delete(watcher);
    if (watchers?.size === 0) this.#watchers.delete(owner);
  }

  onReport(): void {}

  onBalance(): void {}

  onSettled(): void {}

  onMargin(outcome: MarginOutcome): void {
    if (!this.#watchers.has(outcome.account)) return;
    this.#waiting.push(outcome);
    if (this.#waiting.length === 1) queueMicrotask(() => this.flush());
  }

  /** Delivers what waits now. */
  flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const outcome of waiting)
      for (const watcher of this.#watchers.get(outcome.account) ?? []) watcher.onMargin(outcome);
  }
}
