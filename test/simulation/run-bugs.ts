import { readFileSync, writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { inProcesses } from './in-processes.ts';
import { plantedBugs } from './planted.ts';
import { ledgerBugs } from './planted-on-ledger.ts';
import { sourceBugs } from './planted-in-source.ts';
import { simulationWith } from './planted-source.ts';
import { bugNeeds } from './planted-needs.ts';
import { survivors } from './planted-survivors.ts';
import { inOrder } from './seed-traits.ts';
import type { SimulationResult } from './simulation.ts';
import { simulate } from './simulation.ts';

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

/** What became of one defect. */
export interface BugEnd {
  readonly name: string;
  /** The seed that shows it; `undefined`: none did. */
  readonly seed: number | undefined;
  readonly breach: string;
}

export interface Search {
  readonly name: string;
  readonly from: number;
  readonly seedsMax: number;
  readonly minutes: number;
}

type Run = (seed: number, minutes: number) => Promise<SimulationResult>;

/** The names of all planted defects: in front of the trader's ports, and in its source. */
export const bugNames: readonly string[] = [...Object.keys(plantedBugs), ...Object.keys(sourceBugs)];

const seedsFile = new URL('planted-seeds.json', import.meta.url);
/** Seeds that are tried of a defect that is known to survive: it may be found since. */
const survivorSeeds = 5;
/** Of so many seeds those are tried that have most of what a defect needs. */
const poolSize = 200;
/** How far seeds were looked at without any defect, and what broke first. */
const sound = new Map<string, { readonly lookedToMs: number; readonly brokenAtMs: number | undefined }>();

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
  const ends: BugEnd[] = [];
  await each(names, parts, (end) => {
    ends.push(end);
    if (parts.keeps === true) keep(end);
    const { name, seed, breach } = end;
    const known = survivors[name];
    if (seed !== undefined) write(`caught  ${name}: seed ${seed}, ${breach.split('\n')[0]}`);
    else write(known === undefined ? `SURVIVED  ${name}: ` : `survives  ${name}: ${known}`);
  });
  const found = ends.filter(({ seed }) => seed !== undefined);
  const result = {
    count: names.length,
    found: found.length,
    kept: found.filter(({ name, seed }) => kept[name] === seed).length,
    survivors: ends
      .filter(({ name, seed }) => seed === undefined && survivors[name] === undefined)
      .map(({ name }) => name),
    revived: found.filter(({ name }) => survivors[name] !== undefined).map(({ name }) => name),
    elapsedMs: performance.now() - began,
  };
  tell(result, ends, write);
  return result;
}

/** Looks for one defect in this process. */
export async function search({ name, from, seedsMax, minutes }: Search): Promise<BugEnd> {
  const run = await planted(name);
  const most = survivors[name] === undefined ? seedsMax : Math.min(seedsMax, survivorSeeds);
  const known = keptSeeds()[name] ?? 0;
  const pool = Array.from({ length: poolSize }, (_, index) => from + index);
  // Once a seed has shown it, most later changes of the simulation leave it so.
  const first = pool.includes(known) ? [known] : [];
  const ordered = inOrder(pool, minutes, bugNeeds[name] ?? []).slice(0, most);
  for (const seed of new Set([...first, ...ordered])) {
    const { breaches } = await run(seed, minutes);
    const breach = breaches[0];
    // What a seed breaks until then without the defect as well shows nothing.
    if (breach !== undefined && (await isSound(seed, minutes, breach.atMs)))
      return { name, seed, breach: `${breach.invariant} at ${breach.atMs} ms: ${breach.why}` };
  }
  return { name, seed: undefined, breach: '' };
}

/** Whether a seed breaks nothing until then without any defect. */
async function isSound(seed: number, minutes: number, untilMs: number): Promise<boolean> {
  const key = `${seed} ${minutes}`;
  const known = sound.get(key);
  if (known !== undefined && (known.brokenAtMs !== undefined || known.lookedToMs >= untilMs))
    return (known.brokenAtMs ?? Number.POSITIVE_INFINITY) > untilMs;
  const { breaches } = await simulate({ seed, minutes, endMs: untilMs });
  const brokenAtMs = breaches[0]?.atMs;
  sound.set(key, { lookedToMs: untilMs, brokenAtMs });
  return brokenAtMs === undefined;
}

function tell(
  { count, found, kept, survivors: survived, revived, elapsedMs }: BugsResult,
  ends: readonly BugEnd[],
  write: BugsParts['write'],
): void {
  const highest = Math.max(0, ...ends.map(({ seed }) => seed ?? 0));
  for (const name of revived) write(`known to survive, and found: ${name}`);
  write(
    `planted defects: ${count}, survivors: ${survived.length}, known to survive: ${count - found - survived.length}, the highest seed that was needed: ${highest}`,
  );
  write(
    `found: ${found} (${((found * 100) / Math.max(1, count)).toFixed(1)} %), by the kept seed: ${kept}, by a search: ${found - kept}, minutes: ${(elapsedMs / 60_000).toFixed(1)}`,
  );
}

async function each(names: readonly string[], parts: BugsParts, done: (end: BugEnd) => void): Promise<void> {
  const { from, seedsMax, minutes, processes = 1 } = parts;
  const left = [...names];
  const next = (): Search | undefined => {
    const name = left.shift();
    return name === undefined ? undefined : { name, from, seedsMax, minutes };
  };
  if (processes <= 1 || names.length <= 1) {
    for (let one = next(); one !== undefined; one = next()) done(await search(one));
    return;
  }
  // Copies of modules are never given back: each process looks for a share of the defects.
  const file = new URL('search-bugs.ts', import.meta.url);
  await inProcesses<Search, BugEnd>({ file, processes, next, done });
}

function keptSeeds(): Readonly<Record<string, number>> {
  return JSON.parse(readFileSync(seedsFile, 'utf8')) as Record<string, number>;
}

/** At once: a run that is stopped loses nothing. */
function keep({ name: found, seed }: BugEnd): void {
  const now: Record<string, number | undefined> = { ...keptSeeds(), [found]: seed };
  const rows = bugNames.filter((name) => now[name] !== undefined).map((name) => [name, now[name]]);
  writeFileSync(seedsFile, `${JSON.stringify(Object.fromEntries(rows), undefined, 2)}\n`);
}

async function planted(name: string): Promise<Run> {
  const hooks = plantedBugs[name];
  if (hooks !== undefined) return (seed, minutes) => simulate({ seed, minutes, hooks });
  const { simulate: changed } = await simulationWith(sourceBugs[name] ?? []);
  return (seed, minutes) => changed({ seed, minutes });
}
