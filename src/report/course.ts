import { dayOf } from './statistics/statistics-equity.ts';

const rowsMax = 20_000;

/**
 * The course of a run in named columns of numbers, one row a sample. Whenever it is full every second row goes, but
 * never the last of a UTC day: daily returns stay exact however long the run.
 */
export class Course {
  #times: number[] = [];
  #columns = new Map<string, number[]>();
  readonly #rowsMax: number;
  #stride = 1;
  #count = 0;

  constructor(rows = rowsMax) {
    this.#rowsMax = rows;
  }

  /** Begins a row; columns that get no value in it are NaN there. A second row of one time goes on with the first. */
  begin(time: number): void {
    const last = this.#times.at(-1);
    if (time === last) return;
    const newDay = last !== undefined && dayOf(time) !== dayOf(last);
    this.#count += 1;
    // Between the kept rows only the latest one is there: the next takes its place, unless it ended a day.
    if (last !== undefined && !newDay && (this.#count - 2) % this.#stride !== 0) {
      this.#times[this.#times.length - 1] = time;
      for (const column of this.#columns.values()) column[column.length - 1] = Number.NaN;
      return;
    }
    if (this.#times.length >= this.#rowsMax) this.#thin();
    this.#times.push(time);
    for (const column of this.#columns.values()) column.push(Number.NaN);
  }

  /** A value of the row that was begun last. */
  put(column: string, value: number): void {
    let values = this.#columns.get(column);
    if (values === undefined) {
      values = Array.from({ length: this.#times.length }, () => Number.NaN);
      this.#columns.set(column, values);
    }
    values[values.length - 1] = value;
  }

  /** Microseconds since the epoch, ascending. */
  get times(): readonly number[] {
    return this.#times;
  }

  /** The values of a column, NaN where it had none; of an unknown column all are. */
  column(name: string): readonly number[] {
    return this.#columns.get(name) ?? this.#times.map(() => Number.NaN);
  }

  /** How many rows were begun, kept or not. */
  get count(): number {
    return this.#count;
  }

  #thin(): void {
    const times = this.#times;
    const endsDay = (i: number): boolean =>
      i === times.length - 1 || dayOf(times[i] as number) !== dayOf(times[i + 1] as number);
    // With so many days that nothing could go, days go like any other row.
    const manyDays = times.filter((_, i) => endsDay(i)).length > this.#rowsMax / 2;
    const keep = times.map((_, i) => i % 2 === 0 || (!manyDays && endsDay(i)));
    const thinned = (values: readonly number[]): number[] => values.filter((_, i) => keep[i]);
    this.#times = thinned(times);
    this.#columns = new Map([...this.#columns].map(([name, values]) => [name, thinned(values)]));
    this.#stride *= 2;
  }
}
