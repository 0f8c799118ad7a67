import type { OrderRequest } from '../model/order.ts';
import type { Birth } from './order-record.ts';
import { OrderRecord } from './order-record.ts';
import { grown } from './order-pool.ts';
import type { Seat } from './seat.ts';

/** Gives out order records, and takes them back once the command in which their order ended is over. */
export class OrderRecords {
  /** Every record there is, by its index. */
  readonly all: OrderRecord[] = [];
  /** By twice the index, which live order of the same account is the next older one; after it the next younger. */
  chain = new Int32Array(2 * 64);
  /** Indices of free records, and of those whose order has ended in the command under way. */
  #free = new Int32Array(64);
  #ended = new Int32Array(64);
  #freeCount = 0;
  #endedCount = 0;

  /** A record for a new order. */
  open(request: OrderRequest, seat: Seat, birth: Birth): OrderRecord {
    if (this.#freeCount === 0) return this.#make(request, seat, birth);
    this.#freeCount -= 1;
    const record = this.all[this.#free[this.#freeCount] as number] as OrderRecord;
    record.begin(request, seat, birth);
    return record;
  }

  /** The order has ended, or never came to be; within this command its record may still be read. */
  close(record: OrderRecord): void {
    this.#ended[this.#endedCount] = record.index;
    this.#endedCount += 1;
  }

  /** The command is over. */
  reclaim(): void {
    for (let i = 0; i < this.#endedCount; i++) {
      this.#free[this.#freeCount] = this.#ended[i] as number;
      this.#freeCount += 1;
    }
    this.#endedCount = 0;
  }

  #make(request: OrderRequest, seat: Seat, birth: Birth): OrderRecord {
    const record = new OrderRecord(request, seat, birth);
    const { length } = this.all;
    record.index = length;
    this.all.push(record);
    if (length < this.#free.length) return record;
    this.chain = grown(new Int32Array(4 * length), this.chain);
    this.#free = grown(new Int32Array(2 * length), this.#free);
    this.#ended = grown(new Int32Array(2 * length), this.#ended);
    return record;
  }
}
