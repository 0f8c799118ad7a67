import type { Micros } from '../base/clock.ts';
import type { InstrumentId } from '../model/instrument.ts';

interface Heard {
  at: Micros;
  delay: Micros;
}

/**
 * Which feeds have fallen silent, and which arrive late. It only answers: what to do is the owner's business.
 *
 * Times are `Clock.uptime`; a delay is receive time minus exchange time, both wall time. The two clocks differ, so a
 * delay is judged against the smallest one seen.
 */
export class Silence {
  readonly #limit: Micros;
  readonly #heard = new Map<InstrumentId, Heard>();
  #delayLeast = Number.POSITIVE_INFINITY;

  /** `limit`: how long a feed may say nothing. */
  constructor(limit: Micros) {
    this.#limit = limit;
  }

  /** From `now` on something is due from `instrument`: it was subscribed. */
  expect(instrument: InstrumentId, now: Micros): void {
    this.#heard.set(instrument, { at: now, delay: 0 as Micros });
  }

  /** A frame of `instrument` came, `delay` after the venue stamped it. Feeds that are not expected are passed over. */
  heard(instrument: InstrumentId, now: Micros, delay: Micros): void {
    const entry = this.#heard.get(instrument);
    if (entry === undefined) return;
    entry.at = now;
    if (delay < this.#delayLeast) this.#delayLeast = delay;
    entry.delay = (delay - this.#delayLeast) as Micros;
  }

  /** Nothing is due from `instrument` any more. */
  forget(instrument: InstrumentId): void {
    this.#heard.delete(instrument);
  }

  /** The clocks may have moved (a reconnect, a clock step): the smallest delay is learnt anew. */
  resetDelays(): void {
    this.#delayLeast = Number.POSITIVE_INFINITY;
  }

  /** How long ago `instrument` was last heard; `undefined` when it is not expected. */
  age(instrument: InstrumentId, now: Micros): Micros | undefined {
    const entry = this.#heard.get(instrument);
    return entry === undefined ? undefined : ((now - entry.at) as Micros);
  }

  /** The feeds not heard for longer than the limit, in the order they were first expected. */
  silent(now: Micros): readonly InstrumentId[] {
    const found: InstrumentId[] = [];
    for (const [instrument, entry] of this.#heard) if (now - entry.at > this.#limit) found.push(instrument);
    return found;
  }

  /** The feeds whose last frame was older on arrival than the quickest by more than `limit`: a growing backlog. */
  late(limit: Micros): readonly InstrumentId[] {
    const found: InstrumentId[] = [];
    for (const [instrument, entry] of this.#heard) if (entry.delay > limit) found.push(instrument);
    return found;
  }
}
