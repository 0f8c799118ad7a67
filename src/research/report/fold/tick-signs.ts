import type { Micros } from '../../../core/base/clock.ts';
import { seconds } from '../../../core/base/clock.ts';
import type { MarketData, TradesPrinted } from '../../../core/model/event.ts';
import type { Instrument, Instruments, Lots } from '../../../core/model/instrument.ts';
import { dayMicros } from '../../statistics/index.ts';
import { isLeap, RunSigns } from './run-signs.ts';

/** Data have ended early where their silence is longer than this, and than twice the longest one before. */
const silenceMin = seconds(600);

/** What was traded of an instrument on a UTC day, in lots. */
interface Day {
  readonly begin: number;
  traded: number;
  own: number;
}

/** What a run on books and trades does that makes its result doubtful, collected on the way. */
export class TickSigns {
  readonly signs = new RunSigns({ isOnTicks: true });
  readonly #until: number;
  // Every message comes through here: times stay in arrays of numbers, and no call takes one, because that would allocate it.
  /** By instrument: when its last message came, NaN before the first; and the longest time between two of them. */
  #heardAt = new Float64Array(0);
  #silence = new Float64Array(0);
  /** By instrument: price in ticks and time of its last public trade, NaN before the first. */
  #price = new Float64Array(0);
  #printedAt = new Float64Array(0);
  readonly #days: (Day | undefined)[] = [];

  /** `until`: where the clock of the run ends, where one is named. */
  constructor(until: Micros | undefined) {
    this.#until = until ?? 0;
  }

  /** A message of the market. */
  seen(data: MarketData, instruments: Instruments): void {
    const { instrument } = data;
    if (this.#heardAt.length === 0) this.#open(instruments.all.length);
    const silence = data.receiveTime - (this.#heardAt[instrument] as number);
    if (silence > (this.#silence[instrument] as number)) this.#silence[instrument] = silence;
    this.#heardAt[instrument] = data.receiveTime;
    if (data.kind === 'trades' && data.trades.length > 0) this.#trade(data, instruments);
  }

  #open(count: number): void {
    this.#heardAt = new Float64Array(count).fill(Number.NaN);
    this.#silence = new Float64Array(count);
    this.#price = new Float64Array(count).fill(Number.NaN);
    this.#printedAt = new Float64Array(count).fill(Number.NaN);
  }

  #trade(data: TradesPrinted, all: Instruments): void {
    const { instrument, trades } = data;
    const known = this.#days[instrument];
    const passed = known === undefined ? Number.NaN : data.receiveTime - known.begin;
    const day =
      known !== undefined && passed >= 0 && passed < dayMicros
        ? known
        : this.#dayOf(all.at(instrument), data.receiveTime);
    const isNear = data.receiveTime - (this.#printedAt[instrument] as number) < dayMicros;
    let before = isNear ? (this.#price[instrument] as number) : Number.NaN;
    let lots = 0;
    for (const { price, quantity } of trades) {
      lots += quantity;
      if (isLeap(before, price)) this.signs.leapt(all.at(instrument).symbol, data.receiveTime);
      before = price;
    }
    day.traded += lots;
    this.#price[instrument] = before;
    this.#printedAt[instrument] = data.receiveTime;
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
    const last = this.#heardAt.reduce((latest, at) => (at > latest ? at : latest), this.#until);
    for (const instrument of instruments.all) {
      const day = this.#days[instrument.id];
      if (day !== undefined) this.#close(instrument, day);
      this.#days[instrument.id] = undefined;
      const heardAt = this.#heardAt[instrument.id] ?? Number.NaN;
      if (Number.isNaN(heardAt) || !isHeld(instrument)) continue;
      if (last - heardAt > Math.max(silenceMin, 2 * (this.#silence[instrument.id] ?? 0)))
        this.signs.endedEarly(instrument.symbol, heardAt);
    }
  }
}
