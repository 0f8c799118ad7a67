import type { TradesPrinted } from '../model/event.ts';
import type { InstrumentId } from '../model/instrument.ts';
import type { MarketTrade } from '../model/market.ts';

/** The last public trades of every instrument, in rings. */
export class TradeStore {
  readonly #rings: (TradeRing | undefined)[];
  readonly #sizeMax: number;

  constructor(instrumentCount: number, sizeMax: number) {
    this.#rings = Array.from({ length: instrumentCount });
    this.#sizeMax = sizeMax;
  }

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
    const first = event.snapshot ? firstNew(event.trades, ring.last) : 0;
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

class TradeRing {
  readonly #sizeMax: number;
  readonly #trades: MarketTrade[] = [];
  #next = 0;
  last: MarketTrade | undefined;

  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax;
  }

  push(trade: MarketTrade): void {
    if (this.#trades.length < this.#sizeMax) this.#trades.push(trade);
    else this.#trades[this.#next] = trade;
    this.#next = this.#next + 1 === this.#sizeMax ? 0 : this.#next + 1;
    this.last = trade;
  }

  list(): readonly MarketTrade[] {
    if (this.#trades.length < this.#sizeMax) return [...this.#trades];
    return [...this.#trades.slice(this.#next), ...this.#trades.slice(0, this.#next)];
  }
}

function firstNew(trades: readonly MarketTrade[], last: MarketTrade | undefined): number {
  if (last === undefined) return 0;
  for (let i = trades.length - 1; i >= 0; i--) {
    if ((trades[i] as MarketTrade).tradeId === last.tradeId) return i + 1;
  }
  // The last known trade is not in the history sent: what is later than it is new.
  const later = trades.findIndex((trade) => trade.time > last.time);
  return later < 0 ? trades.length : later;
}
