import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { SweepPool } from '../../../src/app/sweep/sweep-pool.ts';
import { seconds } from '../../../src/base/clock.ts';
import { SystemClock } from '../../../src/base/system-clock.ts';
import { memoryRecording } from '../../../src/research/memory-recording.ts';
import { longPack } from '../support/long-pack.ts';
import { makerConfig } from '../support/maker-config.ts';
import { cpuMicros, nowMicros, print } from '../support/print.ts';

// A sweep over one long pack in shared memory, whole corridor, sets of parameters of the touch maker.
// Usage: node sweep-ours.ts WORKERS SETS MILLIONS PACK...

const [workers = 2, sets = 12, millions = 10] = process.argv.slice(2, 5).map(Number);
const { bytes, changes } = longPack(process.argv[5] ?? '', millions * 1e6);
const strategy = fileURLToPath(new URL('../strategies/touch-maker.ts', import.meta.url));
const config = makerConfig(memoryRecording(bytes, 'long pack'), strategy);
// What making the pack left behind is no part of a sweep.
setFlagsFromString('--expose-gc');
(runInNewContext('gc') as () => void)();
const before = process.memoryUsage.rss();
const pool = new SweepPool({
  base: { kind: 'recording', config },
  workers,
  clock: new SystemClock(),
  timeout: seconds(600),
});
await pool.use({ bytes, label: 'long pack', prepared: 0 });
let most = before;
const runSet = async (seed: number): Promise<string> => {
  const outcome = await pool.run({
    point: seed < 0 ? {} : { lots: 1 + (seed % 50), away: Math.floor(seed / 50) },
  });
  most = Math.max(most, process.memoryUsage.rss());
  return outcome.failure ?? outcome.digest;
};
// Threads load the program first, and compile it while they run: two hundred sets wait for that once as well.
for (let round = 0; round < 2; round++) {
  await Promise.all(Array.from({ length: workers }, async () => await runSet(-1)));
}
const begun = nowMicros();
const cpuBefore = cpuMicros();
const digests = await Promise.all(Array.from({ length: sets }, async (_, seed) => await runSet(seed)));
const took = nowMicros() - begun;
const cpu = cpuMicros() - cpuBefore;
await pool.close();
print({
  value: (changes * sets) / took,
  ofCoreTime: (changes * sets) / cpu,
  coresUsed: cpu / took,
  mibOverPackPerWorker: (most - before) / 1_048_576 / workers,
  packMib: bytes.length / 1_048_576,
  levelChanges: changes,
  sets,
  digest: digests.map((digest) => digest.slice(0, 6)).join(' '),
});
