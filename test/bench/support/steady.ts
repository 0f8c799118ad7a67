import { cpuMicros, median, nowMicros, print } from './print.ts';

/** What one pass over all recordings came to. */
export interface Pass {
  readonly changes: number;
  readonly orders: number;
  readonly digest: string;
  /** What of the pass counts, where the rest prepares and checks; all of it when left out. */
  readonly took?: { readonly cpu: number; readonly wall: number } | undefined;
}

/** Runs a task and tells what it took. */
export async function timed(task: () => Promise<void>): Promise<{ cpu: number; wall: number }> {
  const wall = nowMicros();
  const cpu = cpuMicros();
  await task();
  return { cpu: cpuMicros() - cpu, wall: nowMicros() - wall };
}

const warmMicros = 3_000_000;
const microsMin = 3_000_000;
const passesMin = 7;

/**
 * Repeats `pass` and prints the median rate of level changes. What the compiler needs to get there is counted apart: a
 * recording of a day is a hundred of these passes, and three seconds of it say little about the rest. Every pass must
 * end as the one before. `more` tells what else was found out.
 */
export async function steady(
  pass: () => Promise<Pass>,
  more: () => Readonly<Record<string, number>> = () => ({}),
): Promise<void> {
  const cpus: number[] = [];
  const walls: number[] = [];
  let last: Pass | undefined;
  let first = 0;
  let spent = 0;
  for (let warm = 0; cpus.length < passesMin || spent - warm < microsMin;) {
    let now: Pass | undefined;
    const whole = await timed(async () => {
      now = await pass();
    });
    if (now === undefined) throw new Error('nothing was run');
    const took = now.took ?? whole;
    const used = took.cpu;
    if (last !== undefined && (last.digest !== now.digest || last.changes !== now.changes))
      throw new Error('two runs came out differently');
    last = now;
    if (spent === 0) first = used;
    spent += used;
    if (spent < warmMicros) {
      warm = spent;
      continue;
    }
    cpus.push(used);
    walls.push(took.wall);
  }
  if (last === undefined) throw new Error('nothing was run');
  const { changes, orders, digest } = last;
  print({
    value: changes / median(cpus),
    bestOfProcessorTime: changes / Math.min(...cpus),
    ofWallTime: changes / median(walls),
    firstPass: changes / first,
    levelChanges: changes,
    orders,
    digest,
    ...more(),
  });
}
