import type { Side } from '../../../core/model/order.ts';

/** Fields of a row that are looked at. */
interface SidedRow {
  readonly symbol: string;
  /** As a count or as it is written. */
  readonly time: number | string;
  readonly price: string;
  readonly side: Side | undefined;
}

/** Weights after which a table is one of levels, when no time has said otherwise: on the way, and at its end. */
const bookWeight = 10;
const bookWeightAtEnd = 3;
/** More are no book of one time. */
const levelsMax = 20_000;
/** Rows of a table that has one time alone and no price twice on a side: it is one book. */
const bookRowsMin = 10;
/** Weight of a time at which both sides have two prices and more. */
const fullWeight = 5;

/**
 * Tells levels of a book from trades by their sides: at one time the bids of a book lie below its asks, while takers buy at
 * asks and sell at bids.
 */
export class SideOrder {
  #key = '';
  #buys = 0;
  #sells = 0;
  #highestBuy = 0;
  #lowestSell = 0;
  #book = 0;
  #isTrades = false;
  /** The levels so far, while all rows are of one time; `undefined` otherwise. */
  #only: Set<string> | undefined = new Set();

  /** Takes the next row; whether the rows so far are levels of a book beyond doubt. */
  isBook({ symbol, time, price, side }: SidedRow): boolean {
    if (this.#only === undefined && (this.#isTrades || side === undefined)) return false;
    const key = `${time} ${symbol}`;
    this.#noteOnly(key, `${side} ${price}`);
    if (key !== this.#key) {
      this.#judge();
      this.#key = key;
    }
    const value = Number(price);
    if (side === 'buy') {
      if (this.#buys === 0 || value > this.#highestBuy) this.#highestBuy = value;
      this.#buys += 1;
    } else if (side === 'sell') {
      if (this.#sells === 0 || value < this.#lowestSell) this.#lowestSell = value;
      this.#sells += 1;
    }
    return this.#book >= bookWeight;
  }

  /** Whether all rows were levels of a book. */
  wasBook(): boolean {
    this.#judge();
    if (this.#only !== undefined && this.#only.size >= bookRowsMin) return true;
    return !this.#isTrades && this.#book >= bookWeightAtEnd;
  }

  /** Whether all rows are of one time, each of another price. */
  #noteOnly(key: string, level: string): void {
    const isSame = this.#key === '' || key === this.#key;
    if (this.#only === undefined) return;
    if (!isSame || this.#only.has(level) || this.#only.size >= levelsMax) this.#only = undefined;
    else this.#only.add(level);
  }

  /** A time is over. */
  #judge(): void {
    const [buys, sells] = [this.#buys, this.#sells];
    this.#buys = 0;
    this.#sells = 0;
    if (buys === 0 || sells === 0) return;
    if (this.#highestBuy >= this.#lowestSell) this.#isTrades = true;
    else this.#book += buys > 1 && sells > 1 ? fullWeight : 1;
  }
}
