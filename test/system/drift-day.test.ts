import { afterAll, beforeAll, expect, test } from 'vitest';
import { join } from 'node:path';
import { loadConfig } from '../../src/app/config/load.ts';
import type { Config } from '../../src/app/config/schema.ts';
import { driftOf } from '../../src/app/replay/drift-run.ts';
import type { Micros } from '../../src/core/base/clock.ts';
import { seconds } from '../../src/core/base/clock.ts';
import type { Tree } from '../../src/core/config/layers.ts';
import { recordedRuns } from '../../src/data/frames/log.ts';
import { openRecording } from '../../src/data/open/own-formats.ts';
import { driftScore } from '../../src/research/checks/drift.ts';
import { godwit } from './support/cli.ts';
import { Stage, strategyOf } from './support/stage.ts';
import { until } from './support/until.ts';

let stage: Stage;
let journal: string;
/** When the state was carried over within the first run. */
let carriedAt: Micros;
let fillsAfter = 0;
const runs: string[] = [];

const configOf = (base: Tree): Config => loadConfig({ files: [], environment: {}, sets: [], base }).config;
const fillsSince = (time: number): number =>
  new Set(
    stage
      .all('orderReport')
      .flatMap(({ fill }) => (fill !== undefined && fill.time >= time ? [fill.tradeId] : [])),
  ).size;

/** Two runs on one journal, recorded into one folder; the first long enough for a state that is carried over within it. */
beforeAll(async () => {
  stage = await Stage.open({
    strategies: [strategyOf('steady-taker', { everyMs: 25 })],
    record: true,
    config: { record: { flushMs: 100 }, state: { carryEvery: 1_000 } },
    exchange: { limits: { enabled: false } },
  });
  journal = join(stage.directory, 'run');
  carriedAt = (await stage.next('stateCarried', undefined, 0)).receiveTime;
  await until('fills behind it', () => fillsSince(carriedAt + 300_000) > 12);
  runs.push(stage.daemon.run);
  await stage.stop();
  fillsAfter = fillsSince(carriedAt + 300_000);
  await stage.start();
  runs.push(stage.daemon.run);
  const begun = stage.seen.at(-1)?.event.receiveTime ?? 0;
  await until('fills of the second run', () => fillsSince(begun) > 8);
  await stage.stop();
});
afterAll(async () => stage.close());

test('a run that began long before is compared from a state on that it carried over', async () => {
  const [first] = recordedRuns(stage.recording);
  const recording = await openRecording(first?.segments ?? []);
  const window = { from: (carriedAt + 300_000) as Micros, lead: 0 as Micros };
  const drift = await driftOf({ recording, journal, asRecorded: configOf, configure: configOf, window });
  const { session } = drift;
  expect(session.begin).toBe(carriedAt);
  expect(session.isWhole).toBe(false);
  expect(session.notes).toEqual([
    expect.stringMatching(
      /^the run began long before: compared from \S+ on, where strategies hold what they held/,
    ),
  ]);
  expect(session.balances.map(({ currency }) => currency)).toContain('BTC');
  expect(session.history.map(({ event }) => event.kind)).toEqual(['stateCarried']);
  expect(drift.fills.live).toBe(fillsAfter);
  // The books of then: without them the backtest would trade nothing until the next snapshot, and there is none.
  expect(drift.fills.configured).toBeGreaterThan(fillsAfter / 2);
  expect(drift.gaps).toBe(0);
  expect(drift.rows.filter(({ cause }) => cause === 'missing data' || cause === 'nondeterminism')).toEqual(
    [],
  );
  for (const { total, live, simulated, causes } of drift.currencies) {
    expect(total).toBe(live - simulated);
    expect([...causes.values()].reduce((sum, amount) => sum + amount, 0n)).toBe(total);
  }
  expect(driftScore([drift])).toBeGreaterThan(0);
  expect(driftScore([drift])).toBeLessThan(0.1);
});

test('a run that began within the lead is compared whole, and scored as without a lead', async () => {
  const [first] = recordedRuns(stage.recording);
  const recording = await openRecording(first?.segments ?? []);
  const setting = { recording, journal, asRecorded: configOf, configure: configOf };
  const whole = await driftOf(setting);
  const window = { from: 0 as Micros, lead: seconds(86_400) };
  const again = await driftOf({ ...setting, window });
  expect(again.session.isWhole).toBe(true);
  expect(again.currencies).toEqual(whole.currencies);
  expect(again.rows).toEqual(whole.rows);
  expect(driftScore([again])).toBe(driftScore([whole]));
});

test('all runs of the last day are compared, each with its backtest, and scored together', async () => {
  const args = ['drift', journal, '--recording', stage.recording, '--last-day', '--json'];
  const { code, out, err } = await godwit(args);
  expect(code).toBe(0);
  const found = JSON.parse(out) as {
    score: number;
    from: number;
    to: number;
    sessions: { run: string; fills: { live: number }; rows?: object[]; currencies: object[] }[];
  };
  expect(found.sessions.map(({ run }) => run)).toEqual(runs);
  expect(found.to - found.from).toBe(86_400_000_000);
  for (const { fills, rows } of found.sessions) {
    expect(fills.live).toBeGreaterThan(5);
    expect(rows?.length).toBeGreaterThan(5);
  }
  expect(err).not.toContain('cut');
  const totals = await godwit([...args, '--totals']);
  const short = JSON.parse(totals.out) as typeof found;
  expect(short.score).toBe(found.score);
  expect(short.sessions.map(({ rows }) => rows)).toEqual([undefined, undefined]);
  const text = await godwit(['drift', journal, '--recording', stage.recording, '--last-day', '--totals']);
  expect(text.out).toContain(`score      ${found.score}, the difference as a share of what was traded`);
});

test('the second run begins its backtest with what the first one left', async () => {
  const second = recordedRuns(stage.recording).at(-1);
  const recording = await openRecording(second?.segments ?? []);
  const { session } = await driftOf({ recording, journal, asRecorded: configOf, configure: configOf });
  const [carried] = session.history;
  expect(carried?.event.kind).toBe('stateCarried');
  if (carried?.event.kind !== 'stateCarried') return;
  const { positions, orders } = carried.event.state;
  expect(positions).toMatchObject([{ strategy: 'steady-taker' }]);
  expect(orders.live).toEqual([]);
});
