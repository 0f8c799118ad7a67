import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { SweepPool } from '../../../src/app/sweep/pool.ts';
import { seconds } from '../../../src/core/base/clock.ts';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import { memoryRecording } from '../../../src/research/scenario/memory-recording.ts';
import { longPack } from '../support/long-pack.ts';
import { makerConfig } from '../support/maker-config.ts';
import { cpuMicros, nowMicros, print } from '../support/print.ts';
import { recordedScenario } from '../../../src/app/run/scenario-config.ts';

// A sweep over one long pack in shared memory, whole corridor, sets of parameters of the touch maker: by two threads, and
// in turns with that every second set once more by one of them, while the other one rests.
// Usage: node sweep-ours.ts SETS MILLIONS PACK

const threads = 2;
const turns = 5;
const [sets = 200, millions = 10] = process.argv.slice(2, 4).map(Number);
const { bytes, changes } = longPack(process.argv[4] ?? '', millions * 1e6);
const strategy = fileURLToPath(new URL('../strategies/touch-maker.ts', import.meta.url));
const config = makerConfig(memoryRecording(bytes, 'long pack'), strategy);
// What making the pack left behind is no part of a sweep.
setFlagsFromString('--expose-gc');
(runInNewContext('gc') as () => void)();
const before = process.memoryUsage.rss();
const pool = new SweepPool({
  base: recordedScenario(config),
  workers: threads,
  clock: new SystemClock(),
  timeout: seconds(600),
});
await pool.use({ bytes, label: 'long pack', prepared: 0 });
let most = before;
const digests = new Map<number, string>();

/** Every set ends as it ended before, on whatever thread. */
async function runSet(seed: number): Promise<void> {
  const { failure, digest } = await pool.run({
    point: seed < 0 ? {} : { lots: 1 + (seed % 50), away: Math.floor(seed / 50) },
  });
  most = Math.max(most, process.memoryUsage.rss());
  const known = digests.get(seed) ?? digest;
  if (failure !== undefined || known !== digest)
    throw new Error(failure ?? `set ${seed} ended with ${known}, and then with ${digest}`);
  digests.set(seed, digest);
}

/** Runs the sets, so many at a time; level changes a microsecond, by the clock on the wall and of processor time. */
async function rateOf(seeds: readonly number[], atATime: number): Promise<{ wall: number; core: number }> {
  const begun = nowMicros();
  const cpuBefore = cpuMicros();
  const left = [...seeds];
  const work = async (): Promise<void> => {
    for (let seed = left.shift(); seed !== undefined; seed = left.shift()) await runSet(seed);
  };
  await Promise.all(Array.from({ length: atATime }, work));
  const done = changes * seeds.length;
  return { wall: done / (nowMicros() - begun), core: done / (cpuMicros() - cpuBefore) };
}

// Threads load the program first, and compile it while they run: two hundred sets wait for that once.
// Of trials that come together the pool gives each thread ten before it opens one more.
await rateOf(
  Array.from({ length: 11 * threads }, () => -1),
  11 * threads,
);
const perTurn = Math.ceil(sets / turns);
for (let turn = 0; turn < turns; turn++) {
  const seeds = Array.from({ length: perTurn }, (_, i) => turn * perTurn + i);
  const all = await rateOf(seeds, seeds.length);
  const one = await rateOf(
    seeds.filter((seed) => seed % 2 === 0),
    1,
  );
  print({
    value: all.wall,
    ofCoreTime: all.core,
    coresUsed: all.wall / all.core,
    oneThread: one.wall,
    oneThreadOfCoreTime: one.core,
    oneThreadCoresUsed: one.wall / one.core,
    mibOverPackPerWorker: (most - before) / 1_048_576 / threads,
    packMib: bytes.length / 1_048_576,
    levelChanges: changes,
    sets: seeds.length,
  });
}
await pool.close();
