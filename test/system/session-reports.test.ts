import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { runUntilStopped } from '../../src/app/live/run-until-stopped.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import { ApiBudgets } from '../../src/venues/hitbtc/budgets/api.ts';
import { formatAmount, zero } from '../../src/core/base/amount.ts';
import { until } from './support/until.ts';
import { figureOf } from '../../src/research/report/document/document.ts';
import type { RunReport } from '../../src/research/report/sections/run.ts';
import { readReport } from '../../src/research/report/stored.ts';
import { Stage, strategyOf } from './support/stage.ts';

let stage: Stage;

afterEach(async () => {
  await stage.exchange.close();
});

/** Lets the daemon of the stage end in order. */
async function ended(): Promise<RunReport> {
  const lines: string[] = [];
  const clock = new SystemClock();
  await runUntilStopped({
    daemon: stage.daemon,
    budgets: new ApiBudgets(stage.config.budgets, clock),
    clock,
    output: { data: (line) => void lines.push(line), progress: () => {}, colour: false },
    json: true,
    forMs: 50,
    identity: { run: stage.daemon.run },
    directory: stage.config.run.directory,
  });
  return JSON.parse(lines.at(-1) ?? '') as RunReport;
}

test('reports of sessions stand side by side under their start in UTC, and the latest one tells profit and drawdown of the run', async () => {
  stage = await Stage.open({
    strategies: [strategyOf('steady-taker'), strategyOf('small-sizer', { quantity: '0.00000001' })],
  });
  const directory = stage.config.run.directory;
  const first = stage.daemon.run;
  const fills = (): number => stage.all('orderReport').filter(({ fill }) => fill !== undefined).length;
  await until('fills', () => fills() > 3);
  const earlier = await ended();
  const carried = stage.daemon.trader.view.courses.all;
  const kept = readdirSync(join(directory, 'sessions'));
  expect(kept).toHaveLength(3);
  const [csv = ''] = kept;
  expect(csv).toMatch(/^\d{8}T\d{6}Z-[0-9a-z]+\.csv$/);
  const name = csv.slice(0, -'.csv'.length);
  expect(kept).toEqual([`${name}.csv`, `${name}.html`, `${name}.json`]);
  const page = (): string => readFileSync(join(directory, 'sessions', `${name}.html`), 'utf8');
  const before = page();
  await stage.start();
  expect(stage.daemon.trader.view.courses.all).toEqual(carried);
  const seen = fills();
  await until('more fills', () => fills() > seen + 3);
  const later = await ended();
  const runs = readdirSync(join(directory, 'sessions')).filter((file) => file.endsWith('.json'));
  expect(runs.map((file) => file.slice(17, -'.json'.length)).toSorted()).toEqual(
    [first, stage.daemon.run].toSorted(),
  );
  expect(page()).toBe(before);
  const identity = (path: string) => readReport(path).sections[0]?.figures.map(({ value }) => value);
  expect(identity(directory)).toContain(stage.daemon.run);
  expect(identity(join(directory, 'sessions', `${name}.json`))).toContain(first);
  // The session has its own figures, and those of the run go on from the session before.
  const [first1] = earlier.account?.profits ?? [];
  const [run] = later.account?.profits ?? [];
  const [course] = stage.daemon.trader.view.courses.all;
  // Marks are of whole seconds, a report is of its moment.
  expect(Number(run?.drawdownMax)).toBeGreaterThanOrEqual(Number(formatAmount(course?.drawdownMax ?? zero)));
  expect(Number(run?.drawdownMax)).toBeGreaterThanOrEqual(Number(first1?.drawdownMax));
  const document = readReport(directory);
  expect(figureOf(document, 'account.run-profit-BTC')?.value).toBe(run?.profit);
  expect(figureOf(document, 'account.run-drawdown-BTC')?.value).toBe(run?.drawdown);
  expect(figureOf(document, 'account.run-drawdown-max-BTC')?.value).toBe(run?.drawdownMax);
  expect(document.notes.join(' ')).toContain('are of this session');
  expect(document.doubts).toContainEqual({
    code: 'SIZE_BELOW_LOT',
    text: expect.stringMatching(
      /^strategy small-sizer asked for no order: its quantity, 0\.00000001, is less than/,
    ),
  });
});
