import type { TickerChanged } from '../model/event.ts';
import type { InstrumentId } from '../model/instrument.ts';
import type { Ticker } from '../model/market.ts';

/** The last ticker of every instrument. */
export class TickerStore {
  readonly #tickers: (Ticker | undefined)[];

  constructor(instrumentCount: number) {
    this.#tickers = Array.from({ length: instrumentCount });
  }

  apply(event: TickerChanged): void {
    this.#tickers[event.instrument] = event.ticker;
  }

  of(instrument: InstrumentId): Ticker | undefined {
    return this.#tickers[instrument];
  }
}
