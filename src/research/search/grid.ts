import type { Search, SearchSetting } from './search.ts';
import { FreshPoints, proposals } from './search.ts';
import type { Point } from './space.ts';
import { dimensionValues } from './space.ts';

export interface GridSetting extends Omit<SearchSetting, 'random'> {
  /** Values of a parameter that has no step of its own. */
  readonly values: number;
}

/** Every combination, the last parameter running fastest; those the strategy refuses are left out. */
export function* gridSearch({ space, trials, values }: GridSetting): Search {
  const lists = space.dimensions.map((dimension) => dimensionValues(dimension, values));
  const fresh = new FreshPoints(space);
  const points: Point[] = [];
  const counters = lists.map(() => 0);
  for (let isDone = lists.length === 0; !isDone && points.length < trials;) {
    const point = Object.fromEntries(
      space.dimensions.map(({ name }, index) => [name, lists[index]?.[counters[index] ?? 0] ?? 0]),
    );
    if (fresh.takePoint(point)) points.push(point);
    isDone = !next(counters, lists);
  }
  if (points.length > 0) yield proposals(points);
}

/** How many points a grid has. */
export function gridSize({ space, values }: Pick<GridSetting, 'space' | 'values'>): number {
  return space.dimensions.reduce(
    (product, dimension) => product * dimensionValues(dimension, values).length,
    1,
  );
}

/** Counts on; false after the last combination. */
function next(counters: number[], lists: readonly (readonly unknown[])[]): boolean {
  for (let at = counters.length - 1; at >= 0; at--) {
    counters[at] = (counters[at] ?? 0) + 1;
    if ((counters[at] ?? 0) < (lists[at]?.length ?? 0)) return true;
    counters[at] = 0;
  }
  return false;
}
