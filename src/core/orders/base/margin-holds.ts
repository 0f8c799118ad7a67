import type { Amount } from '../../base/amount.ts';
import { add, subtract, zero } from '../../base/amount.ts';
import type { Micros } from '../../base/clock.ts';
import { microsPerSecond } from '../../base/clock.ts';
import { SmallMap } from '../../base/small-map.ts';
import type { MarginAccountKey, MarginAccountView } from '../../model/margin.ts';
import { marginNameOf } from '../../model/margin.ts';
import type { ClientOrderId } from '../../model/order.ts';
import type { MarginProductName } from '../../model/product.ts';

/** What an order may take of a margin account. */
export interface MarginHold {
  readonly key: MarginAccountKey;
  readonly amount: Amount;
  /** Not answered yet: what the venue shows as reserved may not hold it. */
  readonly inFlight: boolean;
}

interface Held {
  readonly key: MarginAccountKey;
  all: Amount;
  inFlight: Amount;
  /** What fills took that the account as last reported does not show yet. */
  spent: Amount;
  /** By `uptime`. */
  spentAt: number;
  /** Time of the last fill at the venue. */
  filledAt: number;
  /** Up to when the account is known, by the venue's time of its reports and ours of its reads. */
  knownTo: number;
}

/** A fill is forgotten here after this long even if no report of the account came: reads bring it anyway. */
const spentMax = 5 * microsPerSecond;

/** What own orders that may be live hold back of each margin account, as `Reservations` does of balances. */
export class MarginHolds {
  readonly #holds = new SmallMap<ClientOrderId, MarginHold>();
  readonly #accounts = new Map<string, Held>();

  of(id: ClientOrderId): MarginHold | undefined {
    return this.#holds.get(id);
  }

  /** The sum of the holds of orders the venue has answered for: what it shows as reserved of ours. */
  answered(key: MarginAccountKey): Amount {
    const held = this.#accounts.get(marginNameOf(key));
    return held === undefined ? zero : subtract(held.all, held.inFlight);
  }

  /** Sets what an order may take; `undefined` when nothing more. */
  set(id: ClientOrderId, hold: MarginHold | undefined): void {
    const old = this.#holds.get(id);
    if (old !== undefined) this.#shift(old, -1n);
    if (hold === undefined) {
      this.#holds.delete(id);
      return;
    }
    this.#holds.set(id, hold);
    this.#shift(hold, 1n);
  }

  /** A fill at `time` took `amount`, unless a later report of the account has come already. */
  spend(key: MarginAccountKey, amount: Amount, time: Micros, now: Micros): void {
    const held = this.#account(key);
    if (held.knownTo >= time) return;
    held.spent = add(now - held.spentAt > spentMax ? zero : held.spent, amount);
    held.spentAt = now;
    held.filledAt = Math.max(held.filledAt, time);
  }

  /** The account is known as of `time`: every fill up to then is in it. */
  updated(key: MarginAccountKey, time: Micros): void {
    const held = this.#account(key);
    held.knownTo = Math.max(held.knownTo, time);
    if (held.knownTo >= held.filledAt) held.spent = zero;
  }

  /** All accounts of a product are known as of `time`. */
  readAll(product: MarginProductName, time: Micros): void {
    for (const { key } of this.#accounts.values()) if (key.product === product) this.updated(key, time);
  }

  /** Whether a fill has come that the account as last reported does not show, and may yet. */
  isBehind(key: MarginAccountKey, now: Micros): boolean {
    const held = this.#accounts.get(marginNameOf(key));
    return held !== undefined && held.filledAt > held.knownTo && now - held.spentAt <= spentMax;
  }

  /**
   * What new orders may still use of an account under every reading: the smaller of what the venue calls free less what is in
   * flight, and of the balance less positions and every hold; less fills the account does not show yet. It may be below 0.
   */
  free(key: MarginAccountKey, account: MarginAccountView, now: Micros): Amount {
    const { balance, reservedPositions, reservedOrders } = account;
    const unused = subtract(balance, reservedPositions);
    const held = this.#accounts.get(marginNameOf(key));
    if (held === undefined) return subtract(unused, reservedOrders);
    const reported = subtract(unused, add(reservedOrders, held.inFlight));
    const computed = subtract(unused, held.all);
    const least = reported < computed ? reported : computed;
    return now - held.spentAt > spentMax ? least : subtract(least, held.spent);
  }

  #shift({ key, amount, inFlight }: MarginHold, sign: bigint): void {
    const held = this.#account(key);
    held.all = (held.all + sign * amount) as Amount;
    if (inFlight) held.inFlight = (held.inFlight + sign * amount) as Amount;
  }

  #account(key: MarginAccountKey): Held {
    const name = marginNameOf(key);
    let held = this.#accounts.get(name);
    if (held === undefined) {
      held = {
        key,
        all: zero,
        inFlight: zero,
        spent: zero,
        spentAt: Number.NEGATIVE_INFINITY,
        filledAt: 0,
        knownTo: 0,
      };
      this.#accounts.set(name, held);
    }
    return held;
  }
}
