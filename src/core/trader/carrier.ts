import type { StampedEvent } from '../model/stamped-event.ts';
import type { Cancel, Clock } from '../base/clock.ts';
import { millis } from '../base/clock.ts';
import type { StateDeps } from '../state/index.ts';
import { State } from '../state/index.ts';

/** A moment is quiet when no event came for this long. */
const quietTime = millis(20);
/** After this many looks without a quiet moment, any will do. */
const looksMax = 250;

export interface CarrierDeps {
  readonly clock: Clock;
  /** After how many records the state is carried over. */
  readonly every: number;
  /** Publishes the carried state, or returns false when this is no moment for it. */
  readonly carry: () => boolean;
}

/** Carries the state over after `every` records, at a quiet moment, because writing all of it takes a while. */
export class Carrier {
  readonly #parts: CarrierDeps;
  #records = 0;
  /** An event came since the last look. */
  #busy = false;
  #looks = 0;
  #cancelLook: Cancel | undefined;

  constructor(parts: CarrierDeps) {
    this.#parts = parts;
  }

  /** Called after every event; `kept` when the journal keeps it whole. */
  stepped(kept: boolean): void {
    this.#busy = true;
    if (!kept) return;
    this.#records += 1;
    if (this.#records >= this.#parts.every && this.#cancelLook === undefined) this.#lookLater();
  }

  close(): void {
    this.#cancelLook?.();
    this.#cancelLook = undefined;
  }

  #lookLater(): void {
    this.#busy = false;
    this.#cancelLook = this.#parts.clock.after(quietTime, () => {
      this.#looks += 1;
      const wait = this.#busy && this.#looks < looksMax;
      if (wait || !this.#parts.carry()) {
        this.#lookLater();
        return;
      }
      this.#cancelLook = undefined;
      this.#records = 0;
      this.#looks = 0;
    });
  }
}

/** Events that a state that knows nothing has to fold: the last carried state and what came after it. */
export function sinceCarried(history: readonly StampedEvent[]): readonly StampedEvent[] {
  const from = history.findLastIndex(({ event }) => event.kind === 'stateCarried');
  return from > 0 ? history.slice(from) : history;
}

/** The state that a history comes to. A violation halted the run it happened in: the fold gets past it as that run did. */
export function stateAfter(history: readonly StampedEvent[], parts: StateDeps): State {
  const state = new State(parts);
  for (const { event } of sinceCarried(history)) state.fold(event);
  return state;
}
