import { Subject } from 'rxjs';
import type { Cancel, Clock } from '../../core/base/clock.ts';
import { micros } from '../../core/base/clock.ts';
import type { Event } from '../../core/model/event.ts';
import { isMarketEvent } from '../../core/model/market-data.ts';
import type { Trader } from '../../core/trader/index.ts';

/** Longest time for which waiting events are handed over at once; in between, the live run has the thread for a millisecond. */
const sliceMax = micros(200);
const idle = micros(0);

export interface MarketTapDeps {
  /** The live one. */
  readonly trader: Pick<Trader, 'watchLanes'>;
  readonly clock: Clock;
  /** How many events may wait. */
  readonly waitingMax: number;
  /** One more came: nothing is taken any more. */
  readonly onBehind: () => void;
}

/**
 * The market of a live run on its way to the shadows: the same events in the same order, but later. The live run only leaves each
 * event here, and never waits.
 */
export class MarketTap {
  readonly events = new Subject<Event>();
  readonly #parts: MarketTapDeps;
  readonly #unwatch: Cancel;
  #waiting: Event[] = [];
  /** How many of those waiting have been handed over. */
  #done = 0;
  #cancel: Cancel | undefined;
  #closed = false;

  /** `known`: the market as it stands, handed over first. */
  constructor(parts: MarketTapDeps, known: readonly Event[]) {
    this.#parts = parts;
    for (const event of known) this.#take(event);
    this.#unwatch = parts.trader.watchLanes(
      (data) => this.#take(data),
      ({ event }) => {
        if (isOfMarket(event)) this.#take(event);
      },
    );
  }

  close(): void {
    this.#closed = true;
    this.#unwatch();
    this.#cancel?.();
    this.#waiting = [];
  }

  #take(event: Event): void {
    if (this.#closed) return;
    const { waitingMax, onBehind, clock } = this.#parts;
    if (this.#waiting.length - this.#done >= waitingMax) {
      this.close();
      onBehind();
      return;
    }
    this.#waiting.push(event);
    this.#cancel ??= clock.after(idle, () => this.#handOver());
  }

  #handOver(): void {
    const { clock } = this.#parts;
    const end = clock.uptime() + sliceMax;
    do {
      const event = this.#waiting[this.#done] as Event;
      this.#done += 1;
      this.events.next(event);
    } while (this.#done < this.#waiting.length && clock.uptime() < end);
    if (this.#closed) return;
    const isEmpty = this.#done === this.#waiting.length;
    // The part that is done is let go of when it is the larger one, so each event moves once at most.
    if (isEmpty || this.#done > this.#waiting.length / 2) {
      this.#waiting = this.#waiting.slice(this.#done);
      this.#done = 0;
    }
    this.#cancel = isEmpty ? undefined : clock.after(idle, () => this.#handOver());
  }
}

/** Besides market data: series, what was found out about books and symbols, and how the session and its clock stand. */
function isOfMarket(event: Event): boolean {
  switch (event.kind) {
    case 'sessionUp':
    case 'sessionDown':
      return event.session === 'market';
    case 'instrumentChanged':
    case 'clockMeasured':
    case 'seriesRow':
    case 'seriesStale':
      return true;
    default:
      return isMarketEvent(event);
  }
}
