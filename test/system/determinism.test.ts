import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runScenario } from '../../src/app/backtest/scenario-run.ts';
import { configSchema } from '../../src/app/config/schema.ts';
import { openRecording } from '../../src/data/open/own-formats.ts';
import { godwit, home } from './support/cli.ts';
import { strategyOf } from './support/stage.ts';
import { recordedScenario } from '../../src/app/run/scenario-config.ts';

const sample = `${home}/backtest/feeds/sample`;
const here = test.skipIf(!existsSync(sample));

async function digestOf(seed: number): Promise<string> {
  const config = configSchema.parse({ run: { seed }, strategies: [strategyOf('market-maker')] });
  const { digest, changes, report } = await runScenario({
    loaded: recordedScenario(config),
    data: { recording: await openRecording([sample]), prepared: 0 },
  });
  expect(changes).toBeGreaterThan(1_000);
  expect(JSON.stringify(report)).toContain(digest);
  return digest;
}

describe('the sample recording', () => {
  here(
    'gives the same digest in two processes, and another one for another seed of the latency',
    async () => {
      const way = ['kind=uniform', 'low=1000', 'high=40000'].flatMap((part) => [
        '--set',
        `sim.entryLatency.${part}`,
      ]);
      const run = (seed: string) =>
        godwit([
          'backtest',
          sample,
          '--strategy',
          'market-maker',
          '--seed',
          seed,
          ...way,
          '--json',
          '--no-save',
        ]);
      const [one, two, other] = await Promise.all([run('5'), run('5'), run('6')]);
      expect([one.code, two.code, other.code]).toEqual([0, 0, 0]);
      const [first, second, third] = [one, two, other].map(
        ({ out }) => JSON.parse(out) as { digest: string },
      );
      expect(first).toEqual(second);
      expect(first?.digest).toMatch(/^[0-9a-f]{64}$/);
      expect(third?.digest).not.toBe(first?.digest);
    },
    240_000,
  );

  here('gives the same digest twice in one thread', async () => {
    expect(await digestOf(5)).toBe(await digestOf(5));
  });
});
