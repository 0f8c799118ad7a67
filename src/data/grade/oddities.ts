import type { BookUpdate, TradesPrinted } from '../../core/model/event.ts';

/** Fewer trades may have such ids by chance. */
const stampedMin = 2;

/** Oddities of messages that are no fault of the recording. */
export interface Oddities {
  /** Updates that change no level; they count in the sequence like any other. */
  readonly emptyUpdates: number;
  /** Trades whose id is the millisecond of the trade: all of them, or 0. */
  readonly stampedIds: number;
}

export class OdditiesCollector {
  #empty = 0;
  #stamped = 0;
  #isStamped = true;

  update({ start, end }: BookUpdate): void {
    if (start === end) this.#empty += 1;
  }

  trades({ trades }: TradesPrinted): void {
    if (!this.#isStamped) return;
    for (const { tradeId, time } of trades) {
      this.#isStamped &&= Number(tradeId) === Math.floor(time / 1_000);
      this.#stamped += 1;
    }
  }

  result(): Oddities {
    const isStamped = this.#isStamped && this.#stamped >= stampedMin;
    return { emptyUpdates: this.#empty, stampedIds: isStamped ? this.#stamped : 0 };
  }
}
