import { expect, test, describe } from 'vitest';
import { parseAmount, zero } from '../../../src/core/base/amount.ts';
import { fileURLToPath } from 'node:url';
import type { Micros } from '../../../src/core/base/clock.ts';
import { runScenario } from '../../../src/app/backtest/scenario-run.ts';
import type { ScenarioRun } from '../../../src/app/backtest/scenario-result.ts';
import type { Recording } from '../../../src/data/recording/contract.ts';
import type { CandlesChanged, Event, MarketEvent } from '../../../src/core/model/event.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import type { InstrumentId } from '../../../src/core/model/instrument.ts';
import { memoryRecording, packInMemory } from '../../../src/research/scenario/memory-recording.ts';
import { scenarioSchema } from '../../../src/research/scenario/scenario.ts';
import { openTickFeed } from '../../../src/research/scenario/tick-feed.ts';
import { spotSpec } from '../../support/markets.ts';
import { configuredScenario } from '../../../src/app/run/scenario-config.ts';

const home = fileURLToPath(new URL('../../..', import.meta.url));
const minute = 60_000_000;
const begin = 1_600_000_020_000_000;
const iso = (micros: number): string => new Date(micros / 1_000).toISOString();

/** 400 bars of a minute whose price swings, reported when they have ended. */
const bars: readonly CandlesChanged[] = Array.from({ length: 400 }, (_, at) => {
  const [open, close] = [at, at + 1].map((i) => 1_000 + Math.round(80 * Math.sin(i / 25)));
  const time = (begin + at * minute) as Micros;
  const end = (time + minute) as Micros;
  const amounts = [open ?? 0, Math.min(open ?? 0, close ?? 0), Math.max(open ?? 0, close ?? 0), close ?? 0];
  const [first, min, max, last] = amounts.map((price) => parseAmount(String(price)));
  const instrument = 0 as InstrumentId;
  const candle = { instrument, period: 'M1', time, open: first, min, max, close: last };
  const candles = [{ ...candle, volume: zero, volumeQuote: zero }];
  const times = { exchangeTime: end, receiveTime: end };
  return { kind: 'candles', instrument, snapshot: false, candles, ...times } as CandlesChanged;
});

function recordingOf(events: readonly Event[]): Recording {
  const instruments = new Instruments([spotSpec('ABCUSD', { tickSize: '1', quantityIncrement: '1' })]);
  const batches = async function* () {
    yield events.slice(0, 130);
    yield events.slice(130);
  };
  return {
    paths: ['bars'],
    format: 'bars',
    grade: 'A',
    notes: [],
    findings: [],
    instruments,
    events: batches,
  } as never;
}

async function run(start: number | undefined, more: Record<string, unknown> = {}) {
  const received: CandlesChanged[] = [];
  const orders: string[] = [];
  const params = { symbol: 'ABCUSD', fast: 5, slow: 60, quantity: '1', short: true };
  const scenario = scenarioSchema.parse({
    name: 'history',
    data: ['bars'],
    fills: { model: 'bars', account: { kind: 'margin' } },
    balances: { BBB: '1000000' },
    strategy: { path: 'trend', params },
    ...(start === undefined ? {} : { clock: { start: iso(start) } }),
    ...more,
  });
  const watch = (event: Event): void => {
    if (event.kind === 'candles') received.push(event);
    if (event.kind === 'orderPending' && event.command.kind === 'newOrder')
      orders.push(`${(event.exchangeTime - begin) / minute} ${event.command.request.side}`);
  };
  const { barRun } = await runScenario({
    loaded: configuredScenario({ scenario, file: 'scenario.yaml', sha256: undefined }, home),
    data: { recording: recordingOf(bars), prepared: 0 } as unknown as ScenarioRun['data'],
    watch,
  });
  if (barRun === undefined) throw new Error('expected a run on bars');
  return { received, orders, result: barRun };
}

const minutesOf = (event: CandlesChanged | undefined): readonly number[] =>
  (event?.candles ?? []).map(({ time }) => (time - begin) / minute);
const upTo = (end: number, count = end): readonly number[] =>
  Array.from({ length: count }, (_, i) => end - count + i);

describe('bars before the start of a run', () => {
  test('are history, reported once and before anything else', async () => {
    const { received, result } = await run(begin + 200 * minute);
    expect(received[0]).toMatchObject({ snapshot: true, exchangeTime: begin + 200 * minute });
    expect(minutesOf(received[0])).toEqual(upTo(200));
    expect(received.slice(1).some(({ snapshot }) => snapshot)).toBe(false);
    expect(minutesOf(received[1])).toEqual([200]);
    expect(result.bars).toBe(200);
  });

  test('are no more than the state keeps', async () => {
    const { received } = await run(begin + 200 * minute, { config: { state: { candlesMax: 30 } } });
    expect(minutesOf(received[0])).toEqual(upTo(200, 30));
  });

  test('have ended by then: one under way at the start is reported when the next one opens', async () => {
    const { received } = await run(begin + 200.5 * minute);
    expect(received[0]?.exchangeTime).toBe(begin + 201 * minute);
    expect(minutesOf(received[0])).toEqual(upTo(201));
    expect(minutesOf(received[1])).toEqual([201]);
  });

  test('are none where the run begins with the data', async () => {
    const { received } = await run(undefined);
    expect(received[0]?.snapshot).toBe(false);
    expect(minutesOf(received[0])).toEqual([0]);
  });

  test('warm the averages of a strategy: it turns where it turned in the whole run', async () => {
    const whole = await run(undefined);
    const later = await run(begin + 140 * minute);
    const turns = whole.orders.filter((order) => Number(order.split(' ')[0]) >= 140);
    expect(turns.length).toBeGreaterThan(2);
    expect(later.orders).toEqual(turns);
  });

  test('are reported by clock.start, and not by a file to prepare', async () => {
    const data = [{ path: 'bars', role: 'prepare' }, { path: 'bars' }];
    await expect(run(undefined, { data })).rejects.toThrow(
      'scenario.yaml: data.role: expected clock.start in place of prepare, because bars that end before the start are history',
    );
  });
});

test('candles of a recorded feed are history too, each in its last version', async () => {
  const [first, second, third] = bars as readonly [CandlesChanged, CandlesChanged, CandlesChanged];
  const early = { ...second, candles: second.candles.map((one) => ({ ...one, close: one.open })) };
  const feed = async (candlesMax: number): Promise<readonly MarketEvent[]> => {
    const recording = recordingOf([first, early, second, third]);
    const start = third.exchangeTime;
    const setup = { prepared: 0, start, reorderMicros: 0, snapshots: 'whole', candlesMax } as const;
    return (await openTickFeed({ recording, ...setup })).opening;
  };
  const times = { exchangeTime: third.exchangeTime, receiveTime: third.exchangeTime };
  const history = { kind: 'candles', instrument: 0, snapshot: true, ...times };
  expect(await feed(10)).toEqual([{ ...history, candles: [...first.candles, ...second.candles] }]);
  expect(await feed(1)).toEqual([{ ...history, candles: second.candles }]);
});

test('a part of a recording begins with its candles of before where that is asked for', async () => {
  const recording = recordingOf(bars.slice(0, 5));
  const span = { from: bars[3]?.exchangeTime as Micros, to: bars[4]?.exchangeTime as Micros };
  const received = async (history: boolean): Promise<readonly (readonly number[])[]> => {
    const { bytes } = await packInMemory(recording, { span, history });
    const part: CandlesChanged[] = [];
    for await (const batch of memoryRecording(bytes, 'part').events())
      for (const event of batch) if (event.kind === 'candles') part.push(event);
    expect(part.map(({ snapshot }) => snapshot)).toEqual(history ? [true, false] : [false]);
    return part.map(minutesOf);
  };
  expect(await received(true)).toEqual([[0, 1, 2], [3]]);
  expect(await received(false)).toEqual([[3]]);
});
