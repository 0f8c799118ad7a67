import type { Micros } from '../base/clock.ts';
import type { CandlesChanged } from '../model/event.ts';
import type { InstrumentId } from '../model/instrument.ts';
import type { Candle, CandlePeriod } from '../model/market.ts';

/** The last candles of each instrument and period: what a feed tells whoever begins to listen. */
export class CandleHistory {
  readonly #sizeMax: number;
  readonly #series = new Map<InstrumentId, Map<CandlePeriod, Candle[]>>();

  /** `sizeMax`: of each instrument and period. */
  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax;
  }

  /** A new candle, or another version of the last one. */
  put(candle: Candle): void {
    const periods = this.#series.get(candle.instrument) ?? new Map<CandlePeriod, Candle[]>();
    this.#series.set(candle.instrument, periods);
    const candles = periods.get(candle.period) ?? [];
    if (candles.at(-1)?.time === candle.time) candles[candles.length - 1] = candle;
    else candles.push(candle);
    periods.set(candle.period, candles.length < 2 * this.#sizeMax ? candles : candles.slice(-this.#sizeMax));
  }

  /** As a feed tells them at `time` to one who begins to listen. */
  events(time: Micros): readonly CandlesChanged[] {
    const times = { exchangeTime: time, receiveTime: time };
    return [...this.told()].map(([instrument, candles]) => {
      return { kind: 'candles', instrument, snapshot: true, candles, ...times };
    });
  }

  /** By instrument, those of each period oldest first; only those that `wanted` takes. */
  told(wanted: (candle: Candle) => boolean = () => true): ReadonlyMap<InstrumentId, readonly Candle[]> {
    const told = new Map<InstrumentId, readonly Candle[]>();
    for (const [instrument, periods] of this.#series) {
      const candles = [...periods.values()].flatMap((one) => one.filter(wanted).slice(-this.#sizeMax));
      if (candles.length > 0) told.set(instrument, candles);
    }
    return told;
  }
}
