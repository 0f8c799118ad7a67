import type { Micros } from '../base/clock.ts';
import { candleLengths, barLengthOf } from '../model/bar-spec.ts';
import type { InstrumentId } from '../model/instrument.ts';
import type { BarSpec, Candle } from '../model/market.ts';
import type { StateView } from '../state/index.ts';

/** The shortest month: it only means an early look. */
const shortMonth = 28 * candleLengths.D1;

/**
 * Notices closed candles. A candle by time is closed once a later one exists, whether the feed sent them or the state built them
 * from trades; a bar that ends with a trade is closed with it. What was closed before the first look is history and not passed on.
 */
export class CandleWatch {
  readonly #state: StateView;
  readonly #instrument: InstrumentId;
  readonly #spec: BarSpec;
  /** Length of a candle; `undefined` when it ends with a trade. */
  readonly #length: number | undefined;
  /** Start of the oldest candle not passed on yet, of bars that end with a trade how many have closed; -1 before the first look. */
  #next = -1;

  constructor(state: StateView, instrument: InstrumentId, spec: BarSpec) {
    this.#state = state;
    this.#instrument = instrument;
    this.#spec = spec;
    const length = barLengthOf(spec);
    this.#length = length === 0 ? shortMonth : length;
  }

  /**
   * Calls `deliver` for each candle closed since the last look, oldest first. `latest`: time of the newest market data. `isHistory`:
   * these were sent on subscription, so that bars which the first of them ended are history.
   */
  lookForClosed(latest: Micros, deliver: (candle: Candle) => void, isHistory = false): void {
    if (this.#length === undefined) {
      this.#lookForFull(deliver, isHistory);
      return;
    }
    // Nothing can have closed: with trades, asking for the running candle would make one.
    if (this.#next >= 0 && latest < this.#next + this.#length) return;
    const state = this.#state;
    const instrument = this.#instrument;
    const spec = this.#spec;
    const running = state.candle(instrument, spec, 0);
    // Candles that another source begins to send may stand behind those that were passed on.
    if (running === undefined || running.time <= this.#next) return;
    const from = this.#next;
    this.#next = running.time;
    if (from < 0) return;
    const last = state.candle(instrument, spec, 1);
    if (last?.time === from) {
      deliver(last);
      return;
    }
    let back = 0;
    while ((state.candle(instrument, spec, back + 1)?.time ?? -1) >= from) back += 1;
    // Handlers cannot publish inside a step, so the list does not change here.
    for (; back > 0; back--) deliver(state.candle(instrument, spec, back) as Candle);
  }

  #lookForFull(deliver: (candle: Candle) => void, isHistory: boolean): void {
    const state = this.#state;
    if (this.#next < 0) {
      if (state.candle(this.#instrument, this.#spec, 0) === undefined) return;
      this.#next = isHistory ? state.closedBars(this.#instrument, this.#spec) : 0;
    }
    const count = state.closedBars(this.#instrument, this.#spec);
    const from = this.#next;
    if (count === from) return;
    this.#next = count;
    for (let back = count - from - 1; back >= 0; back--) {
      const closed = state.closedBar(this.#instrument, this.#spec, back);
      if (closed !== undefined) deliver(closed);
    }
  }
}
