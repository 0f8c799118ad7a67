import type { Row } from '../row.ts';

/** Streams of commands, each with a seed of its own, from 1. */
const size = 50_000;

export const rows: readonly Row[] = [
  {
    name: 'matching',
    shows:
      'the matching engine says to a million random commands what a naive reference says, and holds the same',
    minutes: 4,
    shortSeconds: 3,
    async measure({ isShort, chunk, tell }) {
      const { playBoth } = await import('../../support/play-both.ts');
      const wanted = isShort ? 5_000 : 1_000_000;
      let [commands, states] = [0, 0];
      const differences: string[] = [];
      for (let seed = 1; commands < wanted; seed++) {
        const played = await chunk(`seed ${seed}`, async () => {
          const found = playBoth({ seed: String(seed), count: Math.min(size, wanted) });
          return { commands: found.commands, states: found.states, difference: found.difference?.at };
        });
        commands += played.commands;
        states += played.states;
        if (played.difference !== undefined) differences.push(played.difference);
        // What differs has ended its stream early.
        if (played.difference !== undefined || isShort) break;
        tell(`${commands} of ${wanted} commands`);
      }
      return [
        { name: 'commands', value: commands, unit: 'commands', limit: { atLeast: wanted }, seed: 1 },
        { name: 'states compared', value: states, unit: 'states', seed: 1 },
        {
          name: 'outcomes or states that differ',
          value: differences.length,
          unit: 'in all',
          limit: { atMost: 0 },
          seed: 1,
          ...(differences.length > 0 && { note: differences.join(', ') }),
        },
      ];
    },
  },
];
