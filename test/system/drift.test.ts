import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cpSync, readdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { SessionDrift } from '../../src/app/replay/drift-run.ts';
import { driftOf } from '../../src/app/replay/drift-run.ts';
import type { DriftWindow } from '../../src/app/replay/drift-session.ts';
import type { Amount } from '../../src/core/base/amount.ts';
import { zero } from '../../src/core/base/amount.ts';
import type { Micros } from '../../src/core/base/clock.ts';
import type { Tree } from '../../src/core/config/layers.ts';
import { loadConfig } from '../../src/app/config/load.ts';
import type { Config } from '../../src/app/config/schema.ts';
import { isPackable } from '../../src/data/pack/block.ts';
import { readMarket } from '../../src/app/replay/drift-market.ts';
import type { MarketEvent } from '../../src/core/model/event.ts';
import type { InstrumentId } from '../../src/core/model/instrument.ts';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { hitbtcFrames } from '../../src/venues/hitbtc/market-data/frames.ts';
import { FrameReplay } from '../../src/data/frames/replay.ts';
import type { Recording } from '../../src/data/recording/contract.ts';
import { openRecording } from '../../src/data/open/own-formats.ts';
import type { Frame } from '../../src/core/model/frame.ts';
import type { DriftCause } from '../../src/research/checks/drift.ts';
import { timeOf } from '../../src/research/checks/drift-fills.ts';
import { godwit } from './support/cli.ts';
import { Stage, strategyOf } from './support/stage.ts';
import { until } from './support/until.ts';

let stage: Stage;
let journal: string;
let plain: SessionDrift;

const fixed = (micros: number) => ({ kind: 'constant', micros });
const configOf = (base: Tree): Config => loadConfig({ files: [], environment: {}, sets: [], base }).config;

async function drifted(
  change: { recording?: Recording; sim?: Tree; window?: DriftWindow } = {},
): Promise<SessionDrift> {
  const recording = change.recording ?? (await openRecording([stage.recording]));
  const configure = (tree: Tree): Config =>
    configOf(change.sim === undefined ? tree : { ...tree, sim: change.sim });
  return await driftOf({ recording, journal, asRecorded: configOf, configure, window: change.window });
}

function amountOf(drift: SessionDrift, cause: DriftCause): Amount {
  const btc = drift.currencies.find(({ currency }) => currency === 'BTC');
  return btc?.causes.get(cause) ?? zero;
}

function expectExact({ currencies }: SessionDrift): void {
  for (const { total, live, simulated, causes } of currencies) {
    expect(total).toBe(live - simulated);
    expect([...causes.values()].reduce((sum, amount) => sum + amount, 0n)).toBe(total);
  }
}

/** Each session is traded once and looked at many times. */
beforeAll(async () => {
  stage = await Stage.open({
    strategies: [strategyOf('steady-taker', { everyMs: 100 })],
    record: true,
    // Many blocks: wherever a recording is cut, its beginning is whole.
    config: { record: { flushMs: 100 } },
    exchange: { limits: { enabled: false } },
  });
  journal = join(stage.directory, 'run');
  const trades = (): number => new Set(stage.all('orderReport').map(({ fill }) => fill?.tradeId)).size;
  await until('two dozen fills', () => trades() > 24);
  await stage.stop();
  plain = await drifted({ sim: { entryLatency: fixed(1_000), reportLatency: fixed(1_000) } });
});
afterAll(async () => stage.close());

test('a session is laid beside its backtest, and the causes add up exactly', () => {
  expect(plain.fills.live).toBeGreaterThan(20);
  expect(plain.fills.substituted).toBeGreaterThan(6);
  expect(plain.session.departed).toBeUndefined();
  expect(plain.session.notes).toEqual([]);
  expect(plain.session.latency.samples).toBeGreaterThan(6);
  expect(
    plain.rows.filter(({ live, simulated }) => live !== undefined && simulated !== undefined).length,
  ).toBeGreaterThan(3);
  expectExact(plain);
  expect([
    amountOf(plain, 'fee'),
    amountOf(plain, 'missing data'),
    amountOf(plain, 'nondeterminism'),
  ]).toEqual([zero, zero, zero]);
});

test('the end of a session is compared alone, and its causes add up exactly', async () => {
  const { begin, end, fills } = plain.session;
  const last = Math.floor((end - begin) / 2) as Micros;
  const window = { from: (end - last) as Micros, lead: last };
  const half = await drifted({ sim: { entryLatency: fixed(1_000), reportLatency: fixed(1_000) }, window });
  expectExact(half);
  expect(half.fills.live).toBe(fills.filter(({ time }) => time >= end - last).length);
  expect(half.fills.live).toBeGreaterThan(0);
  expect(half.fills.live).toBeLessThan(plain.fills.live);
  expect(half.rows.every((row) => timeOf(row) >= end - last)).toBe(true);
});

describe('a planted difference goes to its cause', () => {
  const others = (drift: SessionDrift, left: DriftCause): readonly Amount[] =>
    (['latency', 'fee', 'rounding', 'missing data', 'nondeterminism', 'queue'] as const)
      .filter((cause) => cause !== left)
      .map((cause) => amountOf(drift, cause));

  test('another latency', async () => {
    const slow = await drifted({ sim: { entryLatency: fixed(700_000), reportLatency: fixed(700_000) } });
    expectExact(slow);
    expect(amountOf(slow, 'latency')).not.toBe(amountOf(plain, 'latency'));
    expect(others(slow, 'latency')).toEqual(others(plain, 'latency'));
  });

  test('other fee rates', async () => {
    const { instruments } = await openRecording([stage.recording]);
    const dear = instruments.all.map(({ spec }) => ({ ...spec, takeRate: '0.05', makeRate: '0.05' }));
    const drift = await drifted({
      recording: await openRecording([stage.recording], { instruments: dear }),
      sim: { entryLatency: fixed(1_000), reportLatency: fixed(1_000) },
    });
    expectExact(drift);
    expect(amountOf(drift, 'fee')).toBeGreaterThan(0n);
    expect(others(drift, 'fee')).toEqual(others(plain, 'fee'));
  });

  test('frames that the recording lacks', async () => {
    const drift = await drifted({
      recording: await withoutUpdates(),
      sim: { entryLatency: fixed(1_000), reportLatency: fixed(1_000) },
    });
    expectExact(drift);
    expect(drift.gaps).toBeGreaterThan(0);
    const rows = drift.rows.filter(({ cause }) => cause === 'missing data');
    expect(rows.filter(({ live }) => live !== undefined).length).toBeGreaterThan(3);
    expect(amountOf(drift, 'missing data')).not.toBe(zero);
    expect(amountOf(drift, 'nondeterminism')).toBe(zero);
  });

  test('a recording that was cut', async () => {
    const drift = await drifted({
      recording: await cutInTheMiddle(),
      sim: { entryLatency: fixed(1_000), reportLatency: fixed(1_000) },
    });
    expectExact(drift);
    const { cutAt, notes } = drift.session;
    expect(notes).toEqual([
      expect.stringMatching(/^the recording ends at \S+, \d+\S* ms before the journal/),
    ]);
    expect(drift.gaps).toBe(0);
    // A fill that both sides have at the very cut is not missing, whatever its fee.
    const oneSided = drift.rows.filter(
      ({ live, simulated }) => live === undefined || simulated === undefined,
    );
    const late = oneSided.filter((row) => timeOf(row) >= (cutAt ?? 0));
    expect(late.length).toBeGreaterThan(3);
    expect(new Set(late.map(({ cause }) => cause))).toEqual(new Set(['missing data']));
  });
});

test('a journal that lost its end is reported', async () => {
  const cut = join(stage.directory, 'cut');
  cpSync(journal, cut, { recursive: true });
  const database = new DatabaseSync(join(cut, 'journal.sqlite'));
  database.exec('DELETE FROM records WHERE sequence > 100');
  database.close();
  const recording = await openRecording([stage.recording]);
  const { session } = await driftOf({ recording, journal: cut, asRecorded: configOf, configure: configOf });
  expect(session.notes[0]).toMatch(
    /cut: .* should end with sequence \d+: what is missing is not in the comparison$/,
  );
});

test('the market of a backtest is that of the recording, event for event', async () => {
  const recording = await openRecording([stage.recording]);
  const file = join(stage.directory, 'market.pack');
  const { events, end } = await marketOf(recording, plain.session, file);
  const recorded: string[] = [];
  for await (const batch of recording.events())
    for (const event of batch)
      if (isPackable(event) && event.receiveTime <= end) recorded.push(textOf(event));
  expect(recorded.length).toBeGreaterThan(100);
  expect(events).toEqual(recorded);
});

test('of a market a batch is held at a time, however long it is', async () => {
  const recording = await openRecording([stage.recording]);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const firsts: WeakRef<object>[] = [];
  let most = 0;
  const long: Recording = {
    ...recording,
    paths: [],
    instruments: recording.instruments,
    grade: 'A',
    format: 'frame-log',
    notes: [],
    findings: [],
    counters: undefined,
    frames: undefined,
    events: async function* () {
      for (let number = 0; number < 60; number++) {
        const events = updates(number, 500);
        firsts.push(new WeakRef(events[0] as object));
        yield events;
        // What a weak reference was made of in a task lives as long as the task.
        await new Promise((resolve) => setImmediate(resolve));
        if (number % 10 !== 9) continue;
        collect();
        most = Math.max(most, firsts.filter((one) => one.deref() !== undefined).length);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
  const span = {
    begin: 0 as Micros,
    isWhole: true,
    end: Number.MAX_SAFE_INTEGER as Micros,
    cutAt: undefined,
  };
  const market = await readMarket(long, span, join(stage.directory, 'long.pack'));
  let count = 0;
  for await (const batch of market.recording.events()) count += batch.length;
  expect(count).toBe(60 * 500);
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(2);
});

test('the command exits with 7 above the tolerance, and reports all of it as JSON', async () => {
  const folder = ['--recording', stage.recording, '--json', '--set', 'sim.reportLatency.micros=900000'];
  const said = await godwit(['drift', journal, ...folder, '--tolerance', '0']);
  const { currencies } = JSON.parse(said.out) as { currencies: { total: string; causes: object }[] };
  expect(currencies[0]?.total).not.toBe('0');
  expect(said.code).toBe(7);
  expect((await godwit(['drift', journal, ...folder, '--tolerance', '1000'])).code).toBe(0);
});

/** An event with all its levels, wherever these lie. */
function textOf(event: MarketEvent): string {
  if (!('levels' in event)) return JSON.stringify(event);
  const { levels, start, end, ...rest } = event;
  return JSON.stringify({ ...rest, levels: [...levels.subarray(start, end)] });
}

async function marketOf(
  recording: Recording,
  span: Parameters<typeof readMarket>[1],
  file: string,
): Promise<{ readonly events: readonly string[]; readonly end: number }> {
  const market = await readMarket(recording, span, file);
  const events: string[] = [];
  for await (const batch of market.recording.events())
    for (const event of batch) events.push(textOf(event as MarketEvent));
  return { events, end: span.end };
}

/** Updates of one book: the first of all is a snapshot. */
function updates(batch: number, count: number): readonly MarketEvent[] {
  return Array.from({ length: count }, (_, at) => {
    const sequence = batch * count + at + 1;
    const time = sequence * 1_000;
    return {
      kind: sequence === 1 ? 'bookSnapshot' : 'bookUpdate',
      instrument: 0 as InstrumentId,
      sequence,
      exchangeTime: time as Micros,
      receiveTime: time as Micros,
      levels: Float64Array.of(0, 1_000 - (sequence % 7), 5, 1, 1_010 + (sequence % 5), 4),
      start: 0,
      end: 6,
    };
  });
}

/** The recording, cut within its file where a good part of the fills lies on either side. */
async function cutInTheMiddle(): Promise<Recording> {
  const times = stage
    .all('orderReport')
    .flatMap(({ fill, receiveTime }) => (fill === undefined ? [] : receiveTime));
  const enough = times.length / 4;
  // How much went into which block is the machine's affair: where a file breaks off says little about time.
  for (let percent = 95; percent > 0; percent -= 5) {
    const cut = join(stage.directory, `cut-${percent}`);
    cpSync(stage.recording, cut, { recursive: true });
    const [segment = ''] = readdirSync(cut);
    const path = join(cut, segment);
    truncateSync(path, Math.floor((statSync(path).size * percent) / 100));
    const recording = await openRecording([cut]);
    let end = 0;
    for await (const batch of recording.frames?.() ?? []) end = batch.at(-1)?.receiveTime ?? end;
    const early = times.filter((time) => time <= end).length;
    if (early >= enough && times.length - early >= enough) return recording;
  }
  throw new Error(`no cut leaves a quarter of the ${times.length} fills on either side`);
}

/** The recording without one update of the book in the middle of the session: nobody asked for a snapshot then. */
async function withoutUpdates(): Promise<Recording> {
  const whole = await openRecording([stage.recording]);
  const frames: Frame[] = [];
  for await (const batch of whole.frames?.() ?? []) frames.push(...batch);
  const updates = frames.filter(({ bytes }) => {
    const text = Buffer.from(bytes).toString('utf8');
    return text.includes('"update"') && text.includes('orderbook') && text.includes('ETHBTC');
  });
  const lost = updates[Math.floor(updates.length / 3)];
  expect(lost).toBeDefined();
  const kept = async function* (): AsyncGenerator<readonly Frame[], void, undefined> {
    yield frames.filter((frame) => frame !== lost);
  };
  return {
    ...whole,
    paths: whole.paths,
    instruments: whole.instruments,
    format: whole.format,
    grade: whole.grade,
    notes: whole.notes,
    findings: [],
    counters: undefined,
    frames: kept,
    events: () => new FrameReplay(hitbtcFrames, whole.instruments, undefined).readAll(kept()),
  };
}
