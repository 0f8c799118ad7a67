import { faultKinds } from './fault-kinds.ts';
import { faultyKinds } from './faulty.ts';
import { faultText } from './fault-plan.ts';
import { Marks } from './marks.ts';
import { shrink } from './shrink.ts';
import type { SimulationResult } from './simulation.ts';
import { simulate } from './simulation.ts';

export interface SeedsParts {
  readonly from: number;
  readonly count: number;
  readonly minutes: number;
  readonly write: (line: string) => void;
}

export interface SeedsResult {
  readonly seeds: number;
  readonly failed: number;
  readonly marks: Marks;
  readonly simulatedMs: number;
  readonly events: number;
  readonly orders: number;
  readonly cpuMs: number;
  /** Seeds that were run a second time, and had another digest. */
  readonly unequal: number;
}

/** How often each mark must be hit per thousand seeds. */
const marksMin = 10;
/** Every so many seeds one is run twice. */
const twiceEvery = 25;

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
  'branch/several strategies',
  'branch/strategy acted after its end',
  ...faultyKinds.map((kind) => `branch/strategy ${kind}`),
];

export async function runSeeds({ from, count, minutes, write }: SeedsParts): Promise<SeedsResult> {
  const marks = new Marks();
  const begun = process.cpuUsage();
  const sums = { failed: 0, simulatedMs: 0, events: 0, orders: 0, unequal: 0 };
  for (let seed = from; seed < from + count; seed++) {
    const result = await simulate({ seed, minutes });
    for (const name of result.marks.names) marks.add(name, result.marks.count(name));
    sums.simulatedMs += result.simulatedMs;
    sums.events += result.events;
    sums.orders += result.orders;
    if (result.breaches.length > 0) {
      sums.failed += 1;
      await tell(seed, { minutes, write, result });
    } else if (seed % twiceEvery === 0) {
      const again = await simulate({ seed, minutes });
      if (again.digest !== result.digest) {
        sums.unequal += 1;
        write(`seed ${seed}: I12: two runs have the digests ${result.digest} and ${again.digest}`);
      }
    }
  }
  const { user, system } = process.cpuUsage(begun);
  return { seeds: count, marks, cpuMs: (user + system) / 1_000, ...sums };
}

async function tell(
  seed: number,
  { minutes, write, result }: { minutes: number; write: (line: string) => void; result: SimulationResult },
): Promise<void> {
  const { breaches, faults } = result;
  for (const { invariant, atMs, why } of breaches) write(`seed ${seed}: ${invariant} at ${atMs} ms: ${why}`);
  const breach = breaches[0]?.invariant;
  const least = await shrink({
    faults,
    breaks: async (kept) => {
      const smaller = await simulate({ seed, minutes, only: kept.map(({ index }) => index) });
      return smaller.breaches[0]?.invariant === breach;
    },
  });
  write(
    `  repeat: npm run simulate -- --seed ${seed} --minutes ${minutes} --faults ${least.map(({ index }) => index).join(',')}`,
  );
  for (const fault of least) write(`  ${faultText(fault)}`);
}

/** One line per figure. Returns whether all is well. */
export function report(
  run: SeedsResult,
  { json, write }: { json: boolean; write: (line: string) => void },
): boolean {
  const { seeds, marks } = run;
  const wanted = [...Object.keys(faultKinds).map((kind) => `fault/${kind}`), ...branches];
  const least = Math.floor((marksMin * seeds) / 1_000);
  const missed = wanted.filter((name) => marks.count(name) < least);
  const hours = run.simulatedMs / 3_600_000;
  const figures = {
    seeds,
    failed: run.failed,
    unequal: run.unequal,
    'marks missed': missed.length,
    'simulated hours': Number(hours.toFixed(2)),
    'processor seconds': Number((run.cpuMs / 1_000).toFixed(1)),
    'simulated hours per minute': Number((hours / (run.cpuMs / 60_000)).toFixed(2)),
    events: run.events,
    orders: run.orders,
  };
  if (json) {
    write(
      JSON.stringify({
        ...figures,
        marks: Object.fromEntries(wanted.map((name) => [name, marks.count(name)])),
      }),
    );
  } else {
    for (const [name, value] of Object.entries(figures)) write(`${name}: ${value}`);
    for (const name of wanted) write(`  ${String(marks.count(name)).padStart(8)} ${name}`);
  }
  for (const name of missed) write(`mark ${name} was hit ${marks.count(name)} times, expected ${least}`);
  return run.failed === 0 && run.unequal === 0 && missed.length === 0;
}
