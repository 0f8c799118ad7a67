import { afterEach, expect, test } from 'vitest';
import { runUntilStopped } from '../../src/app/live/run-until-stopped.ts';
import { watchRun } from '../../src/app/live/watch-run.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import { ApiBudgets } from '../../src/venues/hitbtc/budgets/api.ts';
import { Stage, strategyOf } from './support/stage.ts';
import { until } from './support/until.ts';

let stage: Stage;

afterEach(async () => {
  await stage.exchange.close();
});

test('samples are of the ends of seconds, and lines for machines give the position in the unit of the report', async () => {
  stage = await Stage.open({ strategies: [strategyOf('steady-taker', { everyMs: 400 })] });
  const lines: string[] = [];
  const clock = new SystemClock();
  const { summary, end } = watchRun({
    trader: stage.daemon.trader,
    at: stage.daemon.at,
    budgets: new ApiBudgets(stage.config.budgets, clock),
    clock,
    output: { data: (line) => lines.push(line), progress: () => {}, colour: false },
    json: true,
  });
  await until(
    'a line after a fill',
    () => (lines.at(-1) ?? '').includes('"fills":') && !lines.at(-1)?.includes('"fills":0'),
  );
  await until('samples', () => (summary.details?.timeline.times.length ?? 0) > 2);
  end();
  await stage.stop();
  expect([...(summary.details?.timeline.times ?? [])].filter((time) => time % 1_000_000 !== 0)).toEqual([]);
  expect((JSON.parse(lines.at(-1) ?? '{}') as { position: string }).position).toMatch(/^-?\d+\.\d{4}$/);
});

/** Lets the daemon run to its end; returns the exit code. */
async function endOf(received: string[]): Promise<number> {
  const clock = new SystemClock();
  return await runUntilStopped({
    daemon: stage.daemon,
    budgets: new ApiBudgets(stage.config.budgets, clock),
    clock,
    output: { data: () => {}, progress: (line) => received.push(line), colour: false },
    json: true,
    forMs: 50,
    identity: {},
    directory: stage.config.run.directory,
  });
}

test('ends a run whose recorder stopped with 1, and says that the recording is not whole', async () => {
  const record = { bufferBytesMax: 1_024 };
  stage = await Stage.open({ strategies: [strategyOf('steady-taker')], config: { record }, record: true });
  const received: string[] = [];
  await stage.next('orderReport');
  expect(await endOf(received)).toBe(1);
  expect(received.at(-1)).toMatch(
    /^The recording is not whole: recording to \S+ stopped: \d+ bytes wait for the disk, which is too slow\.$/,
  );
});

test.each([
  ['that traded to its end with 0', undefined, 0],
  ['whose trading was halted with 1, and the way out', 'the disk is full', 1],
])('ends a run %s', async (_how, why, code) => {
  stage = await Stage.open({
    strategies: [strategyOf('stubborn-bidder', { symbol: 'ETHBTC', everyMs: 50 })],
  });
  const received: string[] = [];
  await stage.next('intent');
  if (why !== undefined) stage.daemon.trader.halt(why);
  expect(await endOf(received)).toBe(code);
  const halted = `At the end trading halts until an operator clears it: ${why}. Once the cause is resolved, start with --clear-halt.`;
  expect(received.filter((line) => line.startsWith('At the end'))).toEqual(why === undefined ? [] : [halted]);
  // A halt that was there before anybody watched, as one that an earlier run latched, is reported at the start.
  const first = `trading halts until an operator clears it: ${why}`;
  expect(received[0]?.startsWith('trading halts') ? received[0] : undefined).toBe(
    why === undefined ? undefined : first,
  );
});
