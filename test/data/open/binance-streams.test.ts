import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { surveyBinance } from '../../../src/data/binance/survey.ts';
import type { InstrumentSpec } from '../../../src/core/model/instrument.ts';
import type { Recording } from '../../../src/data/recording/contract.ts';
import { openData } from '../../../src/data/open/market-data.ts';
import { openRecording } from '../../../src/data/open/own-formats.ts';
import { openIgnoringSequence } from '../../../src/research/scenario/ignored-sequence.ts';
import { collect, newFolder, plain } from '../recording/support/frames.ts';

const base = 1_700_000_000_000;
const eightHours = 8 * 3_600_000;

/** Lines 1 ms apart, each 5 us later here than at the exchange. */
function written(messages: readonly ((time: number) => unknown)[]): string {
  const path = join(newFolder(), 'raw.txt');
  const lines = messages.map((make, index) => {
    const nanos = BigInt(base + index) * 1_000_000n + 5_000n;
    return `${nanos} ${JSON.stringify(make(base + index))}`;
  });
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

const streamed = (stream: string, data: (time: number) => unknown) => (time: number) => ({
  stream,
  data: data(time),
});
const depth = (u: number, price: string, stream = 'btcusdt@depth@0ms') =>
  streamed(stream, (time) => ({
    e: 'depthUpdate',
    E: time,
    T: time,
    s: 'BTCUSDT',
    U: u,
    u,
    pu: u - 1,
    b: [[price, '0.020']],
    a: [],
  }));
const trade = (t: number, X = 'MARKET', p = '100.10') =>
  streamed('btcusdt@trade', (time) => ({
    e: 'trade',
    E: time,
    T: time,
    s: 'BTCUSDT',
    t,
    p,
    q: '0.040',
    X,
    m: false,
  }));
const rest = (time: number) => ({ lastUpdateId: 1, E: time, T: time, bids: [['99.90', '3.000']], asks: [] });

/** What recorders write between the streams that are read. */
const others: Readonly<Record<string, (time: number) => unknown>> = {
  'answers to requests': () => ({ result: null, id: 1 }),
  markPriceUpdate: streamed('btcusdt@markPrice@1s', (time) => ({
    e: 'markPriceUpdate',
    E: time,
    s: 'BTCUSDT',
    p: '100.12345678',
    i: '100.1',
    r: '0.0001',
    T: time + eightHours,
  })),
  'arr@1s': streamed('!markPrice@arr@1s', () => [{ e: 'markPriceUpdate', s: 'ETHUSDT', p: '1.12345678' }]),
  aggTrade: streamed('btcusdt@aggTrade', (time) => ({
    e: 'aggTrade',
    E: time,
    s: 'BTCUSDT',
    a: 1,
    p: '100.12345',
    q: '1',
    T: time - eightHours,
    m: true,
  })),
  kline: streamed('ethusdt@kline_1m', (time) => ({
    e: 'kline',
    E: time,
    s: 'ETHUSDT',
    k: { t: 1, T: 2, o: '1.5' },
  })),
  forceOrder: streamed('!forceOrder@arr', (time) => ({
    e: 'forceOrder',
    E: time,
    o: { s: 'ETHUSDT', p: '9910.12345', q: '0.014', T: time },
  })),
  depth20: depth(77, '50.00', 'btcusdt@depth20@100ms'),
  depth5: streamed('btcusdt@depth5', () => ({ lastUpdateId: 99, bids: [['1.12345', '1']], asks: [] })),
  unknown: () => ({ hello: 1 }),
};

const quiet = [depth(2, '100.10'), rest, depth(3, '100.00'), trade(7)];

async function read(recording: Recording) {
  const events = (await collect(recording.events())).map(plain);
  const { instruments, notes, findings } = recording;
  return { events, specs: instruments.all.map(({ spec }) => spec), notes, findings };
}

/** Every way to read the same lines: from the copy in memory, line by line, and without regard to the sequence. */
const ways: Readonly<Record<string, (path: string) => Promise<Recording>>> = {
  'kept in memory': async (path) => await openData(path, { format: 'binance-raw' }),
  'read again': async (path) =>
    await openData(path, { format: 'binance-raw', instruments: (await surveyBinance([path])).specs }),
  'without sequence': async (path) => await openIgnoringSequence([path], {}),
};

describe.each(Object.keys(ways))('raw lines of Binance, %s', (way) => {
  const open = ways[way] as (path: string) => Promise<Recording>;

  test.each(Object.keys(others))('are the same with messages of %s between them', async (name) => {
    const other = others[name] as (time: number) => unknown;
    // The stranger comes first, in the middle and last, in the place of nothing.
    const nothing = trade(1, 'NA', '0');
    const mixed = [other, quiet[0], other, ...quiet.slice(1), other] as typeof quiet;
    const bare = [nothing, quiet[0], nothing, ...quiet.slice(1), nothing] as typeof quiet;
    const path = written(mixed);
    const found = await read(await open(path));
    const expected = await read(await open(written(bare)));
    expect(found.findings).toContain(`3 messages of other streams were left out: 3 ${name}`);
    expect(found.events).toEqual(expected.events);
    expect(found.specs).toEqual(expected.specs);
    expect(found.events.length).toBeGreaterThanOrEqual(3);
    expect(found.notes.find((note) => note.includes('shifted'))).toMatch(/shifted by -5000 ns/);
  });

  test('count the trades that are no executions of the book', async () => {
    const path = written([...quiet, trade(8, 'INSURANCE_FUND', '100.12345'), trade(9, 'NA'), trade(9, 'NA')]);
    const { findings, specs } = await read(await open(path));
    expect(findings).toContain(
      '3 trades were left out, because they did not execute against the book: 1 INSURANCE_FUND, 2 NA',
    );
    expect(specs).toMatchObject([{ tickSize: '0.10', quantityIncrement: '0.010' }]);
  });
});

test('streams of the venue in plain form, not combined, are the same', async () => {
  const bare = (make: (time: number) => unknown) => (time: number) =>
    (make(time) as { data?: unknown }).data ?? make(time);
  const combined = await read(await openRecording(written(quiet)));
  expect((await read(await openRecording(written(quiet.map(bare))))).events).toEqual(combined.events);
});

test.each([
  [
    'by their sequence',
    async (path: string, instruments: readonly InstrumentSpec[]) => await openData(path, { instruments }),
  ],
  [
    'without it',
    async (path: string, instruments: readonly InstrumentSpec[]) =>
      await openIgnoringSequence([path], { instruments }),
  ],
])('symbols besides the one that is given are read as they print themselves, %s', async (_how, open) => {
  const other = streamed('ethusdt@trade', (time) => ({
    e: 'trade',
    E: time,
    T: time,
    s: 'ETHUSDT',
    t: 1,
    p: '10.5',
    q: '3',
    X: 'MARKET',
    m: true,
  }));
  const path = written([depth(2, '100.10'), other, depth(3, '100.00'), trade(7)]);
  const given = (await surveyBinance([path])).specs.slice(0, 1).map((spec) => ({ ...spec, makeRate: '0.5' }));
  const { specs, events } = await read(await open(path, given));
  expect(specs.map(({ symbol, makeRate, tickSize }) => [symbol, makeRate, tickSize])).toEqual([
    ['BTCUSDT', '0.5', '0.10'],
    ['ETHUSDT', '0.001', '0.1'],
  ]);
  expect(events.filter((event) => (event as { kind: string }).kind === 'trades')).toMatchObject([
    { instrument: 1, trades: [{ price: 105 }] },
    { instrument: 0, trades: [{ price: 1001 }] },
  ]);
});

test('a recording with nothing but other streams is refused, and says what it holds', async () => {
  const path = written([others['aggTrade'], others['kline'], others['aggTrade']] as never);
  await expect(openData(path)).rejects.toThrow(
    'expected depth, trade or bookTicker messages that name a symbol, found 3 messages of other streams were left out: 2 aggTrade, 1 kline',
  );
});
