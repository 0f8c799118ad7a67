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
 * The strategies of a run, told of one event after another.
 *
 * The `strategyStopped` of one that fails waits its turn behind what it had asked for until then, so its own place in
 * the journal says little: which event the strategy was being told of is kept here.
 */
export class HostGroup {
  readonly all: readonly StrategyHost[];
  /** While strategies are told of an event. */
  #telling = false;
  /** Ended during the telling under way. */
  readonly #ended: string[] = [];
  readonly #stoppedAt = new Map<string, StampedEvent>();

  constructor({ plans, state, clock, publish }: HostGroupParts) {
    const witnessed = (event: Event): void => {
      if (event.kind === 'strategyStopped' && this.#telling) this.#ended.push(event.strategy);
      publish(event);
    };
    this.all = plans.map((plan) => plan.open({ state, clock, publish: witnessed }));
  }

  /** What a strategy was being told of when it ended; `undefined` when of nothing. */
  stoppedAt(strategy: string): StampedEvent | undefined {
    return this.#stoppedAt.get(strategy);
  }

  notify(event: Event, sequence: number): void {
    this.#telling = true;
    for (const host of this.all) host.notify(event);
    this.#told(event, sequence);
  }

  notifyMarketData(data: MarketData, sequence: number): void {
    this.#telling = true;
    for (const host of this.all) host.notifyMarketData(data);
    this.#told(data, sequence);
  }

  /** Starts all, as a consequence of an event. */
  start(event: Event, sequence: number): void {
    this.#telling = true;
    for (const host of this.all) host.start();
    this.#told(event, sequence);
  }

  stop(): void {
    for (const host of this.all) host.stop();
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((host) => host.close()));
  }

  #told(event: Event, sequence: number): void {
    this.#telling = false;
    if (this.#ended.length === 0) return;
    // A copy: the events of a recording may be written again once they are heard.
    for (const strategy of this.#ended) this.#stoppedAt.set(strategy, { sequence, event: { ...event } });
    this.#ended.length = 0;
  }
}
