import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Book } from '../../../src/core/book/book.ts';
import { foldBookStates } from '../../../src/data/recording/book-states.ts';
import { openRecording } from '../../../src/data/open/own-formats.ts';
import { GradeCollector } from '../../../src/data/grade/grade.ts';
import type { Event } from '../../../src/core/model/event.ts';
import { collect, newFolder, plain } from './support/frames.ts';
import type { EndStates } from './support/shared-recordings.ts';
import { recordingsPresent, sharedJson, sharedPath } from './support/shared-recordings.ts';

type Row = readonly [price: string, size: string];

const baseMillis = 1_700_000_000_000;

/** A line whose local time is `latencyNanos` after the exchange's. */
function line(millis: number, latencyNanos: number, message: unknown): string {
  const nanos = BigInt(baseMillis + millis) * 1_000_000n + BigInt(latencyNanos);
  return `${nanos} ${JSON.stringify(message)}`;
}

function depth(
  millis: number,
  ids: readonly [U: number, u: number, pu: number],
  b: readonly Row[],
  a: readonly Row[] = [],
) {
  const [U, u, pu] = ids;
  const data = {
    e: 'depthUpdate',
    E: baseMillis + millis,
    T: baseMillis + millis,
    s: 'BTCUSDT',
    U,
    u,
    pu,
    b,
    a,
  };
  return { stream: 'btcusdt@depth@0ms', data };
}

function trade(millis: number, kind = 'MARKET') {
  const T = baseMillis + millis;
  const data = { e: 'trade', E: T, T, s: 'BTCUSDT', t: 7, p: '100.10', q: '0.020', X: kind, m: true };
  return { stream: 'btcusdt@trade', data };
}

const rest = (lastUpdateId: number, millis: number) => ({
  lastUpdateId,
  T: baseMillis + millis,
  bids: [['100.00', '1.000']],
  asks: [['100.20', '2.000']],
});

function write(lines: readonly string[]): string {
  const path = join(newFolder(), 'raw.txt');
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

const readAll = async (path: string | readonly string[], options = {}): Promise<readonly Event[]> =>
  await collect((await openRecording(path, options)).events());

describe('Binance raw files', () => {
  test('join a snapshot with the differences around it: older ones are dropped, later ones applied on top', async () => {
    const events = await readAll(
      write([
        line(0, 5_000, depth(0, [5, 9, 4], [['99.00', '9.000']])),
        line(10, 5_000, depth(10, [10, 12, 9], [['100.00', '3.000']])),
        line(12, 5_000, depth(12, [13, 14, 12], [['100.10', '0.001']])),
        line(20, 5_000, rest(11, 8)),
        line(30, 5_000, depth(30, [15, 20, 14], [], [['100.20', '0.000']])),
      ]),
    );
    expect(events.map(plain)).toMatchObject([
      { kind: 'bookSnapshot', sequence: 11, levels: [0, 1000, 1000, 1, 1002, 2000] },
      { kind: 'bookUpdate', sequence: 12, levels: [0, 1000, 3000] },
      { kind: 'bookUpdate', sequence: 14, levels: [0, 1001, 1] },
      { kind: 'bookUpdate', sequence: 20, levels: [1, 1002, 0] },
    ]);
    const [snapshot, ...updates] = events;
    for (const update of updates)
      expect(update.receiveTime).toBeGreaterThanOrEqual(snapshot?.receiveTime ?? 0);
  });

  test('differences without a whole book are reported as lost, once for the recording, and make it worthless', async () => {
    const path = write([
      line(0, 5_000, depth(0, [5, 9, 4], [['99.00', '9.000']])),
      line(10, 5_000, depth(10, [10, 12, 9], [['100.00', '3.000']])),
      line(12, 5_000, trade(12)),
    ]);
    const lost =
      'BTCUSDT: 2 book updates were left out, because no whole book came before them; give the file that has it as well, first';
    // With instruments given the file is read anew, without them a tape is played.
    const { instruments } = await openRecording(path);
    for (const options of [
      {},
      { instruments: instruments.all.map(({ spec }) => spec), clockShift: 'none' as const },
    ]) {
      const recording = await openRecording(path, options);
      for (let pass = 0; pass < 2; pass++) {
        await collect(recording.events());
        expect(recording.findings).toEqual([lost]);
      }
      const grade = new GradeCollector(recording.instruments);
      for (const event of await collect(recording.events())) grade.add(event);
      expect(grade.grade(recording)).toMatchObject({
        letter: 'D',
        reasons: expect.arrayContaining([lost]) as unknown,
      });
    }
  });

  test('a broken chain is a gap, and a later snapshot heals it with what was kept', async () => {
    const events = await readAll(
      write([
        line(0, 0, rest(11, 0)),
        line(1, 0, depth(1, [12, 13, 11], [['100.00', '3.000']])),
        line(2, 0, depth(2, [20, 21, 19], [['100.00', '4.000']])),
        line(3, 0, depth(3, [22, 23, 21], [['100.00', '5.000']])),
        line(4, 0, rest(21, 2)),
        line(5, 0, depth(5, [24, 24, 23], [['100.00', '6.000']])),
      ]),
    );
    expect(events.map((event) => [event.kind, 'sequence' in event ? event.sequence : 0])).toEqual([
      ['bookSnapshot', 11],
      ['bookUpdate', 13],
      ['bookStale', 0],
      ['bookSnapshot', 21],
      ['bookUpdate', 23],
      ['bookUpdate', 24],
    ]);
    expect(events[2]).toMatchObject({ reason: 'gap', expected: 13, found: 19 });
  });

  test('JSON with spaces, as other programs write it, reads the same', async () => {
    const lines = [
      line(0, 0, depth(0, [10, 11, 9], [['100.00', '2.000']])),
      line(1, 0, rest(11, 1)),
      line(2, 0, depth(2, [12, 13, 11], [['100.00', '3.000']])),
      line(3, 0, trade(3)),
    ];
    const spaced = lines.map((text) => text.replaceAll(/([:,])(?=["[{\dtf])/g, '$1 '));
    expect(await readAll(write(spaced))).toEqual(await readAll(write(lines)));
  });

  test('gaps are a finding, and only what was applied again is said to have been', async () => {
    const path = write([
      line(0, 0, depth(0, [20, 21, 19], [['100.00', '4.000']])),
      line(1, 0, rest(11, 0)),
      line(2, 0, depth(2, [22, 23, 21], [['100.00', '5.000']])),
    ]);
    const recording = await openRecording(path);
    await collect(recording.events());
    expect(recording.findings).toEqual([
      'BTCUSDT: 1 sequence gaps, and 2 updates left out until a whole book came',
    ]);
  });

  test('local times are shifted so that the smallest latency is 0, and rounded up to microseconds', async () => {
    const path = write([
      line(0, -1_500_000_250, rest(11, 0)),
      line(10, -1_499_999_999, trade(10)),
      line(20, -1_500_900_000, trade(20, 'INSURANCE_FUND')),
    ]);
    const events = await readAll(path);
    expect(events.map((event) => event.receiveTime - event.exchangeTime)).toEqual([0, 1]);
    expect(events[1]).toMatchObject({
      kind: 'trades',
      trades: [{ tradeId: '7', price: 1001, quantity: 2, side: 'sell', time: (baseMillis + 10) * 1_000 }],
    });
    const unshifted = await readAll(path, { clockShift: 'none' });
    expect(unshifted.map((event) => event.receiveTime - event.exchangeTime)).toEqual([0, 0]);
  });

  test('instruments show as many decimals as are printed, on the tick that is used', async () => {
    const recording = await openRecording(write([line(0, 0, depth(0, [1, 2, 0], [['100.10', '0.020']]))]));
    expect(recording.instruments.all.map(({ spec }) => spec)).toMatchObject([
      {
        symbol: 'BTCUSDT',
        baseCurrency: 'BTC',
        quoteCurrency: 'USDT',
        type: 'spot',
        tickSize: '0.10',
        quantityIncrement: '0.010',
      },
    ]);
    expect([recording.format, recording.grade]).toEqual(['binance-raw', 'B']);
  });

  test.each([
    ['no time', '17 {"e":"trade"}', 'expected a local time of 16 or 19 digits'],
    ['no JSON', `${baseMillis}000 {"e":`, 'expected JSON behind the local time'],
    ['a list', `${baseMillis}000 [1]`, 'expected a JSON object behind the local time'],
    [
      'a difference without levels',
      `${baseMillis}000 {"e":"depthUpdate","s":"BTCUSDT"}`,
      'expected a depthUpdate with',
    ],
    [
      'a trade without a price',
      `${baseMillis}000 {"e":"trade","T":1,"s":"BTCUSDT"}`,
      'expected a trade with',
    ],
    [
      'a ticker without an ask',
      `${baseMillis}000 {"e":"bookTicker","s":"BTCUSDT"}`,
      'expected a bookTicker with',
    ],
    ['a reply without levels', `${baseMillis}000 {"lastUpdateId":1}`, 'expected a depth reply with'],
    [
      'another symbol',
      `${baseMillis}000 ${JSON.stringify(trade(0)).replaceAll('BTCUSDT', 'X')}`,
      'expected one of the known symbols',
    ],
    [
      'a price off the grid',
      line(2, 0, trade(2)).replace('100.10', '100.15'),
      'expected BTCUSDT on tick 0.10',
    ],
  ])('a line with %s is refused with file and line', async (_what, bad, expectation) => {
    const path = write([line(0, 0, depth(0, [1, 2, 0], [['100.10', '0.001']])), bad]);
    const { instruments } = await openRecording(
      write([line(0, 0, depth(0, [1, 2, 0], [['100.10', '0.001']]))]),
    );
    const specs = instruments.all.map(({ spec }) => spec);
    await expect(readAll(path, { instruments: specs, clockShift: 'none' })).rejects.toThrow(
      `${path}:2: ${expectation}`,
    );
  });
});

describe.skipIf(!recordingsPresent)('the recorded Binance books', () => {
  const binance = 'binance (venue join rule; consecutive days joined)';
  const states = recordingsPresent
    ? (sharedJson('conformance/book_end_states.json') as EndStates)[binance]
    : {};

  test.each(Object.keys(states ?? {}))('%s end in the recorded state', async (files) => {
    const paths = files.split(' + ').map((file) => sharedPath(`binance-raw/${file}`));
    const recording = await openRecording(paths, { tickers: false });
    const folded = await foldBookStates(recording.instruments, recording.events());
    const [symbol = ''] = recording.instruments.all.map((instrument) => instrument.symbol);
    expect(folded.toJSON()[symbol]).toEqual(states?.[files]);
    expect(folded.bookOf(recording.instruments.get(symbol).id)?.status).toBe('live');
  });

  test('the snapshot behind the differences leaves no crossed state (published counts)', async () => {
    const vector = sharedJson('conformance/binance_snapshot_join_20240808.json') as {
      venue_rule_result: Record<string, number>;
    };
    const recording = await openRecording(sharedPath('binance-raw/spot_btcusdt_20240808.gz'), {
      tickers: false,
    });
    const book = new Book(recording.instruments.all[0]?.id ?? (0 as never));
    let crossed = 0;
    for (const event of await collect(recording.events())) {
      if (event.kind !== 'bookSnapshot' && event.kind !== 'bookUpdate') continue;
      book.apply(event);
      if (book.crossed) crossed += 1;
    }
    expect(crossed).toBe(vector.venue_rule_result['states_with_bid>=ask']);
    expect([book.depth('buy'), book.depth('sell')]).toEqual([
      vector.venue_rule_result['final_bid_levels'],
      vector.venue_rule_result['final_ask_levels'],
    ]);
    expect([book.bestBid, book.bestAsk]).toEqual([6_168_599, 6_168_600]);
  });

  test('the clock shifts are those the authors of hftbacktest publish', async () => {
    const recording = await openRecording(
      ['usdm_btcusdt_20240718.gz', 'usdm_btcusdt_20240719.gz'].map((file) =>
        sharedPath(`binance-raw/${file}`),
      ),
    );
    expect(recording.notes.join(' ')).toMatch(/shifted by 1522101448 ns.*shifted by 1523469656 ns/);
  });
});
