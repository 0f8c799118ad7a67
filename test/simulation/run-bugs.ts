import { plantedBugs } from './planted.ts';
import { ledgerBugs } from './planted-on-ledger.ts';
import { sourceBugs } from './planted-in-source.ts';
import { simulationWith } from './planted-source.ts';
import type { SimulationResult } from './simulation.ts';
import { simulate } from './simulation.ts';

export interface BugsParts {
  readonly from: number;
  /** How many seeds a defect is looked for in. */
  readonly seedsMax: number;
  readonly minutes: number;
  /** One of them only. */
  readonly bug?: string | undefined;
  /** Those of the ledger, of wallets and margin accounts only. */
  readonly ofLedger?: boolean;
  readonly write: (line: string) => void;
}

type Run = (seed: number, minutes: number) => Promise<SimulationResult>;

/** The names of all planted defects: in front of the trader's ports, and in its source. */
export const bugNames: readonly string[] = [...Object.keys(plantedBugs), ...Object.keys(sourceBugs)];

/** Plants every defect and looks for it, seed after seed. Returns the names of those that no check saw. */
export async function runBugs({
  from,
  seedsMax,
  minutes,
  bug,
  ofLedger = false,
  write,
}: BugsParts): Promise<readonly string[]> {
  const names = bugNames.filter(
    (name) => (bug === undefined || name === bug) && (!ofLedger || name in ledgerBugs),
  );
  let last = 0;
  const survivors: string[] = [];
  for (const name of names) {
    const run = await planted(name);
    let caught = '';
    for (let seed = from; seed < from + seedsMax && caught === ''; seed++) {
      const { breaches } = await run(seed, minutes);
      const first = breaches[0];
      if (first !== undefined) last = Math.max(last, seed);
      if (first !== undefined) caught = `seed ${seed}, ${first.invariant} at ${first.atMs} ms: ${first.why}`;
    }
    if (caught === '') survivors.push(name);
    write(`${caught === '' ? 'SURVIVED' : 'caught'}  ${name}: ${caught.split('\n')[0]}`);
  }
  write(
    `planted defects: ${names.length}, survivors: ${survivors.length}, the highest seed that was needed: ${last}`,
  );
  return survivors;
}

async function planted(name: string): Promise<Run> {
  const hooks = plantedBugs[name];
  if (hooks !== undefined) return (seed, minutes) => simulate({ seed, minutes, hooks });
  const { simulate: changed } = await simulationWith(sourceBugs[name] ?? []);
  return (seed, minutes) => changed({ seed, minutes });
}
