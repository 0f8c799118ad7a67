import { expect, test } from 'vitest';
import { killRounds } from './support/kill-rounds.ts';

const seed = 20_261;

test(`a daemon killed at random moments loses nothing, repeats nothing, and trades on (seed ${seed})`, async () => {
  const rounds = await killRounds({ rounds: 3, seed });
  expect(rounds).toHaveLength(3);
  for (const round of rounds) expect(round).toMatchObject({ differences: [] });
});
