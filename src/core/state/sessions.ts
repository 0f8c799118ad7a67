import type { Micros } from '../base/clock.ts';
import { micros } from '../base/clock.ts';
import type { CarriedSessions } from '../model/carried-state.ts';
import type {
  ClockMeasured,
  InstrumentChanged,
  SessionDown,
  SessionName,
  SessionUp,
} from '../model/event.ts';
import type { InstrumentId, Instruments, InstrumentStatus } from '../model/instrument.ts';

/** Whether a session is up, since when by wall time (0: since the run began), and why it went down. */
export interface SessionFact {
  readonly up: boolean;
  readonly since: Micros;
  readonly why: string;
}

const notYet: SessionFact = { up: false, since: micros(0), why: '' };

/** Which sessions are up, and the status of every instrument. */
export class SessionStore {
  #market = notYet;
  #trading = notYet;
  #clockOffset: Micros | undefined;
  readonly #instruments: Instruments;
  #status: InstrumentStatus[] = [];
  /** When a status changed in this run. */
  readonly #statusSince = new Map<InstrumentId, Micros>();

  constructor(instruments: Instruments) {
    this.#instruments = instruments;
    this.beginRun();
  }

  /** A new run: nothing is connected yet, and statuses are those the venue listed when it began. */
  beginRun(): void {
    this.#market = notYet;
    this.#trading = notYet;
    this.#clockOffset = undefined;
    this.#statusSince.clear();
    this.#status = this.#instruments.all.map((instrument) => instrument.spec.status);
  }

  apply(event: SessionUp | SessionDown): void {
    const { session, receiveTime: since } = event;
    const fact =
      event.kind === 'sessionUp' ? { up: true, since, why: '' } : { up: false, since, why: event.why };
    if (session === 'market') this.#market = fact;
    else this.#trading = fact;
  }

  up(session: SessionName): boolean {
    return this.fact(session).up;
  }

  fact(session: SessionName): SessionFact {
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
    this.#statusSince.set(event.instrument, event.receiveTime);
  }

  carry(): CarriedSessions {
    return {
      market: this.#market.up,
      trading: this.#trading.up,
      clockOffset: this.#clockOffset,
      status: [...this.#status],
    };
  }

  takeSessions({ market, trading, clockOffset, status }: CarriedSessions): void {
    this.#market = { ...notYet, up: market };
    this.#trading = { ...notYet, up: trading };
    this.#clockOffset = clockOffset;
    this.#status = [...status];
  }

  /** Since when it has its status, by wall time; 0 where it had it when the run began. */
  statusSince(instrument: InstrumentId): Micros {
    return this.#statusSince.get(instrument) ?? micros(0);
  }

  /** `suspended` for an instrument that is not of this run. */
  status(instrument: InstrumentId): InstrumentStatus {
    return this.#status[instrument] ?? 'suspended';
  }
}
