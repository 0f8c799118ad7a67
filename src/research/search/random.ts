import type { Search, SearchSetting } from './search.ts';
import { FreshPoints, proposals } from './search.ts';
import type { Point } from './space.ts';

/** Points drawn evenly, each once. */
export function* randomSearch({ space, random, trials }: SearchSetting): Search {
  const fresh = new FreshPoints(space);
  const points: Point[] = [];
  while (points.length < trials) {
    const point = fresh.draw(random);
    if (point === undefined) break;
    points.push(point);
  }
  if (points.length > 0) yield proposals(points);
}
