import type { Micros } from '../base/clock.ts';
import type { ClientOrderId } from '../model/order.ts';
import type { StateView } from '../state/view.ts';

/** Answers remembered: more than the venue takes orders in the time after which silence is noticed. */
const answersMax = 16_384;

/**
 * Unknown orders by the outage that made them so. Orders that became unknown belong to one outage when no order sent between
 * them was answered: they count as one. Those that become unknown while others are answered count one by one.
 * Source: faults, section 6 (16), and I24.
 */
export class UnknownWatch {
  readonly #view: StateView;
  /** The number of its outage, by unknown order. Bounded by the limits of open orders. */
  readonly #outages = new Map<ClientOrderId, number>();
  /** When orders were sent that were answered, by `uptime`; a ring. */
  readonly #answered = new Float64Array(answersMax).fill(Number.NEGATIVE_INFINITY);
  #next = 0;
  #outage = 0;
  #lastSentAt = Number.NEGATIVE_INFINITY;

  constructor(view: StateView) {
    this.#view = view;
  }

  /** An order that was sent at `sentAt` was answered. */
  answered(sentAt: Micros): void {
    this.#answered[this.#next] = sentAt;
    this.#next = this.#next + 1 === answersMax ? 0 : this.#next + 1;
  }

  /** An order that was sent at `sentAt` became unknown. */
  add(clientOrderId: ClientOrderId, sentAt: Micros): void {
    const from = Math.min(this.#lastSentAt, sentAt);
    const to = Math.max(this.#lastSentAt, sentAt);
    if (this.#answered.some((time) => time > from && time < to)) this.#outage += 1;
    this.#lastSentAt = sentAt;
    this.#outages.set(clientOrderId, this.#outage);
  }

  /** Why trading is to be halted because too many orders are unknown. */
  tooMany(unknownOrdersMax: number): string | undefined {
    const count = this.#view.unknownCount();
    if (count <= unknownOrdersMax || this.#view.mode === 'halted') return undefined;
    const outages = new Set<number>();
    for (const [id, outage] of this.#outages) {
      if (this.#view.order(id)?.state === 'unknown') outages.add(outage);
      else this.#outages.delete(id);
    }
    // Those of an earlier run ended with it, all at once.
    const events = outages.size + (count > this.#outages.size ? 1 : 0);
    if (events <= unknownOrdersMax) return undefined;
    return `${count} orders are unknown by ${events} events, more than the ${unknownOrdersMax} allowed`;
  }
}
