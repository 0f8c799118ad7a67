import type { Micros } from '../../core/base/clock.ts';
import type { Lots, Ticks } from '../../core/model/instrument.ts';
import type { Level } from '../../core/model/market.ts';
import type { Side } from '../../core/model/order.ts';

/** A book, or what changed between two publications: levels with their new totals (0: gone), best first. */
export interface BookChange {
  readonly sequence: number;
  readonly time: Micros;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

/**
 * One symbol's book twice: `live`, as the engine has it (REST reads it), and `published`, as the sockets have
 * published it. Publishing moves the second to the first and advances the sequence by exactly 1, so that a
 * snapshot taken between two updates always continues seamlessly. Source: v3-gaps, section 1.4.
 */
export class PublishedBook {
  readonly #live = { buy: new Ladder(), sell: new Ladder() };
  readonly #published = { buy: new Ladder(), sell: new Ladder() };
  readonly #touched = { buy: new Set<number>(), sell: new Set<number>() };
  #sequence = 1;
  #liveTime = 0 as Micros;
  #publishedTime = 0 as Micros;

  constructor(now: Micros) {
    this.#liveTime = now;
    this.#publishedTime = now;
  }

  /** Sequence of the published book. */
  get sequence(): number {
    return this.#sequence;
  }

  /** When the live book last changed. */
  get liveTime(): Micros {
    return this.#liveTime;
  }

  get publishedTime(): Micros {
    return this.#publishedTime;
  }

  /** Takes a level of the engine. */
  set(side: Side, price: Ticks, quantity: Lots, now: Micros): void {
    if (!this.#live[side].set(price, quantity)) return;
    this.#touched[side].add(price);
    this.#liveTime = now;
  }

  /** Stamps the live book, whether a level changed or not. */
  stamp(now: Micros): void {
    this.#liveTime = now;
  }

  /** The best live price of a side. */
  best(side: Side): Level | undefined {
    return levelsOf(this.#live[side], side, 1)[0];
  }

  /** How many live levels a side has. */
  depth(side: Side): number {
    return this.#live[side].size;
  }

  /** The best `count` live levels of a side, best first; 0 means all. */
  liveLevels(side: Side, count: number): readonly Level[] {
    return levelsOf(this.#live[side], side, count);
  }

  /** The fewest best live levels whose sizes sum up to at least `lots`. Source: v3-gaps, section 4.1. */
  liveLevelsForVolume(side: Side, lots: number): readonly Level[] {
    const all = levelsOf(this.#live[side], side, 0);
    let sum = 0;
    let count = 0;
    while (count < all.length && sum < lots) {
      sum += (all[count] as Level).quantity;
      count += 1;
    }
    return all.slice(0, count);
  }

  /** The published book with the best `count` levels of each side; 0 means all. */
  published(count: number): BookChange {
    return {
      sequence: this.#sequence,
      time: this.#publishedTime,
      bids: levelsOf(this.#published.buy, 'buy', count),
      asks: levelsOf(this.#published.sell, 'sell', count),
    };
  }

  /**
   * Publishes what changed since the last call; undefined when nothing did, unless `always`. `restarts` is asked when something
   * is published: whether its sequence begins anew.
   */
  publish(restarts: () => boolean = () => false, always = false): BookChange | undefined {
    const bids = this.#move('buy');
    const asks = this.#move('sell');
    if (!always && bids.length === 0 && asks.length === 0) return undefined;
    this.#sequence = restarts() ? 1 : this.#sequence + 1;
    this.#publishedTime = this.#liveTime;
    return { sequence: this.#sequence, time: this.#liveTime, bids, asks };
  }

  #move(side: Side): Level[] {
    const touched = this.#touched[side];
    if (touched.size === 0) return [];
    const changed: Level[] = [];
    for (const price of touched) {
      const quantity = this.#live[side].get(price);
      if (this.#published[side].set(price, quantity)) {
        changed.push({ price: price as Ticks, quantity: quantity as Lots });
      }
    }
    touched.clear();
    const direction = side === 'buy' ? -1 : 1;
    return changed.sort((a, b) => direction * (a.price - b.price));
  }
}

function levelsOf(ladder: Ladder, side: Side, count: number): Level[] {
  const length = count > 0 ? Math.min(count, ladder.size) : ladder.size;
  const levels: Level[] = [];
  for (let i = 0; i < length; i++) {
    const index = side === 'buy' ? ladder.size - 1 - i : i;
    levels.push({ price: ladder.priceAt(index) as Ticks, quantity: ladder.sizeAt(index) as Lots });
  }
  return levels;
}

/** One side of a book as the exchange shows it: sizes in lots by price in ticks, prices ascending. */
export class Ladder {
  readonly #prices: number[] = [];
  readonly #sizes: number[] = [];

  /** How many levels stand. */
  get size(): number {
    return this.#prices.length;
  }

  /** Price of the level at `index` from below. */
  priceAt(index: number): number {
    return this.#prices[index] as number;
  }

  sizeAt(index: number): number {
    return this.#sizes[index] as number;
  }

  /** The size at a price, 0 when there is no level. */
  get(price: number): number {
    const at = this.#find(price);
    return this.#prices[at] === price ? (this.#sizes[at] as number) : 0;
  }

  /** Sets the size at a price; 0 removes the level. Returns whether something changed. */
  set(price: number, size: number): boolean {
    const at = this.#find(price);
    if (this.#prices[at] === price) {
      if (this.#sizes[at] === size) return false;
      if (size > 0) this.#sizes[at] = size;
      else {
        this.#prices.splice(at, 1);
        this.#sizes.splice(at, 1);
      }
      return true;
    }
    if (size <= 0) return false;
    this.#prices.splice(at, 0, price);
    this.#sizes.splice(at, 0, size);
    return true;
  }

  /** The first index whose price is not below `price`. */
  #find(price: number): number {
    const prices = this.#prices;
    let low = 0;
    let high = prices.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((prices[middle] as number) < price) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
