import type { Cancel, Clock, Micros } from '../base/clock.ts';
import { seconds } from '../base/clock.ts';
import type { Event, MarketData } from '../model/event.ts';
import type { Instruments } from '../model/instrument.ts';
import type { Product } from '../model/product.ts';
import type { CutSizes } from './cut-sizes.ts';
import { DeclaredFeeds } from './feed-request.ts';
import type { FeedRequest } from './feed-request.ts';
import { describeThrown } from './thrown.ts';
import { HostTimers } from './host-timers.ts';
import type { KeptState, StrategyHost } from './host.ts';
import type { LaunchedWorker } from './launch-worker.ts';
import { escapeMarks } from './log.ts';
import { AnswerWait, mayBeAnswered } from './answer-wait.ts';
import { Watchdog } from './watchdog.ts';
import type { FromWorker, ToWorker } from './worker-messages.ts';
import { forWorker, intentOf } from './worker-copy.ts';

/** Setting of a host whose strategy runs in a worker launched before. */
export interface WorkerHostDeps {
  readonly worker: LaunchedWorker;
  readonly clock: Clock;
  readonly instruments: Instruments;
  readonly publish: (event: Event) => void;
  /** Called when the strategy writes its kept state. */
  readonly keep?: ((state: KeptState) => void) | undefined;
  /** State that the strategy kept last, where that may be newer than what its worker was launched with. */
  readonly kept?: (() => KeptState | undefined) | undefined;
  /** Counts the sizes that the strategy rounds down to nothing. */
  readonly cuts?: CutSizes | undefined;
  /** Events that the replica of a strategy that is started within a run has missed. */
  readonly missed?: readonly Event[] | undefined;
  /** This long without a sign of life ends the strategy; 2 s when left out. */
  readonly hangTimeout?: Micros | undefined;
  /** More events than this not yet handled end the strategy. */
  readonly backlogMax?: number | undefined;
}

const hangTimeoutDefault = seconds(2);
const backlogMaxDefault = 100_000;
const stopTimeout = seconds(2);

/**
 * A strategy in a thread of its own, where it can hang or crash alone. It sees a replica of the state, folded from
 * the same events; its intents come back as messages and are checked before they are published.
 */
export class WorkerHost implements StrategyHost {
  readonly name: string;
  readonly feeds: readonly FeedRequest[];
  readonly products: readonly Product[];
  readonly #worker: LaunchedWorker;
  readonly #declared: DeclaredFeeds;
  readonly #clock: Clock;
  readonly #publish: (event: Event) => void;
  readonly #keepState: ((state: KeptState) => void) | undefined;
  readonly #instruments: Instruments;
  readonly #cuts: CutSizes | undefined;
  readonly #keptLast: (() => KeptState | undefined) | undefined;
  readonly #timers: HostTimers;
  readonly #hangTimeout: Micros;
  readonly #backlogMax: number;
  #watchdog: Watchdog | undefined;
  #phase: 'waiting' | 'running' | 'stopping' | 'ended' = 'waiting';
  /** Messages for which the worker had no space yet. */
  #unsent: ToWorker[] = [];
  readonly #answers: AnswerWait;
  /** Whether the replica has received any event. */
  #sentState = false;
  /** Stopped in this run before it could start. What stopped it in an earlier run is over. */
  #stoppedEarly = false;
  /** Events since the start that are posted or about to be, less those handled. */
  #backlog = 0;
  /** The same for events before the start: history has no bound but its own. */
  #history = 0;
  #cancelStop: Cancel | undefined;
  #gone: Promise<void> | undefined;
  readonly #onEnd: (() => void)[] = [];

  constructor(setting: WorkerHostDeps) {
    const { worker } = setting;
    this.name = worker.name;
    this.feeds = worker.feeds;
    this.products = worker.products;
    this.#worker = worker;
    this.#declared = new DeclaredFeeds(worker.name, worker.feeds, worker.series, setting.instruments);
    this.#clock = setting.clock;
    this.#publish = setting.publish;
    this.#keepState = setting.keep;
    this.#instruments = setting.instruments;
    this.#cuts = setting.cuts;
    this.#keptLast = setting.kept;
    this.#timers = new HostTimers(worker.name, setting.clock, setting.publish);
    this.#hangTimeout = setting.hangTimeout ?? hangTimeoutDefault;
    this.#backlogMax = setting.backlogMax ?? backlogMaxDefault;
    this.#answers = new AnswerWait({
      clock: setting.clock,
      hear: (ms) => worker.hear(ms),
      isAnswered: () => this.#backlog === 0 || this.#phase !== 'running',
    });
    worker.listen({ message: (message) => this.#hear(message), gone: (why) => this.#endStrategy(why) });
    for (const event of setting.missed ?? []) this.notify(event);
  }

  /** Whether the strategy has started and not ended. */
  get running(): boolean {
    return this.#phase === 'running';
  }

  /** Events the worker has not handled yet. */
  get backlog(): number {
    return this.#history + this.#backlog;
  }

  start(starts = 0): void {
    if (this.#phase !== 'waiting') return;
    if (this.#stoppedEarly) {
      this.#endStrategy(undefined);
      return;
    }
    this.#phase = 'running';
    this.#post({ type: 'start', now: this.#clock.now(), starts, kept: this.#keptLast?.() });
    this.#watchdog = new Watchdog({
      clock: this.#clock,
      timeout: this.#hangTimeout,
      ask: () => this.#post({ type: 'ping' }),
      onSilence: () => this.#endStrategy('it gave no sign of life: a handler does not return'),
    });
  }

  notifyMarketData(data: MarketData): void {
    this.notify(data);
  }

  notify(event: Event): void {
    if (this.#phase === 'ended' || this.#phase === 'stopping') return;
    if (event.kind === 'runStarted') this.#stoppedEarly = false;
    if (event.kind === 'strategyStopped' && event.strategy === this.name) {
      if (this.#phase === 'running') {
        this.#endStrategy(undefined, true);
        return;
      }
      this.#stoppedEarly = true;
    }
    // A replica that has begun knows what is carried; only one that begins with it needs it.
    if (event.kind === 'stateCarried' && this.#sentState) return;
    this.#sentState = true;
    const copy = forWorker(event, this.#declared);
    if (copy === undefined) return;
    if (this.#backlog >= this.#backlogMax) {
      this.#endStrategy(`it fell behind by ${this.#backlogMax} events`);
      return;
    }
    if (this.#phase === 'running') this.#backlog += 1;
    else this.#history += 1;
    this.#post({ type: 'event', event: copy });
    if (this.#phase === 'running' && mayBeAnswered(event)) this.#answers.expect();
  }

  stop(): void {
    if (this.#phase === 'waiting') this.#endStrategy(undefined);
    if (this.#phase !== 'running') return;
    this.#phase = 'stopping';
    this.#post({ type: 'stop', now: this.#clock.now() });
    this.#cancelStop = this.#clock.after(stopTimeout, () => this.#endStrategy('onStop did not return'));
  }

  async close(): Promise<void> {
    this.stop();
    while (this.#phase !== 'ended') await new Promise<void>((resolve) => this.#onEnd.push(resolve));
    await this.#gone;
  }

  /** Hands a message over, now or as soon as the worker has handled enough of those before it. */
  #post(message: ToWorker): void {
    this.#unsent.push(message);
    this.#sendOn();
  }

  #sendOn(): void {
    try {
      let sent = 0;
      for (const message of this.#unsent) {
        if (!this.#worker.post(message)) break;
        sent += 1;
      }
      if (sent === this.#unsent.length) this.#unsent.length = 0;
      else if (sent > 0) this.#unsent.splice(0, sent);
    } catch (error) {
      this.#endStrategy(`an event could not be posted to it: ${describeThrown(error)}`);
    }
  }

  #hear(message: FromWorker): void {
    if (this.#phase === 'ended') return;
    // What a handler says before it returns is no sign that it will.
    if (message.type === 'handled' || message.type === 'pong') this.#watchdog?.alive();
    const now = this.#clock.now();
    const times = { exchangeTime: now, receiveTime: now };
    switch (message.type) {
      case 'intent': {
        const intent = intentOf(message.intent, this.name);
        this.#publish({ kind: 'intent', ...times, intent });
        return;
      }
      case 'note': {
        const { level } = message;
        const text = escapeMarks(message.text);
        this.#publish({ kind: 'strategyNoted', ...times, strategy: this.name, level, text });
        return;
      }
      case 'arm':
        this.#timers.arm(message.timerId, message.delay as Micros, message.period as Micros | undefined);
        return;
      case 'disarm':
        this.#timers.disarm(message.timerId);
        return;
      case 'keep':
        this.#kept(message.state);
        return;
      case 'cut':
        this.#cut(message);
        return;
      case 'handled':
        this.#handled(message.count);
        return;
      case 'ended':
        this.#endStrategy(message.why === '' ? 'unloaded' : escapeMarks(message.why), true);
        return;
      case 'flushed':
      case 'pong':
      case 'ready':
      case 'refused':
    }
  }

  /** Code in a worker may name what there is not. */
  #cut({ instrument, first, count }: FromWorker & { type: 'cut' }): void {
    const known = this.#instruments.all[instrument];
    if (known !== undefined) this.#cuts?.takeCut({ instrument: known.id, first: escapeMarks(first), count });
  }

  /** Keeps a state. One that cannot be kept ends the strategy, as where it is kept by a handler in the trader's thread. */
  #kept(state: KeptState): void {
    try {
      this.#keepState?.(state);
    } catch (error) {
      this.#endStrategy(`what it keeps could not be written: ${describeThrown(error)}`);
    }
  }

  /** Events are handled in order, so history goes first. */
  #handled(count: number): void {
    const early = Math.min(count, this.#history);
    this.#history -= early;
    this.#backlog = Math.max(0, this.#backlog - (count - early));
    if (this.#unsent.length > 0) this.#sendOn();
  }

  /**
   * Ends once: nothing is published afterwards but this. `why` is published unless it already was. A thread that
   * `answers` is left the time to pass on what it has printed.
   */
  #endStrategy(why: string | undefined, answers = false): void {
    if (this.#phase === 'ended') return;
    this.#phase = 'ended';
    this.#unsent = [];
    this.#watchdog?.close();
    this.#cancelStop?.();
    this.#timers.close();
    this.#gone = answers ? this.#worker.endThread() : this.#worker.terminate();
    if (why !== undefined) {
      const now = this.#clock.now();
      this.#publish({
        kind: 'strategyStopped',
        exchangeTime: now,
        receiveTime: now,
        strategy: this.name,
        why,
      });
    }
    for (const resolve of this.#onEnd.splice(0)) resolve();
  }
}
