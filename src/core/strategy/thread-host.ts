import type { Clock } from '../base/clock.ts';
import type { Event, MarketData, StrategyNoted } from '../model/event.ts';
import type { Intent } from '../model/intent.ts';
import type { Product } from '../model/product.ts';
import type { StateView } from '../state/index.ts';
import type { StrategyDefinition } from './define.ts';
import type { FeedRequest } from './feed-request.ts';
import { HostTimers } from './host-timers.ts';
import type { HostSetting, KeptState, StrategyHost } from './host.ts';
import type { IntentSink } from './intent-sink.ts';
import { Runner } from './runner.ts';

/** Setting of a host in the trader's own thread. */
export interface ThreadHostDeps extends HostSetting {
  readonly definition: StrategyDefinition;
  /** Unchecked parameters. */
  readonly params: unknown;
  /** The trader's own state: an event is applied to it before it is notified. */
  readonly state: StateView;
}

/**
 * A strategy in the trader's thread: for backtests and tests, where every call is in order and nothing waits.
 * It contains throws, not loops without end and not malice: a live strategy belongs in a worker.
 */
export class ThreadHost implements StrategyHost {
  readonly name: string;
  readonly feeds: readonly FeedRequest[];
  readonly products: readonly Product[];
  readonly #runner: Runner;
  readonly #clock: Clock;
  readonly #publish: (event: Event) => void;
  readonly #timers: HostTimers;
  /** Stopped in this run before it could start. What stopped it in an earlier run is over. */
  #stoppedEarly = false;

  /** Throws `BadInput` when the parameters or the declared feeds are not as they must be. */
  constructor(setting: ThreadHostDeps) {
    this.name = setting.name ?? setting.definition.name;
    this.#clock = setting.clock;
    this.#publish = setting.publish;
    this.#timers = new HostTimers(this.name, setting.clock, setting.publish);
    this.#runner = new Runner({ ...setting, name: this.name, sink: this.#sink(setting.keep) });
    this.feeds = this.#runner.feeds.requests;
    this.products = this.#runner.products;
  }

  /** Whether the strategy has started and not ended. */
  get running(): boolean {
    return this.#runner.running;
  }

  start(starts = 0): void {
    if (this.#stoppedEarly) this.#runner.endStrategy();
    else this.#runner.start(this.#clock.now(), { starts });
  }

  notify(event: Event): void {
    if (event.kind === 'runStarted') this.#stoppedEarly = false;
    else if (event.kind === 'strategyStopped' && event.strategy === this.name) this.#stoppedEarly = true;
    this.#runner.notify(event);
  }

  notifyMarketData(data: MarketData): void {
    this.#runner.notifyMarketData(data);
  }

  stop(): void {
    if (!this.#runner.running) {
      this.#runner.endStrategy();
      return;
    }
    this.#runner.stop(this.#clock.now());
    this.#stopped('unloaded');
  }

  async close(): Promise<void> {
    this.stop();
    this.#timers.close();
  }

  #stopped(why: string): void {
    const now = this.#clock.now();
    this.#publish({ kind: 'strategyStopped', exchangeTime: now, receiveTime: now, strategy: this.name, why });
  }

  #sink(keep: ((state: KeptState) => void) | undefined): IntentSink {
    const clock = this.#clock;
    const publish = this.#publish;
    const strategy = this.name;
    return {
      intend: (intent: Intent) => {
        const now = clock.now();
        publish({ kind: 'intent', exchangeTime: now, receiveTime: now, intent });
      },
      noteText: (level: StrategyNoted['level'], text: string) => {
        const now = clock.now();
        publish({ kind: 'strategyNoted', exchangeTime: now, receiveTime: now, strategy, level, text });
      },
      arm: (timerId, delay, period) => this.#timers.arm(timerId, delay, period),
      disarm: (timerId) => this.#timers.disarm(timerId),
      keepState: (state) => keep?.(state),
      quarantine: (why) => this.#stopped(why),
    };
  }
}
