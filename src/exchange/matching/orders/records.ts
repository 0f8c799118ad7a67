import type { OrderRequest } from '../../../core/model/order.ts';
import type { OrderOrigin } from './record.ts';
import { OrderRecord } from './record.ts';
import { grown } from '../book/index.ts';
import type { AccountInstrument } from '../accounts/index.ts';

/** Gives out order records, and takes them back once the command in which their order ended is over. */
export class OrderRecords {
  /** Every record there is, by its index. */
  readonly all: OrderRecord[] = [];
  /** By twice the index, which live order of the same account is the next older one; after it the next younger. */
  chain = new Int32Array(2 * 64);
  readonly #free: OrderRecord[] = [];
  readonly #ended: OrderRecord[] = [];
  #freeCount = 0;
  #endedCount = 0;

  /** A record for a new order. */
  open(request: OrderRequest, context: AccountInstrument, origin: OrderOrigin): OrderRecord {
    if (this.#freeCount === 0) {
      const record = new OrderRecord(request, context, origin);
      record.index = this.all.length;
      this.all.push(record);
      if (2 * this.all.length > this.chain.length)
        this.chain = grown(new Int32Array(2 * this.chain.length), this.chain);
      return record;
    }
    this.#freeCount -= 1;
    const record = this.#free[this.#freeCount] as OrderRecord;
    record.beginOrder(request, context, origin);
    return record;
  }

  /** The order has ended, or never came to be; within this command its record may still be read. */
  close(record: OrderRecord): void {
    this.#ended[this.#endedCount] = record;
    this.#endedCount += 1;
  }

  /** The command is over. */
  reclaim(): void {
    for (let i = 0; i < this.#endedCount; i++) {
      this.#free[this.#freeCount] = this.#ended[i] as OrderRecord;
      this.#freeCount += 1;
    }
    this.#endedCount = 0;
  }
}
