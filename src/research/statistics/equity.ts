export const dayMicros = 86_400_000_000;

/** Equity over time in columns: what statistics are made of. Grows as it is filled. */
export class EquitySeries {
  #times = new Float64Array(1_024);
  #values = new Float64Array(1_024);
  #size = 0;

  push(time: number, value: number): void {
    if (this.#size === this.#times.length) this.#grow();
    this.#times[this.#size] = time;
    this.#values[this.#size] = value;
    this.#size += 1;
  }

  get size(): number {
    return this.#size;
  }

  /** Microseconds since the epoch, ascending. A view: valid until the next `push`. */
  get times(): Float64Array {
    return this.#times.subarray(0, this.#size);
  }

  get values(): Float64Array {
    return this.#values.subarray(0, this.#size);
  }

  #grow(): void {
    const times = new Float64Array(this.#times.length * 2);
    const values = new Float64Array(this.#values.length * 2);
    times.set(this.#times);
    values.set(this.#values);
    this.#times = times;
    this.#values = values;
  }
}

/** The UTC day of a time, counted from the epoch; midnight ends the day before. */
export function dayOf(time: number): number {
  return Math.ceil(time / dayMicros);
}

/** The last value of every UTC day that has one, oldest first. */
export function dailyValues(times: ArrayLike<number>, values: ArrayLike<number>): readonly number[] {
  const days: number[] = [];
  for (let i = 0; i < values.length; i++) {
    const end = dayOf(times[i] as number) * dayMicros;
    // Times rise: what is not beyond the end of the day belongs to it, and its last value counts.
    while (i + 1 < values.length && (times[i + 1] as number) <= end) i += 1;
    days.push(values[i] as number);
  }
  return days;
}

/** When every UTC day with a time in it ends, in microseconds, oldest first. */
export function dayEnds(times: ArrayLike<number>): readonly number[] {
  const ends: number[] = [];
  for (let i = 0; i < times.length; i++) {
    const end = dayOf(times[i] as number) * dayMicros;
    if (end !== ends.at(-1)) ends.push(end);
  }
  return ends;
}

/** Simple returns between neighbours. */
export function simpleReturns(values: readonly number[]): readonly number[] {
  return values.slice(1).map((value, i) => value / (values[i] as number) - 1);
}
