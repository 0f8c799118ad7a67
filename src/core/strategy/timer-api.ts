import type { Micros } from '../base/clock.ts';
import { microsPerMilli } from '../base/clock.ts';
import { BadInput } from '../base/errors.ts';
import type { StrategyTimerHandle, StrategyTimers } from './context.ts';
import { Duration } from './duration.ts';
import type { IntentSink } from './intent-sink.ts';

const timersMax = 1_000;
/** 100 years: beyond it a delay is a mistake. */
const delayMsMax = 3_155_760_000_000;

interface SetTimer {
  readonly name: string;
  readonly repeats: boolean;
}

/** The timers of one strategy. They run where the clock is and come back as `strategyTimer` events. */
export class TimerApi implements StrategyTimers {
  readonly #sink: Pick<IntentSink, 'arm' | 'disarm'>;
  readonly #timers = new Map<number, SetTimer>();
  #lastId = 0;
  #closed = false;

  constructor(sink: Pick<IntentSink, 'arm' | 'disarm'>) {
    this.#sink = sink;
  }

  every(interval: Duration, name: string): StrategyTimerHandle {
    const ms = millisOf(interval, 'every', name);
    if (ms < 1) throw new BadInput(`timer ${JSON.stringify(name)}: expected at least 1 ms, found ${ms}`);
    return this.#set(interval.micros, name, true);
  }

  after(delay: Duration, name: string): StrategyTimerHandle {
    millisOf(delay, 'after', name);
    return this.#set(delay.micros, name, false);
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
    for (const timerId of this.#timers.keys()) this.#sink.disarm(timerId);
    this.#timers.clear();
  }

  #set(delay: Micros, name: string, repeats: boolean): StrategyTimerHandle {
    if (this.#timers.size >= timersMax) throw new BadInput(`a strategy may have ${timersMax} timers at most`);
    this.#lastId += 1;
    const timerId = this.#lastId;
    if (!this.#closed) {
      this.#timers.set(timerId, { name, repeats });
      this.#sink.arm(timerId, delay, repeats ? delay : undefined);
    }
    return Object.freeze({ timerId, cancel: () => this.#cancel(timerId) });
  }

  #cancel(timerId: number): void {
    if (this.#timers.delete(timerId)) this.#sink.disarm(timerId);
  }
}

/** How long a timer is to wait. Code without types, and code of before durations, may pass a plain number. */
function millisOf(duration: unknown, call: 'every' | 'after', name: string): number {
  const timer = JSON.stringify(name);
  if (!Duration.is(duration)) {
    throw new BadInput(
      `timers.${call}, timer ${timer}: expected a duration with its unit, such as millis(500) or seconds(5) of godwit/strategy, ` +
        `found ${typeof duration === 'number' ? `the plain number ${duration}` : typeof duration}`,
    );
  }
  const ms = duration.micros / microsPerMilli;
  if (ms < 0 || ms > delayMsMax) {
    throw new BadInput(`timer ${timer}: expected 0 to ${delayMsMax} ms, found ${ms}`);
  }
  return ms;
}
