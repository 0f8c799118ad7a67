import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { InstrumentId } from '../../../src/core/model/instrument.ts';
import type { BarSpec, Candle } from '../../../src/core/model/market.ts';
import { State } from '../../../src/core/state/index.ts';
import { CandleWatch } from '../../../src/core/strategy/candle-watch.ts';
import { openData } from '../../../src/data/open/market-data.ts';
import { writePackFile } from '../../../src/data/pack/index.ts';
import { writeParquet } from '../../../src/data/formats/parquet/index.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import type { Recording } from '../../../src/data/recording/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'made-bars-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const start = Date.UTC(2024, 0, 1, 10, 7);
const iso = (seconds: number): string => new Date(start + seconds * 1_000).toISOString();
const trades = Array.from({ length: 400 }, (_, at) => {
  const seconds = at * 31 + (at > 200 ? 7_200 : 0);
  return `${iso(seconds - (seconds % 2))},${at},${(100 + (at % 13) - (at % 7) / 10).toFixed(1)},${1 + (at % 5)},buy`;
});
writeFileSync(join(folder, 'trades.csv'), `${['time,id,price,quantity,side', ...trades].join('\n')}\n`);
const minutes = Array.from(
  { length: 300 },
  (_, at) => `${iso(at * 60)},${100 + (at % 9)},120,90,${101 + (at % 4)},2`,
);
const gone = (at: number): boolean => at % 45 === 37 || (at > 100 && at < 160);
writeFileSync(
  join(folder, 'minutes.csv'),
  `${['time,open,high,low,close,volume', ...minutes.filter((_, at) => !gone(at))].join('\n')}\n`,
);

const open = async (name: string, bars?: string): Promise<Recording> =>
  openData(join(folder, name), { symbol: 'ABC', quote: 'USD', ...(bars !== undefined && { bars }) });

async function candlesOf(recording: Recording): Promise<readonly Candle[]> {
  const all: Candle[] = [];
  for await (const batch of recording.events())
    for (const event of batch) if (event.kind === 'candles') all.push(...event.candles);
  return all;
}

/** Bars as a strategy on these data hears them. */
async function deliveredOf(name: string, spec: BarSpec): Promise<readonly Candle[]> {
  const recording = await open(name);
  const state = new State({ instruments: recording.instruments, options: { candlePeriods: [spec] } });
  const watch = new CandleWatch(state, 0 as InstrumentId, spec);
  watch.lookForClosed(0 as Micros, () => {});
  const all: Candle[] = [];
  for await (const batch of recording.events())
    for (const event of batch) {
      state.apply(event);
      watch.lookForClosed(Number.MAX_SAFE_INTEGER as Micros, (candle) => all.push(candle));
    }
  return all;
}

test.each(['tick:7', 'volume:10', 'value:900', 'range:35', '90s', '45m', 'H1'] as const)(
  'bars of %s that are made of trades are those that a strategy on these trades hears',
  async (spec) => {
    const [made, delivered] = [
      await candlesOf(await open('trades.csv', spec)),
      await deliveredOf('trades.csv', spec),
    ];
    expect(delivered.length).toBeGreaterThan(3);
    expect(made.slice(0, delivered.length)).toEqual(delivered);
    // By time there is one more, which the data end within.
    const rest = made.slice(delivered.length).map(({ incomplete }) => incomplete);
    expect(rest).toEqual(spec.includes(':') ? [] : [true]);
  },
);

test.each(['M5', '45m', '2h'] as const)(
  'bars of %s that are joined from minutes are those that a strategy on minutes hears, gaps and all',
  async (spec) => {
    const made = await candlesOf(await open('minutes.csv', spec));
    const delivered = await deliveredOf('minutes.csv', spec);
    expect(made.slice(0, delivered.length)).toEqual(delivered);
    expect(made).toHaveLength(delivered.length + 1);
    // The data begin at seven past, which begins no such bar; the missing minutes were minutes without trades.
    expect(made[0]).toMatchObject({ incomplete: true });
    expect(made.slice(1, -1).map(({ incomplete }) => incomplete)).toEqual(made.slice(2).map(() => undefined));
  },
);

test('bars by volume keep their end in a pack and in a table, and run on from either', async () => {
  const made = await open('trades.csv', 'volume:10');
  const candles = await candlesOf(made);
  const pack = join(folder, 'volume.pack');
  const specs = made.instruments.all.map(({ spec }) => spec);
  await writePackFile(pack, made.events(), { instruments: specs, codec: 'zstd', notes: [], grade: 'B' });
  expect(await candlesOf(await openData(pack))).toEqual(candles);
  const table = join(folder, 'volume.parquet');
  await writeParquet(made, table, { table: 'bars' });
  const read = await candlesOf(await openData(table));
  expect(read.map(({ time, end }) => [time, end])).toEqual(candles.map(({ time, end }) => [time, end]));
});

test.each([
  ['minutes.csv', 'volume:5', /minutes\.csv: expected trades to make bars of volume:5, found bars of M1$/],
  ['minutes.csv', '30s', /expected trades, or shorter bars, that make whole bars of 30s, found bars of M1$/],
  ['minutes.csv', '0m', /^bars "0m": expected bars of 1s to 520w$/],
  ['trades.csv', 'volume:0.25', /expected a volume of 1 or more, the quantity increment of ABC$/],
  ['trades.csv', 'value:0.01', /expected a value of 0\.1 or more, the smallest trade of ABC$/],
  [
    'trades.csv',
    'renko:5',
    /^bars "renko:5": expected a candle period \(M1, H1, \.\.\.\), a length such as 45m/,
  ],
])('%s makes no bars of %s, and says in one sentence why', async (name, spec, sentence) => {
  await expect(open(name, spec).then(candlesOf)).rejects.toThrow(sentence);
});
