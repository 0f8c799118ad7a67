import { readFileSync, writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { BugQueue } from './bug-queue.ts';
import type { BugFind, GroupEnd, GroupTask } from './group-search.ts';
import { GroupSearch } from './group-search.ts';
import { inProcesses } from './in-processes.ts';
import { plantedBugs } from './planted.ts';
import { ledgerBugs } from './planted-on-ledger.ts';
import { sourceBugs } from './planted-in-source.ts';
import { survivors } from './planted-survivors.ts';

export interface BugsParts {
  readonly from: number;
  /** How many seeds a defect is looked for in. */
  readonly seedsMax: number;
  readonly minutes: number;
  /** Those that are looked for; all when left out. */
  readonly names?: readonly string[];
  /** One of them only. */
  readonly bug?: string | undefined;
  /** Those of the ledger, of wallets and margin accounts only. */
  readonly ofLedger?: boolean;
  /** Those that no kept seed shows only. */
  readonly isLeft?: boolean;
  /** How many processes look for them. */
  readonly processes?: number;
  /** Writes down the seeds that show them, to be tried first. */
  readonly keeps?: boolean;
  readonly write: (line: string) => void;
}

export interface BugsResult {
  readonly count: number;
  readonly found: number;
  /** Found by the seed that was kept. */
  readonly kept: number;
  /** Found by no seed, and not known to survive. */
  readonly survivors: readonly string[];
  /** Known to survive, and found: their row is to go. */
  readonly revived: readonly string[];
  readonly elapsedMs: number;
}

/** The names of all planted defects: in front of the trader's ports, and in its source. */
export const bugNames: readonly string[] = [...Object.keys(plantedBugs), ...Object.keys(sourceBugs)];

const seedsFile = new URL('planted-seeds.json', import.meta.url);

/** Plants every defect and looks for it, first in the seed that showed it last, then in those with most of what it needs. */
export async function runBugs(parts: BugsParts): Promise<BugsResult> {
  const { bug, ofLedger = false, isLeft = false, write } = parts;
  const began = performance.now();
  const kept = keptSeeds();
  const names = (parts.names ?? bugNames).filter(
    (name) =>
      (bug === undefined || name === bug) &&
      (!ofLedger || name in ledgerBugs) &&
      (!isLeft || kept[name] === undefined),
  );
  const finds = new Map<string, BugFind>();
  await each(names, parts, (find) => {
    const { name, seed, breach } = find;
    // Two processes may show the same at once.
    if (finds.has(name)) return;
    finds.set(name, find);
    if (parts.keeps === true) keep(name, seed);
    write(`caught  ${name}: seed ${seed}, ${breach.split('\n')[0]}`);
  });
  const survived = names.filter((name) => !finds.has(name));
  for (const name of survived) {
    const known = survivors[name];
    if (parts.keeps === true && kept[name] !== undefined) keep(name, undefined);
    write(known === undefined ? `SURVIVED  ${name}: ` : `survives  ${name}: ${known}`);
  }
  const found = [...finds.values()];
  const result = {
    count: names.length,
    found: found.length,
    kept: found.filter(({ name, seed }) => kept[name] === seed).length,
    survivors: survived.filter((name) => survivors[name] === undefined),
    revived: found.filter(({ name }) => survivors[name] !== undefined).map(({ name }) => name),
    elapsedMs: performance.now() - began,
  };
  tell(result, found, write);
  return result;
}

/** Defects in the order in which they are found with the least work: first those that a kept seed shows. */
export function inOrderOfWork(names: readonly string[]): {
  readonly kept: readonly string[];
  readonly left: readonly string[];
} {
  const seeds = keptSeeds();
  const kept = names.filter((name) => seeds[name] !== undefined);
  return {
    kept: kept.sort((a, b) => (seeds[a] ?? 0) - (seeds[b] ?? 0)),
    left: names.filter((name) => seeds[name] === undefined),
  };
}

function tell(
  { count, found, kept, survivors: survived, revived, elapsedMs }: BugsResult,
  finds: readonly BugFind[],
  write: BugsParts['write'],
): void {
  const highest = Math.max(0, ...finds.map(({ seed }) => seed));
  for (const name of revived) write(`known to survive, and found: ${name}`);
  write(
    `planted defects: ${count}, survivors: ${survived.length}, known to survive: ${count - found - survived.length}, the highest seed that was needed: ${highest}`,
  );
  write(
    `found: ${found} (${((found * 100) / Math.max(1, count)).toFixed(1)} %), by the kept seed: ${kept}, by a search: ${found - kept}, minutes: ${(elapsedMs / 60_000).toFixed(1)}`,
  );
}

async function each(
  names: readonly string[],
  { from, seedsMax, minutes, processes = 1 }: BugsParts,
  found: (find: BugFind) => void,
): Promise<void> {
  const queue = new BugQueue({ names, kept: keptSeeds(), from, seedsMax, minutes });
  const done = ({ task, finds, isUnsound }: GroupEnd): void => {
    if (isUnsound) queue.unsound(task.seed);
    for (const find of finds) {
      queue.found(find.name);
      found(find);
    }
  };
  if (processes <= 1 || names.length <= 1) {
    const search = new GroupSearch();
    for (let task = queue.take(0); task !== undefined; task = queue.take(0)) done(await search.look(task));
    return;
  }
  // Copies of modules are never given back: each process looks for a share of the defects.
  const file = new URL('search-bugs.ts', import.meta.url);
  await inProcesses<GroupTask, GroupEnd>({ file, processes, next: (by) => queue.take(by), done });
}

function keptSeeds(): Readonly<Record<string, number>> {
  return JSON.parse(readFileSync(seedsFile, 'utf8')) as Record<string, number>;
}

/** At once: a run that is stopped loses nothing. */
function keep(found: string, seed: number | undefined): void {
  const now: Record<string, number | undefined> = { ...keptSeeds(), [found]: seed };
  const rows = bugNames.filter((name) => now[name] !== undefined).map((name) => [name, now[name]]);
  writeFileSync(seedsFile, `${JSON.stringify(Object.fromEntries(rows), undefined, 2)}\n`);
}
