import type { Clock } from '../base/clock.ts';
import type { Event, MarketData } from '../model/event.ts';
import type { StampedEvent } from '../model/stamped-event.ts';
import type { StateView } from '../state/view.ts';
import type { StrategyHost } from '../strategy/host.ts';
import type { StrategyPlan } from './parts.ts';

export interface HostGroupParts {
  readonly plans: readonly StrategyPlan[];
  readonly state: StateView;
  readonly clock: Clock;
  /** Takes what strategies publish. */
  readonly publish: (event: Event) => void;
}

/**
 * The strategies of a run, notified of one event after another.
 *
 * The `strategyStopped` of one that fails waits its turn behind what it had asked for until then, so its own place in
 * the journal says little: the event that the strategy was handling is kept here.
 */
export class HostGroup {
  readonly all: readonly StrategyHost[];
  /** While strategies are notified of an event. */
  #notifying = false;
  /** Ended during the notification under way. */
  readonly #ended: string[] = [];
  readonly #stoppedAt = new Map<string, StampedEvent>();

  constructor({ plans, state, clock, publish }: HostGroupParts) {
    const observed = (event: Event): void => {
      if (event.kind === 'strategyStopped' && this.#notifying) this.#ended.push(event.strategy);
      publish(event);
    };
    this.all = plans.map((plan) => plan.open({ state, clock, publish: observed }));
  }

  /** The event that a strategy was handling when it ended, if any. */
  stoppedAt(strategy: string): StampedEvent | undefined {
    return this.#stoppedAt.get(strategy);
  }

  notify(event: Event, sequence: number): void {
    this.#notifying = true;
    for (const host of this.all) host.notify(event);
    this.#notified(event, sequence);
  }

  notifyMarketData(data: MarketData, sequence: number): void {
    this.#notifying = true;
    for (const host of this.all) host.notifyMarketData(data);
    this.#notified(data, sequence);
  }

  /** Starts all, as a consequence of an event. */
  start(event: Event, sequence: number): void {
    this.#notifying = true;
    for (const host of this.all) host.start();
    this.#notified(event, sequence);
  }

  stop(): void {
    for (const host of this.all) host.stop();
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((host) => host.close()));
  }

  #notified(event: Event, sequence: number): void {
    this.#notifying = false;
    if (this.#ended.length === 0) return;
    // A copy: the events of a recording may be reused once they are delivered.
    for (const strategy of this.#ended) this.#stoppedAt.set(strategy, { sequence, event: { ...event } });
    this.#ended.length = 0;
  }
}
