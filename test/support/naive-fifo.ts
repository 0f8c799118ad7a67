/** One order in a naive market: of the recording, or of ours. */
interface Entry {
  readonly id: string;
  readonly isOurs: boolean;
  readonly side: 'bid' | 'ask';
  price: number;
  lots: number;
}

/** A market of single orders as one list in the order of time, searched from its beginning for everything. */
export class NaiveFifo {
  #entries: Entry[] = [];
  /** Executions of ours so far: `id lots@price`. */
  fills: string[] = [];

  /** An order stands behind all there are; recorded ones meet ours of the other side first. */
  joins(id: string, isOurs: boolean, side: 'bid' | 'ask', price: number, lots: number): void {
    if (!isOurs) {
      const other = side === 'bid' ? 'ask' : 'bid';
      const met = this.#ours(other).filter((one) =>
        side === 'bid' ? one.price <= price : one.price >= price,
      );
      this.#meet(met, lots);
    }
    this.#entries.push({ id, isOurs, side, price, lots });
  }

  loses(id: string, lots: number): void {
    const entry = this.#find(id);
    if (entry !== undefined) this.#take(entry, lots);
  }

  changes(id: string, price: number, lots: number): void {
    const entry = this.#find(id);
    if (entry === undefined) return;
    if (price === entry.price && lots <= entry.lots) {
      entry.lots = lots;
      return;
    }
    this.#entries = this.#entries.filter((one) => one !== entry);
    this.#entries.push({ ...entry, price, lots });
  }

  executes(id: string, lots: number): void {
    const entry = this.#find(id);
    if (entry === undefined) return;
    const at = this.#entries.indexOf(entry);
    const past = this.#ours(entry.side).filter(
      (one) => isBetter(one, entry) || (one.price === entry.price && this.#entries.indexOf(one) < at),
    );
    this.#meet(past, Math.min(lots, entry.lots));
    this.#take(entry, lots);
  }

  /** A taker meets all at better prices, then all that show at the price in the order of time. */
  hidden(side: 'bid' | 'ask', price: number, lots: number): void {
    const better = this.#ours(side).filter((one) => (side === 'bid' ? one.price > price : one.price < price));
    let left = lots - this.#meet(better, lots);
    for (const entry of this.#entries.filter((one) => one.side === side && one.price === price)) {
      if (left <= 0) return;
      left -= entry.isOurs ? this.#meet([entry], left) : entry.lots;
    }
  }

  /** The best price of a side that the recording, or we, have there. */
  best(side: 'bid' | 'ask', isOurs: boolean): number | undefined {
    const prices = this.#entries
      .filter((one) => one.side === side && one.isOurs === isOurs)
      .map(({ price }) => price);
    if (prices.length === 0) return undefined;
    return side === 'bid' ? Math.max(...prices) : Math.min(...prices);
  }

  lotsOf(id: string): number {
    return this.#find(id)?.lots ?? 0;
  }

  /** Ours of a side, the best and then the oldest first. */
  #ours(side: 'bid' | 'ask'): Entry[] {
    const own = this.#entries.filter((one) => one.isOurs && one.side === side);
    return own
      .map((one, index) => ({ one, index }))
      .sort((a, b) => (a.one.price === b.one.price ? a.index - b.index : isBetter(a.one, b.one) ? -1 : 1))
      .map(({ one }) => one);
  }

  /** How many lots of ours executed. */
  #meet(ours: readonly Entry[], lots: number): number {
    let left = lots;
    for (const entry of ours) {
      const filled = Math.min(left, entry.lots);
      if (filled === 0) continue;
      this.fills.push(`${entry.id} ${filled}@${entry.price}`);
      left -= filled;
      this.#take(entry, filled);
    }
    return lots - left;
  }

  #take(entry: Entry, lots: number): void {
    entry.lots -= Math.min(lots, entry.lots);
    if (entry.lots === 0) this.#entries = this.#entries.filter((one) => one !== entry);
  }

  #find(id: string): Entry | undefined {
    return this.#entries.find((one) => one.id === id);
  }
}

function isBetter(one: Entry, than: Entry): boolean {
  return one.side === 'bid' ? one.price > than.price : one.price < than.price;
}
