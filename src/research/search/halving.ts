import { latinPoints } from './latin.ts';
import type { Proposal, Search, SearchSetting, Evaluation } from './search.ts';
import { FreshPoints } from './search.ts';

export interface HalvingSetting extends SearchSetting {
  /** One of this many goes on to the next round, which sees this many times more of the data. */
  readonly factor: number;
  /** The part of the data that the first round sees. */
  readonly shareMin: number;
}

/**
 * Successive halving (Jamieson and Talwalkar, 2016): many points on a small part of the data, the best of them on more,
 * until the last few see all of it. `trials` is the number of points in the first round.
 */
export function* halvingSearch(setting: HalvingSetting): Search {
  const { space, factor, shareMin } = setting;
  let points = latinPoints(setting, new FreshPoints(space));
  let share = Math.min(1, shareMin);
  let trial = 0;
  while (points.length > 0) {
    const round: Proposal[] = points.map((point, index) => ({ trial: trial + index, point, share }));
    trial += round.length;
    const evaluated = yield round;
    if (share >= 1) return;
    const kept = Math.max(1, Math.floor(points.length / factor));
    points = bestFirst(evaluated)
      .slice(0, kept)
      .map(({ proposal }) => proposal.point);
    share = points.length === 1 ? 1 : Math.min(1, share * factor);
  }
}

/** The best first; ties in the order of trials; without a value last. */
export function bestFirst(evaluated: readonly Evaluation[]): readonly Evaluation[] {
  const rank = ({ value }: Evaluation): number => value ?? Number.NEGATIVE_INFINITY;
  return evaluated.toSorted((a, b) => {
    const difference = rank(b) - rank(a);
    return difference > 0 || difference < 0 ? difference : a.proposal.trial - b.proposal.trial;
  });
}
