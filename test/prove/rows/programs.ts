import type { Row } from '../row.ts';

export const rows: readonly Row[] = [
  {
    name: 'programs',
    shows:
      'two programs that trade through a gateway under random faults are answered what the exchange has, of their own orders alone, each id once, within their shares',
    minutes: 6,
    shortSeconds: 12,
    isAlone: true,
    async measure({ isShort, chunk, tell }) {
      const { runSeeds, sumOf } = await import('../../simulation/run-seeds.ts');
      const { programSeeds } = await import('../../simulation/program-roles.ts');
      const { minutes, seeds, size } = isShort
        ? { minutes: 2, seeds: 4, size: 4 }
        : { minutes: 10, seeds: 100, size: 20 };
      const runs: Awaited<ReturnType<typeof runSeeds>>[] = [];
      for (let at = 0; at < seeds; at += size) {
        const from = programSeeds + at;
        const parts = { from, count: size, minutes, processes: 2, twiceEvery: 0, write: tell };
        runs.push(await chunk(`seeds from ${from}`, () => runSeeds(parts)));
        tell(`${at + size} of ${seeds} seeds`);
      }
      const failures = runs.flatMap((one) => one.failures);
      const marks = sumOf(runs.map((one) => one.marks));
      const count = (name: string): number => marks[`branch/${name}`] ?? 0;
      return [
        {
          name: 'seeds that break an invariant',
          value: failures.length,
          unit: `of ${seeds}`,
          limit: { atMost: 0 },
          seed: programSeeds,
          ...(failures.length > 0 && { note: failures.join(', ') }),
        },
        {
          name: 'orders of programs',
          value: count('order of a program'),
          unit: 'orders that the exchange took',
          limit: { atLeast: seeds },
          seed: programSeeds,
        },
        { name: 'denied', value: count('program denied'), unit: 'answers', seed: programSeeds },
        { name: 'lists', value: count('program listed its orders'), unit: 'answers', seed: programSeeds },
      ];
    },
  },
];
