import { performance } from 'node:perf_hooks';
import { faultKinds } from './fault-kinds.ts';
import { productBranches } from './mark-products.ts';
import { faultyKinds } from './faulty.ts';
import { inProcesses } from './in-processes.ts';
import type { SeedOutcome, SeedTask } from './seed-outcome.ts';
import { runSeed } from './seed-outcome.ts';

export interface SeedsParts {
  readonly from: number;
  readonly count: number;
  readonly minutes: number;
  /** How many processes run them; one is this one. */
  readonly processes: number;
  /** Every so many seeds one is run twice, in two processes if there are two; 0: none is. */
  readonly twiceEvery?: number;
  readonly write: (line: string) => void;
}

/** What came of seeds. It goes through JSON. */
export interface SeedsResult {
  readonly seeds: number;
  readonly failed: number;
  /** Numbers of the seeds that failed. */
  readonly failures: readonly number[];
  readonly marks: Readonly<Record<string, number>>;
  readonly digests: Readonly<Record<string, string>>;
  readonly simulatedMs: number;
  readonly events: number;
  readonly orders: number;
  readonly cpuMs: number;
  readonly wallMs: number;
  /** Seeds that were run a second time, and had another digest. */
  readonly unequal: number;
}

/** How often each mark must be hit per thousand seeds. */
export const marksMin = 10;
/** Every so many seeds one is run twice. */
const twiceEveryDefault = 25;

/** Branches worth seeing, beside the faults themselves. */
export const branches: readonly string[] = [
  'branch/order unknown',
  'branch/order proven absent',
  'branch/unknown ended by a report',
  'branch/unknown ended by a read',
  'branch/trade found in the history',
  'branch/trade told twice',
  'branch/request lost',
  'branch/request refused',
  'branch/answer lost',
  'branch/process died',
  'branch/journal cut',
  'branch/halt outlived a restart',
  'branch/halted',
  'branch/exit held',
  'branch/held exit left',
  'branch/operator cleared a halt',
  'branch/limit on loss reducing',
  'branch/limit on loss halted',
  'branch/limit on loss over',
  'branch/limit on loss outlived a restart',
  'branch/operator cleared a limit on loss',
  'branch/order reduced after a limit on loss',
  'branch/restart from a carried state',
  'branch/pause outlived a restart',
  'branch/stop of a strategy outlived a restart',
  'branch/operator closed a position',
  'branch/market data of version 2',
  'branch/shadow began',
  'branch/shadow traded',
  ...productBranches,
  'branch/several strategies',
  'branch/strategy acted after its end',
  ...faultyKinds.map((kind) => `branch/strategy ${kind}`),
];

/** Tasks, each seed that is run twice by two processes, if there are two. */
class SeedQueue {
  readonly #parts: SeedsParts;
  readonly #again: { readonly seed: number; readonly by: number }[] = [];
  #next: number;

  constructor(parts: SeedsParts) {
    this.#parts = parts;
    this.#next = parts.from;
  }

  take(by: number): SeedTask | undefined {
    const { from, count, minutes, processes, twiceEvery = twiceEveryDefault } = this.#parts;
    const at = this.#again.findIndex((one) => processes === 1 || one.by !== by);
    const [again] = at < 0 ? [] : this.#again.splice(at, 1);
    if (again !== undefined) return { seed: again.seed, minutes, shrinks: false };
    if (this.#next >= from + count) return undefined;
    const seed = this.#next++;
    if (twiceEvery > 0 && seed % twiceEvery === 0) this.#again.push({ seed, by });
    return { seed, minutes, shrinks: true };
  }
}

/** Runs seeds one after the other, in one process or in several. */
export async function runSeeds(parts: SeedsParts): Promise<SeedsResult> {
  const { count, processes, write } = parts;
  const begun = performance.now();
  const queue = new SeedQueue(parts);
  const outcomes = new Map<number, SeedOutcome>();
  let unequal = 0;
  const done = (outcome: SeedOutcome): void => {
    const { seed, digest, lines } = outcome;
    const first = outcomes.get(seed);
    if (first === undefined) {
      outcomes.set(seed, outcome);
      for (const line of lines) write(line);
    } else if (first.digest !== digest) {
      unequal += 1;
      write(`seed ${seed}: I12: two runs have the digests ${first.digest} and ${digest}`);
    }
  };
  if (processes === 1) {
    for (let task = queue.take(0); task !== undefined; task = queue.take(0)) done(await runSeed(task));
  } else {
    const file = new URL('seed-process.ts', import.meta.url);
    await inProcesses<SeedTask, SeedOutcome>({ file, processes, next: (by) => queue.take(by), done });
  }
  const all = [...outcomes.values()].sort((a, b) => a.seed - b.seed);
  const sum = (of: (outcome: SeedOutcome) => number): number =>
    all.reduce((total, one) => total + of(one), 0);
  const failures = all.filter(({ failed }) => failed).map(({ seed }) => seed);
  return {
    seeds: count,
    failed: failures.length,
    failures,
    marks: sumOf(all.map(({ marks }) => marks)),
    digests: Object.fromEntries(all.map(({ seed, digest }) => [seed, digest])),
    simulatedMs: sum(({ simulatedMs }) => simulatedMs),
    events: sum(({ events }) => events),
    orders: sum(({ orders }) => orders),
    cpuMs: sum(({ cpuMs }) => cpuMs),
    wallMs: performance.now() - begun,
    unequal,
  };
}

/** Counts by name, added up. */
export function sumOf(all: readonly Readonly<Record<string, number>>[]): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const counts of all)
    for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}

/** Each fault and each branch with its hits, the fewest first. */
export function hitsOf(marks: Readonly<Record<string, number>>): readonly (readonly [string, number])[] {
  return [...Object.keys(faultKinds).map((kind) => `fault/${kind}`), ...branches]
    .map((name) => [name, marks[name] ?? 0] as const)
    .sort(([, a], [, b]) => a - b);
}

/** One line per figure. Returns whether all is well. */
export function report(
  run: SeedsResult,
  { json, write }: { json: boolean; write: (line: string) => void },
): boolean {
  const { seeds } = run;
  const hits = hitsOf(run.marks);
  const least = Math.floor((marksMin * seeds) / 1_000);
  const missed = hits.filter(([, count]) => count < least);
  const hours = run.simulatedMs / 3_600_000;
  const figures = {
    seeds,
    failed: run.failed,
    unequal: run.unequal,
    'marks missed': missed.length,
    'simulated hours': Number(hours.toFixed(2)),
    'processor seconds': Number((run.cpuMs / 1_000).toFixed(1)),
    'simulated hours per minute': Number((hours / (run.cpuMs / 60_000)).toFixed(2)),
    'wall seconds': Number((run.wallMs / 1_000).toFixed(1)),
    events: run.events,
    orders: run.orders,
  };
  if (json) {
    write(JSON.stringify({ ...figures, marks: Object.fromEntries(hits) }));
  } else {
    for (const [name, value] of Object.entries(figures)) write(`${name}: ${value}`);
    for (const [name, count] of hits) write(`  ${String(count).padStart(8)} ${name}`);
  }
  for (const [name, count] of missed) write(`mark ${name} was hit ${count} times, expected ${least}`);
  return run.failed === 0 && run.unequal === 0 && missed.length === 0;
}
