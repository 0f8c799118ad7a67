import type { Observable } from 'rxjs';
import { assert } from '../base/assert.ts';
import type { Cancel } from '../base/clock.ts';
import { Mailbox } from '../base/mailbox.ts';
import type { Event, MarketData } from '../model/event.ts';
import { isMarketData } from '../model/market-data.ts';
import type { StampedEvent } from '../model/stamped-event.ts';
import type { OnWatcherError } from './guarded.ts';
import { Topic } from './topic.ts';
import type { Venue } from './venue.ts';

export interface BusOptions {
  /** The whole order of work for one event. Only the bus calls it, never re-entered. */
  readonly step: (event: Event, sequence: number) => void;
  /** The same for market data: most of the traffic, and of few shapes. `step` when left out. */
  readonly stepMarketData?: (data: MarketData, sequence: number) => void;
  /** `step` threw: a bug. The trader halts here; the bus goes on with the next event. Must not throw. */
  readonly onBroken: (error: unknown, event: Event) => void;
  /** A connected source completed (`error` is `undefined`) or errored. It should have said so by an event. */
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
  readonly #stepMarketData: (data: MarketData, sequence: number) => void;
  readonly #onBroken: (error: unknown, event: Event) => void;
  readonly #onSourceEnd: (error: unknown) => void;
  readonly #mailbox: Mailbox<Event>;
  readonly #journal: Topic<StampedEvent>;
  /** For `watch`: market data as they are, and everything else. */
  readonly #marketData: Topic<MarketData>;
  readonly #others: Topic<StampedEvent>;
  /** One function for every market data event. */
  readonly #takeMarketData = (data: MarketData): void => this.#handleMarketData(data);
  /** Verdicts stamped during the present step, shown after it. */
  #verdicts: StampedEvent[] = [];
  #sequence = 0;
  #stepping = false;

  constructor(options: BusOptions) {
    this.#step = options.step;
    this.#stepMarketData = options.stepMarketData ?? options.step;
    this.#onBroken = options.onBroken;
    this.#onSourceEnd = options.onSourceEnd ?? ignore;
    this.#sequence = options.start ?? 0;
    this.#mailbox = new Mailbox((event) => this.#handle(event), options.waitingMax);
    const onError = options.onWatcherError ?? ignore;
    this.#journal = new Topic({ onError });
    this.#marketData = new Topic({ onError });
    this.#others = new Topic({ onError });
  }

  /** The sequence given out last. */
  get sequence(): number {
    return this.#sequence;
  }

  /** Whether a step is under way: what is decided now belongs to it. */
  get stepping(): boolean {
    return this.#stepping;
  }

  /** How many events wait behind the present one. */
  get waiting(): number {
    return this.#mailbox.size;
  }

  /** Every event after its step. Watchers may throw, publish and unsubscribe as they like. */
  get journal$(): Observable<StampedEvent> {
    return this.#journal;
  }

  /** As `journal$`, by a plain function, which is faster. */
  on(watcher: (stamped: StampedEvent) => void): Cancel {
    return this.#journal.on(watcher);
  }

  /** As `on`, with market data apart and without a stamp (theirs is `sequence`), which saves an object each. */
  watch(marketData: (data: MarketData) => void, others: (stamped: StampedEvent) => void): Cancel {
    const cancels = [this.#marketData.on(marketData), this.#others.on(others)];
    return () => {
      for (const cancel of cancels) cancel();
    };
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
    if (this.#isWatched) this.#verdicts.push({ sequence: this.#sequence, event });
    return this.#sequence;
  }

  /** Publishes whatever `source$` emits until cancelled. Several sources are interleaved as they arrive. */
  connect(source$: Observable<Event>): Cancel {
    const take = (event: Event): void => this.#receive(event);
    // A subscription makes six calls of each event.
    if (source$ instanceof Topic) return source$.on(take, () => this.#onSourceEnd(undefined));
    const subscription = source$.subscribe({
      next: take,
      error: (error: unknown) => this.#onSourceEnd(error),
      complete: () => this.#onSourceEnd(undefined),
    });
    return () => subscription.unsubscribe();
  }

  /** Publishes the events of a venue until cancelled, and its market data where they have a topic of their own. */
  join({ events, marketData }: Pick<Venue, 'events' | 'marketData'>): Cancel {
    const leaveMarketData = marketData?.on((data) => this.#receiveMarketData(data));
    const leave = this.connect(events);
    return () => {
      leave();
      leaveMarketData?.();
    };
  }

  /** Completes `journal$`. The bus itself stays usable. */
  close(): void {
    this.#journal.close();
    this.#marketData.close();
    this.#others.close();
  }

  /** RxJS would throw an overflow later, from a timer; here it is what it is: broken. */
  #receive(event: Event): void {
    try {
      this.#mailbox.post(event);
    } catch (error) {
      this.#onBroken(error, event);
    }
  }

  #receiveMarketData(data: MarketData): void {
    try {
      this.#mailbox.postTo(data, this.#takeMarketData);
    } catch (error) {
      this.#onBroken(error, data);
    }
  }

  #handle(event: Event): void {
    if (isMarketData(event)) this.#handleMarketData(event);
    else this.#handleOther(event);
  }

  #handleMarketData(data: MarketData): void {
    const sequence = this.#sequence + 1;
    this.#sequence = sequence;
    this.#stepping = true;
    try {
      this.#stepMarketData(data, sequence);
    } catch (error) {
      this.#onBroken(error, data);
    }
    this.#stepping = false;
    this.#marketData.next(data);
    if (this.#journal.observed) this.#journal.next({ sequence, event: data });
    if (this.#verdicts.length > 0) this.#showVerdicts();
  }

  #handleOther(event: Event): void {
    const sequence = this.#sequence + 1;
    this.#sequence = sequence;
    this.#stepping = true;
    try {
      this.#step(event, sequence);
    } catch (error) {
      this.#onBroken(error, event);
    }
    this.#stepping = false;
    if (this.#isWatched) this.#show({ sequence, event });
    if (this.#verdicts.length > 0) this.#showVerdicts();
  }

  get #isWatched(): boolean {
    return this.#journal.observed || this.#others.observed;
  }

  #show(stamped: StampedEvent): void {
    this.#journal.next(stamped);
    this.#others.next(stamped);
  }

  #showVerdicts(): void {
    const verdicts = this.#verdicts;
    this.#verdicts = [];
    for (const verdict of verdicts) this.#show(verdict);
  }
}

function ignore(): void {}
