import type { Difference } from '../model/difference.ts';
import type { MarketData, ReadBook } from '../model/event.ts';
import type { Instrument, Lots, Ticks } from '../model/instrument.ts';
import { levelStride } from '../model/level-buffer.ts';
import type { BookView } from '../model/market.ts';
import type { Side } from '../model/order.ts';

/** More changes than a look at one book takes in. */
const changesMax = 50_000;

/** One level that a read shows otherwise than the stream. */
export interface OtherLevel {
  readonly side: Side;
  readonly price: Ticks;
  readonly streamed: Lots;
  readonly read: Lots;
}

/** The prices of a book that the stream has changed. */
export class BookChanges {
  readonly #buy = new Set<number>();
  readonly #sell = new Set<number>();
  /** It was replaced as a whole, or has changed more than is kept. */
  isUseless = false;

  add(data: Extract<MarketData, { kind: 'bookUpdate' | 'bookSnapshot' }>): void {
    if (data.kind === 'bookSnapshot') this.isUseless = true;
    if (this.isUseless) return;
    const { levels, start, end } = data;
    for (let at = start; at < end; at += levelStride)
      (levels[at] === 0 ? this.#buy : this.#sell).add(levels[at + 1] as number);
    this.isUseless = this.#buy.size + this.#sell.size > changesMax;
  }

  has(side: Side, price: Ticks): boolean {
    return (side === 'buy' ? this.#buy : this.#sell).has(price);
  }
}

/** Levels that a read shows otherwise, of those that the stream has left alone; as deep as the answer goes. */
export function otherLevels(book: BookView, read: ReadBook, changes: BookChanges): readonly OtherLevel[] {
  const found: OtherLevel[] = [];
  for (const side of ['buy', 'sell'] as const) {
    const rows = side === 'buy' ? read.bids : read.asks;
    const last = rows.length >= read.depth ? rows.at(-1)?.price : undefined;
    const quantities = new Map(rows.map(({ price, quantity }) => [price, quantity]));
    for (const { price, quantity } of book.levels(side, book.depth(side))) {
      if (last !== undefined && (side === 'buy' ? price < last : price > last)) break;
      const shown = quantities.get(price) ?? (0 as Lots);
      quantities.delete(price);
      if (shown !== quantity && !changes.has(side, price))
        found.push({ side, price, streamed: quantity, read: shown });
    }
    for (const [price, quantity] of quantities)
      if (!changes.has(side, price)) found.push({ side, price, streamed: 0 as Lots, read: quantity });
  }
  return found;
}

export function isSame(one: OtherLevel, other: OtherLevel): boolean {
  return one.side === other.side && one.price === other.price;
}

/** Differences in a sentence, with the size of the level that differs most. */
export function levelsText(
  found: readonly OtherLevel[],
  instrument: Instrument,
): Pick<Difference, 'cause' | 'amount' | 'unit'> | undefined {
  const [most] = found.toSorted((one, other) => sizeOf(other) - sizeOf(one));
  if (most === undefined) return undefined;
  const { side, price, streamed, read } = most;
  const what = `the ${side === 'buy' ? 'bid' : 'ask'} ${instrument.priceText(price)}`;
  const others = found.length === 1 ? '' : `, and ${found.length - 1} more of its levels differ`;
  return {
    cause: `the book of ${instrument.symbol} has ${instrument.quantityText(streamed)} at ${what} by its stream, and ${instrument.quantityText(read)} by a read of it${others}`,
    amount: instrument.quantityAmount((read - streamed) as Lots),
    unit: instrument.unit,
  };
}

function sizeOf({ streamed, read }: OtherLevel): number {
  return Math.abs(streamed - read);
}
