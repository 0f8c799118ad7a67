import type { Cancel, Clock } from '../../core/base/clock.ts';
import { micros } from '../../core/base/clock.ts';
import type { Event, MarketData } from '../../core/model/event.ts';
import type { Product } from '../../core/model/product.ts';
import type { FeedRequest, HostSetting, StrategyHost } from '../../core/strategy/framework.ts';
import { inScope, uncaughtText, reportLateError, outOfScope } from './uncaught-errors.ts';

/**
 * Errors that one strategy in the daemon's thread throws outside of its handlers, from the loading of its file on. The first stops
 * the strategy, later ones change nothing any more and are not reported: an interval throws for ever.
 */
export class StrategyErrors {
  readonly #name: string;
  #stop: ((why: string) => void) | undefined;
  #why: string | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  /** Runs code of the strategy. */
  within<Result>(work: () => Result): Result {
    return inScope((error) => this.#takeError(error), work);
  }

  /** Sets what stops the strategy; it is called at once when the strategy threw before. */
  onFirst(stop: (why: string) => void): void {
    this.#stop = stop;
    if (this.#why !== undefined) stop(this.#why);
  }

  /** Nothing is left to stop: the first error from now on is reported as late. */
  endStrategy(): void {
    this.#stop = (why) => reportLateError(`strategy ${this.#name} threw ${why}`);
  }

  #takeError(error: unknown): void {
    if (this.#why !== undefined) return;
    this.#why = uncaughtText(error);
    this.#stop?.(this.#why);
  }
}

export interface IsolatedHostDeps {
  readonly errors: StrategyErrors;
  /** This run: earlier ones in the journal do not count. */
  readonly run: string;
  /** Opens the host, with a clock and a publish by which what we do for the strategy leaves its scope. */
  readonly open: (entry: Pick<HostSetting, 'clock' | 'publish'>) => StrategyHost;
  /** The core's clock. */
  readonly clock: Clock;
  readonly publish: (event: Event) => void;
  /** The clock and the publish of what is no consequence of an event. */
  readonly outside: { readonly clock: Clock; readonly publish: (event: Event) => void };
}

/** A host in the daemon's own thread: a strategy that throws outside of its handlers stops like one that throws in them. */
export class IsolatedHost implements StrategyHost {
  readonly #errors: StrategyErrors;
  readonly #host: StrategyHost;
  readonly #run: string;
  readonly #outside: IsolatedHostDeps['outside'];
  #cancelBegin: Cancel | undefined;

  constructor({ errors, run, open, clock, publish, outside }: IsolatedHostDeps) {
    this.#errors = errors;
    this.#run = run;
    this.#outside = outside;
    this.#host = errors.within(() =>
      open({ clock: outsideOf(clock), publish: (event) => outOfScope(() => publish(event)) }),
    );
  }

  get name(): string {
    return this.#host.name;
  }

  get feeds(): readonly FeedRequest[] {
    return this.#host.feeds;
  }

  get products(): readonly Product[] {
    return this.#host.products;
  }

  start(starts = 0): void {
    this.#errors.within(() => this.#host.start(starts));
  }

  notify(event: Event): void {
    this.#errors.within(() => this.#host.notify(event));
    if (event.kind === 'runStarted' && event.run === this.#run) this.#begin();
    if (event.kind === 'strategyStarted' && event.strategy === this.name) this.#begin();
    if (event.kind === 'strategyStopped' && event.strategy === this.name) this.#errors.endStrategy();
  }

  notifyMarketData(data: MarketData): void {
    this.#errors.within(() => this.#host.notifyMarketData(data));
  }

  stop(): void {
    this.#errors.within(() => this.#host.stop());
  }

  async close(): Promise<void> {
    this.#cancelBegin?.();
    await this.#errors.within(() => this.#host.close());
    this.#errors.endStrategy();
  }

  /** An error of the loading of the strategy is published once the watchers of the run are there. */
  #begin(): void {
    this.#cancelBegin = outOfScope(() =>
      this.#outside.clock.after(micros(0), () => this.#errors.onFirst((why) => this.#stopped(why))),
    );
  }

  #stopped(why: string): void {
    const now = this.#outside.clock.now();
    const times = { exchangeTime: now, receiveTime: now };
    const event: Event = { kind: 'strategyStopped', ...times, strategy: this.name, why: `it threw ${why}` };
    outOfScope(() => this.#outside.publish(event));
  }
}

/** A clock whose tasks run outside the scope of the strategy. */
function outsideOf(clock: Clock): Clock {
  return {
    now: () => clock.now(),
    uptime: () => clock.uptime(),
    after: (delay, task) => outOfScope(() => clock.after(delay, task)),
  };
}
