import { Observable } from 'rxjs';
import type { Clock, Micros } from '../../core/base/clock.ts';
import type { TurnClock } from '../../core/base/turn-clock.ts';
import { Topic } from '../../core/bus/index.ts';
import type { Journal } from '../../core/journal/index.ts';
import { isKept } from '../../core/journal/index.ts';
import type { Event, MarketData, StaleReason } from '../../core/model/event.ts';
import type { Frame } from '../../core/model/frame.ts';
import type { RunMark } from '../run/mark.ts';
import { markFrame } from '../run/mark.ts';

export interface RunInputsDeps {
  readonly real: Clock;
  readonly turns: TurnClock;
  /** Takes the marks, between the frames the sessions record. */
  readonly record: ((frame: Frame) => void) | undefined;
}

/**
 * Every input of a live core enters here, one turn of the core's clock at a time. It leaves a mark in the recording unless
 * recorded frames contain it already. What enters another way cannot be replayed.
 */
export class RunInputs {
  readonly #setup: RunInputsDeps;

  constructor(setup: RunInputsDeps) {
    this.#setup = setup;
  }

  /** A venue's events, each as a turn of its own at the time it was received. */
  events(source: Observable<Event>): Observable<Event> {
    return new Observable((subscriber) =>
      source.subscribe({
        next: (event) => {
          if (!isInFrames(event)) this.#markEvent(event);
          this.#setup.turns.turn(event.receiveTime, () => subscriber.next(event));
        },
        error: (error: unknown) => subscriber.error(error),
        complete: () => subscriber.complete(),
      }),
    );
  }

  /** The same for market data of a topic of its own; frames contain it, so it leaves no mark. */
  marketData(source: Topic<MarketData>): Topic<MarketData> {
    const { turns } = this.#setup;
    const take = (data: MarketData): void => marketData.next(data);
    const marketData = new Topic<MarketData>({
      onFirst: () => source.on((data) => turns.turnOn(data.receiveTime, take, data)),
    });
    return marketData;
  }

  /** Publishes what a strategy in a thread of its own sends, which comes at any time. */
  voice(publish: (event: Event) => void): (event: Event) => void {
    return (event) => {
      this.#markEvent(event);
      this.#setup.turns.turn(event.receiveTime, () => publish(event));
    };
  }

  /** The journal, whose answers come from another thread. */
  journal(journal: Journal): Journal {
    return {
      append: (event, sequence) => journal.append(event, sequence),
      appendMarketData: (data, sequence) => journal.appendMarketData(data, sequence),
      whenDurable: (task) => journal.whenDurable(() => this.enter({ mark: 'durable' }, task)),
      onFailure: (task) =>
        journal.onFailure((error) =>
          this.enter({ mark: 'journalFailed', why: error.message }, () => task(error)),
        ),
      onWaiting: (task) =>
        journal.onWaiting((why) =>
          this.enter({ mark: 'journalWaits', ...(why !== undefined && { why }) }, () => task(why)),
        ),
      get nextTry() {
        return journal.nextTry;
      },
      digest: () => journal.digest(),
      close: () => journal.close(),
    };
  }

  /** Anything else: the start, a command of the operator. */
  enter(mark: RunMark, task: () => void): void {
    const now = this.#setup.real.now();
    this.#mark(mark, now);
    this.#setup.turns.turn(now, task);
  }

  #markEvent(event: Event): void {
    if (isKept(event)) this.#mark({ mark: 'event', event }, event.receiveTime);
  }

  #mark(mark: RunMark, time: Micros): void {
    this.#setup.record?.(markFrame(mark, time));
  }
}

/** Why a book is stale by what its frames say; the other reasons are found by those who watch it. */
const inFrames: ReadonlySet<StaleReason> = new Set(['gap', 'disconnected', 'malformed']);

/** Whether the decoders make this event of a venue again from recorded frames. */
function isInFrames(event: Event): boolean {
  switch (event.kind) {
    case 'sessionUp':
    case 'sessionDown':
    case 'instrumentChanged':
    case 'clockMeasured':
    case 'seriesRow':
    case 'seriesStale':
      return false;
    case 'bookStale':
      return inFrames.has(event.reason);
    default:
      return true;
  }
}
