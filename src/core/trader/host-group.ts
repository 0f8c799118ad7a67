import type { Clock } from '../base/clock.ts';
import type { Event, MarketData } from '../model/event.ts';
import type { StampedEvent } from '../model/stamped-event.ts';
import type { OrderManager } from '../orders/index.ts';
import type { State } from '../state/index.ts';
import type { StrategyHost } from '../strategy/framework.ts';
import { missedEvents } from './missed.ts';
import type { HostOpening, StrategyPlan } from './parts.ts';

export interface HostGroupDeps {
  readonly plans: readonly StrategyPlan[];
  readonly state: State;
  readonly clock: Clock;
  /** Takes what strategies publish. */
  readonly publish: (event: Event) => void;
  readonly fundsOf: OrderManager['fundsOf'];
}

/**
 * The strategies of a run, notified of one event after another.
 *
 * The `strategyStopped` of one that fails waits its turn behind what it had asked for until then, so its own place in
 * the journal says little: the event that the strategy was handling is kept here.
 */
export class HostGroup {
  readonly #hosts: StrategyHost[];
  readonly #parts: Omit<HostGroupDeps, 'plans'>;
  /** How often each strategy was opened again. */
  readonly #reopened = new Map<string, number>();
  /** Hosts that another one has replaced, while they close. */
  readonly #closing = new Set<Promise<void>>();
  /** While strategies are notified of an event. */
  #notifying = false;
  /** Ended during the notification under way. */
  readonly #ended: string[] = [];
  readonly #stoppedAt = new Map<string, StampedEvent>();

  constructor({ plans, ...parts }: HostGroupDeps) {
    this.#parts = parts;
    const opening = this.#opening();
    this.#hosts = plans.map((plan) => plan.open(opening));
  }

  get all(): readonly StrategyHost[] {
    return this.#hosts;
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
    const { state } = this.#parts;
    for (const host of this.all) {
      // What an operator stopped in an earlier run stays so.
      if (state.off(host.name) === undefined) host.start();
      else host.stop();
    }
    this.#notified(event, sequence);
  }

  stop(strategy?: string): void {
    for (const host of this.all) if (strategy === undefined || host.name === strategy) host.stop();
  }

  /** Opens a strategy that has ended anew and starts it, as a consequence of an event. */
  restart(plan: StrategyPlan, event: Event, sequence: number): void {
    const at = this.#hosts.findIndex(({ name }) => name === plan.name);
    const before = this.#hosts[at];
    if (before === undefined) return;
    const { state, clock } = this.#parts;
    const closed = before.close().finally(() => this.#closing.delete(closed));
    this.#closing.add(closed);
    const starts = (this.#reopened.get(plan.name) ?? 0) + 1;
    this.#reopened.set(plan.name, starts);
    const missed: HostOpening['missed'] = (feeds) => missedEvents(state, feeds, clock.now());
    const host = plan.open({ ...this.#opening(), missed });
    this.#hosts[at] = host;
    this.#notifying = true;
    host.notify(event);
    host.start(starts);
    this.#notified(event, sequence);
  }

  async close(): Promise<void> {
    await Promise.all([...this.all.map((host) => host.close()), ...this.#closing]);
  }

  /**
   * Opening of a host. The closure is no field: V8 was measured to keep every run that had such a field until the next full
   * collection, which costs the row corridor-kernel 5 %.
   */
  #opening(): Omit<HostOpening, 'missed'> {
    const { state, clock, publish, fundsOf } = this.#parts;
    const ended = this.#ended;
    return {
      state,
      clock,
      fundsOf,
      publish: (event) => {
        if (event.kind === 'strategyStopped' && this.#notifying) ended.push(event.strategy);
        publish(event);
      },
    };
  }

  #notified(event: Event, sequence: number): void {
    this.#notifying = false;
    if (this.#ended.length === 0) return;
    // A copy: the events of a recording may be reused once they are delivered.
    for (const strategy of this.#ended) this.#stoppedAt.set(strategy, { sequence, event: { ...event } });
    this.#ended.length = 0;
  }
}
