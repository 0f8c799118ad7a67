import { describe, expect, test } from 'vitest';
import { fileURLToPath } from 'node:url';
import type { ScenarioResult } from '../../src/app/backtest/scenario-result.ts';
import { runScenario } from '../../src/app/backtest/scenario-run.ts';
import type { Micros } from '../../src/core/base/clock.ts';
import { configSchema } from '../../src/app/config/schema.ts';
import type { Recording } from '../../src/data/recording/contract.ts';
import type { Event } from '../../src/core/model/event.ts';
import type { InstrumentId } from '../../src/core/model/instrument.ts';
import { oneMarket } from '../support/markets.ts';
import { recordedScenario } from '../../src/app/run/scenario-config.ts';

const zero = 1_700_000_000_000_000;
const instrument = 0 as InstrumentId;
const prober = fileURLToPath(new URL('./fixtures/prober.ts', import.meta.url));

/** A book message that happened `at` ms and was received 5 ms later: side, price, lots. */
function book(at: number, sequence: number, levels: readonly (readonly [0 | 1, number, number])[]): Event {
  const flat = Float64Array.from(levels.flat());
  return {
    kind: sequence === 1 ? 'bookSnapshot' : 'bookUpdate',
    instrument,
    sequence,
    levels: flat,
    start: 0,
    end: flat.length,
    exchangeTime: (zero + at * 1e3) as Micros,
    receiveTime: (zero + (at + 5) * 1e3) as Micros,
  };
}

function trade(at: number, price: number): Event {
  const time = (zero + at * 1_000) as Micros;
  const one = { tradeId: `t${at}`, price, quantity: 1, side: 'sell', time };
  return {
    kind: 'trades',
    instrument,
    snapshot: false,
    trades: [one] as never,
    exchangeTime: time,
    receiveTime: (time + 5e3) as Micros,
  };
}

function recordingOf(events: readonly Event[]): Recording {
  return {
    format: 'event-pack',
    paths: ['by hand'],
    instruments: oneMarket(),
    grade: 'A',
    notes: [],
    findings: [],
    frames: undefined,
    counters: undefined,
    async *events() {
      yield events;
    },
  };
}

/** The prober takes the ask at 102 as soon as it has seen a bid of 7 lots: it hears of that at 105 ms. */
async function probe(
  events: readonly Event[],
): Promise<{ notes: readonly string[]; result: ScenarioResult }> {
  const notes: string[] = [];
  const result = await runScenario({
    loaded: recordedScenario(
      configSchema.parse({
        strategies: [{ name: 'prober', path: prober, params: { trigger: 7 } }],
        sim: {
          entryLatency: { kind: 'constant', micros: 20_000 },
          reportLatency: { kind: 'constant', micros: 10_000 },
        },
      }),
    ),
    data: { recording: recordingOf(events), prepared: 0 },
    watch: (event) => {
      if (event.kind === 'strategyNoted')
        notes.push(event.text.replace(/\d{16}/, (time) => `${(Number(time) - zero) / 1_000}`));
    },
  });
  return { notes, result };
}

const opening = [
  book(0, 1, [
    [0, 100, 5],
    [1, 102, 5],
  ]),
  trade(1, 101),
  book(100, 2, [[0, 100, 7]]),
];

describe('journey 3: a recorded event in a backtest', () => {
  test('reaches the strategy at its receive time, an order the market one entry latency later, its report one report latency after', async () => {
    const { notes } = await probe([...opening, book(300, 3, [[0, 100, 8]]), trade(400, 101)]);
    const noted = notes.filter((note) => !note.startsWith('alarm'));
    expect(noted.slice(0, 1)).toEqual(['book 105 ask 102']);
    expect(noted).toContain('order 105 pending');
    expect(noted).toContain('fill 135 2 at 102');
    expect(noted.at(-1)).toBe('book 305 ask 102');
  });

  test('an order meets the market as it is then, not as it was seen', async () => {
    const gone = book(110, 3, [
      [1, 102, 0],
      [1, 103, 5],
    ]);
    const { notes } = await probe([...opening, gone, book(300, 4, [[0, 100, 8]])]);
    expect(notes.some((note) => note.startsWith('fill'))).toBe(false);
    expect(notes).toContain('order 135 expired');
    expect(notes.indexOf('book 115 ask 103')).toBeLessThan(notes.indexOf('order 135 expired'));
  });

  test('what changes after the order has arrived cannot undo its fill', async () => {
    const late = book(126, 3, [[1, 102, 0]]);
    const { notes } = await probe([...opening, late, book(300, 4, [[0, 100, 8]])]);
    expect(notes).toContain('fill 135 2 at 102');
  });

  test('a timer of the strategy fires at its own time, between the facts', async () => {
    const { notes } = await probe([...opening, book(300, 3, [[0, 100, 8]])]);
    const alarm = notes.find((note) => note.startsWith('alarm')) ?? '';
    const time = Number(alarm.split(' ')[1]);
    expect(time).toBeLessThan(105);
    expect(notes.indexOf(alarm)).toBeLessThan(notes.indexOf('book 105 ask 102'));
  });

  test('comes out the same again, to the last digit of the digest', async () => {
    const events = [...opening, book(300, 3, [[0, 100, 8]])];
    const [one, two] = [await probe(events), await probe(events)];
    expect(two.result.digest).toBe(one.result.digest);
    expect(two.result.report).toEqual(one.result.report);
    const other = await probe([...opening, book(301, 3, [[0, 100, 8]])]);
    expect(other.result.digest).not.toBe(one.result.digest);
  });

  test('ends where the data jump over more than a year, and says where', async () => {
    const years = 3 * 366 * 86_400_000;
    const { result } = await probe([
      book(0, 1, [
        [0, 100, 5],
        [1, 102, 5],
      ]),
      book(100, 2, [[0, 100, 6]]),
      book(years, 3, [[0, 100, 7]]),
    ]);
    expect(result.changes).toBe(3);
    expect(result.cut).toMatch(
      /by hand: expected no gap longer than a year, found 2026-.* after 2023-11-14T22:13:20/,
    );
  });
});
