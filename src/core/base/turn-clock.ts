import type { Cancel, Clock, DueQueue, Micros } from './clock.ts';
import { Mailbox } from './mailbox.ts';
import { VirtualClock } from './virtual-clock.ts';

interface Turn {
  readonly time: Micros;
  readonly task: (what: never) => void;
  readonly what: unknown;
}

/**
 * The clock of a live core that can be replayed: time is an input like any other.
 *
 * What reaches the core does so in turns, one after the other, each at the time it was received. Within a turn the
 * clock stands at that time; whatever was due earlier fires first, at its own time, however late the machine is. So
 * a virtual clock that is moved to the same times makes the core do the same things. Between turns the clock shows
 * the real time. Timers that are due while nothing arrives get a turn of their own.
 */
export class TurnClock implements Clock {
  readonly #real: Clock;
  readonly #virtual: VirtualClock;
  readonly #turns: Mailbox<Turn>;
  #turning = false;
  #alarm: { readonly time: Micros; readonly cancel: Cancel } | undefined;

  constructor(real: Clock) {
    this.#real = real;
    this.#virtual = new VirtualClock(real.now());
    this.#turns = new Mailbox((turn) => this.#run(turn));
  }

  /** Whether a turn is running: what is called now is a consequence, not an input. */
  get turning(): boolean {
    return this.#turning;
  }

  now(): Micros {
    const standing = this.#virtual.now();
    return this.#turning ? standing : (Math.max(standing, this.#real.now()) as Micros);
  }

  uptime(): Micros {
    return this.now();
  }

  after(delay: Micros, task: () => void): Cancel {
    const behind = this.now() - this.#virtual.now();
    const cancel = this.#virtual.after((behind + delay) as Micros, task);
    if (!this.#turning) this.#setAlarm();
    return cancel;
  }

  /**
   * Asks `queue` as the virtual clock of a replay does, so that equal times come out alike. What is put in outside a turn
   * waits for the end of the next.
   */
  attach(queue: DueQueue): Cancel {
    const cancel = this.#virtual.attach(queue);
    if (!this.#turning) this.#setAlarm();
    return cancel;
  }

  /** Runs `task` as a turn at `time`: now, or after the turns that were asked for before. */
  turn(time: Micros, task: () => void): void {
    this.#turns.post({ time, task, what: undefined });
  }

  /** As `turn`, for one task that is run on many things. */
  turnOn<What>(time: Micros, task: (what: What) => void, what: What): void {
    this.#turns.post({ time, task, what });
  }

  /** Stops waking up for timers; what is due stays due. */
  close(): void {
    this.#alarm?.cancel();
    this.#alarm = undefined;
  }

  #run({ time, task, what }: Turn): void {
    this.#turning = true;
    try {
      this.#virtual.advanceTo(time);
      task(what as never);
    } finally {
      this.#turning = false;
      this.#setAlarm();
    }
  }

  /** One alarm of the real clock at or before the earliest timer. */
  #setAlarm(): void {
    const next = this.#virtual.nextTime();
    if (next === undefined || (this.#alarm !== undefined && this.#alarm.time <= next)) return;
    this.#alarm?.cancel();
    const delay = Math.max(0, next - this.#real.now()) as Micros;
    const cancel = this.#real.after(delay, () => {
      this.#alarm = undefined;
      this.turn(this.#real.now(), nothing);
    });
    this.#alarm = { time: next, cancel };
  }
}

function nothing(): void {}
