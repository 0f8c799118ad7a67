import type { Breach } from './breaches.ts';
import type { PlannedFault } from './fault-plan.ts';

export interface ShrinkParts<Fault> {
  readonly faults: readonly Fault[];
  /** Whether these alone break what all of them broke. */
  readonly breaks: (kept: readonly Fault[]) => Promise<boolean>;
  /** How long to go on, in wall time: a run that has begun is not broken off. */
  readonly limitMs?: number;
}

/**
 * The fewest faults found that still break the same: first none, or the last few of them alone, because most of what breaks has just
 * happened. Then pieces of the list are left out, halves first, then smaller ones, as long as time is left.
 * Source: faults, section 4.
 */
export async function shrink<Fault>({
  faults: all,
  breaks,
  limitMs = 50_000,
}: ShrinkParts<Fault>): Promise<readonly Fault[]> {
  const begun = performance.now();
  const isTime = (): boolean => performance.now() - begun < limitMs;
  let faults = all;
  for (const last of [0, 3, 12]) {
    if (last >= all.length || !isTime()) break;
    const kept = all.slice(all.length - last);
    if (!(await breaks(kept))) continue;
    faults = kept;
    break;
  }
  for (let size = Math.ceil(faults.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < faults.length && isTime();) {
      const kept = faults.filter((_, at) => at < from || at >= from + size);
      if (await breaks(kept)) faults = kept;
      else from += size;
    }
  }
  return faults;
}

export interface ShrinkSeedParts {
  readonly faults: readonly PlannedFault[];
  readonly breach: Breach;
  /** Runs the seed with these faults alone, until a time since the beginning. Returns what broke. */
  readonly run: (only: readonly number[], endMs: number) => Promise<readonly Breach[]>;
  readonly limitMs?: number;
}

/** Without a fault what breaks may come a little later: so much. */
const laterMs = 60_000;

/** The fewest faults found that break the same invariant of a seed: of those that began before it broke. */
export function shrinkSeed({
  faults,
  breach,
  run,
  ...limit
}: ShrinkSeedParts): Promise<readonly PlannedFault[]> {
  return shrink({
    ...limit,
    faults: faults.filter(({ atMs }) => atMs <= breach.atMs),
    breaks: async (kept) => {
      const breaches = await run(
        kept.map(({ index }) => index),
        breach.atMs + laterMs,
      );
      return breaches[0]?.invariant === breach.invariant;
    },
  });
}
