import type { GroupTask } from './group-search.ts';
import { plantedBugs } from './planted.ts';
import { gatewayBugs } from './planted-on-gateway.ts';
import { programSeeds } from './program-roles.ts';
import { sourceBugs } from './planted-in-source.ts';
import { bugNeeds } from './planted-needs.ts';
import { fitTogether } from './planted-source.ts';
import { survivors } from './planted-survivors.ts';
import { inOrder } from './seed-traits.ts';

export interface BugQueueParts {
  readonly names: readonly string[];
  /** The seeds that showed defects last. */
  readonly kept: Readonly<Record<string, number>>;
  readonly from: number;
  readonly seedsMax: number;
  readonly minutes: number;
}

interface Row {
  readonly name: string;
  /** Seeds that it was given to so far. */
  readonly tried: Set<number>;
  /** All seeds: first those with most of what it needs. */
  readonly order: readonly number[];
  /** In so many of them it is looked for at most. */
  readonly most: number;
  /** The kept seed, until it is tried: once a seed has shown it, most later changes of the simulation leave it so. */
  kept: number | undefined;
}

/** Most defects that are planted together: with more of them a seed breaks so often that it is split all the time. */
const groupSize = 12;
/** Of so many seeds those are tried that have most of what a defect needs. */
const poolSize = 200;
/** Seeds that are tried of a defect that is known to survive: it may be found since. */
const survivorSeeds = 5;

/** Which defects are looked for next, and in which seed: first each in its kept seed, then those that are left in groups. */
export class BugQueue {
  readonly #minutes: number;
  readonly #open: Map<string, Row>;
  /** Seeds that break without any defect. */
  readonly #unsound = new Set<number>();
  /** Defects by their kept seed: one process has those of one seed. */
  readonly #kept: Row[];
  readonly #lastSeed = new Map<number, number>();

  constructor({ names, kept, from, seedsMax, minutes }: BugQueueParts) {
    this.#minutes = minutes;
    const poolFrom = (first: number): readonly number[] =>
      Array.from({ length: poolSize }, (_, index) => first + index);
    const plain = poolFrom(from);
    const withPrograms = poolFrom(programSeeds);
    const rows = names.map((name): Row => {
      const seed = kept[name];
      const pool = name in gatewayBugs ? withPrograms : plain;
      return {
        name,
        tried: new Set(),
        order: inOrder(pool, minutes, bugNeeds[name] ?? []),
        most: survivors[name] === undefined ? seedsMax : Math.min(seedsMax, survivorSeeds),
        kept: seed !== undefined && pool.includes(seed) ? seed : undefined,
      };
    });
    this.#open = new Map(rows.map((row) => [row.name, row]));
    this.#kept = rows.filter((row) => row.kept !== undefined).sort((a, b) => (a.kept ?? 0) - (b.kept ?? 0));
  }

  /** Nothing more is looked for that was found. */
  found(name: string): void {
    this.#open.delete(name);
  }

  /** A seed that breaks without any defect shows nothing. */
  unsound(seed: number): void {
    this.#unsound.add(seed);
  }

  /** The next task for the process of this number; `undefined`: every defect is found, or was looked for in all of its seeds. */
  take(process: number): GroupTask | undefined {
    const kept = this.#takeKept(process);
    if (kept !== undefined) return kept;
    const due = [...this.#open.values()]
      .filter((row) => row.tried.size < row.most && this.#next(row) !== undefined)
      .sort((a, b) => a.tried.size - b.tried.size)[0];
    const seed = due === undefined ? undefined : this.#next(due);
    if (due === undefined || seed === undefined) return undefined;
    const group = [due];
    for (const row of this.#others(due, seed)) {
      if (group.length === groupSize) break;
      if (fit([...group, row])) group.push(row);
    }
    for (const row of group) row.tried.add(seed);
    return { names: group.map(({ name }) => name), seed, minutes: this.#minutes };
  }

  /** One defect with the seed that showed it last: of the seed that the process had before, if there is one. */
  #takeKept(process: number): GroupTask | undefined {
    const had = this.#lastSeed.get(process);
    const others = new Set(this.#lastSeed.values());
    const at = [
      this.#kept.findIndex((row) => row.kept === had),
      this.#kept.findIndex((row) => !others.has(row.kept ?? 0)),
      0,
    ].find((index) => index >= 0);
    const [row] = this.#kept.splice(at ?? 0, 1);
    const seed = row?.kept;
    if (row === undefined || seed === undefined) return undefined;
    row.kept = undefined;
    row.tried.add(seed);
    this.#lastSeed.set(process, seed);
    return { names: [row.name], seed, minutes: this.#minutes };
  }

  #next({ order, tried }: Row): number | undefined {
    return order.find((seed) => !tried.has(seed) && !this.#unsound.has(seed));
  }

  /** Defects that can be looked for in the same run, first those for which the seed is among their best. */
  #others(due: Row, seed: number): readonly Row[] {
    return [...this.#open.values()]
      .filter((row) => row !== due && row.tried.size < row.most && !row.tried.has(seed))
      .map((row) => ({ row, rank: row.order.indexOf(seed) }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ row }) => row);
  }
}

/** Whether the places of defects do not disturb one another; of those in front of the ports a run takes one. */
function fit(rows: readonly Row[]): boolean {
  const hooked = rows.filter(({ name }) => name in plantedBugs);
  return hooked.length <= 1 && fitTogether(rows.flatMap(({ name }) => sourceBugs[name] ?? []));
}
