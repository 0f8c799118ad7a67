import { rowsToKeep } from './downsample.ts';

const rowsMax = 20_000;

/**
 * The timeline of a run in named columns of numbers, one row a sample, for charts alone: figures are folded from every
 * sample (`SampleFold`). When it is full, of every bucket of samples only the first and the last stay, and those at which a
 * column that was `put` was lowest and highest.
 */
export class Timeline {
  #times: number[] = [];
  /** Which sample each row was, from 0. */
  #numbers: number[] = [];
  #columns = new Map<string, number[]>();
  /** Columns whose extremes stay. */
  readonly #followed = new Set<string>();
  readonly #rowsMax: number;
  /** Samples in a bucket, a power of two: buckets of later times hold whole ones of earlier times. */
  #size = 1;
  #count = 0;

  constructor(rows = rowsMax) {
    this.#rowsMax = rows;
  }

  /** Begins a row; columns that get no value in it are NaN there. A second row of one time goes on with the first. */
  beginRow(time: number): void {
    if (time === this.#times.at(-1)) return;
    if (this.#times.length >= this.#rowsMax) this.#thin();
    this.#times.push(time);
    this.#numbers.push(this.#count);
    this.#count += 1;
    for (const column of this.#columns.values()) column.push(Number.NaN);
  }

  /** A value of the row that was begun last. Its column keeps its extremes, however long the run. */
  putValue(column: string, value: number): void {
    this.#set(column, value, true);
  }

  /** A value of a column that is kept where others have their extremes. */
  carryValue(column: string, value: number): void {
    this.#set(column, value, false);
  }

  /** Microseconds since the epoch, ascending. */
  get times(): readonly number[] {
    return this.#times;
  }

  /** Which sample each row was, from 0, ascending. */
  get numbers(): readonly number[] {
    return this.#numbers;
  }

  /** The values of a column, NaN where it had none; of an unknown column all are. */
  column(name: string): readonly number[] {
    return this.#columns.get(name) ?? this.#times.map(() => Number.NaN);
  }

  #set(column: string, value: number, isFollowed: boolean): void {
    let values = this.#columns.get(column);
    if (values === undefined) {
      values = Array.from({ length: this.#times.length }, () => Number.NaN);
      this.#columns.set(column, values);
      if (isFollowed) this.#followed.add(column);
    }
    values[values.length - 1] = value;
  }

  #thin(): void {
    const columns = [...this.#followed].map((name) => this.column(name));
    const buckets = Math.max(1, Math.floor(this.#rowsMax / 2 / (2 + 2 * columns.length)));
    while (this.#size * buckets < this.#count) this.#size *= 2;
    const kept = rowsToKeep(this.#numbers, this.#size, columns);
    const thin = (values: readonly number[]): number[] => values.filter(kept);
    this.#times = thin(this.#times);
    this.#numbers = thin(this.#numbers);
    this.#columns = new Map([...this.#columns].map(([name, values]) => [name, thin(values)]));
  }
}
