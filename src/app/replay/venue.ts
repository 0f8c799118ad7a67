import { Subject } from 'rxjs';
import type { VirtualClock } from '../../core/base/virtual-clock.ts';
import type { Venue } from '../../core/bus/index.ts';
import type { AccountDecoder, VenueModule } from '../../venues/index.ts';
import type { Journal } from '../../core/journal/index.ts';
import { MemoryJournal } from '../../core/journal/index.ts';
import type { Command } from '../../core/model/command.ts';
import type { Event } from '../../core/model/event.ts';
import type { FrameDecoder } from '../../core/model/frame-format.ts';
import type { Frame } from '../../core/model/frame.ts';
import { runChannel } from '../../core/model/frame.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import type { RunMark } from '../run/mark.ts';
import { readMark } from '../run/mark.ts';

/**
 * A venue that plays the frames of a recorded run and only tells what is sent: the answers are in the recording.
 * It moves the clock to each frame's time first, so that whatever is due earlier happens first, as it did then.
 */
export class ReplayVenue implements Venue {
  readonly events: Subject<Event>;
  readonly #clock: VirtualClock;
  readonly #market: FrameDecoder;
  readonly #account: AccountDecoder;
  readonly #onSent: (command: Command) => void;
  /** Whether something is traded for a currency, as in the run; set once strategies and trader stand. */
  isTraded: (currency: string) => boolean = () => true;

  constructor(
    clock: VirtualClock,
    instruments: Instruments,
    venue: VenueModule,
    onSent: (command: Command) => void,
  ) {
    this.#onSent = onSent;
    const events = new Subject<Event>();
    // Each event had a turn of its own, and what was due by then went before it.
    const publish = (event: Event): void => {
      clock.advanceTo(event.receiveTime);
      events.next(event);
    };
    this.events = events;
    this.#clock = clock;
    this.#market = venue.frames.decoder({ instruments, publish });
    this.#account = venue.accountDecoder({
      instruments,
      publish,
      isTraded: (currency) => this.isTraded(currency),
    });
  }

  /** Replies in the recording that no command of this replay explains: more than in the run means that the replay differs. */
  get strays(): number {
    return this.#account.unmatched;
  }

  send(command: Command): void {
    this.#account.sent(command);
    this.#onSent(command);
  }

  /** The recording has what the run made of it. */
  refetchBook(): void {}

  /** Plays one frame; a mark is handed to `onMark` when its time has come. */
  play(frame: Frame, onMark: (mark: RunMark) => void): void {
    this.#clock.advanceTo(frame.receiveTime);
    if (frame.channel === runChannel) {
      const mark = readMark(frame);
      if (mark.mark === 'event') this.#publish(mark.event);
      else onMark(mark);
    } else {
      this.#market.accept(frame);
      this.#account.accept(frame);
    }
  }

  close(): Promise<void> {
    this.events.complete();
    return Promise.resolve();
  }

  /** A session's verdict on a book goes through the decoder, which must know it too. */
  #publish(event: Event): void {
    if (event.kind === 'bookStale') this.#market.markStale(event.reason, event.receiveTime, event.instrument);
    else this.events.next(event);
  }
}

/** The journal of a replay: records become durable when they did in the run. */
export class ReplayJournal extends MemoryJournal implements Journal {
  readonly #waiting: (() => void)[] = [];
  readonly #failures: ((error: Error) => void)[] = [];
  readonly #waits: ((why: string | undefined) => void)[] = [];

  override whenDurable(task: () => void): void {
    this.#waiting.push(task);
  }

  override onFailure(task?: (error: Error) => void): void {
    if (task !== undefined) this.#failures.push(task);
  }

  override onWaiting(task?: (why: string | undefined) => void): void {
    if (task !== undefined) this.#waits.push(task);
  }

  /** The disk of the run had no room, or had room again. */
  waits(why: string | undefined): void {
    for (const task of this.#waits) task(why);
  }

  /** The record that waits longest is durable. */
  durable(): void {
    this.#waiting.shift()?.();
  }

  failed(why: string): void {
    this.#failures.shift()?.(new Error(why));
  }
}
