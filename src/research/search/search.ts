import type { Random } from '../../core/base/random.ts';
import type { Point, Space } from './space.ts';
import { pointKey, pointAt } from './space.ts';

/** A point to be tried. */
export interface Proposal {
  /** Counted from 0 over the whole search. */
  readonly trial: number;
  readonly point: Point;
  /** How much of the data is enough, from its beginning; 1: all of it. */
  readonly share: number;
}

/** Result of a point: the greater the better; `undefined` when it failed or has no value. */
export interface Evaluation {
  readonly proposal: Proposal;
  readonly value: number | undefined;
}

/**
 * Proposes points in rounds and receives what came of each round, in the order proposed. What is proposed depends on the
 * seed and on what was received, never on who ran it or how fast.
 */
export type Search = Generator<readonly Proposal[], void, readonly Evaluation[]>;

export interface SearchSetting {
  readonly space: Space;
  readonly random: Random;
  /** Points to try, at most. */
  readonly trials: number;
}

/** Points drawn in vain before a search gives up: refused by the strategy, or tried before. */
const drawsMax = 1_000;

/** Hands out points that the strategy takes and that were not handed out before. */
export class FreshPoints {
  readonly #space: Space;
  readonly #seen = new Set<string>();
  /** Why the strategy refused points, with counts. */
  readonly refusals = new Map<string, number>();

  constructor(space: Space) {
    this.#space = space;
  }

  /** The point at `units`, or `undefined` when it is refused or not new. */
  take(units: ArrayLike<number>): Point | undefined {
    const point = pointAt(this.#space, units);
    return this.takePoint(point) ? point : undefined;
  }

  /** Whether a point is new and the strategy takes it; it counts as handed out then. */
  takePoint(point: Point): boolean {
    const key = pointKey(point);
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    const why = this.#space.refusal(point);
    if (why === undefined) return true;
    this.refusals.set(why, (this.refusals.get(why) ?? 0) + 1);
    return false;
  }

  /** A point anywhere, or `undefined` when none is found: the space is used up. */
  draw(random: Random): Point | undefined {
    for (let i = 0; i < drawsMax; i++) {
      const point = this.take(this.#space.dimensions.map(() => random.float()));
      if (point !== undefined) return point;
    }
    return undefined;
  }
}

/** Proposals of whole runs, numbered from `first`. */
export function proposals(points: readonly Point[], first = 0): readonly Proposal[] {
  return points.map((point, index) => ({ trial: first + index, point, share: 1 }));
}
