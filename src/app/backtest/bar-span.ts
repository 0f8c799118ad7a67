import type { Micros } from '../../core/base/clock.ts';
import type { CandlesChanged, Event } from '../../core/model/event.ts';
import { CandleHistory } from '../../research/scenario/candle-history.ts';
import type { EventTimes } from '../../research/scenario/memory-recording.ts';
import { endOfBar } from '../../sim/bars/period.ts';

interface BarSpanSetting {
  /** Bars that begin, and trades that happen, before it are left out; such bars are history then. */
  readonly start: number;
  /** The same for those at or after it. */
  readonly end: number;
  /** Bars of history kept for each instrument. */
  readonly historyMax: number;
}

/** A span of time of a recording of bars, and what closed before it. */
export class BarSpan {
  readonly #batches: AsyncIterable<readonly Event[]>;
  readonly #start: number;
  readonly #end: number;
  readonly #before: CandleHistory;

  constructor(batches: AsyncIterable<readonly Event[]>, { start, end, historyMax }: BarSpanSetting) {
    this.#batches = batches;
    this.#start = start;
    this.#end = end;
    this.#before = new CandleHistory(historyMax);
  }

  /** Bars that had ended by `time`, told then. They are known once the first of `events` is. */
  history(time: Micros): readonly CandlesChanged[] {
    return this.#before.events(time, (candle) => endOfBar(candle.period, candle.time) <= time);
  }

  /** What is in the span. */
  async *events(): AsyncGenerator<readonly Event[], void, undefined> {
    for await (const batch of this.#batches) {
      const wanted: Event[] = [];
      let isBehind = batch.length > 0;
      for (const event of batch) {
        const time = barTimeOf(event);
        if (time < this.#end) isBehind = false;
        if (time >= this.#start && time < this.#end) wanted.push(event);
        else if (time < this.#start && event.kind === 'candles')
          for (const candle of event.candles) this.#before.put(candle);
      }
      if (wanted.length > 0) yield wanted;
      // Data comes in the order of time: once all of a batch is too late, so is the rest.
      if (isBehind) return;
    }
  }
}

/** The part of a span that a bar or a trade takes: a bar from its begin to its end. */
export const barTimes: EventTimes = {
  begin: barTimeOf,
  end(event) {
    const last = event.kind === 'candles' ? event.candles.at(-1) : undefined;
    return last === undefined ? ((event.exchangeTime + 1) as Micros) : endOfBar(last.period, last.time);
  },
};

/** The time of an event by which the clock of a scenario on bars takes it or leaves it: of a bar, when it begins. */
function barTimeOf(event: Event): Micros {
  return event.kind === 'candles' ? (event.candles[0]?.time ?? event.exchangeTime) : event.exchangeTime;
}
