import type { Amount } from '../../core/base/amount.ts';
import { add, parseAmount, subtract, zero } from '../../core/base/amount.ts';
import type { Micros } from '../../core/base/clock.ts';
import { later, millis } from '../../core/base/clock.ts';
import type { AccountId } from '../matching/index.ts';
import type { AmountLock, AmountLocksParams } from '../../venues/hitbtc/wire/resources/index.ts';
import { historyOf, pageOf } from '../base/index.ts';
import type { WalletContext } from './context.ts';

interface Lock extends AmountLock {
  readonly account: AccountId;
}

/** Amounts that may not be withdrawn for a time. They stay in the balance and may be traded with. */
export class Locks {
  readonly #context: WalletContext;
  readonly #locks: readonly Lock[];

  constructor(context: WalletContext) {
    this.#context = context;
    const now = context.now();
    this.#locks = context.options.locks.map((lock, index) => ({
      account: context.accounts.get(lock.account).id,
      id: index + 1,
      currency: lock.currency,
      amount: parseAmount(lock.amount),
      createdAt: now,
      dateEnd: later(now, millis(lock.forMs)),
      description: lock.description,
      cancelledAt: lock.cancelAfterMs === undefined ? undefined : later(now, millis(lock.cancelAfterMs)),
      cancelDescription: lock.cancelDescription === '' ? undefined : lock.cancelDescription,
      cancelled: false,
    }));
  }

  /** Whether the account could do without `amount` and still have what is locked. */
  leaves(account: AccountId, currency: string, amount: Amount): boolean {
    const { available } = this.#context.held.balance(account, currency);
    const now = this.#context.now();
    let locked = zero;
    for (const lock of this.#locks) {
      if (lock.account === account && lock.currency === currency && isActive(lock, now)) {
        locked = add(locked, lock.amount);
      }
    }
    return subtract(available, locked) >= amount;
  }

  /** The locks of an account, newest first. Source: v3-gaps, section 6. */
  list(account: AccountId, params: AmountLocksParams): readonly AmountLock[] {
    const now = this.#context.now();
    const { currency, active, from, till, limit, offset } = params;
    return pageOf(
      historyOf(this.#locks),
      { sort: 'DESC', by: 'timestamp', from, till, limit, offset },
      {
        numberOf: ({ id }) => id,
        timeOf: ({ createdAt }) => createdAt,
        accepts: (lock) =>
          lock.account === account &&
          (currency === undefined || lock.currency === currency) &&
          (active === undefined || isActive(lock, now) === active),
      },
    ).map((lock) => asItStands(lock, now));
  }
}

function isActive(lock: Lock, now: Micros): boolean {
  return now < lock.dateEnd && (lock.cancelledAt === undefined || now < lock.cancelledAt);
}

/** A cancellation in the future is not shown. */
function asItStands(lock: Lock, now: Micros): AmountLock {
  const cancelled = lock.cancelledAt !== undefined && lock.cancelledAt <= now;
  if (cancelled) return { ...lock, cancelled };
  return { ...lock, cancelled, cancelledAt: undefined, cancelDescription: undefined };
}
