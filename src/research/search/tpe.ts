import { bestFirst } from './halving.ts';
import { latinPoints } from './latin.ts';
import { ParzenDensity } from './parzen.ts';
import type { Proposal, Search, SearchSetting, Evaluation } from './search.ts';
import { FreshPoints, proposals } from './search.ts';
import type { Point } from './space.ts';
import { pointAt, unitPlace } from './space.ts';

export interface TpeSetting extends SearchSetting {
  /** Points proposed at a time, whatever the number of workers. */
  readonly round: number;
  /** Points of a Latin hypercube before anything is inferred. */
  readonly startup: number;
}

const candidates = 32;
const goodShare = 0.15;
const goodMax = 25;

/**
 * The tree-structured Parzen estimator (Bergstra and others, 2011) with kernels over all parameters at once: points are
 * drawn where the good ones lie, and the one is taken that is likeliest among the good against the rest. Points of the
 * same round, and points that failed, count to the rest.
 */
export function* tpeSearch(setting: TpeSetting): Search {
  const { space, trials, round } = setting;
  const fresh = new FreshPoints(space);
  const evaluated: Evaluation[] = [];
  let next = proposals(latinPoints({ ...setting, trials: Math.min(trials, setting.startup) }, fresh));
  while (next.length > 0) {
    evaluated.push(...(yield next));
    const points: Point[] = [];
    while (points.length < Math.min(round, trials - evaluated.length)) {
      const point = proposed(setting, fresh, { evaluated, pending: points });
      if (point === undefined) break;
      points.push(point);
    }
    next = proposals(points, evaluated.length);
  }
}

interface Known {
  readonly evaluated: readonly Evaluation[];
  readonly pending: readonly Point[];
}

function proposed({ space, random }: TpeSetting, fresh: FreshPoints, known: Known): Point | undefined {
  const { dimensions } = space;
  const ranked = bestFirst(known.evaluated.filter(({ value }) => value !== undefined));
  const goodCount = Math.min(goodMax, Math.max(2, Math.ceil(goodShare * ranked.length)));
  const good = ranked.slice(0, goodCount);
  const isGood = new Set<Proposal>(good.map(({ proposal }) => proposal));
  const rest = known.evaluated.filter(({ proposal }) => !isGood.has(proposal));
  const placeOf = ({ proposal }: Evaluation): readonly number[] => unitPlace(space, proposal.point);
  const near = new ParzenDensity(dimensions, good.map(placeOf));
  const far = new ParzenDensity(dimensions, [
    ...rest.map(placeOf),
    ...known.pending.map((point) => unitPlace(space, point)),
  ]);
  const drawn = Array.from({ length: candidates }, () => near.draw(random));
  const scored = drawn.map((units) => {
    const place = unitPlace(space, pointAt(space, units));
    return { units, score: near.logAt(place) - far.logAt(place) };
  });
  for (const { units } of scored.toSorted((a, b) => b.score - a.score)) {
    const point = fresh.take(units);
    if (point !== undefined) return point;
  }
  return fresh.draw(random);
}
