import type { Micros } from '../../core/base/clock.ts';
import { seconds } from '../../core/base/clock.ts';
import type { MarketData, TradesPrinted } from '../../core/model/event.ts';
import type { Instrument, InstrumentId, Instruments, Lots } from '../../core/model/instrument.ts';
import { dayMicros } from '../statistics/equity.ts';
import { isLeap, RunSigns } from './run-signs.ts';

/** Data have ended early where their silence is longer than this, and than twice the longest one before. */
const silenceMin = seconds(600);

/** What was traded of an instrument on a UTC day, in lots. */
interface Day {
  readonly day: number;
  traded: number;
  own: number;
}

interface Heard {
  /** Of the last message. */
  at: number;
  /** The longest time between two messages. */
  silence: number;
  /** In ticks, of the last public trade; 0 before the first. */
  price: number;
  pricedAt: number;
}

/** What a run on books and trades does that makes its result doubtful, collected on the way. */
export class TickSigns {
  readonly signs = new RunSigns({ isOnTicks: true });
  readonly #until: number;
  readonly #heard: (Heard | undefined)[] = [];
  readonly #days = new Map<InstrumentId, Day>();

  /** `until`: where the clock of the run ends, where one is named. */
  constructor(until: Micros | undefined) {
    this.#until = until ?? 0;
  }

  /** A message of the market. */
  seen(data: MarketData, instruments: Instruments): void {
    const { instrument, receiveTime: time } = data;
    let heard = this.#heard[instrument];
    if (heard === undefined) {
      heard = { at: time, silence: 0, price: 0, pricedAt: 0 };
      this.#heard[instrument] = heard;
    }
    if (time - heard.at > heard.silence) heard.silence = time - heard.at;
    heard.at = time;
    if (data.kind === 'trades') this.#trade(data, heard, instruments);
  }

  #trade({ instrument, receiveTime: time, trades }: TradesPrinted, heard: Heard, all: Instruments): void {
    const day = this.#dayOf(all.at(instrument), time);
    for (const { price, quantity } of trades) {
      day.traded += quantity;
      if (heard.price > 0 && time - heard.pricedAt < dayMicros && isLeap(heard.price, price))
        this.signs.leapt(all.at(instrument).symbol, time);
      heard.price = price;
      heard.pricedAt = time;
    }
  }

  /** An execution of ours. */
  executed(instrument: Instrument, lots: Lots, time: Micros): void {
    this.#dayOf(instrument, time).own += lots;
  }

  #dayOf(instrument: Instrument, time: Micros): Day {
    const day = Math.floor(time / dayMicros);
    const known = this.#days.get(instrument.id);
    if (known?.day === day) return known;
    if (known !== undefined) this.#close(instrument, known);
    const begun = { day, traded: 0, own: 0 };
    this.#days.set(instrument.id, begun);
    return begun;
  }

  #close(instrument: Instrument, { day, traded, own }: Day): void {
    if (traded > 0) this.signs.hasVolume = true;
    if (own > 0) this.signs.took(instrument.symbol, own / traded, day * dayMicros);
  }

  /** The data have ended. `isHeld` answers whether there is a position. */
  end(instruments: Instruments, isHeld: (instrument: Instrument) => boolean): void {
    const last = this.#heard.reduce((latest, one) => Math.max(latest, one?.at ?? 0), this.#until);
    for (const instrument of instruments.all) {
      const day = this.#days.get(instrument.id);
      if (day !== undefined) this.#close(instrument, day);
      this.#days.delete(instrument.id);
      const heard = this.#heard[instrument.id];
      if (heard === undefined || !isHeld(instrument)) continue;
      if (last - heard.at > Math.max(silenceMin, 2 * heard.silence))
        this.signs.endedEarly(instrument.symbol, heard.at);
    }
  }
}
