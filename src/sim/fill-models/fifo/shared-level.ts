import type { Lots } from '../../../core/model/instrument.ts';
import type { OrderQueue } from '../../../exchange/matching/index.ts';
import { noOwner } from '../../../exchange/matching/index.ts';
import type { QueueModel } from '../../queue-model.ts';

/** Changes of levels in which foreign quantity and orders of ours stand in one queue. */
export class SharedLevel {
  readonly #model: QueueModel;

  constructor(model: QueueModel) {
    this.#model = model;
  }

  /**
   * Sets the foreign total of the level at `key`, where an order of ours stands.
   *
   * First goes what recorded trades took there while ours stood in their way (it was counted as a trade already):
   * from the front. Of what is missing then, the queue model says how much stood ahead. Growth queues at the end.
   */
  set(queue: OrderQueue, key: number, size: number): void {
    const slot = queue.slotAt(key);
    const { levels } = queue;
    const absorbed = levels.mark[slot] ?? 0;
    levels.mark[slot] = 0;
    let foreign = this.#foreign(queue, slot);
    const already = Math.min(absorbed, foreign);
    if (already > 0) this.#takeFront(queue, slot, already);
    foreign -= already;
    if (size > foreign) this.#grow(queue, slot, size - foreign);
    else if (size < foreign) this.#shrink(queue, slot, foreign - size);
  }

  /** Remembers that a recorded trade met our orders at `key` for this many lots. */
  absorb(queue: OrderQueue, key: number, lots: number): void {
    const slot = queue.slotAt(key);
    if (slot < 0 || lots === 0) return;
    queue.levels.mark[slot] = (queue.levels.mark[slot] ?? 0) + lots;
  }

  #foreign(queue: OrderQueue, slot: number): number {
    let sum = 0;
    for (let handle = queue.headOf(slot); handle >= 0; handle = queue.after(handle))
      if (!queue.isOwned(handle)) sum += queue.quantityOf(handle);
    return sum;
  }

  #grow(queue: OrderQueue, slot: number, lots: number): void {
    const tail = queue.tailOf(slot);
    if (queue.isOwned(tail)) queue.appendAt(slot, lots, noOwner);
    else queue.reduce(tail, -lots);
  }

  /** Splits what left at our youngest order, then what left ahead of it at the next older one, and so on. */
  #shrink(queue: OrderQueue, slot: number, lots: number): void {
    let front = this.#foreign(queue, slot);
    let gone = lots;
    let handle = queue.tailOf(slot);
    while (gone > 0 && handle >= 0) {
      let back = 0;
      let at = handle;
      while (at >= 0 && !queue.isOwned(at)) {
        back += queue.quantityOf(at);
        at = queue.before(at);
      }
      front -= back;
      const estimate = at < 0 ? 0 : this.#model.ahead(gone as Lots, front as Lots, back as Lots);
      const ahead = Math.min(Math.max(estimate, gone - back), Math.min(gone, front));
      this.#takeBack(queue, handle, gone - ahead);
      gone = ahead;
      handle = at < 0 ? -1 : queue.before(at);
    }
  }

  /** Takes foreign lots from `from` towards older orders; they all stand in one run. */
  #takeBack(queue: OrderQueue, from: number, lots: number): void {
    let left = lots;
    for (let handle = from; left > 0 && handle >= 0;) {
      const older = queue.before(handle);
      left -= this.#takeUpTo(queue, handle, left);
      handle = older;
    }
  }

  /** Takes foreign lots from the front of the level, past orders of ours. */
  #takeFront(queue: OrderQueue, slot: number, lots: number): void {
    let left = lots;
    for (let handle = queue.headOf(slot); left > 0 && handle >= 0;) {
      const younger = queue.after(handle);
      if (!queue.isOwned(handle)) left -= this.#takeUpTo(queue, handle, left);
      handle = younger;
    }
  }

  #takeUpTo(queue: OrderQueue, handle: number, lots: number): number {
    const standing = queue.quantityOf(handle);
    if (standing > lots) {
      queue.reduce(handle, lots);
      return lots;
    }
    queue.remove(handle);
    return standing;
  }
}
