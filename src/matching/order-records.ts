import type { OrderRequest } from '../model/order.ts';
import type { Birth } from './order-record.ts';
import { OrderRecord } from './order-record.ts';
import type { Seat } from './seat.ts';

/** Gives out order records, and takes them back once the command in which their order ended is over. */
export class OrderRecords {
  readonly #free: OrderRecord[] = [];
  readonly #ended: OrderRecord[] = [];
  #endedCount = 0;

  /** A record for a new order. */
  open(request: OrderRequest, seat: Seat, birth: Birth): OrderRecord {
    const record = this.#free.pop();
    if (record === undefined) return new OrderRecord(request, seat, birth);
    record.begin(request, seat, birth);
    return record;
  }

  /** The order has ended, or never came to be; within this command its record may still be read. */
  close(record: OrderRecord): void {
    this.#ended[this.#endedCount] = record;
    this.#endedCount += 1;
  }

  /** The command is over. */
  reclaim(): void {
    for (let i = 0; i < this.#endedCount; i++) this.#free.push(this.#ended[i] as OrderRecord);
    this.#endedCount = 0;
  }
}
