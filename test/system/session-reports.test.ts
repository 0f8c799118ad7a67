import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { runUntilStopped } from '../../src/app/live/run-until-stopped.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import { ApiBudgets } from '../../src/venues/hitbtc/budgets/api.ts';
import { readReport } from '../../src/research/report/stored.ts';
import { Stage, strategyOf } from './support/stage.ts';

let stage: Stage;

afterEach(async () => {
  await stage.exchange.close();
});

/** Lets the daemon of the stage end in order. */
async function ended(): Promise<void> {
  const clock = new SystemClock();
  await runUntilStopped({
    daemon: stage.daemon,
    budgets: new ApiBudgets(stage.config.budgets, clock),
    clock,
    output: { data: () => {}, progress: () => {}, colour: false },
    json: true,
    forMs: 50,
    identity: { run: stage.daemon.run },
    directory: stage.config.run.directory,
  });
}

test('reports of sessions stand side by side under their start in UTC, and the latest one in the run directory', async () => {
  stage = await Stage.open({ strategies: [strategyOf('steady-taker')] });
  const directory = stage.config.run.directory;
  const first = stage.daemon.run;
  await ended();
  const kept = readdirSync(join(directory, 'sessions'));
  expect(kept).toHaveLength(3);
  const [csv = ''] = kept;
  expect(csv).toMatch(/^\d{8}T\d{6}Z-[0-9a-z]+\.csv$/);
  const name = csv.slice(0, -'.csv'.length);
  expect(kept).toEqual([`${name}.csv`, `${name}.html`, `${name}.json`]);
  const page = (): string => readFileSync(join(directory, 'sessions', `${name}.html`), 'utf8');
  const before = page();
  await stage.start();
  await ended();
  const runs = readdirSync(join(directory, 'sessions')).filter((file) => file.endsWith('.json'));
  expect(runs.map((file) => file.slice(17, -'.json'.length)).toSorted()).toEqual(
    [first, stage.daemon.run].toSorted(),
  );
  expect(page()).toBe(before);
  const identity = (path: string) => readReport(path).sections[0]?.figures.map(({ value }) => value);
  expect(identity(directory)).toContain(stage.daemon.run);
  expect(identity(join(directory, 'sessions', `${name}.json`))).toContain(first);
});
