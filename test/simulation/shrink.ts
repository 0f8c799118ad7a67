import type { Breach } from './breaches.ts';
import type { PlannedFault } from './fault-plan.ts';

export interface ShrinkParts<Fault> {
  readonly faults: readonly Fault[];
  /** Those of these faults that were there when they broke what all of them broke; `undefined`: they did not break it. */
  readonly breaks: (kept: readonly Fault[], signal: AbortSignal) => Promise<readonly Fault[] | undefined>;
  /** These are what the search goes on with. */
  readonly accepted?: (kept: readonly Fault[]) => void;
  /** How many candidates are tried at once. The result is the same, whichever ends first. */
  readonly lanes?: number;
  /** How long to go on, in wall time: a run that has begun is not broken off. */
  readonly limitMs?: number;
}

/**
 * The fewest faults found that still break the same: first none, or the last few of them alone, because most of what breaks has just
 * happened. Then pieces of the list are left out, halves first, then smaller ones, and in the end each fault by itself, until none can be left out or
 * time is over. Source: faults, section 4.
 */
export async function shrink<Fault>(parts: ShrinkParts<Fault>): Promise<readonly Fault[]> {
  const { faults: all } = parts;
  const tries = new Tries(parts);
  const few = await tries.first(lastOnes(all.length).map((count) => all.slice(all.length - count)));
  let faults = few?.kept ?? all;
  let size = Math.ceil(faults.length / 2);
  let from = 0;
  let isSmaller = false;
  while (faults.length > 0 && tries.isTime) {
    const found = await tries.first(piecesLeftOut(faults, { from, size }));
    if (found !== undefined) {
      faults = found.kept;
      from += found.index * size;
      isSmaller = true;
      continue;
    }
    if (size === 1 && !isSmaller) break;
    size = Math.max(1, Math.floor(Math.min(size, faults.length) / 2));
    from = 0;
    isSmaller = false;
  }
  return faults;
}

/** Counts of faults at the end of a list that are tried alone, the fewest first. */
function lastOnes(length: number): readonly number[] {
  const counts = [0];
  for (let count = 1; count < length; count = Math.ceil(count * 1.6)) counts.push(count);
  return counts.filter((count) => count < length);
}

/** The list without each piece of `size` that begins at `from` or later. */
function piecesLeftOut<Fault>(
  faults: readonly Fault[],
  { from, size }: { readonly from: number; readonly size: number },
): readonly (readonly Fault[])[] {
  const count = Math.max(0, Math.ceil((faults.length - from) / size));
  return Array.from({ length: count }, (_, index) =>
    faults.filter((_fault, at) => at < from + index * size || at >= from + (index + 1) * size),
  );
}

/** Candidates that are tried in their order, some of them at once. */
class Tries<Fault> {
  readonly #parts: ShrinkParts<Fault>;
  readonly #begun = performance.now();
  /** Candidates that did not break, as the faults that they keep. */
  readonly #vain = new Set<string>();
  readonly #numbers: ReadonlyMap<Fault, number>;

  constructor(parts: ShrinkParts<Fault>) {
    this.#parts = parts;
    this.#numbers = new Map(parts.faults.map((fault, number) => [fault, number]));
  }

  get isTime(): boolean {
    return performance.now() - this.#begun < (this.#parts.limitMs ?? 50_000);
  }

  /** The first candidate that breaks the same, and what is left of it; `undefined`: none does, or time is over. */
  async first(
    candidates: readonly (readonly Fault[])[],
  ): Promise<{ readonly index: number; readonly kept: readonly Fault[] } | undefined> {
    const { lanes = 1, accepted } = this.#parts;
    const running = new Map<number, AbortController>();
    let next = 0;
    let least: { readonly index: number; readonly kept: readonly Fault[] } | undefined;
    const work = async (): Promise<void> => {
      for (;;) {
        const index = next++;
        const candidate = candidates[index];
        // What comes after one that breaks is not needed.
        if (candidate === undefined || !this.isTime || (least !== undefined && index > least.index)) return;
        const stop = new AbortController();
        running.set(index, stop);
        const kept = await this.#try(candidate, stop.signal);
        running.delete(index);
        if (kept === undefined || (least !== undefined && least.index < index)) continue;
        least = { index, kept };
        for (const [other, one] of running) if (other > index) one.abort();
      }
    };
    await Promise.all(Array.from({ length: lanes }, work));
    if (least !== undefined) accepted?.(least.kept);
    return least;
  }

  async #try(candidate: readonly Fault[], signal: AbortSignal): Promise<readonly Fault[] | undefined> {
    const name = candidate.map((fault) => this.#numbers.get(fault)).join();
    if (this.#vain.has(name)) return undefined;
    const kept = await this.#parts.breaks(candidate, signal);
    if (kept === undefined && !signal.aborted) this.#vain.add(name);
    return kept;
  }
}

export interface ShrinkSeedParts {
  readonly faults: readonly PlannedFault[];
  readonly breach: Breach;
  /** Runs the seed with these faults alone, until a time since the beginning or a signal. Returns what broke. */
  readonly run: (
    only: readonly number[],
    how: { readonly endMs: number; readonly signal: AbortSignal },
  ) => Promise<readonly Breach[]>;
  readonly lanes?: number;
  readonly limitMs?: number;
}

/** Without a fault what breaks may come a little later: so much. */
const laterMs = 15_000;

/** The fewest faults found that break the same invariant of a seed: of those that began before it broke. */
export function shrinkSeed({
  faults,
  breach,
  run,
  ...limits
}: ShrinkSeedParts): Promise<readonly PlannedFault[]> {
  const until = (all: readonly PlannedFault[], ms: number): readonly PlannedFault[] =>
    all.filter(({ atMs }) => atMs <= ms);
  const brokeAtMs = new WeakMap<readonly PlannedFault[], number>();
  let untilMs = breach.atMs;
  return shrink({
    ...limits,
    faults: until(faults, breach.atMs),
    breaks: async (candidate, signal) => {
      const only = candidate.map(({ index }) => index);
      const [first] = await run(only, { endMs: untilMs + laterMs, signal });
      if (first?.invariant !== breach.invariant) return undefined;
      const kept = until(candidate, first.atMs);
      brokeAtMs.set(kept, first.atMs);
      return kept;
    },
    accepted: (kept) => {
      untilMs = Math.min(untilMs, brokeAtMs.get(kept) ?? untilMs);
    },
  });
}
