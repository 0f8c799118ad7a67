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
import { intentOf } from './worker-copy.ts';
import type { MemberMessage, WorkerFeedDeps } from './worker-feed.ts';
import { WorkerFeed } from './worker-feed.ts';

/** Setting of a host whose strategy runs in a worker launched before. */
export interface WorkerHostDeps extends Pick<WorkerFeedDeps, 'hangTimeout' | 'backlogMax'> {
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
}

const stopTimeout = seconds(2);

/**
 * A strategy in a worker, where it can hang or crash alone, or with its group. It sees a replica of the state, folded from
 * the same events; its intents come back as messages and are checked before they are published.
 */
export class WorkerHost implements StrategyHost {
  readonly name: string;
  readonly feeds: readonly FeedRequest[];
  readonly products: readonly Product[];
  readonly #worker: LaunchedWorker;
  readonly #feed: WorkerFeed;
  /** Events that this host was given. */
  #given = 0;
  readonly #clock: Clock;
  readonly #publish: (event: Event) => void;
  readonly #keepState: ((state: KeptState) => void) | undefined;
  readonly #instruments: Instruments;
  readonly #cuts: CutSizes | undefined;
  readonly #keptLast: (() => KeptState | undefined) | undefined;
  readonly #timers: HostTimers;
  #phase: 'waiting' | 'running' | 'stopping' | 'ended' = 'waiting';
  /** Stopped in this run before it could start. What stopped it in an earlier run is over. */
  #stoppedEarly = false;
  #cancelStop: Cancel | undefined;
  #gone: Promise<void> | undefined;
  readonly #onEnd: (() => void)[] = [];

  constructor(setting: WorkerHostDeps) {
    const { worker } = setting;
    this.name = worker.name;
    this.feeds = worker.feeds;
    this.products = worker.products;
    this.#worker = worker;
    this.#clock = setting.clock;
    this.#publish = setting.publish;
    this.#keepState = setting.keep;
    this.#instruments = setting.instruments;
    this.#cuts = setting.cuts;
    this.#keptLast = setting.kept;
    this.#timers = new HostTimers(worker.name, setting.clock, setting.publish);
    const { clock, hangTimeout, backlogMax } = setting;
    const { link } = worker;
    link.feed ??= new WorkerFeed({ link, clock, hangTimeout, backlogMax });
    this.#feed = link.feed;
    this.#feed.join(worker.of, {
      declared: new DeclaredFeeds(worker.name, worker.feeds, worker.series, setting.instruments),
      take: (message) => this.#hear(message),
      gone: (why) => this.#endStrategy(why),
    });
    for (const event of setting.missed ?? []) this.notify(event);
  }

  /** Whether the strategy has started and not ended. */
  get running(): boolean {
    return this.#phase === 'running';
  }

  /** Events the worker has not handled yet. */
  get backlog(): number {
    return this.#feed.backlog;
  }

  start(starts = 0): void {
    if (this.#phase !== 'waiting') return;
    if (this.#stoppedEarly) {
      this.#endStrategy(undefined);
      return;
    }
    this.#phase = 'running';
    const { of } = this.#worker;
    this.#feed.post({ type: 'start', of, now: this.#clock.now(), starts, kept: this.#keptLast?.() });
  }

  notifyMarketData(data: MarketData): void {
    this.notify(data);
  }

  notify(event: Event): void {
    if (this.#phase === 'ended' || this.#phase === 'stopping') return;
    if (event.kind === 'runStarted') this.#stoppedEarly = false;
    const index = this.#given++;
    if (event.kind === 'strategyStopped' && event.strategy === this.name) {
      if (this.#phase === 'running') {
        this.#endStrategy(undefined, true);
        return;
      }
      this.#stoppedEarly = true;
    }
    this.#feed.notify(index, event);
  }

  stop(): void {
    if (this.#phase === 'waiting') this.#endStrategy(undefined);
    if (this.#phase !== 'running') return;
    this.#phase = 'stopping';
    this.#feed.post({ type: 'stop', of: this.#worker.of, now: this.#clock.now() });
    this.#cancelStop = this.#clock.after(stopTimeout, () => this.#endStrategy('onStop did not return'));
  }

  async close(): Promise<void> {
    this.stop();
    while (this.#phase !== 'ended') await new Promise<void>((resolve) => this.#onEnd.push(resolve));
    await this.#gone;
  }

  #hear(message: MemberMessage): void {
    if (this.#phase === 'ended') return;
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
      case 'ended':
        this.#endStrategy(message.why === '' ? 'unloaded' : escapeMarks(message.why), true);
    }
  }

  /** Code in a worker may name what there is not. */
  #cut({ instrument, first, count }: MemberMessage & { type: 'cut' }): void {
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

  /**
   * Ends once: nothing is published afterwards but this. `why` is published unless it already was. A thread that
   * `answers` is left the time to pass on what it has printed.
   */
  #endStrategy(why: string | undefined, answers = false): void {
    if (this.#phase === 'ended') return;
    this.#phase = 'ended';
    this.#cancelStop?.();
    this.#timers.close();
    this.#gone = this.#feed.removeMember(this.#worker.of, answers);
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
