import { grown, none } from './order-pool.ts';

/** Columns of the levels in which single orders stand, by slot. A level keeps its slot while it has orders. */
export class LevelSlots {
  key = new Float64Array(64);
  /** The sum of the level's lots. */
  total = new Float64Array(64);
  /** The oldest and the youngest order. For a free slot `head` is the next free one. */
  head = new Int32Array(64);
  tail = new Int32Array(64);
  /** How many orders of accounts stand here (the rest is anonymous). */
  owned = new Int32Array(64);
  /** A number of the holder's; 0 when the level is made. */
  mark = new Float64Array(64);
  #free = none;
  #used = 0;

  /** A slot for an empty level at `key`. */
  protected takeSlot(key: number): number {
    let slot = this.#free;
    if (slot !== none) {
      this.#free = this.head[slot] as number;
    } else {
      if (this.#used === this.key.length) this.#grow();
      slot = this.#used++;
    }
    this.key[slot] = key;
    this.total[slot] = 0;
    this.head[slot] = none;
    this.tail[slot] = none;
    this.owned[slot] = 0;
    this.mark[slot] = 0;
    return slot;
  }

  protected giveSlot(slot: number): void {
    this.head[slot] = this.#free;
    this.#free = slot;
  }

  #grow(): void {
    const length = this.key.length * 2;
    this.key = grown(new Float64Array(length), this.key);
    this.total = grown(new Float64Array(length), this.total);
    this.head = grown(new Int32Array(length), this.head);
    this.tail = grown(new Int32Array(length), this.tail);
    this.owned = grown(new Int32Array(length), this.owned);
    this.mark = grown(new Float64Array(length), this.mark);
  }
}
