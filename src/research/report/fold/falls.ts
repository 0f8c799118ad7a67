/** Falls of equity from a peak until it was back, or until the end. */
export interface FallFigures {
  readonly count: number;
  /** The deepest and the mean one, as shares of their peaks. */
  readonly deepest: number;
  readonly average: number;
  /** The longest, from the peak to the recovery or the end, in microseconds. */
  readonly longest: number;
}

/** A fall between two profits; `count` falls that lay side by side, with their depths added up. */
interface Fall {
  readonly peak: number;
  readonly trough: number;
  readonly count: number;
}

/** One fall with its times, in microseconds. */
export interface TimedFall {
  readonly peak: number;
  readonly trough: number;
  readonly from: number;
  readonly deepestAt: number;
  /** When the peak was touched again; `undefined`: not before the end. */
  readonly to: number | undefined;
}

const fallsMax = 100_000;
const deepMax = 1_000;

/**
 * Falls of profit from its peak, folded from every sample. What the account was worth at the start is known at the end
 * alone, when it is known what was traded: shares of the peak are made then, from peaks and troughs in money. Touching the
 * old peak ends a fall.
 */
export class FallFold {
  #peak = Number.NEGATIVE_INFINITY;
  #peakAt = 0;
  #trough = Number.POSITIVE_INFINITY;
  #troughAt = 0;
  #last = 0;
  #longest = 0;
  #falls: Fall[] = [];
  /** Falls deeper than all before them: an earlier one that is as deep in money is deeper as a share, whatever the start. */
  readonly #deep: Fall[] = [];
  /** With their times: of very many the deepest in money. */
  #worst: TimedFall[] = [];

  add(time: number, profit: number): void {
    this.#last = time;
    if (profit < this.#peak) {
      if (profit >= this.#trough) return;
      this.#trough = profit;
      this.#troughAt = time;
      return;
    }
    this.#close(time);
    this.#peak = profit;
    this.#peakAt = time;
  }

  /** The highest profit so far, this one taken in. */
  peakWith(profit: number): number {
    return Math.max(this.#peak, profit);
  }

  /** The deepest falls, the deepest first: by share of the peak of an account that was worth `start`, in money where that is NaN. */
  worst(start: number, count: number): readonly TimedFall[] {
    const open = this.#timed(undefined);
    const size = ({ peak, trough }: TimedFall): number =>
      Number.isNaN(start) ? peak - trough : (peak - trough) / (start + peak);
    return [...this.#worst, ...(open === undefined ? [] : [open])]
      .toSorted((a, b) => size(b) - size(a))
      .slice(0, count);
  }

  /** Of an account that was worth `start`. */
  figures(start: number): FallFigures {
    const open = this.#open();
    const more = open === undefined ? [] : [open];
    const depth = ({ peak, trough }: Fall): number => 1 - (start + trough) / (start + peak);
    let count = 0;
    let sum = 0;
    for (const fall of [...this.#falls, ...more]) {
      if (!(depth(fall) > 0)) continue;
      count += fall.count;
      sum += depth(fall);
    }
    const deepest = [...this.#deep, ...more].reduce((most, fall) => Math.max(most, depth(fall)), 0);
    const longest = open === undefined ? this.#longest : Math.max(this.#longest, this.#last - this.#peakAt);
    return { count, deepest, average: sum / count, longest };
  }

  #open(): Fall | undefined {
    return this.#trough < this.#peak ? { peak: this.#peak, trough: this.#trough, count: 1 } : undefined;
  }

  #timed(to: number | undefined): TimedFall | undefined {
    const [peak, trough] = [this.#peak, this.#trough];
    if (!(trough < peak)) return undefined;
    return { peak, trough, from: this.#peakAt, deepestAt: this.#troughAt, to };
  }

  #close(time: number): void {
    const fall = this.#open();
    const timed = this.#timed(time);
    if (timed !== undefined) this.#worst.push(timed);
    if (this.#worst.length > 2 * deepMax)
      this.#worst = this.#worst.toSorted((a, b) => depthOf(b) - depthOf(a)).slice(0, deepMax);
    this.#trough = Number.POSITIVE_INFINITY;
    if (fall === undefined) return;
    this.#longest = Math.max(this.#longest, time - this.#peakAt);
    const deepest = this.#deep.at(-1);
    if (deepest === undefined || depthOf(fall) > depthOf(deepest)) this.#deep.push(fall);
    if (this.#deep.length > deepMax) this.#deep.shift();
    this.#falls.push(fall);
    if (this.#falls.length >= fallsMax) this.#falls = paired(this.#falls);
  }
}

function depthOf({ peak, trough }: Pick<Fall, 'peak' | 'trough'>): number {
  return peak - trough;
}

/** Two neighbours each as one: from the mean of their peaks, weighted by depth, it is as deep as both. */
function paired(falls: readonly Fall[]): Fall[] {
  const pairs: Fall[] = [];
  for (let i = 0; i < falls.length; i += 2) {
    const [one, other] = [falls[i] as Fall, falls[i + 1]];
    if (other === undefined) {
      pairs.push(one);
      continue;
    }
    const depth = depthOf(one) + depthOf(other);
    const peak = (one.peak * depthOf(one) + other.peak * depthOf(other)) / depth;
    pairs.push({ peak, trough: peak - depth, count: one.count + other.count });
  }
  return pairs;
}
