import type { Micros } from '../../../core/base/clock.ts';
import { seconds } from '../../../core/base/clock.ts';
import type { MarketData, TradesPrinted } from '../../../core/model/event.ts';
import type { Instrument, Instruments, Lots } from '../../../core/model/instrument.ts';
import { dayMicros } from '../../statistics/equity.ts';
import { isLeap, RunSigns } from './run-signs.ts';

/** Data have ended early where their silence is longer than this, and than twice the longest one before. */
const silenceMin = seconds(600);

/** What was traded of an instrument on a UTC day, in lots. */
interface Day {
  readonly begin: number;
  traded: number;
  own: number;
}

/** The last public trade of an instrument. */
interface Printed {
  /** In ticks. */
  price: number;
  time: number;
}

/** What a run on books and trades does that makes its result doubtful, collected on the way. */
export class TickSigns {
  readonly signs = new RunSigns({ isOnTicks: true });
  readonly #until: number;
  /** By instrument, when its last message came, 0 before the first; and the longest time between two of them. */
  #heardAt = new Float64Array(0);
  #silence = new Float64Array(0);
  readonly #printed: (Printed | undefined)[] = [];
  readonly #days: (Day | undefined)[] = [];

  /** `until`: where the clock of the run ends, where one is named. */
  constructor(until: Micros | undefined) {
    this.#until = until ?? 0;
  }

  /** A message of the market. */
  seen(data: MarketData, instruments: Instruments): void {
    const { instrument, receiveTime: time } = data;
    if (this.#heardAt.length === 0) {
      this.#heardAt = new Float64Array(instruments.all.length);
      this.#silence = new Float64Array(instruments.all.length);
    }
    const before = this.#heardAt[instrument] as number;
    if (before > 0 && time - before > (this.#silence[instrument] as number))
      this.#silence[instrument] = time - before;
    this.#heardAt[instrument] = time;
    if (data.kind === 'trades') this.#trade(data, instruments);
  }

  #trade({ instrument, receiveTime: time, trades }: TradesPrinted, all: Instruments): void {
    const day = this.#dayOf(all.at(instrument), time);
    const printed = (this.#printed[instrument] ??= { price: 0, time });
    for (const { price, quantity } of trades) {
      day.traded += quantity;
      if (time - printed.time < dayMicros && isLeap(printed.price, price))
        this.signs.leapt(all.at(instrument).symbol, time);
      printed.price = price;
      printed.time = time;
    }
  }

  /** An execution of ours. */
  executed(instrument: Instrument, lots: Lots, time: Micros): void {
    this.#dayOf(instrument, time).own += lots;
  }

  #dayOf(instrument: Instrument, time: Micros): Day {
    const known = this.#days[instrument.id];
    if (known !== undefined) {
      const passed = time - known.begin;
      if (passed >= 0 && passed < dayMicros) return known;
      this.#close(instrument, known);
    }
    const begun = { begin: Math.floor(time / dayMicros) * dayMicros, traded: 0, own: 0 };
    this.#days[instrument.id] = begun;
    return begun;
  }

  #close(instrument: Instrument, { begin, traded, own }: Day): void {
    if (traded > 0) this.signs.hasVolume = true;
    if (own > 0) this.signs.took(instrument.symbol, own / traded, begin);
  }

  /** The data have ended. `isHeld` answers whether there is a position. */
  end(instruments: Instruments, isHeld: (instrument: Instrument) => boolean): void {
    const last = this.#heardAt.reduce((latest, at) => Math.max(latest, at), this.#until);
    for (const instrument of instruments.all) {
      const day = this.#days[instrument.id];
      if (day !== undefined) this.#close(instrument, day);
      this.#days[instrument.id] = undefined;
      const heardAt = this.#heardAt[instrument.id] ?? 0;
      if (heardAt === 0 || !isHeld(instrument)) continue;
      if (last - heardAt > Math.max(silenceMin, 2 * (this.#silence[instrument.id] ?? 0)))
        this.signs.endedEarly(instrument.symbol, heardAt);
    }
  }
}
