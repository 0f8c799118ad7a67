import type { Amount } from '../base/amount.ts';
import { subtract, zero } from '../base/amount.ts';
import type { ProfitCourse } from '../model/loss.ts';

/** How far a profit is below the highest one; 0 where it is higher. */
export function drawdownOf(peak: Amount, profit: Amount): Amount {
  return profit > peak ? zero : subtract(peak, profit);
}

/** The highest profit, with one more; `undefined` before the first. */
export function peakWith(peak: Amount | undefined, profit: Amount): Amount {
  return peak === undefined || profit > peak ? profit : peak;
}

/** Highest profit, and the largest fall from it. */
export interface ProfitReach {
  readonly peak: Amount;
  readonly drawdownMax: Amount;
}

const nowhere: ProfitReach = { peak: zero, drawdownMax: zero };

/** The highest profit so far, and the largest fall from it. A run starts at a peak of 0. */
export class ProfitPeak {
  #peak: Amount;
  #drawdownMax: Amount;

  constructor(peak: Amount = zero, drawdownMax: Amount = zero) {
    this.#peak = peak;
    this.#drawdownMax = drawdownMax;
  }

  get peak(): Amount {
    return this.#peak;
  }

  get drawdownMax(): Amount {
    return this.#drawdownMax;
  }

  /** Takes a profit into account, and returns how far it is below the peak. */
  countProfit(profit: Amount): Amount {
    this.#peak = peakWith(this.#peak, profit);
    const fall = drawdownOf(this.#peak, profit);
    if (fall > this.#drawdownMax) this.#drawdownMax = fall;
    return fall;
  }

  /** Takes over what a longer course reached since it was at `before`: its peak, and its largest fall where that was from a peak of here. */
  countCourse(before: ProfitReach = nowhere, now: ProfitReach): void {
    if (now.peak > before.peak) this.countProfit(now.peak);
    if (now.drawdownMax > before.drawdownMax && this.#peak === now.peak)
      this.countProfit(subtract(now.peak, now.drawdownMax));
  }
}

/** The largest fall from the highest value so far, of profits in doubles; they start at a peak of 0. */
export function deepestFall(profits: readonly number[]): number {
  let peak = 0;
  let deepest = 0;
  for (const profit of profits) {
    if (profit > peak) peak = profit;
    if (peak - profit > deepest) deepest = peak - profit;
  }
  return deepest;
}

/** Peak and largest fall of the profit of a whole run by quote currency, over its restarts. */
export class ProfitCourses {
  readonly #courses = new Map<string, ProfitCourse>();

  /** In order of first appearance. */
  get all(): readonly ProfitCourse[] {
    return [...this.#courses.values()];
  }

  /** From 0 where nothing was marked yet. */
  of(currency: string): ProfitCourse {
    return this.#courses.get(currency) ?? { currency, peak: zero, drawdownMax: zero };
  }

  mark(course: ProfitCourse): void {
    this.#courses.set(course.currency, course);
  }

  takeCourses(carried: readonly ProfitCourse[]): void {
    for (const one of carried) this.mark(one);
  }
}
