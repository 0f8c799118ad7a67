import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { ScenarioResult } from '../../../src/app/backtest/scenario-result.ts';
import { program } from '../../../src/app/cli/program.ts';

const sample = fileURLToPath(new URL('../../../backtest/scenarios/sample.yaml', import.meta.url));
const feed = fileURLToPath(new URL('../../../backtest/feeds/sample', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'scenario-command-'));

/** Keeps nothing: a trial counted in the folder of whoever runs the tests would be one of theirs. */
async function godwit(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const out: string[] = [];
  const err: string[] = [];
  const output = {
    data: (line: string) => void out.push(line),
    progress: (line: string) => void err.push(line),
    colour: false,
  };
  const code = await program(output).run(['node', 'godwit', ...argv, '--no-save']);
  return { code, out: out.join('\n'), err: err.join('\n') };
}

function changed(more: string, params = ''): string {
  const file = join(folder, 'changed.yaml');
  writeFileSync(file, `name: changed\ndata: [${feed}]\nstrategy: { path: market-maker, ${params} }\n${more}`);
  return file;
}

describe('godwit backtest --scenario', () => {
  test('prints one JSON document, or a report', async () => {
    const json = await godwit('backtest', '--scenario', sample, '--no-band', '--json');
    expect(json.code).toBe(0);
    const result = JSON.parse(json.out) as ScenarioResult;
    expect(result.rows).toHaveLength(120);
    expect(result.columns[0]).toBe('time');
    const text = await godwit('backtest', '--scenario', sample, '--no-band');
    expect(text.out).toContain(String(result.identity['decisions']));
    expect(text.out).toContain('120 samples of time, mid');
  });

  test('takes nothing else that says what is run', async () => {
    await expect(godwit('backtest', feed, '--scenario', sample)).rejects.toThrow(/expected nothing else/);
    await expect(godwit('backtest', '--scenario', sample, '--seed', '2')).rejects.toThrow(/found --seed/);
  });

  test.each([
    [
      'perpetual on the shadow model',
      'instrument: { symbol: ETHBTC, kind: perpetual }\n',
      /instrument\.kind: perpetual: expected fills: \{model: queue\}/,
    ],
    [
      'inverse on the shadow model',
      'instrument: { symbol: ETHBTC, kind: inverse, contract: "1" }\n',
      /instrument\.kind: inverse: expected fills: \{model: queue\}/,
    ],
    [
      'inverse without a value',
      'instrument: { symbol: ETHBTC, kind: inverse }\n',
      /instrument\.contract: expected what one unit is worth in quote currency with kind: inverse, such as "100"/,
    ],
    [
      'a contract size on spot',
      'instrument: { symbol: ETHBTC, contract: "100" }\n',
      /instrument\.contract: expected kind: perpetual or kind: inverse with it/,
    ],
    [
      'fees by the unit on spot',
      'instrument: { symbol: ETHBTC, fees: { maker: "0", taker: "0", perUnit: "2" } }\n',
      /instrument\.fees: expected kind: perpetual or kind: inverse with fixed and perUnit/,
    ],
    [
      'a clock that ends before it starts',
      'clock: { start: "2026-11-21T01:01:00Z", end: "2026-11-21T01:00:30Z" }\n',
      /clock\.end: expected a time after the start, found "2026-11-21T01:00:30Z"/,
    ],
    [
      'a clock that ends before the data',
      'clock: { end: "2026-11-20T01:00:30Z" }\n',
      /clock\.end: expected a time after the run begins \(2026-11-21T01:00:08\.\d{3}Z\), found 2026-11-20T01:00:30\.000Z/,
    ],
    [
      'money of a currency that is not there',
      'balances: { ETH: "5", UST: "5" }\n',
      /balances\.UST: expected a currency of the data \(BTC, USDT, ETH, .*\), found UST; did you mean "USDT"\?/,
    ],
    [
      'money below nothing',
      'balances: { ETH: "-5" }\n',
      /balances\.ETH: expected a decimal of 0 or more as text, such as "10\.5", found "-5"/,
    ],
    [
      'a sample of money that is not there',
      'sample: { every: 1s, columns: [mid, { column: holding, currency: BCT }] }\n',
      /sample\.columns\.1\.currency: expected a currency of the data \(.*\), found BCT$/,
    ],
    [
      'sequences to ignore where there are none',
      'import: { sequence: ignored }\n',
      /import\.sequence: ignored: expected raw lines of Binance, found frame-log/,
    ],
    [
      'an unknown symbol',
      'instrument: { symbol: NOPE }\n',
      /expected a symbol of the data \(.*ETHBTC.*\), found NOPE/,
    ],
    ['a bad section', 'config: { orders: { collarPercent: 0 } }\n', /\.yaml: config: orders\.collarPercent/],
    [
      'an absent latency file',
      'latency: { entry: { kind: measured, file: no.csv } }\n',
      /no\.csv: expected a file of latencies/,
    ],
  ])('%s is one sentence', async (_what, more, sentence) => {
    await expect(godwit('backtest', '--scenario', changed(more))).rejects.toThrow(sentence);
  });

  test('an inverse contract settles in its base currency', async () => {
    const said = await godwit(
      'backtest',
      '--scenario',
      changed(
        `instrument: { symbol: ETHBTC, kind: inverse, contract: "0.05" }
fills: { model: queue }
sample: { every: 60s, last: true, columns: [position, balance, fee, mid, profit, trades] }
`,
        'params: { symbol: ETHBTC }',
      ),
      '--no-band',
      '--json',
    );
    expect(said.code).toBe(0);
    const { rows, report } = JSON.parse(said.out) as ScenarioResult;
    const [position, balance, fee, mid, profit, trades] = (rows.at(-1) ?? []).map(Number) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    expect(trades).toBeGreaterThan(5);
    expect(position).not.toBe(0);
    expect(profit).toBeCloseTo(balance - fee - (0.05 * position) / mid, 12);
    expect(JSON.stringify(report)).toContain('"feeCurrency":"ETH"');
  });

  test('a linear contract has a size, and fees by the fill and by the unit', async () => {
    const said = await godwit(
      'backtest',
      '--scenario',
      changed(
        `instrument: { symbol: ETHBTC, kind: perpetual, contract: "50", fees: { maker: "0.0001", taker: "0.0001", fixed: "0.25", perUnit: "-0.5" } }
fills: { model: queue }
sample: { every: 60s, last: true, columns: [position, balance, fee, mid, profit, trades, volume, value] }
`,
        'params: { symbol: ETHBTC }',
      ),
      '--no-band',
      '--json',
    );
    const row = (JSON.parse(said.out) as ScenarioResult).rows.at(-1) ?? [];
    const [position = 0, balance = 0, fee = 0, mid = 0, profit = 0, trades = 0, volume = 0, value = 0] =
      row.map(Number);
    expect(trades).toBeGreaterThan(5);
    expect(fee).toBeCloseTo(0.0001 * value + 0.25 * trades - 0.5 * volume, 12);
    expect(profit).toBeCloseTo(balance + 50 * position * mid - fee, 9);
    expect(value / volume / mid).toBeGreaterThan(49);
  });

  test.each([
    ['perpetual', '2026-11-21T16:30:00Z', '2 times of funding (00:00, 08:00, 16:00 UTC) passed'],
    ['perpetual', '2026-11-21T08:00:00Z', 'one time of funding'],
    ['perpetual', '2026-11-21T07:59:00Z', undefined],
    ['spot', '2026-11-21T16:30:00Z', undefined],
  ])('a %s that is traded until %s notes the funding it did not pay: %s', async (kind, end, note) => {
    const said = await godwit(
      'backtest',
      '--scenario',
      changed(
        `instrument: { symbol: ETHBTC, kind: ${kind} }
fills: { model: queue }
clock: { end: "${end}" }
`,
        'params: { symbol: ETHBTC }',
      ),
      '--no-band',
      '--json',
    );
    const { report } = JSON.parse(said.out) as ScenarioResult;
    expect(report?.notes.filter((one) => one.includes('funding'))).toEqual(
      note === undefined ? [] : [expect.stringContaining(note)],
    );
  });

  test('a perpetual pays funding where the scenario gives some', async () => {
    const run = async (funding: string): Promise<ScenarioResult> => {
      const said = await godwit(
        'backtest',
        '--scenario',
        changed(
          `instrument: { symbol: ETHBTC, kind: perpetual${funding} }
fills: { model: queue }
sample: { every: 1s, columns: [mid, position, funding, profit] }
clock: { end: "2026-11-21T09:00:00Z" }
`,
          'params: { symbol: ETHBTC }',
        ),
        '--no-band',
        '--json',
      );
      return JSON.parse(said.out) as ScenarioResult;
    };
    const [free, paying] = [await run(''), await run(', funding: { rate: "0.01", every: 1m }')];
    expect(paying.identity['fill model']).toContain('funding 0.01 every 1 min');
    expect(paying.fills).toEqual(free.fills);
    let before = 0;
    let times = 0;
    for (const [at, row] of paying.rows.entries()) {
      const [mid = 0, position = 0, funding = 0, profit = 0] = row.map(Number);
      expect(profit).toBeCloseTo(Number(free.rows[at]?.[3]) - funding, 15);
      if (funding === before) continue;
      expect((funding - before) / (0.01 * mid * position)).toBeCloseTo(1, 2);
      before = funding;
      times += 1;
    }
    expect(times).toBeGreaterThan(1);
    const notes = paying.report?.notes.filter((note) => note.includes('funding'));
    expect(notes).toEqual([
      expect.stringMatching(/^funding (paid|received), part of the profit: [\d.]+ BTC$/),
    ]);
  });

  test('funding counts in the report although the venue takes it before it reports the first fill', async () => {
    writeFileSync(
      join(folder, 'holder.ts'),
      `import { defineStrategy, millis, z } from 'godwit/strategy';
export default defineStrategy({
  name: 'holder',
  params: z.strictObject({}),
  feeds: () => [{ symbol: 'ETHBTC', book: true }],
  create: ({ orders, timers, market }) => ({
    onStart() { timers.after(millis(45_000), 'go'); },
    onTimer() {
      orders.place({ symbol: 'ETHBTC', side: 'buy', quantity: '0.05', price: market.book('ETHBTC').bestAsk, timeInForce: 'IOC' });
    },
  }),
});`,
    );
    const profits = async (funding: string): Promise<readonly [report: number, funding: number]> => {
      const scenario = join(folder, 'holder.yaml');
      writeFileSync(
        scenario,
        `name: holder
data: [${feed}]
instrument: { symbol: ETHBTC, kind: perpetual${funding} }
fills: { model: queue }
latency: { entry: 15ms, report: 20s }
strategy: { path: holder.ts }
sample: { every: 1s, last: true, columns: [funding] }
`,
      );
      const said = await godwit('backtest', '--scenario', scenario, '--no-band', '--json');
      const { report, rows, fills } = JSON.parse(said.out) as ScenarioResult;
      const [fill] = fills;
      // Bought before 01:01:00, and reported after it.
      expect([fill?.time, fill?.told].map((time) => new Date((time ?? 0) / 1_000).getUTCMinutes())).toEqual([
        0, 1,
      ]);
      return [Number(report?.results[0]?.profit), Number(rows.at(-1)?.[0])];
    };
    const [free] = await profits('');
    const [paying, paid] = await profits(', funding: { rate: "0.01", every: 1m }');
    expect(paid).toBeGreaterThan(0);
    expect(free - paying).toBeCloseTo(paid, 15);
  });

  test('columns are of the symbol they name, and its own fills alone make a volume', async () => {
    const file = join(folder, 'pair.ts');
    writeFileSync(
      file,
      `import { defineStrategy, millis, z } from 'godwit/strategy';
export default defineStrategy({
  name: 'pair',
  params: z.strictObject({}),
  feeds: () => [{ symbol: 'ETHBTC', book: true }, { symbol: 'BTCUSDT', book: true }],
  create: ({ orders, timers, market }) => ({
    onStart() { timers.after(millis(20_000), 'go'); },
    onTimer() {
      orders.place({ symbol: 'ETHBTC', side: 'buy', quantity: '0.05', price: market.book('ETHBTC').bestAsk, timeInForce: 'IOC' });
      orders.place({ symbol: 'BTCUSDT', side: 'sell', quantity: '0.002', price: market.book('BTCUSDT').bestBid, timeInForce: 'IOC' });
      orders.place({ symbol: 'BTCUSDT', side: 'buy', quantity: '0.001', price: market.book('BTCUSDT').bestBid - 50_000 });
    },
  }),
});`,
    );
    const sampled = (columns: string): string => {
      const scenario = join(folder, 'pair.yaml');
      writeFileSync(
        scenario,
        `name: pair
data: [${feed}]
instrument: { symbol: ETHBTC }
fills: { model: queue, partial: false }
balances: { ETH: "10", BTC: "10", USDT: "100000" }
strategy: { path: pair.ts }
sample: { every: 30s, columns: [${columns}] }
`,
      );
      return scenario;
    };
    const of = ', symbol: BTCUSDT }';
    const columns = `mid, { column: mid${of}, volume, { column: volume${of}, trades, { column: openOrders${of}, openOrders, { column: levels, count: 1${of}`;
    const said = await godwit('backtest', '--scenario', sampled(columns), '--no-band', '--json');
    expect(said.code).toBe(0);
    const result = JSON.parse(said.out) as ScenarioResult;
    expect(result.columns).toEqual([
      'mid',
      'mid BTCUSDT',
      'volume',
      'volume BTCUSDT',
      'trades',
      'openOrders BTCUSDT',
      'openOrders',
      'levels 1 BTCUSDT',
    ]);
    const [mid, other, volume, otherVolume, trades, open, all] = (result.rows[0] ?? []).map(Number);
    expect(Number(other) / Number(mid)).toBeGreaterThan(1_000);
    expect([volume, otherVolume, trades, open, all]).toEqual([0.05, 0.002, 1, 1, 1]);
    await expect(
      godwit('backtest', '--scenario', sampled('{ column: mid, symbol: NOPE }'), '--no-band'),
    ).rejects.toThrow(
      /pair\.yaml: sample\.columns\.0\.symbol: expected a symbol of the data \(BTCUSDT, .*\), found NOPE$/,
    );
  });

  test('measured latencies run', async () => {
    writeFileSync(join(folder, 'yes.csv'), 'micros\n9000\n15000\n21000\n');
    const said = await godwit(
      'backtest',
      '--scenario',
      changed(
        'latency: { entry: { kind: measured, file: yes.csv }, feed: 3ms }\nbalances: { ETH: "100", BTC: "10" }\n',
      ),
      '--no-band',
      '--json',
    );
    const { identity, complete } = JSON.parse(said.out) as ScenarioResult;
    expect([complete, identity['latency']]).toEqual([
      true,
      'feed constant 3 ms, entry measured yes.csv, report constant 15 ms',
    ]);
  });
});
