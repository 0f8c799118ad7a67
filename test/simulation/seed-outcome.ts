import { faultText } from './fault-plan.ts';
import { shrinkSeed } from './shrink.ts';
import type { SimulationResult } from './simulation.ts';
import { simulate } from './simulation.ts';

/** One seed to run. */
export interface SeedTask {
  readonly seed: number;
  readonly minutes: number;
  /** Whether to look for the fewest faults when it fails. */
  readonly shrinks: boolean;
}

/** What came of a seed, as it goes from one process to another. */
export interface SeedOutcome {
  readonly seed: number;
  readonly digest: string;
  readonly failed: boolean;
  /** Of a failed seed: what broke, how to repeat it, its faults. */
  readonly lines: readonly string[];
  readonly marks: Readonly<Record<string, number>>;
  readonly simulatedMs: number;
  readonly events: number;
  readonly orders: number;
  readonly cpuMs: number;
}

/** Runs a seed, and shrinks it when it fails. */
export async function runSeed({ seed, minutes, shrinks }: SeedTask): Promise<SeedOutcome> {
  const begun = process.cpuUsage();
  const result = await simulate({ seed, minutes });
  const { digest, marks, simulatedMs, events, orders } = result;
  const failed = result.breaches.length > 0;
  const lines = failed ? await failureLines({ seed, minutes, shrinks }, result) : [];
  const { user, system } = process.cpuUsage(begun);
  return {
    seed,
    digest,
    failed,
    lines,
    marks: Object.fromEntries(marks.names.map((name) => [name, marks.count(name)])),
    simulatedMs,
    events,
    orders,
    cpuMs: (user + system) / 1_000,
  };
}

async function failureLines(
  { seed, minutes, shrinks }: SeedTask,
  { breaches, faults }: SimulationResult,
): Promise<readonly string[]> {
  const lines = breaches.map(
    ({ invariant, atMs, why }) => `seed ${seed}: ${invariant} at ${atMs} ms: ${why}`,
  );
  const [breach] = breaches;
  if (!shrinks || breach === undefined) return lines;
  const least = await shrinkSeed({
    faults,
    breach,
    run: async (only, { endMs }) => (await simulate({ seed, minutes, only, endMs })).breaches,
  });
  const kept = least.map(({ index }) => index).join(',');
  const repeat = `  repeat: npm run simulate -- --seed ${seed} --minutes ${minutes} --faults ${kept}`;
  return [...lines, repeat, ...least.map((fault) => `  ${faultText(fault)}`)];
}
