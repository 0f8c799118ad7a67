import { describe, expect, test } from 'vitest';
import { replaySession } from '../../src/app/replay/session.ts';
import type { ReplayResult } from '../../src/app/replay/session.ts';
import { configSchema } from '../../src/app/config/schema.ts';
import { openRecording } from '../../src/data/open/own-formats.ts';
import { encodeEvent, isKept } from '../../src/core/journal/records/records.ts';
import type { Command } from '../../src/core/model/command.ts';
import type { Event } from '../../src/core/model/event.ts';
import { Stage, strategyOf } from './support/stage.ts';
import { until } from './support/until.ts';

// Processes and sockets take their time on a busy machine.
const eager = { symbol: 'ETHUSDT', pauseMs: 10, halfSpreadTicksMin: 1, requoteTicks: 1, lifetimeSeconds: 20 };
const busy = { flow: { eventsPerSecond: 400 } };

interface Course {
  readonly recorded: readonly Event[];
  readonly replayed: readonly Event[];
  readonly result: ReplayResult;
  readonly sent: readonly Command[];
}

/** A session over real sockets, recorded, in mode sim with a gap and an outage in it; then its replay. */
async function course(host: 'thread' | 'worker', mode: 'sim' | 'paper', intents: number): Promise<Course> {
  const strategies = [strategyOf('market-maker', eager, { host })];
  const stage = await Stage.open({ strategies, exchange: busy, record: true, mode });
  try {
    const trading = () => until(`${intents} intents`, () => stage.all('intent').length >= intents);
    await trading();
    if (mode === 'sim') {
      stage.exchange.faults.dropUpdates('ETHUSDT', 1);
      await stage.next('bookStale');
      const ups = stage.all('sessionUp').length;
      stage.exchange.faults.closeSockets(1001);
      await stage.next('sessionUp', ({ session }) => session === 'trading', ups);
      const before = stage.all('intent').length;
      await until('intents after the outage', () => stage.all('intent').length > before);
    }
    expect(await stage.stop()).toEqual([]);
    const replayed: Event[] = [];
    const sent: Command[] = [];
    const result = await replaySession({
      configure: (recorded) => configSchema.parse(recorded),
      recording: await openRecording([stage.recording]),
      watch: ({ event }) => replayed.push(event),
      onSent: (command) => sent.push(command),
    });
    return { recorded: stage.seen.map(({ event }) => event), replayed, result, sent };
  } finally {
    await stage.close();
  }
}

/** An event with everything in it, so that equal texts are equal events. */
function whole(event: Event): string {
  if (isKept(event)) return encodeEvent(event);
  return JSON.stringify(event, (key, value: unknown) => {
    if (key === 'levels' && 'levels' in event) return [...event.levels.subarray(event.start, event.end)];
    return key === 'start' || key === 'end' ? undefined : value;
  });
}

/** The watcher of the session came after the first event, which tells of the run. */
function expectAlike({ recorded, replayed, result }: Omit<Course, 'sent'>): void {
  expect(replayed[0]).toMatchObject({ kind: 'runStarted', run: result.start.run });
  expect(replayed.slice(1).map(whole)).toEqual(recorded.map(whole));
  expect(result.changed).toEqual([]);
}

describe('a session replayed from its recording', () => {
  test('decides alike: same intents with the same ids, same verdicts, same order, same times', async () => {
    const { recorded, replayed, result, sent } = await course('thread', 'sim', 40);
    const intents = (events: readonly Event[]) =>
      events.flatMap((event) => (event.kind === 'intent' ? [event.intent] : []));
    expect(intents(replayed)).toEqual(intents(recorded));
    expect(intents(replayed).length).toBeGreaterThan(40);
    expectAlike({ recorded, replayed, result });
    const ids = sent.map(({ commandId }) => commandId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('judges alike what a strategy in a worker said, whose words are in the recording', async () => {
    expectAlike(await course('worker', 'sim', 20));
  });

  test('takes the same fills from the simulated venue of mode paper', async () => {
    const alike = await course('thread', 'paper', 15);
    expect(alike.replayed.filter(({ kind }) => kind === 'orderReport').length).toBeGreaterThan(5);
    expectAlike(alike);
    // What went to the simulated venue counts as sent, too.
    const orders = alike.sent.filter(({ kind }) => kind === 'newOrder');
    // The stop cancels what still waits at the gate before it leaves.
    const kept = alike.replayed.filter(
      (event) =>
        event.kind === 'orderDenied' && event.action === 'place' && event.denial.code === 'CANCELED_UNSENT',
    );
    const pending = alike.replayed.filter(({ kind }) => kind === 'orderPending').length;
    expect(orders).toHaveLength(pending - kept.length);
    expect(orders.length).toBeGreaterThan(0);
  });
});
