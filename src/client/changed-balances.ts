import type { Command } from '../model/command.ts';
import type { Balance } from '../model/market.ts';

/**
 * Of the balances in a notification those that changed since the last one. The venue may tell all of an account with
 * each change of one, and every event is kept.
 *
 * A notification undoes a read that left before it. So nothing is left out while a read is under way, and after it
 * every balance counts as changed.
 */
export class ChangedBalances {
  readonly #told = new Map<string, Balance>();
  #reads = 0;

  changed(balances: readonly Balance[]): readonly Balance[] {
    if (this.#reads > 0) this.forget();
    const changed = balances.filter(({ currency, available, reserved }) => {
      const told = this.#told.get(currency);
      return told?.available !== available || told.reserved !== reserved;
    });
    for (const balance of changed) this.#told.set(balance.currency, balance);
    return changed;
  }

  sent(command: Command): void {
    if (readsBalances(command)) this.#reads += 1;
  }

  settled(command: Command): void {
    if (!readsBalances(command)) return;
    this.#reads -= 1;
    this.forget();
  }

  /** The next notification counts whole. */
  forget(): void {
    this.#told.clear();
  }
}

function readsBalances(command: Command): boolean {
  return command.kind === 'read' && command.what.of === 'balances';
}
