import type { Row } from '../row.ts';

export const rows: readonly Row[] = [
  {
    name: 'seeds',
    shows:
      'the whole system under random faults breaks no invariant, takes the same course in any process, and meets every fault and branch',
    minutes: 24,
    shortSeconds: 18,
    isAlone: true,
    async measure({ isShort, chunk, tell }) {
      const { hitsOf, marksMin, runSeeds, sumOf } = await import('../../simulation/run-seeds.ts');
      const { minutes, seeds, size, twice } = isShort
        ? { minutes: 4, seeds: 20, size: 20, twice: 2 }
        : { minutes: 10, seeds: 1_000, size: 50, twice: 100 };
      const run = (from: number, count: number) =>
        runSeeds({ from, count, minutes, processes: 2, twiceEvery: 0, write: tell });
      const runs: Awaited<ReturnType<typeof run>>[] = [];
      for (let from = 1; from <= seeds; from += size) {
        runs.push(await chunk(`seeds from ${from}`, () => run(from, size)));
        tell(`${from + size - 1} of ${seeds} seeds`);
      }
      const digests = Object.assign({}, ...runs.map((one) => one.digests)) as Record<string, string>;
      // Each run begins with new processes.
      const again = await chunk('a second time', () => run(1, twice));
      const unequal = Object.entries(again.digests).filter(([seed, digest]) => digests[seed] !== digest);
      const total = (of: (one: (typeof runs)[number]) => number): number =>
        runs.reduce((sum, one) => sum + of(one), 0);
      const hits = hitsOf(sumOf(runs.map(({ marks }) => marks)));
      const missed = hits.filter(([, count]) => count < marksMin);
      const hours = total(({ simulatedMs }) => simulatedMs) / 3_600_000;
      const failures = runs.flatMap((one) => one.failures);
      const wall = total(({ wallMs }) => wallMs) / 60_000;
      return [
        {
          name: 'seeds that break an invariant',
          value: failures.length,
          unit: `of ${seeds}`,
          limit: { atMost: 0 },
          seed: 1,
          ...noteOf(failures),
        },
        {
          name: 'seeds that differ when run twice',
          value: unequal.length,
          unit: `of ${twice}`,
          limit: { atMost: 0 },
          seed: 1,
          ...noteOf(unequal.map(([seed]) => seed)),
        },
        {
          name: 'least hits of a fault or branch',
          value: hits[0]?.[1] ?? 0,
          unit: `of ${hits.length} in ${seeds} seeds`,
          ...(isShort ? {} : { limit: { atLeast: marksMin } }),
          seed: 1,
          ...(isShort ? {} : noteOf(missed.map(([name, count]) => `${name} ${count}`))),
        },
        {
          name: 'wall time of the seeds',
          value: wall,
          unit: `minutes for ${minutes} simulated ones each`,
          ...(isShort ? {} : { limit: { atMost: 20 } }),
          seed: 1,
        },
        {
          name: 'simulated hours a minute and core',
          value: hours / (total(({ cpuMs }) => cpuMs) / 60_000),
          unit: `hours at ${Math.round(total(({ events }) => events) / (hours * 3_600))} events/s`,
          seed: 1,
        },
      ];
    },
  },
];

function noteOf(names: readonly (string | number)[]): { note?: string } {
  return names.length === 0 ? {} : { note: names.join(', ') };
}
