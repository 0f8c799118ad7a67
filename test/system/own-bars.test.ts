import { afterAll, beforeAll, expect, test } from 'vitest';
import { runScenario } from '../../src/app/backtest/scenario-run.ts';
import { recordedScenario } from '../../src/app/run/scenario-config.ts';
import type { Event } from '../../src/core/model/event.ts';
import { openRecording } from '../../src/data/open/own-formats.ts';
import { expectReplays } from './support/replayed.ts';
import { Stage, strategyOf } from './support/stage.ts';
import { until } from './support/until.ts';

const bars = ['1s', 'tick:4', 'volume:0.25', 'value:0.01', 'range:3'];
let stage: Stage;

const rowsOf = (events: readonly Event[]): readonly string[] =>
  events.flatMap((event) =>
    event.kind === 'strategyNoted' && event.text.startsWith('bar ') ? event.text : [],
  );

beforeAll(async () => {
  stage = await Stage.open({
    // One in a thread of its own with a state of its own, one in that of the trader.
    strategies: [
      strategyOf('bar-teller', { bars }, { host: 'worker' }),
      strategyOf('bar-teller', { bars }, { name: 'beside' }),
      strategyOf('steady-taker', { everyMs: 60 }),
    ],
    record: true,
  });
  await until('some bars of every kind', () => {
    const rows = rowsOf(stage.all('strategyNoted').filter(({ strategy }) => strategy === 'bar-teller'));
    return bars.every((kind) => rows.filter((row) => row.includes(`period=${kind} `)).length > 1);
  });
  await expectReplays(stage);
});
afterAll(async () => stage.close());

test('a session with bars of its own replays, and its bars are those of a backtest of its recording, in a worker and in the thread', async () => {
  const live = stage.all('strategyNoted');
  const [worker, thread] = ['bar-teller', 'beside'].map((name) =>
    rowsOf(live.filter(({ strategy }) => strategy === name)),
  );
  const noted: Event[] = [];
  const loaded = recordedScenario({ ...stage.config, strategies: stage.config.strategies.slice(0, 1) });
  const data = { recording: await openRecording([stage.recording]), prepared: 0 };
  await runScenario({ loaded, data, watch: (event) => noted.push(event) });
  const again = rowsOf(noted);
  // Live the strategies start once the account is known: what closed before is history. The recording goes on until the end.
  for (const rows of [worker ?? [], thread ?? []])
    for (const kind of bars) {
      const [ours, theirs] = [rows, again].map((all) => all.filter((row) => row.includes(`period=${kind} `)));
      expect(ours?.length).toBeGreaterThan(1);
      const from = theirs?.indexOf(ours?.[0] ?? '') ?? -1;
      expect(theirs?.slice(from, from + (ours?.length ?? 0))).toEqual(ours);
    }
});
