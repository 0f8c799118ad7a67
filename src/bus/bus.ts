import type { Observable } from 'rxjs';
import { assert } from '../base/assert.ts';
import type { Cancel } from '../base/clock.ts';
import { Mailbox } from '../base/mailbox.ts';
import type { Event } from '../model/event.ts';
import type { StampedEvent } from '../model/stamped-event.ts';
import type { OnWatcherError } from './guarded.ts';
import { Topic } from './topic.ts';

export interface BusOptions {
  /** The whole order of work for one event. Called by nobody else, never re-entered. */
  readonly step: (event: Event, sequence: number) => void;
  /** `step` threw: a bug. The trader halts here; the bus goes on with the next event. Must not throw. */
  readonly onBroken: (error: unknown, event: Event) => void;
  /** A connected source completed (`error` is `undefined`) or errored. It should have told by an event. */
  readonly onSourceEnd?: (error: unknown) => void;
  /** A watcher threw. Others are not concerned. */
  readonly onWatcherError?: OnWatcherError;
  /** The sequence last given out: the journal's tail after a restart, otherwise 0. */
  readonly start?: number;
  /** How many events may wait behind the present one. */
  readonly waitingMax?: number;
}

/**
 * The one queue in front of `step`: first in, first out, also for events published inside a step.
 *
 * Every event is stamped with the next sequence, stepped, and only then shown to the watchers, each guarded.
 */
export class Bus {
  readonly #step: (event: Event, sequence: number) => void;
  readonly #onBroken: (error: unknown, event: Event) => void;
  readonly #onSourceEnd: (error: unknown) => void;
  readonly #mailbox: Mailbox<Event>;
  readonly #journal: Topic<StampedEvent>;
  /** Verdicts stamped during the present step, shown after it. */
  #verdicts: StampedEvent[] = [];
  #sequence: number;
  #stepping = false;

  constructor(options: BusOptions) {
    this.#step = options.step;
    this.#onBroken = options.onBroken;
    this.#onSourceEnd = options.onSourceEnd ?? ignore;
    this.#sequence = options.start ?? 0;
    this.#mailbox = new Mailbox((event) => this.#handle(event), options.waitingMax);
    this.#journal = new Topic({ onError: options.onWatcherError ?? ignore });
  }

  /** The sequence given out last. */
  get sequence(): number {
    return this.#sequence;
  }

  /** How many events wait behind the present one. */
  get waiting(): number {
    return this.#mailbox.size;
  }

  /** Every event after its step. Watchers may throw, publish and unsubscribe as they like. */
  get journal$(): Observable<StampedEvent> {
    return this.#journal;
  }

  /** The fast lane of `journal$`. */
  on(watcher: (stamped: StampedEvent) => void): Cancel {
    return this.#journal.on(watcher);
  }

  /** Steps `event` now, or after those already waiting. Fails (a bug) when the queue is full. */
  publish(event: Event): void {
    this.#mailbox.post(event);
  }

  /**
   * For `step` alone: the next sequence for a verdict that is recorded within the step that caused it, instead of
   * waiting its turn. Watchers see it after the event of the step. Fails outside a step.
   */
  stamp(event: Event): number {
    assert(this.#stepping, 'a verdict was stamped outside a step');
    this.#sequence += 1;
    if (this.#journal.observed) this.#verdicts.push({ sequence: this.#sequence, event });
    return this.#sequence;
  }

  /** Publishes whatever `source$` emits until cancelled. Several sources are interleaved as they arrive. */
  connect(source$: Observable<Event>): Cancel {
    // A backtest's venue is a topic: its fast lane saves four calls an event.
    if (source$ instanceof Topic) {
      return (source$ as Topic<Event>).on(
        (event) => this.#receive(event),
        () => this.#onSourceEnd(undefined),
      );
    }
    const subscription = source$.subscribe({
      next: (event) => this.#receive(event),
      error: (error: unknown) => this.#onSourceEnd(error),
      complete: () => this.#onSourceEnd(undefined),
    });
    return () => subscription.unsubscribe();
  }

  /** Completes `journal$`. The bus itself stays usable. */
  close(): void {
    this.#journal.close();
  }

  /** RxJS would throw an overflow later, from a timer; here it is what it is: broken. */
  #receive(event: Event): void {
    try {
      this.#mailbox.post(event);
    } catch (error) {
      this.#onBroken(error, event);
    }
  }

  #handle(event: Event): void {
    const sequence = this.#sequence + 1;
    this.#sequence = sequence;
    this.#stepping = true;
    try {
      this.#step(event, sequence);
    } catch (error) {
      this.#onBroken(error, event);
    }
    this.#stepping = false;
    if (this.#journal.observed) this.#show(event, sequence);
    else if (this.#verdicts.length > 0) this.#verdicts = [];
  }

  #show(event: Event, sequence: number): void {
    this.#journal.next({ sequence, event });
    if (this.#verdicts.length === 0) return;
    const verdicts = this.#verdicts;
    this.#verdicts = [];
    for (const verdict of verdicts) this.#journal.next(verdict);
  }
}

function ignore(): void {}
