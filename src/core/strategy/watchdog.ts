import type { Cancel, Clock, Micros } from '../base/clock.ts';

/** Checks per timeout: a hang is noticed at most a quarter of it late. */
const checks = 4;

/**
 * Asks for a sign of life and reports when none came for `timeout`.
 *
 * It counts its own unanswered checks instead of comparing times: when the whole process stood still, no check
 * was made, and no strategy is blamed.
 */
export class Watchdog {
  readonly #clock: Clock;
  readonly #timeout: Micros;
  readonly #ask: () => void;
  readonly #onSilence: () => void;
  #unanswered = 0;
  #cancel: Cancel | undefined;

  constructor(setting: { clock: Clock; timeout: Micros; ask: () => void; onSilence: () => void }) {
    this.#clock = setting.clock;
    this.#timeout = setting.timeout;
    this.#ask = setting.ask;
    this.#onSilence = setting.onSilence;
    this.#next();
  }

  /** A sign of life came. */
  alive(): void {
    this.#unanswered = 0;
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #next(): void {
    const pause = Math.max(1, Math.floor(this.#timeout / checks)) as Micros;
    this.#cancel = this.#clock.after(pause, () => this.#check());
  }

  #check(): void {
    if (this.#unanswered >= checks) {
      this.#cancel = undefined;
      this.#onSilence();
      return;
    }
    this.#unanswered += 1;
    this.#ask();
    this.#next();
  }
}
