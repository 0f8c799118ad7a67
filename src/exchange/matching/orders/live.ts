import { none } from '../book/index.ts';
import type { OrderRecord } from './record.ts';
import type { OrderRecords } from './records.ts';

/** Live orders of one account in order of creation: a chain through the records of all accounts. */
export class LiveOrders {
  readonly #records: OrderRecords;
  #oldest = none;
  #newest = none;

  constructor(records: OrderRecords) {
    this.#records = records;
  }

  /** Those that live when their turn comes; what ends meanwhile is left out. */
  *all(): Generator<OrderRecord, void> {
    const records = this.#records;
    for (let index = this.#oldest; index !== none; index = records.chain[2 * index + 1] as number) {
      const record = records.all[index] as OrderRecord;
      if (record.isLive) yield record;
    }
  }

  add({ index }: OrderRecord): void {
    const { chain } = this.#records;
    const newest = this.#newest;
    chain[2 * index] = newest;
    chain[2 * index + 1] = none;
    if (newest === none) this.#oldest = index;
    else chain[2 * newest + 1] = index;
    this.#newest = index;
  }

  /** Its own links stay, so that an iteration that stands at it can go on. */
  remove({ index }: OrderRecord): void {
    const { chain } = this.#records;
    const older = chain[2 * index] as number;
    const newer = chain[2 * index + 1] as number;
    if (older === none) this.#oldest = newer;
    else chain[2 * older + 1] = newer;
    if (newer === none) this.#newest = older;
    else chain[2 * newer] = older;
  }
}
