import { zero } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import type { CarriedBalance } from '../model/carried-state.ts';
import type { BalancesChanged, ReadAnswered } from '../model/event.ts';
import type { Balance } from '../model/market.ts';

/** Before every time of a run. */
const before = 0 as Micros;

/** Balances of the trading account. An answer to a read never undoes a report that came after the question left. */
export class BalanceStore {
  /** `since` is the arrival of a report, the departure of a read. */
  readonly #known = new Map<string, CarriedBalance>();

  /** A new run: what it receives comes after all that is known, though the clock may have been set back. */
  beginRun(): void {
    for (const [currency, { balance }] of this.#known) this.#known.set(currency, { balance, since: before });
  }

  apply(event: BalancesChanged): void {
    this.#replace(event.balances, event.complete, event.receiveTime);
  }

  applyRead(event: ReadAnswered): void {
    this.#replace(event.balances, true, event.askedAt);
  }

  /** Zero for a currency that was never reported. */
  of(currency: string): Balance {
    return this.#known.get(currency)?.balance ?? { currency, available: zero, reserved: zero };
  }

  /** All that were reported, in order of first appearance. */
  all(): readonly Balance[] {
    return [...this.#known.values()].map((known) => known.balance);
  }

  carry(): readonly CarriedBalance[] {
    return [...this.#known.values()];
  }

  takeBalances(carried: readonly CarriedBalance[]): void {
    for (const known of carried) this.#known.set(known.balance.currency, known);
  }

  #replace(balances: readonly Balance[], complete: boolean, since: Micros): void {
    if (complete) {
      for (const { balance, since: known } of this.#known.values()) {
        if (known > since || balances.some((other) => other.currency === balance.currency)) continue;
        const { currency } = balance;
        this.#known.set(currency, { balance: { currency, available: zero, reserved: zero }, since });
      }
    }
    for (const balance of balances) {
      const known = this.#known.get(balance.currency);
      if (known !== undefined && known.since > since) continue;
      this.#known.set(balance.currency, { balance, since });
    }
  }
}
