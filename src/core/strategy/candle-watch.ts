import type { Micros } from '../base/clock.ts';
import { seconds } from '../base/clock.ts';
import type { InstrumentId } from '../model/instrument.ts';
import type { Candle, CandlePeriod } from '../model/market.ts';
import type { StateView } from '../state/index.ts';

/** How long a candle lasts; for a month the shortest one, which only means an early look. */
const lengths: Readonly<Record<CandlePeriod, Micros>> = {
  M1: seconds(60),
  M3: seconds(180),
  M5: seconds(300),
  M15: seconds(900),
  M30: seconds(1_800),
  H1: seconds(3_600),
  H4: seconds(14_400),
  D1: seconds(86_400),
  D7: seconds(604_800),
  '1M': seconds(2_419_200),
};

/**
 * Notices closed candles. A candle is closed once a later one exists, whether the feed sent them or the state
 * built them from trades. What was closed before the first look is history and not passed on.
 */
export class CandleWatch {
  readonly #state: StateView;
  readonly #instrument: InstrumentId;
  readonly #period: CandlePeriod;
  readonly #length: Micros;
  /** Start of the oldest candle not passed on yet; -1 before the first look. */
  #next = -1;

  constructor(state: StateView, instrument: InstrumentId, period: CandlePeriod) {
    this.#state = state;
    this.#instrument = instrument;
    this.#period = period;
    this.#length = lengths[period];
  }

  get period(): CandlePeriod {
    return this.#period;
  }

  /** Calls `deliver` for each candle closed since the last look, oldest first. `latest`: time of the newest market data. */
  lookForClosed(latest: Micros, deliver: (candle: Candle) => void): void {
    // Nothing can have closed: with trades, asking for the running candle would make one.
    if (this.#next >= 0 && latest < this.#next + this.#length) return;
    const state = this.#state;
    const instrument = this.#instrument;
    const period = this.#period;
    const running = state.candle(instrument, period, 0);
    if (running === undefined || running.time === this.#next) return;
    const from = this.#next;
    this.#next = running.time;
    if (from < 0) return;
    const last = state.candle(instrument, period, 1);
    if (last?.time === from) {
      deliver(last);
      return;
    }
    let back = 0;
    while ((state.candle(instrument, period, back + 1)?.time ?? -1) >= from) back += 1;
    // Handlers cannot publish inside a step, so the list does not change here.
    for (; back > 0; back--) deliver(state.candle(instrument, period, back) as Candle);
  }
}
