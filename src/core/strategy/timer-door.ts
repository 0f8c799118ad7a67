import type { Micros } from '../base/clock.ts';
import { microsPerMilli } from '../base/clock.ts';
import { BadInput } from '../base/errors.ts';
import type { StrategyTimerHandle, StrategyTimers } from './context.ts';
import type { Outlet } from './outlet.ts';

const timersMax = 1_000;
/** 100 years: beyond it a delay is a mistake. */
const delayMsMax = 3_155_760_000_000;

interface SetTimer {
  readonly name: string;
  readonly repeats: boolean;
}

/** The timers of one strategy. They run where the clock is and come back as `strategyTimer` events. */
export class TimerDoor implements StrategyTimers {
  readonly #outlet: Pick<Outlet, 'arm' | 'disarm'>;
  readonly #timers = new Map<number, SetTimer>();
  #lastId = 0;
  #closed = false;

  constructor(outlet: Pick<Outlet, 'arm' | 'disarm'>) {
    this.#outlet = outlet;
  }

  every(ms: number, name: string): StrategyTimerHandle {
    if (!(ms >= 1)) throw new BadInput(`timer ${JSON.stringify(name)}: expected at least 1 ms, found ${ms}`);
    return this.#set(ms, name, true);
  }

  after(ms: number, name: string): StrategyTimerHandle {
    return this.#set(ms, name, false);
  }

  /** The name of a timer that is due, or `undefined` when it was cancelled meanwhile. */
  due(timerId: number): string | undefined {
    const timer = this.#timers.get(timerId);
    if (timer === undefined) return undefined;
    if (!timer.repeats) this.#timers.delete(timerId);
    return timer.name;
  }

  /** Cancels everything and accepts nothing more. */
  close(): void {
    this.#closed = true;
    for (const timerId of this.#timers.keys()) this.#outlet.disarm(timerId);
    this.#timers.clear();
  }

  #set(ms: number, name: string, repeats: boolean): StrategyTimerHandle {
    if (!(ms >= 0 && ms <= delayMsMax)) {
      throw new BadInput(`timer ${JSON.stringify(name)}: expected 0 to ${delayMsMax} ms, found ${ms}`);
    }
    if (this.#timers.size >= timersMax) throw new BadInput(`a strategy may have ${timersMax} timers at most`);
    this.#lastId += 1;
    const timerId = this.#lastId;
    if (!this.#closed) {
      const delay = Math.round(ms * microsPerMilli) as Micros;
      this.#timers.set(timerId, { name, repeats });
      this.#outlet.arm(timerId, delay, repeats ? delay : undefined);
    }
    return Object.freeze({ timerId, cancel: () => this.#cancel(timerId) });
  }

  #cancel(timerId: number): void {
    if (this.#timers.delete(timerId)) this.#outlet.disarm(timerId);
  }
}
