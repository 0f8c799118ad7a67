import type { Micros } from '../../core/base/clock.ts';
import { micros, millis, seconds } from '../../core/base/clock.ts';

/** A difference must exceed what the measurement leaves open by this much before we believe it. */
const margin = millis(500);

/**
 * How far the venue's wall clock is ahead of ours, measured on REST answers: for stamps that are signed, and for
 * every time that the venue compares with its clock or stamped by it.
 *
 * An answer stamped by the venue lies between our two readings; the `Date` header is cut to whole seconds. Within
 * that uncertainty the clocks count as equal. Source: faults, section 3 (C3); v3-gaps, section 5 (window of 10 s).
 */
export class ClockOffset {
  readonly #readStamp: (text: string) => Micros;
  #offset = 0;
  #measured = false;
  #moved: (offset: Micros) => void = () => {};

  /** `readStamp` reads a time as the venue writes it, and returns NaN for other text. */
  constructor(readStamp: (text: string) => Micros) {
    this.#readStamp = readStamp;
  }

  /** Add this to our wall time to get the venue's; 0 until it was measured. */
  get offset(): Micros {
    return micros(this.#offset);
  }

  /** Whether an answer has shown the venue's time. */
  get measured(): boolean {
    return this.#measured;
  }

  /** Calls `moved` with the offset: now if it was measured, with the first measurement, and each time it moves. */
  watch(moved: (offset: Micros) => void): void {
    this.#moved = moved;
    if (this.#measured) moved(this.offset);
  }

  /** An answer carried the venue's time as text: a stamp, or a `Date` header. Returns whether the offset moved. */
  note(text: string, askedAt: Micros, answeredAt: Micros): boolean {
    const stamp = this.#readStamp(text);
    const whole = Number.isNaN(stamp);
    const time = whole ? Date.parse(text) * 1_000 + seconds(0.5) : stamp;
    if (Number.isNaN(time) || answeredAt < askedAt) return false;
    const half = (answeredAt - askedAt) / 2;
    const difference = Math.round(time - askedAt - half);
    const open = half + (whole ? seconds(0.5) : 0) + margin;
    const before = this.#offset;
    const isFirst = !this.#measured;
    this.#measured = true;
    if (Math.abs(difference - before) > open) this.#offset = Math.abs(difference) > open ? difference : 0;
    const hasMoved = this.#offset !== before;
    if (hasMoved || isFirst) this.#moved(this.offset);
    return hasMoved;
  }
}
