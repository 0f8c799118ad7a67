import type { Micros } from '../../../core/base/clock.ts';
import type { Balance } from '../../../core/model/market.ts';

interface Told {
  readonly balance: Balance;
  /** When it was last told again without a change, which is no event; 0: it was not. */
  repeatedAt: Micros;
}

/**
 * Of the balances in a notification those that changed since the last one. The venue may tell all of an account with
 * each change of one, and every event is kept.
 *
 * A notification undoes a read that left before it, also one that repeats what is known. So after such a read what was
 * repeated meanwhile is told again, and the next notification counts whole. All of this follows from the frames alone:
 * when a command leaves is in no recording.
 */
export class ChangedBalances {
  readonly #told = new Map<string, Told>();

  /** A notification came. */
  changed(balances: readonly Balance[], now: Micros): readonly Balance[] {
    return balances.filter((balance) => {
      const told = this.#told.get(balance.currency);
      const { available, reserved } = balance;
      if (told?.balance.available === available && told.balance.reserved === reserved) {
        told.repeatedAt = now;
        return false;
      }
      this.#told.set(balance.currency, { balance, repeatedAt: 0 as Micros });
      return true;
    });
  }

  /** A read that left at `askedAt` was answered: what was repeated since, and the answer must not undo. */
  read(askedAt: Micros): readonly Balance[] {
    const repeated = [...this.#told.values()].filter(({ repeatedAt }) => repeatedAt >= askedAt);
    this.forget();
    return repeated.map(({ balance }) => balance);
  }

  /** The next notification counts whole. */
  forget(): void {
    this.#told.clear();
  }
}
