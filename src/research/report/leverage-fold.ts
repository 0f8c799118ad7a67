/** At a profit of so much all positions were worth `value`. */
interface Point {
  readonly profit: number;
  readonly value: number;
}

const pointsMax = 4_096;

/**
 * The largest leverage, folded from every sample: value of all positions over equity. What the account was worth at the start
 * may grow while the run lasts, as further markets with holdings are traded. So those points are kept that are the largest for
 * some start: the upper left hull of profit and value, a few dozen of a long run.
 */
export class LeverageFold {
  /** Profit and value ascend, ever less steeply. */
  readonly #hull: Point[] = [];
  readonly #start: () => number;

  /** `start` tells what the account was worth at the start, as far as it is known. */
  constructor(start: () => number) {
    this.#start = start;
  }

  /** Positions were worth `value`, which is above 0. */
  add(profit: number, value: number): void {
    const hull = this.#hull;
    let at = hull.length;
    while (at > 0 && (hull[at - 1] as Point).profit >= profit) at -= 1;
    const [left, right] = [hull[at - 1], hull[at]];
    if (left !== undefined && left.value >= value) return;
    if (right?.profit === profit && right.value >= value) return;
    const point = { profit, value };
    if (left !== undefined && right !== undefined && !isCorner(left, point, right)) return;
    // An account that is worth nothing has no leverage.
    if (this.#start() + profit <= 0) return;
    let to = at;
    while (to < hull.length && (hull[to] as Point).value <= value) to += 1;
    while (to + 1 < hull.length && !isCorner(point, hull[to] as Point, hull[to + 1] as Point)) to += 1;
    let from = at;
    while (from > 1 && !isCorner(hull[from - 2] as Point, hull[from - 1] as Point, point)) from -= 1;
    hull.splice(from, to - from, point);
    if (hull.length > pointsMax) hull.splice(1, 1);
  }

  /** Of an account that was worth `start`; 0 where nothing was held. */
  largest(start: number): number {
    return this.#hull.reduce((most, { profit, value }) => {
      const equity = start + profit;
      return equity > 0 ? Math.max(most, value / equity) : most;
    }, 0);
  }
}

/** Whether the middle one lies above the line between the others. */
function isCorner(left: Point, middle: Point, right: Point): boolean {
  const rise = (middle.value - left.value) * (right.profit - left.profit);
  return rise > (right.value - left.value) * (middle.profit - left.profit);
}
