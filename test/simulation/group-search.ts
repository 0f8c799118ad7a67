import { plantedBugs } from './planted.ts';
import { sourceBugs } from './planted-in-source.ts';
import { simulationWith } from './planted-source.ts';
import type { Breach } from './breaches.ts';
import { simulate } from './simulation.ts';

/** Defects that are planted together in one run of a seed. */
export interface GroupTask {
  readonly names: readonly string[];
  readonly seed: number;
  readonly minutes: number;
}

/** A defect that a seed shows. */
export interface BugFind {
  readonly name: string;
  readonly seed: number;
  readonly breach: string;
}

export interface GroupEnd {
  readonly task: GroupTask;
  readonly finds: readonly BugFind[];
  /** Whether the seed breaks without any defect, and so early that it hid some of these. */
  readonly isUnsound: boolean;
}

/** Simulated longer than until the breach of a group: what is split off it may break a little later. */
const splitMs = 1_500;

/**
 * Plants defects together in one seed, and finds out which of them it shows. One that is found broke the seed alone, while the seed without
 * any defect breaks nothing until then. The others go on together without it.
 */
export class GroupSearch {
  /** How far seeds were looked at without any defect, and what broke first. */
  readonly #sound = new Map<
    string,
    { readonly lookedToMs: number; readonly brokenAtMs: number | undefined }
  >();

  async look(task: GroupTask): Promise<GroupEnd> {
    const finds: BugFind[] = [];
    const isSound = await this.#lookIn(task, finds);
    return { task, finds, isUnsound: !isSound };
  }

  /** False once the seed alone is what breaks. */
  async #lookIn(task: GroupTask, finds: BugFind[]): Promise<boolean> {
    let left = task.names;
    while (left.length > 0) {
      const breach = await breachOf(left, task);
      if (breach === undefined) return true;
      if (!(await this.#isSound(task, breach.atMs))) return false;
      const find = await this.#one(left, task, breach);
      if (find === undefined) {
        // Only together they break so early; each half is looked at on its own.
        const [first, second] = halves(left);
        return (
          (await this.#lookIn({ ...task, names: first }, finds)) &&
          (await this.#lookIn({ ...task, names: second }, finds))
        );
      }
      finds.push(find);
      left = left.filter((name) => name !== find.name);
    }
    return true;
  }

  /** One of a group that breaks the seed alone; `undefined`: none does until then. */
  async #one(names: readonly string[], task: GroupTask, breach: Breach): Promise<BugFind | undefined> {
    const [name = '', ...others] = names;
    if (others.length === 0) {
      if (!(await this.#isSound(task, breach.atMs))) return undefined;
      const { invariant, atMs, why } = breach;
      return { name, seed: task.seed, breach: `${invariant} at ${atMs} ms: ${why}` };
    }
    for (const half of halves(names)) {
      const found = await breachOf(half, task, breach.atMs + splitMs);
      const find = found === undefined ? undefined : await this.#one(half, task, found);
      if (find !== undefined) return find;
    }
    return undefined;
  }

  /** Whether a seed breaks nothing until then without any defect. */
  async #isSound({ seed, minutes }: GroupTask, untilMs: number): Promise<boolean> {
    const key = `${seed} ${minutes}`;
    const known = this.#sound.get(key);
    if (known !== undefined && (known.brokenAtMs !== undefined || known.lookedToMs >= untilMs))
      return (known.brokenAtMs ?? Number.POSITIVE_INFINITY) > untilMs;
    // Times of breaches are cut to milliseconds. A seed that is asked about again is looked at to its end: most are.
    const endMs = known === undefined ? untilMs + 1 : Number.POSITIVE_INFINITY;
    const { breaches } = await simulate({ seed, minutes, endMs });
    const brokenAtMs = breaches[0]?.atMs;
    this.#sound.set(key, { lookedToMs: endMs, brokenAtMs });
    return (brokenAtMs ?? Number.POSITIVE_INFINITY) > untilMs;
  }
}

function halves(names: readonly string[]): readonly [readonly string[], readonly string[]] {
  const middle = Math.ceil(names.length / 2);
  return [names.slice(0, middle), names.slice(middle)];
}

/** What a seed breaks first with these defects in it. */
async function breachOf(
  names: readonly string[],
  { seed, minutes }: GroupTask,
  endMs = Number.POSITIVE_INFINITY,
): Promise<Breach | undefined> {
  const changes = names.flatMap((name) => sourceBugs[name] ?? []);
  const hooks = names.flatMap((name) => plantedBugs[name] ?? [])[0] ?? {};
  const changed = changes.length > 0 ? await simulationWith(changes) : { simulate };
  const { breaches } = await changed.simulate({ seed, minutes, endMs, hooks });
  return breaches[0];
}
