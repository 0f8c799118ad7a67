import { setImmediate } from 'node:timers/promises';
import type { Micros } from '../../core/base/clock.ts';
import { later, seconds } from '../../core/base/clock.ts';
import { BadInput } from '../../core/base/errors.ts';
import type { VirtualClock } from '../../core/base/virtual-clock.ts';
import type { MarketEvent } from '../../core/model/event.ts';
import type { FedMarket } from '../backtest/index.ts';

/** One pass through the recording: its events, and the market that takes them. */
export interface Round {
  readonly source: AsyncIterator<{ readonly events: readonly MarketEvent[] }>;
  readonly market: FedMarket;
}

export interface CourseDeps {
  readonly clock: VirtualClock;
  readonly first: Round;
  /** Opens the next round, whose first event happens at this time; without it the market ends with the recording. */
  readonly again: ((begin: Micros) => Promise<Round>) | undefined;
  /** Number of events that have been shown to clients so far. */
  readonly shown: () => number;
  /** Called when the recording has been shown up to its end, or to where it is damaged. */
  readonly onEnd: (time: Micros, damage: string | undefined) => void;
}

/** Events that are taken in one turn of the loop: sockets are written, and requests read, in between. */
const turnMax = 256;
/** Time between the last event of a round and the first of the next. */
const pause = seconds(1);

/** A recorded market on its way: time goes on when it is asked to, and all that is recorded up to then happens first. */
export class MarketCourse {
  readonly clock: VirtualClock;
  readonly #deps: CourseDeps;
  #round: Round;
  #batch: readonly MarketEvent[] = [];
  #at = 0;
  #rounds = 1;
  /** Time of the last event that was taken, as it happened or as it is shown. */
  #last = 0;
  #isRead = false;
  /** True once this round is over before its source is. */
  #isPast = false;
  #isStopped = false;
  #damage: string | undefined;

  constructor(deps: CourseDeps) {
    this.#deps = deps;
    this.clock = deps.clock;
    this.#round = deps.first;
  }

  /** Number of the pass through the recording, from 1 on. */
  get round(): number {
    return this.#rounds;
  }

  /** True once all of the recording has been shown. */
  get ended(): boolean {
    return this.#isRead && this.clock.now() >= this.#last;
  }

  /** Takes no event any more, and lets go of the files. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#round.source.return?.();
  }

  /**
   * Moves on to `time`, or no further than to an event after which it is `enough`. Returns when something is due next: infinity when
   * nothing ever is.
   */
  async advanceTo(time: Micros, enough: () => boolean = () => false): Promise<number> {
    const wasEnded = this.ended;
    let next: number;
    for (let taken = 0; ; taken += 1) {
      if (this.#isStopped) return Number.POSITIVE_INFINITY;
      const event = this.#batch[this.#at] ?? (await this.#read());
      next = event?.exchangeTime ?? Number.POSITIVE_INFINITY;
      if (event === undefined || next > time) break;
      // Between two events of one time nothing may come: an order meets all that happened up to its time.
      if (taken >= turnMax && next > this.clock.now() + 1) {
        taken = 0;
        this.clock.advanceTo((next - 1) as Micros);
        await setImmediate();
        if (this.#isStopped) return Number.POSITIVE_INFINITY;
      }
      this.#take(event);
      // An event that is older than the one before it is shown at once, ahead of that one.
      if (enough()) return this.clock.now();
    }
    this.clock.advanceTo(time);
    if (!wasEnded && this.ended) this.#deps.onEnd(this.#last as Micros, this.#damage);
    return Math.min(next, this.clock.nextTime() ?? Number.POSITIVE_INFINITY);
  }

  /** Moves on until `count` more events have been shown to clients, those of one time together; to `time` or the end at most. */
  async show(count: number, time: Micros = Number.MAX_SAFE_INTEGER as Micros): Promise<void> {
    const { clock } = this;
    const wanted = this.#deps.shown() + count;
    const enough = (): boolean => this.#deps.shown() >= wanted;
    let next = await this.advanceTo(clock.now(), enough);
    while (!enough() && !this.ended && clock.now() < time && Number.isFinite(next))
      next = await this.advanceTo(Math.min(time, Math.max(next, clock.now())) as Micros, enough);
  }

  /** Takes an event to the market; with the first one beyond the span the round is over. */
  #take(event: MarketEvent): void {
    this.#at += 1;
    if (!this.#round.market.accept(event, 0)) {
      this.#batch = [];
      this.#isPast = true;
      return;
    }
    this.#last = Math.max(this.#last, event.exchangeTime, event.receiveTime);
  }

  /** The next event, of this round or of the one that follows. */
  async #read(): Promise<MarketEvent | undefined> {
    try {
      return await this.#readOn();
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
      this.#damage = error.message;
      this.#isRead = true;
      return undefined;
    }
  }

  async #readOn(): Promise<MarketEvent | undefined> {
    while (!this.#isRead) {
      const { source } = this.#round;
      // A source that is left before its end is closed: an unpacker may hold what the next one needs.
      const read = await (this.#isPast ? source.return?.() : source.next());
      if (read !== undefined && read.done !== true) {
        this.#batch = read.value.events;
        this.#at = 0;
        if (this.#batch[0] !== undefined) return this.#batch[0];
        continue;
      }
      if (this.#deps.again === undefined) {
        this.#isRead = true;
        break;
      }
      this.#round = await this.#deps.again(later(Math.max(this.#last, this.clock.now()) as Micros, pause));
      this.#rounds += 1;
      this.#isPast = false;
    }
    return undefined;
  }
}
