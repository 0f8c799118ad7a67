import type { Cancel, Clock, Micros } from '../base/clock.ts';
import { millis } from '../base/clock.ts';
import type { ReadTarget } from '../model/command.ts';
import type { CommandSettled, ReadAnswered } from '../model/event.ts';
import type { OrderOptions } from './options.ts';
import type { Outbox } from './outbox.ts';

/** An outage that is over is noticed within so long: until its look is complete nothing may be traded. */
const askAgainMsMax = 5_000;

interface Asked {
  readonly what: ReadTarget;
  readonly done: (answer: ReadAnswered) => void;
  attempt: number;
  commandId: number;
  cancelTimer: Cancel;
}

interface ReadParts {
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly options: OrderOptions['reconcile'];
}

/**
 * Questions to the venue. A read that fails or stays without an answer is asked again under a new command id,
 * with a growing wait: reads change nothing, so only they are ever repeated.
 */
export class Reads {
  readonly #parts: ReadParts;
  readonly #asked = new Map<number, Asked>();
  readonly #waiting = new Set<Asked>();

  constructor(parts: ReadParts) {
    this.#parts = parts;
  }

  /** How many questions are open. */
  get size(): number {
    return this.#asked.size + this.#waiting.size;
  }

  /** Asks; `done` gets the answer once, whichever attempt brings it. */
  ask(what: ReadTarget, done: (answer: ReadAnswered) => void): void {
    this.#send({ what, done, attempt: 0, commandId: 0, cancelTimer: () => {} });
  }

  answered(event: ReadAnswered): void {
    const asked = this.#take(event.commandId);
    asked?.done(event);
  }

  settled(event: CommandSettled): void {
    if (event.outcome === 'acknowledged') return;
    const asked = this.#take(event.commandId);
    if (asked !== undefined) this.#retry(asked);
  }

  /** Forgets every open question. */
  clear(): void {
    for (const asked of [...this.#asked.values(), ...this.#waiting]) asked.cancelTimer();
    this.#asked.clear();
    this.#waiting.clear();
  }

  #send(asked: Asked): void {
    const { outbox, clock, options } = this.#parts;
    // The number is taken first: the question must be known before anything can answer it.
    asked.commandId = outbox.nextCommandId();
    this.#asked.set(asked.commandId, asked);
    asked.cancelTimer = clock.after(millis(options.answerMsMax), () => {
      if (this.#take(asked.commandId) !== undefined) this.#retry(asked);
    });
    outbox.pending({ kind: 'read', commandId: asked.commandId, what: asked.what });
  }

  #retry(asked: Asked): void {
    const { clock, options } = this.#parts;
    const delay: Micros = backOff(
      asked.attempt,
      options.retryMsMin,
      Math.min(options.retryMsMax, askAgainMsMax),
    );
    asked.attempt += 1;
    this.#waiting.add(asked);
    asked.cancelTimer = clock.after(delay, () => {
      this.#waiting.delete(asked);
      this.#send(asked);
    });
  }

  #take(commandId: number): Asked | undefined {
    const asked = this.#asked.get(commandId);
    if (asked === undefined) return undefined;
    asked.cancelTimer();
    this.#asked.delete(commandId);
    return asked;
  }
}

/** Doubles from `msMin` with every attempt, up to `msMax`. */
export function backOff(attempt: number, msMin: number, msMax: number): Micros {
  return millis(Math.min(msMin * 2 ** Math.min(attempt, 30), Math.max(msMin, msMax)));
}
