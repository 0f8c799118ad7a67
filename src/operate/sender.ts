import type { Cancel, Clock } from '../core/base/clock.ts';
import { seconds } from '../core/base/clock.ts';
import type { Logger } from '../core/base/logger.ts';

/** What is sent to one place: `send` resolves when it arrived, and rejects with a reason that holds no secret. */
export interface NewsPlace {
  readonly name: string;
  send(texts: readonly string[]): Promise<void>;
}

const waitingMax = 200;
/** At most one message in this time: what comes meanwhile leaves together. */
const every = seconds(1);
const attemptsMax = 5;
const togetherMax = 20;

/**
 * Sends texts to one place, in order, without ever holding anything up: at most one message a second, several texts in one; one that
 * fails is tried again after twice as long each time, then given up. What is too much is dropped and counted.
 */
export class NewsSender {
  readonly #place: NewsPlace;
  readonly #clock: Clock;
  readonly #log: Logger;
  #waiting: string[] = [];
  #dropped = 0;
  #attempts = 0;
  #busy = false;
  #closed = false;
  /** The attempt that is under way, or the last one. */
  #sending: Promise<void> = Promise.resolve();
  #cancelTimer: Cancel = () => {};

  constructor(place: NewsPlace, clock: Clock, log: Logger) {
    this.#place = place;
    this.#clock = clock;
    this.#log = log;
  }

  add(text: string): void {
    if (this.#closed) return;
    if (this.#waiting.length >= waitingMax) this.#dropped += 1;
    else this.#waiting.push(text);
    if (!this.#busy) this.#next();
  }

  /** Sends what waits once more, and ends. Resolves within the time of two attempts. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelTimer();
    await this.#sending;
    if (this.#waiting.length > 0) await this.#place.send(this.#take()).catch(() => {});
  }

  #next(): void {
    if (this.#waiting.length === 0) {
      this.#busy = false;
      return;
    }
    this.#busy = true;
    this.#sending = this.#sendNow(this.#take());
  }

  async #sendNow(texts: readonly string[]): Promise<void> {
    try {
      await this.#place.send(texts);
      this.#attempts = 0;
    } catch (error) {
      this.#attempts += 1;
      const why = error instanceof Error ? error.message : String(error);
      this.#log.warn(
        { place: this.#place.name, why, attempt: this.#attempts },
        'a notification was not delivered',
      );
      if (this.#attempts < attemptsMax) this.#waiting = [...texts, ...this.#waiting].slice(0, waitingMax);
      else this.#attempts = 0;
    }
    if (this.#closed) return;
    this.#cancelTimer = this.#clock.after((every * 2 ** this.#attempts) as typeof every, () => this.#next());
  }

  #take(): readonly string[] {
    const texts = this.#waiting.splice(0, togetherMax);
    if (this.#dropped === 0) return texts;
    const more = `and ${this.#dropped} more that came too fast`;
    this.#dropped = 0;
    return [...texts, more];
  }
}
