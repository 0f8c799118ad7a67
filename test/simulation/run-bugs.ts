import { plantedBugs } from './planted.ts';
import { simulate } from './simulation.ts';

export interface BugsParts {
  readonly from: number;
  /** How many seeds a defect is looked for in. */
  readonly seedsMax: number;
  readonly minutes: number;
  /** One of them only. */
  readonly bug?: string | undefined;
  readonly write: (line: string) => void;
}

/** Plants every defect and looks for it, seed after seed. Returns the names of those that nobody saw. */
export async function runBugs({
  from,
  seedsMax,
  minutes,
  bug,
  write,
}: BugsParts): Promise<readonly string[]> {
  const survivors: string[] = [];
  for (const [name, hooks] of Object.entries(plantedBugs)) {
    if (bug !== undefined && bug !== name) continue;
    let caught = '';
    for (let seed = from; seed < from + seedsMax && caught === ''; seed++) {
      const { breaches } = await simulate({ seed, minutes, hooks });
      const first = breaches[0];
      if (first !== undefined) caught = `seed ${seed}, ${first.invariant} at ${first.atMs} ms: ${first.why}`;
    }
    if (caught === '') survivors.push(name);
    write(`${caught === '' ? 'SURVIVED' : 'caught'}  ${name}: ${caught.split('\n')[0]}`);
  }
  write(`planted defects: ${Object.keys(plantedBugs).length}, survivors: ${survivors.length}`);
  return survivors;
}
