import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { ScenarioResult } from '../../../src/app/backtest/scenario-result.ts';
import { runScenario } from '../../../src/app/backtest/scenario-run.ts';
import { listingOf } from '../../../src/app/backtest/scenario-result.ts';
import { configuredScenario } from '../../../src/app/run/scenario-config.ts';
import type { LoadedScenario } from '../../../src/research/scenario/load.ts';
import { loadScenario } from '../../../src/research/scenario/load.ts';
import { feedSetupOf, openScenarioData } from '../../../src/research/scenario/recording.ts';
import { holdTickFeed } from '../../support/held-feed.ts';

const home = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');
const folder = mkdtempSync(join(tmpdir(), 'scenario-run-'));
const begin = 1_700_000_000_000;

/** A Binance futures capture: a book at once, then a change and a trade every 100 ms, received 5 ms later. */
function dataLines(count: number): string[] {
  const stamp = (ms: number) => `${ms + 5}000000`;
  const depth = (n: number, bids: unknown) => ({
    stream: 'aaausdt@depth@0ms',
    data: {
      e: 'depthUpdate',
      E: begin + n * 100,
      T: begin + n * 100,
      s: 'AAAUSDT',
      U: n + 2,
      u: n + 2,
      pu: n + 1,
      b: bids,
      a: [],
    },
  });
  const trade = (n: number) => ({
    stream: 'aaausdt@trade',
    data: {
      e: 'trade',
      E: begin + n * 100,
      T: begin + n * 100,
      s: 'AAAUSDT',
      t: n,
      p: '10.00',
      q: '1.0',
      X: 'MARKET',
      m: true,
    },
  });
  const book = {
    lastUpdateId: 1,
    T: begin,
    symbol: 'AAAUSDT',
    bids: [
      ['10.00', '3.0'],
      ['9.90', '5.0'],
    ],
    asks: [['10.10', '4.0']],
  };
  const lines = [`${stamp(begin)} ${JSON.stringify(book)}`];
  for (let n = 0; n < count; n++) {
    const at = stamp(begin + n * 100);
    lines.push(
      `${at} ${JSON.stringify(depth(n, [['9.90', String(5 + (n % 3))]]))}`,
      `${at} ${JSON.stringify(trade(n))}`,
    );
  }
  return lines;
}

const buyer = `
import { defineStrategy, millis, z } from 'godwit/strategy';
export default defineStrategy({
  name: 'buyer',
  params: z.strictObject({ fail: z.boolean().default(false) }),
  feeds: () => [{ symbol: 'AAAUSDT', book: true, trades: true }],
  create: ({ params, market, orders, timers }) => ({
    onStart() {
      timers.after(millis(1_000), 'buy');
    },
    onTimer() {
      if (params.fail) throw new Error('no idea what to do');
      orders.place({ symbol: 'AAAUSDT', side: 'buy', quantity: '2.0', price: market.book('AAAUSDT').bestBid ?? 0 });
    },
  }),
});
`;

async function run(
  lines: readonly string[],
  more = '',
  prepare?: readonly string[],
): Promise<ScenarioResult> {
  return await runScenario({ loaded: configuredScenario(load(lines, more, prepare), home) });
}

function load(lines: readonly string[], more: string, prepare?: readonly string[]): LoadedScenario {
  if (prepare !== undefined) writeFileSync(join(folder, 'before.gz'), gzipSync(prepare.join('\n')));
  const before = prepare === undefined ? '' : '{ path: before.gz, role: prepare }, ';
  writeFileSync(join(folder, 'data.gz'), gzipSync(lines.join('\n')));
  writeFileSync(join(folder, 'buyer.ts'), buyer);
  const file = join(folder, 'one.yaml');
  const params = more.includes('fail') ? '{ fail: true }' : '{}';
  writeFileSync(
    file,
    `name: one
data: [${before}data.gz]
instrument: { symbol: AAAUSDT, base: AAA, quote: USDT, tick: "0.10", lot: "0.1", fees: { maker: "0.001", taker: "0.002" } }
latency: { entry: 10ms, report: 10ms }
fills: { model: queue }
balances: { USDT: "100" }
strategy: { path: buyer.ts, params: ${params} }
sample: { every: 1s, columns: [time, mid, position, balance, fee, trades, volume, value, profit, { column: vwap, over: 1s }] }
${more.replace('fail', '')}`,
  );
  return loadScenario(file);
}

describe('a scenario', () => {
  test('runs on any data, and says what was sampled and filled', async () => {
    const result = await run(dataLines(100));
    expect(result.problems).toEqual([]);
    const start = begin * 1_000;
    expect(result.orders).toMatchObject(
      [
        {
          price: 10,
          quantity: 2,
          asked: start + 1_000_000,
          states: [{ time: start + 1_020_000, state: 'new' }],
        },
      ].map((one) => ({ ...one, states: expect.arrayContaining(one.states) as unknown })),
    );
    // 3 ahead, one traded every 100 ms from 1.1 s on: the fourth and fifth trades are ours.
    expect(
      result.fills.map(({ time, price, quantity, taker }) => [time - start, price, quantity, taker]),
    ).toEqual([
      [1_400_000, 10, 1, false],
      [1_500_000, 10, 1, false],
    ]);
    expect(result.rows.map((row) => row.slice(1)).slice(0, 2)).toEqual([
      [10.05, 0, 0, 0, 0, 0, 0, 0, 10],
      [10.05, 2, -20, 0.02, 2, 2, 20, 0.08, 10],
    ]);
    expect(result.identity['decisions']).toMatch(/^[0-9a-f]{64}$/);
  });

  test('the same twice is the same digest', async () => {
    const [one, two] = [await run(dataLines(50)), await run(dataLines(50))];
    expect(listingOf(one)).toEqual(listingOf(two));
  });

  test('files to prepare build the market, and the clock starts behind them', async () => {
    const lines = dataLines(100);
    const result = await run(lines.slice(41), '', lines.slice(0, 41));
    expect(result.problems).toEqual([]);
    // 41 lines: the book and the first twenty times; then 2 s + 1 s, and the order stands in the book that was built.
    expect(result.rows[0]?.slice(0, 3)).toEqual([(begin + 3_000) * 1_000, 10.05, 0]);
    expect(result.orders[0]?.asked).toBe((begin + 3_000) * 1_000);
    expect(result.fills.map(({ time }) => time / 1_000 - begin)).toEqual([3_400, 3_500]);
  });

  test('a feed that is held once serves any number of runs, each the same as one that reads', async () => {
    const lines = dataLines(100);
    const wanted = await run(lines.slice(41), '', lines.slice(0, 41));
    const loaded = load(lines.slice(41), '', lines.slice(0, 41));
    const opened = await openScenarioData(loaded);
    const feed = await holdTickFeed(feedSetupOf(loaded, opened));
    const unread = (): never => {
      throw new Error('the recording was read again');
    };
    const data = { ...opened, recording: { ...opened.recording, events: unread }, feed };
    for (let i = 0; i < 2; i++) {
      const again = await runScenario({ loaded: configuredScenario(loaded, home), data });
      expect(listingOf(again)).toEqual(listingOf(wanted));
    }
  });

  test('data that is damaged cannot be held', async () => {
    const lines = dataLines(20);
    lines.splice(30, 0, '1700000005005000000 {"stream":');
    const loaded = load(lines, '');
    const opened = await openScenarioData(loaded);
    await expect(holdTickFeed(feedSetupOf(loaded, opened))).rejects.toThrow(/data\.gz:31: expected JSON/);
  });

  test('ends its clock where it is asked to', async () => {
    const end = new Date(begin + 2_500).toISOString();
    const { rows } = await run(dataLines(100), `clock: { end: "${end}" }\n`);
    expect(rows.map(([time]) => Number(time) - begin * 1_000)).toEqual([1_000_000, 2_000_000]);
  });

  test('a clock that was to go on for years ends with the data, and says so', async () => {
    const wanted = await run(dataLines(100));
    const { rows, notes } = await run(dataLines(100), 'clock: { end: "2100-01-01T00:00:00Z" }\n');
    expect(rows).toEqual(wanted.rows);
    expect(notes.filter((note) => !wanted.notes.includes(note))).toEqual([
      'the run ended with its data at 2023-11-14T22:13:29.900Z: clock.end, 2100-01-01T00:00:00.000Z, is over 31 days later',
    ]);
    const { rows: longer } = await run(dataLines(100), 'clock: { end: "2023-11-14T22:13:40Z" }\n');
    expect(longer).toHaveLength(wanted.rows.length + 11);
  });

  test('a clock that starts years before the data is refused', async () => {
    await expect(run(dataLines(100), 'clock: { start: "2012-01-01T00:00:00Z" }\n')).rejects.toThrow(
      /: clock\.start: expected a time at most 31 days before the data begin \(2023-11-14T22:13:20\.000Z\), found 2012-01-01T00:00:00\.000Z$/,
    );
  });

  test('damaged data keeps what there is until then, and says what is wrong where', async () => {
    const lines = dataLines(5_000);
    lines.splice(9_001, 0, '1700000005005000000 {"stream":');
    const result = await run(lines);
    expect(result.complete).toBe(false);
    expect(result.problems).toEqual([
      expect.stringMatching(/^the data ended early: .*data\.gz:9002: expected JSON/),
    ]);
    expect(result.rows.length).toBeGreaterThan(100);
    expect(result.fills).toHaveLength(2);
    const off = dataLines(5_000);
    off[9_000] = String(off[9_000]).replace('"10.00"', '"10.05"');
    expect((await run(off)).problems[0]).toMatch(/data\.gz:9001: expected AAAUSDT on tick 0\.10/);
  });

  test('a strategy that throws is named with the event and its time', async () => {
    const result = await run(dataLines(100), 'fail');
    expect(result.problems).toEqual([
      expect.stringMatching(
        /^strategy buyer was stopped: at event \d+ \(strategyTimer, 2023-11-14T22:13:21\.000Z\): onTimer threw Error: no idea/,
      ),
    ]);
  });

  test('empty data, another symbol and what does not go together are one sentence each', async () => {
    await expect(run([])).rejects.toThrow(/data\.gz/);
    const other = dataLines(5).map((line) => line.replaceAll('AAAUSDT', 'BBBUSDT'));
    await expect(run(other)).rejects.toThrow(
      /data\.gz: expected messages of AAAUSDT, found those of BBBUSDT/,
    );
    await expect(
      run(dataLines(5), 'outages: []\nclock: { start: "2030-01-01T00:00:00Z" }\n'),
    ).rejects.toThrow(/expected market events from 2030-01-01T00:00:00.000Z on, found none/);
  });

  test('the shipped examples run', async () => {
    for (const name of ['sample', 'sample-queue']) {
      const file = `${home}/backtest/scenarios/${name}.yaml`;
      expect(readFileSync(file, 'utf8')).toContain('strategy:');
      const result = await runScenario({ loaded: configuredScenario(loadScenario(file), home) });
      expect(result.problems).toEqual([]);
      expect(result.rows).toHaveLength(120);
      expect(result.fills.length).toBeGreaterThan(20);
    }
  });
});
