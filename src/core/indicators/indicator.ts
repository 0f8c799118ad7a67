/** A streaming indicator: one value in, one answer out. */
export interface Indicator<Input, Result> {
  /** The answer with `input` as the latest value, or `undefined` while it has not seen enough. */
  next(input: Input): Result | undefined;
  /** The last answer. */
  readonly value: Result | undefined;
  /** How many values it must have seen before it answers. */
  readonly needs: number;
}

/** The numbers of a bar that indicators read. See `barValues` for candles. */
export interface BarValues {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** Contract of an indicator of the library. */
export interface LibraryIndicator<Input, Result> {
  update(input: Input, replace: boolean): Result | null | undefined;
  getRequiredInputs(): number;
}

/** An indicator of the library behind our face: silent until it is stable. */
export class Streaming<Input, Found, Result> implements Indicator<Input, Result> {
  readonly needs: number;
  value: Result | undefined = undefined;
  readonly #library: LibraryIndicator<Input, Found>;
  readonly #pick: (found: Found) => Result;
  #seen = 0;

  /** `needs` where the library counts differently from what it answers. */
  constructor(library: LibraryIndicator<Input, Found>, pick: (found: Found) => Result, needs?: number) {
    this.#library = library;
    this.#pick = pick;
    this.needs = needs ?? library.getRequiredInputs();
  }

  next(input: Input): Result | undefined {
    const found = this.#library.update(input, false);
    this.#seen += 1;
    if (this.#seen < this.needs || found === null || found === undefined) return undefined;
    this.value = this.#pick(found);
    return this.value;
  }
}

/** For indicators whose result is a number. */
export function numberOf(found: number): number {
  return found;
}
