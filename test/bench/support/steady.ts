import { cpuMicros, median, nowMicros, print } from './print.ts';

/** What one pass over all recordings came to. */
export interface Pass {
  readonly changes: number;
  readonly orders: number;
  readonly digest: string;
}

const warmMicros = 3_000_000;
const microsMin = 3_000_000;
const passesMin = 7;

/**
 * Repeats `pass` and prints the median rate of level changes. What the compiler needs to get there is told apart: a
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
    const wall = nowMicros();
    const cpu = cpuMicros();
    const now = await pass();
    const used = cpuMicros() - cpu;
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
    walls.push(nowMicros() - wall);
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
