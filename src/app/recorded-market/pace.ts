import type { Cancel, Clock, Micros } from '../../core/base/clock.ts';
import { micros, millis } from '../../core/base/clock.ts';
import type { MarketCourse } from './course.ts';

/** Bound of the lag of the market's time, which orders are stamped with. */
const lagMax = millis(2);
/** Shortest wait of a timer of the machine. */
const waitMin = millis(1);

/** Moves a recorded market on with the clock of the machine: `speed` times as fast as that goes. */
export class MarketPace {
  readonly #course: MarketCourse;
  readonly #wall: Clock;
  readonly #speed: number;
  readonly #onFailure: (error: unknown) => void;
  readonly #begin: Micros;
  #started = 0;
  #cancel: Cancel = () => {};
  #isStopped = false;

  constructor(
    course: MarketCourse,
    {
      wall,
      speed,
      onFailure,
    }: { readonly wall: Clock; readonly speed: number; readonly onFailure: (error: unknown) => void },
  ) {
    this.#course = course;
    this.#wall = wall;
    this.#speed = speed;
    this.#onFailure = onFailure;
    this.#begin = course.clock.now();
  }

  start(): void {
    this.#started = this.#wall.uptime();
    this.#tick();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  #tick(): void {
    const passed = Math.round((this.#wall.uptime() - this.#started) * this.#speed);
    this.#course.advanceTo(micros(this.#begin + passed)).then((next) => {
      if (this.#isStopped) return undefined;
      const left = (next - this.#course.clock.now()) / this.#speed;
      const wait = micros(Math.min(lagMax, Math.max(waitMin, left)));
      this.#cancel = this.#wall.after(wait, () => this.#tick());
      return undefined;
    }, this.#onFailure);
  }
}
