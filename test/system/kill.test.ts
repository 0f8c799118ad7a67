import { expect, test } from 'vitest';
import { killRounds } from './support/kill-rounds.ts';

const seed = 20_261;

test(`a daemon killed at random moments loses nothing, repeats nothing, and trades on (seed ${seed})`, async () => {
  const rounds = await killRounds({ rounds: 3, seed });
  expect(rounds).toHaveLength(3);
  for (const round of rounds) expect(round).toMatchObject({ differences: [] });
});

test(`a gateway killed under the orders of two programs loses none, and has none twice (seed ${seed})`, async () => {
  const rounds = await killRounds({ rounds: 2, seed, gateway: true });
  expect(rounds).toHaveLength(2);
  for (const round of rounds) {
    expect(round).toMatchObject({ differences: [] });
    // Two programs gave orders the same ids, and asked again where they had no answer.
    for (const { placed, repeated } of round.programs) {
      expect(placed).toBeGreaterThan(0);
      expect(repeated).toBeGreaterThan(0);
    }
  }
});
