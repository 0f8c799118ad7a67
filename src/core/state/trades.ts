import type { Micros } from '../base/clock.ts';
import type { TradesPrinted } from '../model/event.ts';
import type { InstrumentId, Lots, Ticks } from '../model/instrument.ts';
import type { MarketTrade } from '../model/market.ts';
import type { Side } from '../model/order.ts';

/** The last public trades of every instrument, in rings. */
export class TradeStore {
  readonly #rings: (TradeRing | undefined)[];
  readonly #sizeMax: number;

  constructor(instrumentCount: number, sizeMax: number) {
    this.#rings = Array.from({ length: instrumentCount });
    this.#sizeMax = sizeMax;
  }

  /** Whether trades before those of the last event are lost: a snapshot after a reconnect began behind what was known. */
  isBehindGap = false;

  /**
   * Keeps what is new in the event and returns the index of the first new trade in it: a snapshot after a
   * reconnect repeats trades that are known.
   */
  apply(event: TradesPrinted): number {
    let ring = this.#rings[event.instrument];
    if (ring === undefined) {
      ring = new TradeRing(this.#sizeMax);
      this.#rings[event.instrument] = ring;
    }
    const { last } = ring;
    const first = event.snapshot ? firstNew(event.trades, last, ring) : 0;
    this.isBehindGap = event.snapshot && last !== undefined && first === 0 && event.trades.length > 0;
    for (let i = first; i < event.trades.length; i++) ring.push(event.trades[i] as MarketTrade);
    return first;
  }

  of(instrument: InstrumentId): readonly MarketTrade[] {
    return this.#rings[instrument]?.list() ?? [];
  }

  last(instrument: InstrumentId): MarketTrade | undefined {
    return this.#rings[instrument]?.last;
  }
}

/**
 * Columns instead of trades: a trade object that is not kept dies in the young generation. A ring of objects
 * would promote each of them, which makes collection expensive. Fast twin of that ring: row `corridor-resident-touch-maker`,
 * 1.07 times as fast.
 */
class TradeRing {
  readonly #sizeMax: number;
  readonly #ids: string[] = [];
  readonly #prices: Ticks[] = [];
  readonly #quantities: Lots[] = [];
  readonly #sides: Side[] = [];
  readonly #times: Micros[] = [];
  #newest = -1;

  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax;
  }

  get last(): MarketTrade | undefined {
    return this.#newest < 0 ? undefined : this.#at(this.#newest);
  }

  push({ tradeId, price, quantity, side, time }: MarketTrade): void {
    const at = this.#newest + 1 === this.#sizeMax ? 0 : this.#newest + 1;
    this.#ids[at] = tradeId;
    this.#prices[at] = price;
    this.#quantities[at] = quantity;
    this.#sides[at] = side;
    this.#times[at] = time;
    this.#newest = at;
  }

  has(tradeId: string): boolean {
    return this.#ids.includes(tradeId);
  }

  list(): readonly MarketTrade[] {
    const oldest = this.#newest + 1;
    const trades: MarketTrade[] = [];
    for (let at = oldest; at < this.#ids.length; at++) trades.push(this.#at(at));
    for (let at = 0; at < oldest; at++) trades.push(this.#at(at));
    return trades;
  }

  #at(at: number): MarketTrade {
    return {
      tradeId: this.#ids[at] as string,
      price: this.#prices[at] as Ticks,
      quantity: this.#quantities[at] as Lots,
      side: this.#sides[at] as Side,
      time: this.#times[at] as Micros,
    };
  }
}

function firstNew(trades: readonly MarketTrade[], last: MarketTrade | undefined, ring: TradeRing): number {
  if (last === undefined) return 0;
  for (let i = trades.length - 1; i >= 0; i--) {
    if ((trades[i] as MarketTrade).tradeId === last.tradeId) return i + 1;
  }
  // The last known trade is not in the history sent: what is not earlier than it, and not known, is new.
  const later = trades.findIndex(
    ({ time, tradeId }) => time > last.time || (time === last.time && !ring.has(tradeId)),
  );
  return later < 0 ? trades.length : later;
}
