import type { Random } from '../../core/base/random.ts';
import type { Search, SearchSetting } from './search.ts';
import { FreshPoints, proposals } from './search.ts';
import type { Point } from './space.ts';

/**
 * A Latin hypercube: every parameter's range is cut into as many parts as there are points, and each part is used once.
 * Points that are refused, or not new because a parameter has few values, are replaced by drawn ones.
 */
export function* latinSearch(setting: SearchSetting): Search {
  const points = latinPoints(setting, new FreshPoints(setting.space));
  if (points.length > 0) yield proposals(points);
}

/** The points of a Latin hypercube, without those `fresh` has handed out before. */
export function latinPoints({ space, random, trials }: SearchSetting, fresh: FreshPoints): readonly Point[] {
  const columns = space.dimensions.map(() => shuffled(trials, random));
  const points: Point[] = [];
  for (let i = 0; i < trials; i++) {
    const units = columns.map((column) => ((column[i] ?? 0) + random.float()) / trials);
    const point = fresh.take(units) ?? fresh.draw(random);
    if (point !== undefined) points.push(point);
  }
  return points;
}

/** 0 to `count - 1` in drawn order. */
function shuffled(count: number, random: Random): Int32Array {
  const numbers = Int32Array.from({ length: count }, (_, index) => index);
  for (let i = count - 1; i > 0; i--) {
    const other = random.between(0, i);
    const kept = numbers[i] ?? 0;
    numbers[i] = numbers[other] ?? 0;
    numbers[other] = kept;
  }
  return numbers;
}
