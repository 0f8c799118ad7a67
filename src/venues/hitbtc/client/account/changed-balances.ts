import type { Micros } from '../../../../core/base/clock.ts';
import type { Balance } from '../../../../core/model/market.ts';

interface Known {
  readonly balance: Balance;
  /** When it was last repeated without a change, which is no event; 0: never. */
  repeatedAt: Micros;
}

/**
 * Of the balances in a notification those that changed since the last one. The venue may send all of an account with
 * each change of one, and every event is kept.
 *
 * A notification undoes a read that left before it, also one that repeats what is known. So after such a read what was
 * repeated meanwhile is published again, and the next notification counts whole. All of this follows from the frames alone:
 * when a command leaves is in no recording.
 */
export class ChangedBalances {
  readonly #known = new Map<string, Known>();

  /** A notification came. */
  changed(balances: readonly Balance[], now: Micros): readonly Balance[] {
    return balances.filter((balance) => {
      const known = this.#known.get(balance.currency);
      const { available, reserved } = balance;
      if (known?.balance.available === available && known.balance.reserved === reserved) {
        known.repeatedAt = now;
        return false;
      }
      this.#known.set(balance.currency, { balance, repeatedAt: 0 as Micros });
      return true;
    });
  }

  /** A read that left at `askedAt` was answered: what was repeated since, and the answer must not undo. */
  read(askedAt: Micros): readonly Balance[] {
    const repeated = [...this.#known.values()].filter(({ repeatedAt }) => repeatedAt >= askedAt);
    this.forget();
    return repeated.map(({ balance }) => balance);
  }

  /** The next notification counts whole. */
  forget(): void {
    this.#known.clear();
  }
}
