import type { Row } from '../row.ts';

/** Defects with a kept seed that are looked for in one piece. */
const size = 12;
/** Seeds in which each is looked for. */
const seedsMax = 200;

export const rows: readonly Row[] = [
  {
    name: 'planted-defects',
    shows:
      'defects that are planted in the source, in its ports and in its frames are found by the simulation, each within 200 seeds',
    minutes: 20,
    isAlone: true,
    async measure({ chunk, tell }) {
      const { bugNames, inOrderOfWork, runBugs } = await import('../../simulation/run-bugs.ts');
      const { survivors: known } = await import('../../simulation/planted-survivors.ts');
      const runs: {
        readonly found: number;
        readonly survivors: readonly string[];
        readonly elapsedMs: number;
      }[] = [];
      const look = async (names: readonly string[]): Promise<void> => {
        const run = (): ReturnType<typeof runBugs> =>
          runBugs({ names, from: 1, seedsMax, minutes: 4, processes: 2, write: tell });
        if (names.length > 0) runs.push(await chunk(`defects from ${names[0]} on`, run));
      };
      const { kept, left } = inOrderOfWork(bugNames);
      for (let from = 0; from < kept.length; from += size) await look(kept.slice(from, from + size));
      // Those that no kept seed shows are looked for together, many of them in one run of a seed.
      await look(left);
      const found = runs.reduce((sum, one) => sum + one.found, 0);
      const survivors = [...runs.flatMap((one) => one.survivors), ...Object.keys(known)];
      return [
        {
          name: 'planted defects',
          value: bugNames.length,
          unit: 'defects',
          limit: { atLeast: 140 },
          seed: 1,
        },
        {
          name: 'share of planted defects that is found',
          value: (found * 100) / bugNames.length,
          unit: `% within ${seedsMax} seeds`,
          limit: { atLeast: 95 },
          seed: 1,
          ...(survivors.length > 0 && { note: survivors.join(', ') }),
        },
        {
          name: 'wall time of the planted defects',
          value: runs.reduce((sum, one) => sum + one.elapsedMs, 0) / 60_000,
          unit: 'minutes',
          limit: { atMost: 20 },
          seed: 1,
        },
      ];
    },
  },
];
