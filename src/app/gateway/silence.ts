import type { Cancel, Clock } from '../../core/base/clock.ts';
import { millis } from '../../core/base/clock.ts';

export interface SilenceDeps {
  readonly clock: Clock;
  /** Milliseconds of silence after which the program counts as gone. 0: with its last socket. */
  readonly afterMs: number;
  readonly onSilent: (why: string) => void;
}

/**
 * Whether a program is there: a socket of it is open, or its last request is young. The venues of this API keep the orders of a program that
 * is gone; here they can end with it.
 */
export class Silence {
  readonly #setup: SilenceDeps;
  #sockets = 0;
  #cancel: Cancel | undefined;

  constructor(setup: SilenceDeps) {
    this.#setup = setup;
  }

  /** A run has begun: sockets of before have ended, and the program has its time to come back. */
  beginRun(): void {
    if (this.#sockets === 0) this.#startSilence('no socket of it is open');
  }

  /** The program has asked for something. */
  noteRequest(): void {
    if (this.#setup.afterMs > 0 && this.#sockets === 0) this.#startSilence('it asks for nothing');
  }

  /** A socket of the program has logged in; returns what is to be called at its end. */
  join(): () => void {
    this.#sockets += 1;
    this.#cancel?.();
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      this.#sockets -= 1;
      if (this.#sockets === 0) this.#startSilence('its last socket has closed');
    };
  }

  stop(): void {
    this.#cancel?.();
  }

  #startSilence(what: string): void {
    const { clock, afterMs, onSilent } = this.#setup;
    this.#cancel?.();
    const text = afterMs === 0 ? what : `${what}, for ${afterMs / 1_000} s`;
    if (afterMs === 0) onSilent(text);
    else this.#cancel = clock.after(millis(afterMs), () => onSilent(text));
  }
}
