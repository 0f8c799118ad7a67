import type { Micros } from '../../core/base/clock.ts';
import type { CandlesChanged } from '../../core/model/event.ts';
import type { InstrumentId } from '../../core/model/instrument.ts';
import type { BarSpec, Candle } from '../../core/model/market.ts';

/** The last candles of each instrument and period: the history that a feed sends on subscription. */
export class CandleHistory {
  readonly #sizeMax: number;
  readonly #series = new Map<InstrumentId, Map<BarSpec, Candle[]>>();

  /** `sizeMax`: of each instrument and period. */
  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax;
  }

  /** A new candle, or another version of the last one. */
  put(candle: Candle): void {
    const periods = this.#series.get(candle.instrument) ?? new Map<BarSpec, Candle[]>();
    this.#series.set(candle.instrument, periods);
    const candles = periods.get(candle.period) ?? [];
    if (candles.at(-1)?.time === candle.time) candles[candles.length - 1] = candle;
    else candles.push(candle);
    periods.set(candle.period, candles.length < 2 * this.#sizeMax ? candles : candles.slice(-this.#sizeMax));
  }

  /**
   * As a feed sends them at `time` on subscription: an event for each instrument, oldest first in each period;
   * only those that `wanted` takes.
   */
  events(time: Micros, wanted: (candle: Candle) => boolean = () => true): readonly CandlesChanged[] {
    const times = { exchangeTime: time, receiveTime: time };
    const sent: CandlesChanged[] = [];
    for (const [instrument, periods] of this.#series) {
      const candles = [...periods.values()].flatMap((one) => one.filter(wanted).slice(-this.#sizeMax));
      if (candles.length > 0) sent.push({ kind: 'candles', instrument, snapshot: true, candles, ...times });
    }
    return sent;
  }
}
