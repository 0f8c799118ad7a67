import type { Micros } from '../base/clock.ts';
import type { CarriedSessions } from '../model/carried-state.ts';
import type { ClockMeasured, InstrumentChanged, SessionName } from '../model/event.ts';
import type { InstrumentId, Instruments, InstrumentStatus } from '../model/instrument.ts';

/** Which sessions are up, and the status of every instrument. */
export class SessionStore {
  #market = false;
  #trading = false;
  #clockOffset: Micros | undefined;
  readonly #instruments: Instruments;
  #status: InstrumentStatus[] = [];

  constructor(instruments: Instruments) {
    this.#instruments = instruments;
    this.begin();
  }

  /** A new run: nothing is connected yet, and statuses are those the venue listed when it began. */
  begin(): void {
    this.#market = false;
    this.#trading = false;
    this.#clockOffset = undefined;
    this.#status = this.#instruments.all.map((instrument) => instrument.spec.status);
  }

  set(session: SessionName, up: boolean): void {
    if (session === 'market') this.#market = up;
    else this.#trading = up;
  }

  up(session: SessionName): boolean {
    return session === 'market' ? this.#market : this.#trading;
  }

  /** How far the venue's clock is ahead of ours; `undefined` until it was measured in this run. */
  get clockOffset(): Micros | undefined {
    return this.#clockOffset;
  }

  applyClock({ offset }: ClockMeasured): void {
    this.#clockOffset = offset;
  }

  applyStatus(event: InstrumentChanged): void {
    this.#status[event.instrument] = event.status;
  }

  carry(): CarriedSessions {
    return {
      market: this.#market,
      trading: this.#trading,
      clockOffset: this.#clockOffset,
      status: [...this.#status],
    };
  }

  take({ market, trading, clockOffset, status }: CarriedSessions): void {
    this.#market = market;
    this.#trading = trading;
    this.#clockOffset = clockOffset;
    this.#status = [...status];
  }

  /** `suspended` for an instrument that is not of this run. */
  status(instrument: InstrumentId): InstrumentStatus {
    return this.#status[instrument] ?? 'suspended';
  }
}
