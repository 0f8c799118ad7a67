import { BadInput } from '../../core/base/errors.ts';
import type { Random } from '../../core/base/random.ts';
import { gridSearch, gridSize } from './grid.ts';
import { halvingSearch } from './halving.ts';
import { latinSearch } from './latin.ts';
import type { Search, SearchSetting } from './search.ts';
import type { Space, Point } from './space.ts';
import type { SearchOptions } from './sweep-file.ts';
import { tpeSearch } from './tpe.ts';
import { FreshPoints, proposals } from './search.ts';

/** The search that was asked for. Throws `BadInput` when a grid has more points than may be tried. */
export function chooseSearch(options: SearchOptions, space: Space, random: Random): Search {
  const { trials } = options;
  switch (options.method) {
    case 'grid': {
      const size = gridSize({ space, values: options.values });
      if (size > trials)
        throw new BadInput(`search: a grid over this space has ${size} points, expected at most ${trials}`);
      return gridSearch({ space, trials, values: options.values });
    }
    case 'random':
      return randomSearch({ space, random, trials });
    case 'latin':
      return latinSearch({ space, random, trials });
    case 'halving':
      return halvingSearch({ space, random, ...options });
    case 'tpe':
      return tpeSearch({ space, random, ...options });
  }
}

/** How many trials a search is about to make, for the estimate of a progress bar; at most. */
export function trialsOf(options: SearchOptions, space: Space): number {
  if (options.method === 'grid') return gridSize({ space, values: options.values });
  if (options.method !== 'halving') return options.trials;
  let count = options.trials;
  let share = options.shareMin;
  let sum = count;
  while (share < 1) {
    count = Math.max(1, Math.floor(count / options.factor));
    share = count === 1 ? 1 : share * options.factor;
    sum += count;
  }
  return sum;
}

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
