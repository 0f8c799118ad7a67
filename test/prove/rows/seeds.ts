import type { Row } from '../row.ts';

export const rows: readonly Row[] = [
  {
    name: 'seeds',
    shows: 'the whole system under random faults breaks no invariant',
    minutes: 20,
    shortSeconds: 40,
    isAlone: true,
    async measure({ isShort, chunk, tell }) {
      const { runSeeds } = await import('../../simulation/run-seeds.ts');
      const minutes = isShort ? 4 : 10;
      const [seeds, size] = isShort ? [20, 20] : [1_000, 50];
      let failed = 0;
      for (let from = 1; from <= seeds; from += size) {
        const run = await chunk(`seeds from ${from}`, async () => {
          const result = await runSeeds({ from, count: size, minutes, write: tell });
          return { failed: result.failed, unequal: result.unequal };
        });
        failed += run.failed;
      }
      return [{ name: 'failed', value: failed, unit: `of ${seeds} seeds`, limit: { atMost: 0 }, seed: 1 }];
    },
  },
];
