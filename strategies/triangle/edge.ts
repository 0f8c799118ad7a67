import type { BookView, Instrument } from 'godwit/strategy';

/** One best price: in ticks, as a number, and what stands there. */
export interface Quote {
  readonly ticks: number;
  readonly price: number;
  readonly quantity: number;
}

export interface Touch {
  readonly bid: Quote;
  readonly ask: Quote;
  /** Taker fee as a fraction; what is bought costs so much more, what is sold brings so much less. */
  readonly fee: number;
}

/** The three books of a triangle: `cross` prices the first currency in the second. */
export interface Prices {
  readonly cross: Touch;
  readonly first: Touch;
  readonly second: Touch;
}

/** What going round earns, as a fraction of what goes in, after fees. */
export interface Way {
  readonly edge: number;
  /** Whether the cross is sold (buy first, sell cross, sell second), or bought (the other way round). */
  readonly sells: boolean;
}

/** The better of the two ways round at the best prices. Doubles: a signal, never money. */
export function bestWay({ cross, first, second }: Prices): Way {
  const out = (touch: Touch): number => touch.bid.price * (1 - touch.fee);
  const into = (touch: Touch): number => touch.ask.price * (1 + touch.fee);
  const selling = (out(cross) * out(second)) / into(first) - 1;
  const buying = out(first) / (into(cross) * into(second)) - 1;
  return selling >= buying ? { edge: selling, sells: true } : { edge: buying, sells: false };
}

/** The touch of a book as numbers; `undefined` while a side is empty. */
export function touchOf(book: BookView, instrument: Instrument): Touch | undefined {
  const { bestBid, bestAsk, bestBidQuantity, bestAskQuantity } = book;
  if (bestBid === undefined || bestAsk === undefined) return undefined;
  const { tickSize, quantityIncrement, takeRate } = instrument.spec;
  const quote = (ticks: number, lots: number): Quote => ({
    ticks,
    price: ticks * Number(tickSize),
    quantity: lots * Number(quantityIncrement),
  });
  return {
    bid: quote(bestBid, bestBidQuantity),
    ask: quote(bestAsk, bestAskQuantity),
    fee: Number(takeRate),
  };
}
