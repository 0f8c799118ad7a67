/** Best prices of a book, in ticks and lots. */
export interface Touch {
  readonly bid: number;
  readonly bidLots: number;
  readonly ask: number;
  readonly askLots: number;
}

/** An order to place, by its number from 1 on, or the number of one to cancel. */
export type Act =
  | { readonly place: number; readonly side: 'buy' | 'sell'; readonly price: number; readonly lots: number }
  | { readonly cancel: number };

export interface Steps {
  /** Books of before are left alone: a daemon compares its account with the venue before its strategies start. In milliseconds. */
  readonly from: number;
  /** It acts at every so many changes of the book. */
  readonly every: number;
  /** Lots of an order at most. */
  readonly lotsMax: number;
  /**
   * Whether it cancels, and leans against what it holds. Without, nothing depends on when reports come: a daemon has an order wait that would
   * meet one under cancel.
   */
  readonly leans: boolean;
}

/** Steps after which an order that still rests is canceled. */
const patience = 7;
/** Milliseconds between two steps of one that does not lean. */
const apart = 5;

/**
 * Decisions of a maker that joins the best price of one side and of the other in turn, takes now and then, cancels what has rested
 * for long, and leans against its position: the same code behind a strategy and behind sockets.
 */
export class Stepping {
  readonly #steps: Steps;
  readonly #open = new Map<number, number>();
  #from = 0;
  #acted = 0;
  #changes = 0;
  #step = 0;
  #placed = 0;
  /** Lots bought less those sold. */
  #held = 0;

  constructor(steps: Steps) {
    this.#steps = steps;
    this.#from = steps.from;
  }

  /** Leaves books of before `time` alone, too. */
  begin(time: number): void {
    this.#from = Math.max(this.#from, time);
  }

  /** The book has changed, at a time of the exchange in milliseconds. */
  onBook({ bid, bidLots, ask, askLots }: Touch, time: number): readonly Act[] {
    const { every, lotsMax, leans } = this.#steps;
    if (time < this.#from) return [];
    this.#changes += 1;
    if (bid >= ask || this.#changes % every !== 0) return [];
    // A measured latency is one of a moment: two orders of one could arrive apart.
    if (!leans && time - this.#acted < apart) return [];
    this.#acted = time;
    this.#step += 1;
    const acts: Act[] = [];
    for (const [order, step] of this.#open)
      if (leans && this.#step - step === patience) acts.push({ cancel: order });
    const most = leans ? lotsMax * 4 : Number.POSITIVE_INFINITY;
    const side = this.#held > most ? 'sell' : this.#held < -most || this.#step % 2 === 1 ? 'buy' : 'sell';
    const takes = this.#step % 5 === 0;
    const price = (side === 'buy') === takes ? ask : bid;
    const standing = price === ask ? askLots : bidLots;
    const lots = Math.max(1, Math.min(lotsMax, Math.ceil(standing / 3)));
    this.#placed += 1;
    this.#open.set(this.#placed, this.#step);
    return [...acts, { place: this.#placed, side, price, lots }];
  }

  /** An order has executed. */
  onFill(side: 'buy' | 'sell', lots: number): void {
    this.#held += side === 'buy' ? lots : -lots;
  }

  /** An order has ended: filled, canceled or refused. */
  onEnd(order: number): void {
    this.#open.delete(order);
  }
}
