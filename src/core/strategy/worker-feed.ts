import type { Clock, Micros } from '../base/clock.ts';
import { seconds } from '../base/clock.ts';
import type { Event } from '../model/event.ts';
import { AnswerWait, mayBeAnswered } from './answer-wait.ts';
import type { DeclaredFeeds } from './feed-request.ts';
import { describeThrown } from './thrown.ts';
import { Watchdog } from './watchdog.ts';
import { forWorker } from './worker-copy.ts';
import type { FromWorker, ToWorker } from './worker-messages.ts';

/** Message of one strategy of a worker. */
export type MemberMessage = Extract<FromWorker, { of: number }>;

/** Host of one strategy of a worker. */
export interface FeedMember {
  readonly declared: DeclaredFeeds;
  readonly take: (message: MemberMessage) => void;
  /** Takes the end of the thread: it hangs, fell behind, broke its contract or ended by itself. */
  readonly gone: (why: string) => void;
}

/** A worker as its hosts know it. */
export interface WorkerLink {
  /** Events on their way to it, once a host has begun to send some. */
  feed: WorkerFeed | undefined;
  /** Hands over a message. False when there is no space for it now. Throws where it cannot be posted. */
  post(message: ToWorker): boolean;
  /** Whether messages of the worker wait for the next turn of the event loop. */
  readonly isBehind: boolean;
  /** Stands still for at most `time` until the worker has said something. Returns whether it has. */
  wait(time: Micros): boolean;
  /** Takes what the worker has said. */
  take(): void;
  /** Receives messages and the end of the worker; what came before is delivered at once. One listener. */
  listen(listener: WorkerListener): void;
  /** Ends the thread once all that it has printed was passed on, two seconds later at most. */
  endThread(): Promise<void>;
  /** Ends the thread as it is, if it can be ended: resolves after a second at the latest. */
  terminate(): Promise<void>;
}

export interface WorkerListener {
  message(message: FromWorker): void;
  /** The thread is gone, or sent something that is no message of ours. Called once. */
  gone(why: string): void;
}

export interface WorkerFeedDeps {
  readonly link: WorkerLink;
  readonly clock: Clock;
  /** This long without a sign of life ends the thread; 2 s when left out. */
  readonly hangTimeout?: Micros | undefined;
  /** More events than this not yet handled end the thread. */
  readonly backlogMax?: number | undefined;
}

const hangTimeoutDefault = seconds(2);
const backlogMaxDefault = 100_000;

/**
 * Events on their way to the replica of a worker, which one strategy has or a group shares: each event goes there once. It ends
 * the thread that hangs or falls behind, with all strategies in it.
 */
export class WorkerFeed {
  readonly #link: WorkerLink;
  readonly #clock: Clock;
  readonly #hangTimeout: Micros;
  readonly #backlogMax: number;
  readonly #answers: AnswerWait;
  /** Hosts by the place of their strategies in the task of the worker. */
  readonly #members = new Map<number, FeedMember>();
  #watchdog: Watchdog | undefined;
  #isRunning = false;
  #gone: string | undefined;
  /** Messages for the end of the turn, and those for which the worker had no space yet. */
  #unsent: ToWorker[] = [];
  #sendsLater = false;
  /** Whether the worker had no space. */
  #isFull = false;
  /** Count of events taken from members, which are all given the same. */
  #taken = 0;
  /** Whether the replica has received any event. */
  #sentState = false;
  /** Events since the start that are posted or about to be, less those handled. */
  #backlog = 0;
  /** Count of the same up to the last one that may be answered. */
  #awaited = 0;
  /** Count of the same before the start: history has no bound but its own. */
  #history = 0;

  constructor({ link, clock, hangTimeout, backlogMax }: WorkerFeedDeps) {
    this.#link = link;
    this.#clock = clock;
    this.#hangTimeout = hangTimeout ?? hangTimeoutDefault;
    this.#backlogMax = backlogMax ?? backlogMaxDefault;
    this.#answers = new AnswerWait({
      clock,
      wait: (time) => link.wait(time),
      take: () => link.take(),
      isAnswered: () => this.#awaited === 0 || this.#gone !== undefined,
    });
    link.listen({ message: (message) => this.#takeMessage(message), gone: (why) => this.#fail(why) });
  }

  /** Events the worker has not handled yet. */
  get backlog(): number {
    return this.#history + this.#backlog;
  }

  /** Adds the host of the strategy at place `of`. */
  join(of: number, member: FeedMember): void {
    this.#members.set(of, member);
    if (this.#gone !== undefined) member.gone(this.#gone);
  }

  /** Sends a message. Events from the first start on are no history. */
  post(message: ToWorker): void {
    if (message.type === 'start' && !this.#isRunning) this.#beginWatch();
    this.#unsent.push(message);
    this.#sendOn();
  }

  /** Passes on the event that is the `index`th of a member, unless another member has brought it. */
  notify(index: number, event: Event): void {
    if (index < this.#taken || this.#gone !== undefined) return;
    this.#taken = index + 1;
    // A replica that has begun knows what is carried; only one that begins with it needs it.
    if (event.kind === 'stateCarried' && this.#sentState) return;
    this.#sentState = true;
    const copy = this.#copyOf(event);
    if (copy === undefined) return;
    if (this.#backlog >= this.#backlogMax) {
      this.#fail(`it fell behind by ${this.#backlogMax} events`);
      return;
    }
    if (this.#isRunning) this.#backlog += 1;
    else this.#history += 1;
    const isAwaited = mayBeAnswered(event);
    this.#unsent.push({ type: 'event', event: copy });
    // What comes of an order is published while the order itself waits for the end of the turn.
    if (isAwaited) this.#sendOn();
    else this.#sendLater();
    if (!this.#isRunning || !isAwaited) return;
    this.#awaited = this.#backlog;
    this.#answers.expect();
  }

  /**
   * Lets the strategy at place `of` go, whose runner has ended or ends by itself; resolves when its thread is gone, which the last one
   * takes along. A thread that `answers` is left the time to pass on what it has printed.
   */
  removeMember(of: number, answers: boolean): Promise<void> {
    this.#members.delete(of);
    if (this.#members.size > 0 && this.#gone === undefined) return Promise.resolve();
    this.#gone ??= 'it was ended';
    this.#unsent = [];
    this.#watchdog?.close();
    return answers ? this.#link.endThread() : this.#link.terminate();
  }

  #beginWatch(): void {
    this.#isRunning = true;
    this.#watchdog = new Watchdog({
      clock: this.#clock,
      timeout: this.#hangTimeout,
      ask: () => {
        // What it says is not read yet: it is not the worker that is late.
        if (this.#link.isBehind) this.#watchdog?.alive();
        else this.post({ type: 'ping' });
      },
      onSilence: () => this.#fail('it gave no sign of life: a handler does not return'),
    });
  }

  #copyOf(event: Event): Event | undefined {
    for (const { declared } of this.#members.values()) {
      const copy = forWorker(event, declared);
      if (copy !== undefined) return copy;
    }
    return undefined;
  }

  /** Hands messages over once this turn of the event loop has done what it has to do. */
  #sendLater(): void {
    if (this.#sendsLater) return;
    this.#sendsLater = true;
    setImmediate(() => {
      this.#sendsLater = false;
      if (this.#unsent.length > 0) this.#sendOn();
    });
  }

  /** Hands messages over, as far as the worker has space. */
  #sendOn(): void {
    try {
      let sent = 0;
      this.#isFull = false;
      for (const message of this.#unsent) {
        this.#isFull = !this.#link.post(message);
        if (this.#isFull) break;
        sent += 1;
      }
      if (sent === this.#unsent.length) this.#unsent.length = 0;
      else if (sent > 0) this.#unsent.splice(0, sent);
    } catch (error) {
      this.#fail(`an event could not be posted to it: ${describeThrown(error)}`);
    }
  }

  #takeMessage(message: FromWorker): void {
    if (this.#gone !== undefined) return;
    // What a handler says before it returns is no sign that it will.
    if (message.type === 'handled' || message.type === 'pong') this.#watchdog?.alive();
    if (message.type === 'handled') this.#handled(message.count);
    else if ('of' in message) this.#members.get(message.of)?.take(message);
  }

  /** Events are handled in order, so history goes first. */
  #handled(count: number): void {
    const early = Math.min(count, this.#history);
    this.#history -= early;
    this.#backlog = Math.max(0, this.#backlog - (count - early));
    this.#awaited = Math.max(0, this.#awaited - (count - early));
    if (this.#isFull) this.#sendOn();
  }

  #fail(why: string): void {
    if (this.#gone !== undefined) return;
    this.#gone = why;
    for (const member of this.#members.values()) member.gone(why);
  }
}
