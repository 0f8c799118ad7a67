import type { Subscriber } from 'rxjs';
import { fail } from '../base/assert.ts';
import type { Cancel } from '../base/clock.ts';
import { Guarded } from './guarded.ts';
import type { OnWatcherError } from './guarded.ts';

export interface TopicOptions {
  /** Receives what a handler throws. Must not throw itself; if it does, that is only counted. */
  readonly onError?: OnWatcherError;
  /** A handler that has thrown this often is detached: it is broken, and each throw costs microseconds. */
  readonly throwsMax?: number;
  /** How many values may wait while one is delivered. */
  readonly waitingMax?: number;
  /** One handler more is an error for `onError`, and gets nothing. */
  readonly handlersMax?: number;
  /** Called once, as soon as there is a handler: for sources that begin with their first listener. */
  readonly onFirst?: () => void;
}

type Handler<T> = (value: T) => void;

/**
 * A stream with two ways in: `on` calls a plain function, `subscribe` and `pipe` are those of RxJS.
 *
 * Every handler sees every value once and in publication order, whatever the others do: a throw is caught, passed
 * to `onError` and counted; a value published by a handler waits until the present one is delivered.
 * A handler added during a delivery starts with the next value, a cancelled one is not called again.
 */
export class Topic<T> extends Guarded<T> {
  /** Copied on every change, so that a delivery under way walks the array it began with. */
  #handlers: Handler<T>[] = [];
  readonly #throwsMax: number;
  readonly #waitingMax: number;
  readonly #handlersMax: number;
  readonly #throws = new Map<Handler<T>, number>();
  /** Called when the topic is closed. */
  readonly #ends = new Set<() => void>();
  #onFirst: (() => void) | undefined;
  #waiting: T[] = [];
  #delivering = false;
  #errors = 0;

  constructor(options: TopicOptions = {}) {
    super(options.onError ?? ignore, (subscriber) => this.#attach(subscriber));
    this.#throwsMax = options.throwsMax ?? 100;
    this.#waitingMax = options.waitingMax ?? 1_000_000;
    this.#handlersMax = options.handlersMax ?? Number.POSITIVE_INFINITY;
    this.#onFirst = options.onFirst;
  }

  /** Whether anybody listens. Publishers that build a value first ask this. */
  get observed(): boolean {
    return this.#handlers.length > 0;
  }

  /** How many throws of handlers were caught. Subscribers' own throws go to `onError` without being counted. */
  get errors(): number {
    return this.#errors;
  }

  /** Delivers `value` to every handler, now or after the values already on their way. */
  next(value: T): void {
    if (this.#delivering) {
      this.#wait(value);
      return;
    }
    this.#delivering = true;
    this.#deliver(value);
    if (this.#waiting.length > 0) this.#drain();
    this.#delivering = false;
  }

  /**
   * Calls `handler` with every value from the next one on, and `ended` when the topic is closed. The same function may
   * be added twice.
   */
  on(handler: Handler<T>, ended?: () => void): Cancel {
    if (this.#handlers.length >= this.#handlersMax) {
      this.onError(
        new Error(`one stream has ${this.#handlersMax} subscribers: something subscribes in a loop`),
      );
      return ignore;
    }
    // Functions of our own, so that two registrations of one function stay two.
    const own: Handler<T> = this.#handlers.includes(handler) ? (value) => handler(value) : handler;
    const end = ended === undefined ? undefined : () => ended();
    this.#handlers = [...this.#handlers, own];
    if (end !== undefined) this.#ends.add(end);
    const first = this.#onFirst;
    this.#onFirst = undefined;
    first?.();
    return () => {
      if (end !== undefined) this.#ends.delete(end);
      this.#remove(own);
    };
  }

  /** Completes the subscribers and forgets all handlers. Later values are dropped. */
  close(): void {
    const ends = [...this.#ends];
    this.#handlers.fill(ignore);
    this.#handlers = [];
    this.#throws.clear();
    this.#ends.clear();
    for (const end of ends) end();
  }

  #attach(subscriber: Subscriber<T>): Cancel {
    return this.on(
      (value) => subscriber.next(value),
      () => subscriber.complete(),
    );
  }

  #deliver(value: T): void {
    const handlers = this.#handlers;
    for (let i = 0; i < handlers.length; i++) {
      try {
        (handlers[i] as Handler<T>)(value);
      } catch (error) {
        this.#caught(handlers[i] as Handler<T>, error);
      }
    }
  }

  #wait(value: T): void {
    if (this.#waiting.length >= this.#waitingMax) {
      fail('a topic overflowed: its handlers publish faster than it delivers', {
        waiting: this.#waiting.length,
      });
    }
    this.#waiting.push(value);
  }

  #drain(): void {
    // What a round of handlers publishes makes the next round, so the queue never shifts.
    while (this.#waiting.length > 0) {
      const round = this.#waiting;
      this.#waiting = [];
      for (const value of round) this.#deliver(value);
    }
  }

  #remove(handler: Handler<T>): void {
    const at = this.#handlers.indexOf(handler);
    if (at < 0) return;
    const rest = this.#handlers.toSpliced(at, 1);
    // The delivery under way, if any, walks this very array: the handler must not be called again.
    this.#handlers[at] = ignore;
    this.#handlers = rest;
    this.#throws.delete(handler);
  }

  #caught(handler: Handler<T>, error: unknown): void {
    this.#errors += 1;
    const throws = (this.#throws.get(handler) ?? 0) + 1;
    this.#throws.set(handler, throws);
    if (throws >= this.#throwsMax) this.#remove(handler);
    try {
      this.onError(error);
    } catch {
      this.#errors += 1;
    }
  }
}

function ignore(): void {}
