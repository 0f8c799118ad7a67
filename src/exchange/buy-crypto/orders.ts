import type { Amount } from '../../core/base/amount.ts';
import type { Cancel, Clock, Micros } from '../../core/base/clock.ts';
import { micros, microsPerMilli } from '../../core/base/clock.ts';
import type { Random } from '../../core/base/random.ts';
import type { AccountId } from '../matching/index.ts';
import type { BuyOrder, BuyOrderStatus } from '../../venues/hitbtc/wire/resources/index.ts';
import type { BuyCryptoOptions } from './options.ts';

/** A purchase under way or ended, with what the wire does not show. */
export interface BuyRecord {
  readonly account: AccountId;
  readonly networkCode: string;
  readonly targetAmount: Amount;
  readonly operationId: string;
  /** Without its operation: that is shown in lists only. */
  readonly order: BuyOrder;
}

/** Fields of a new purchase; number, time and status come from here. */
interface NewPurchase extends Omit<BuyRecord, 'order'> {
  readonly order: Omit<BuyOrder, 'id' | 'createdAt' | 'status' | 'orderType' | 'operationId'>;
}

/**
 * Purchases of all accounts and how they go on: initial, then in progress once the buyer pays, then completed or
 * failed; expired when not paid. Chance decides which, the exchange's clock moves them. Bounded per account.
 */
export class BuyOrders {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #options: BuyCryptoOptions;
  readonly #onCompleted: (record: BuyRecord) => void;
  /** Oldest first, by account. */
  readonly #records = new Map<AccountId, BuyRecord[]>();
  readonly #timers = new Set<Cancel>();
  #number = 1;

  constructor(setup: {
    clock: Clock;
    random: Random;
    options: BuyCryptoOptions;
    onCompleted: (record: BuyRecord) => void;
  }) {
    this.#clock = setup.clock;
    this.#random = setup.random;
    this.#options = setup.options;
    this.#onCompleted = setup.onCompleted;
  }

  /** The purchases of an account, oldest first. */
  of(account: AccountId): readonly BuyRecord[] {
    return this.#records.get(account) ?? [];
  }

  /** Opens a purchase; undefined when as many as allowed are under way. */
  open(purchase: NewPurchase): BuyRecord | undefined {
    const { account } = purchase;
    let records = this.#records.get(account);
    if (records === undefined) this.#records.set(account, (records = []));
    const { openMax, ordersMax } = this.#options;
    if (records.filter(({ order }) => !isEnded(order.status)).length >= openMax) return undefined;
    const record: BuyRecord = {
      ...purchase,
      order: {
        ...purchase.order,
        id: String(this.#number++),
        orderType: 'buy',
        status: 'initial',
        createdAt: this.#clock.now(),
        operationId: undefined,
      },
    };
    records.push(record);
    const surplus = records.length > ordersMax ? records.findIndex(({ order }) => isEnded(order.status)) : -1;
    if (surplus >= 0) records.splice(surplus, 1);
    this.#plan(record);
    return record;
  }

  /** Ends every timer: what is under way stays as it is. */
  stop(): void {
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
  }

  #plan(record: BuyRecord): void {
    const { abandonedShare, failedShare, startMs, settleMs, expireMs } = this.#options;
    const random = this.#random.fork(`order ${record.order.id}`);
    const abandoned = random.chance(abandonedShare);
    const start = delayOf(random, startMs);
    const expiry = micros(expireMs * microsPerMilli);
    if (abandoned || start >= expiry) {
      this.#later(expiry, () => this.#move(record, 'expired'));
      return;
    }
    const end = random.chance(failedShare) ? 'failed' : 'completed';
    const settle = delayOf(random, settleMs);
    this.#later(start, () => {
      const paying = this.#move(record, 'in_progress');
      this.#later(settle, () => this.#move(paying, end));
    });
  }

  #move(record: BuyRecord, status: BuyOrderStatus): BuyRecord {
    const moved = { ...record, order: { ...record.order, status } };
    const records = this.#records.get(record.account) ?? [];
    const at = records.indexOf(record);
    if (at >= 0) records[at] = moved;
    if (status === 'completed') this.#onCompleted(moved);
    return moved;
  }

  #later(delay: Micros, step: () => void): void {
    const cancel = this.#clock.after(delay, () => {
      this.#timers.delete(cancel);
      step();
    });
    this.#timers.add(cancel);
  }
}

function isEnded(status: BuyOrder['status']): boolean {
  return status !== 'initial' && status !== 'in_progress';
}

/** Around `meanMs`, never more than six times as long. */
function delayOf(random: Random, meanMs: number): Micros {
  return micros(Math.round(Math.min(6 * meanMs, random.exponential(meanMs)) * microsPerMilli));
}
