import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoadedScenario } from '../../../src/research/scenario/load.ts';
import type { Scenario } from '../../../src/research/scenario/scenario.ts';
import { scenarioSchema } from '../../../src/research/scenario/scenario.ts';
import type { ConformanceCase } from '../case.ts';
import { equal, runLoaded, scenarioNamed } from '../expected.ts';
import { close } from '../scenarios/compare.ts';

/** What `test/bench/peers/hftbacktest_measure.py` wrote down: nothing published, but what the peer itself makes of it. */
interface Measured {
  readonly version: string;
  readonly cases: readonly MeasuredCase[];
}

interface MeasuredCase {
  readonly queue: string;
  readonly power: number;
  readonly mode: 'maker' | 'taker' | 'market';
  readonly levels: number;
  readonly distance: number;
  readonly quantity: string;
  /** What it is traded on, BTCUSDT when left out: an inverse contract, or single orders. */
  readonly data?: 'coin' | 'orders';
  readonly tick?: number;
  readonly lot?: number;
  /** Units of a linear contract, and fees in place of the usual rates. */
  readonly contract?: number;
  readonly perUnit?: number;
  readonly fixed?: number;
  readonly everyMs: number;
  readonly rows: number;
  /** Constant latencies, */
  readonly entryMicros?: number;
  readonly reportMicros?: number;
  /** or measurements, one a second from then on. */
  readonly points?: number;
  readonly sinceMicros?: number;
  /** Row, position in lots and trades, wherever one of them changes. */
  readonly changes: readonly (readonly [row: number, lots: number, trades: number])[];
  /** Mid, position, balance, fee, trades, volume and value. */
  readonly last: readonly number[];
}

const dataOf = {
  linear: {
    scenario: 'btcusdt-measured',
    needs: ['binance-raw/usdm_btcusdt_20240718.gz', 'binance-raw/usdm_btcusdt_20240719.gz'],
  },
  coin: {
    scenario: 'btcusd-inverse-measured',
    needs: ['binance-raw/cm_btcusd_perp_20240808.gz', 'binance-raw/cm_btcusd_perp_20240809.gz'],
  },
  orders: { scenario: 'aapl-orders-measured', needs: ['l3/lobster-aapl-20120621-message50.csv.gz'] },
} as const;
const { version, cases: measured } = JSON.parse(
  readFileSync(new URL('../measured/hftbacktest.json', import.meta.url), 'utf8'),
) as Measured;

export const cases: readonly ConformanceCase[] = measured.map((one) => ({
  name: `hftbacktest ${version}, measured: ${titleOf(one)}`,
  needs: dataOf[one.data ?? 'linear'].needs,
  run: () => compare(one),
}));

function titleOf({ mode, levels, queue, power, points, data, contract }: MeasuredCase): string {
  const who = { maker: `maker of ${levels} a side`, taker: 'limit taker', market: 'market taker' }[mode];
  const rule = queue.includes('power') ? `${queue} ${power}` : queue;
  const size = contract === undefined ? '' : `, contracts of ${contract}`;
  const of = data === undefined ? size : { coin: ', inverse contract', orders: ', single orders' }[data];
  return `${who}, ${rule}, ${points === undefined ? 'constant' : 'interpolated'} latency${of}`;
}

const balanceColumn = 2;

async function compare(one: MeasuredCase): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-measured-'));
  try {
    const loaded = scenarioNamed(dataOf[one.data ?? 'linear'].scenario);
    const { rows } = await runLoaded({ ...loaded, scenario: scenarioOf(one, loaded, folder) });
    equal('rows', rows.length >= one.rows, true);
    const { lot = 0.001, data } = one;
    const changes: number[][] = [];
    let before = [0, 0];
    for (const [at, row] of rows.slice(0, one.rows).entries()) {
      const now = [Math.round(Number(row[1]) / lot), Number(row[4])];
      if (now[0] !== before[0] || now[1] !== before[1]) changes.push([at, ...now]);
      before = now;
    }
    for (const [at, change] of one.changes.entries()) equal(`change ${at}`, changes[at], change);
    equal('changes', changes.length, one.changes.length);
    for (const [column, value] of one.last.entries()) {
      // The peer's balance of an inverse contract is the negative of what its buys brought.
      const sign = data === 'coin' && column === balanceColumn ? -1 : 1;
      close(`column ${column} at the end`, Number(rows[one.rows - 1]?.[column]), sign * value, 1e-9);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function scenarioOf(one: MeasuredCase, { scenario }: LoadedScenario, folder: string): Scenario {
  const { queue, power, mode, levels, distance, quantity, everyMs, tick = 0.1 } = one;
  const symbol = scenario.instrument?.symbol;
  const maker = {
    path: '../strategies/ladder-maker.ts',
    params: { symbol, tick, distance, levels, quantity, everyMs },
  };
  const through = mode === 'market' ? {} : { through: Math.round(distance / tick) };
  const taker = { path: '../strategies/turn-taker.ts', params: { symbol, ...through, quantity, everyMs } };
  const { fills, strategy, sample, latency } = scenarioSchema.parse({
    name: 'a case',
    data: ['-'],
    fills: { model: 'queue', partial: false, queue, power },
    strategy: mode === 'maker' ? maker : taker,
    sample: {
      every: `${everyMs}ms`,
      columns: ['mid', 'position', 'balance', 'fee', 'trades', 'volume', 'value'],
    },
    latency: latencyOf(one, folder),
  });
  return { ...scenario, instrument: instrumentOf(one, scenario), fills, strategy, sample, latency };
}

function instrumentOf({ contract, perUnit, fixed }: MeasuredCase, { instrument }: Scenario) {
  if (instrument?.fees === undefined) throw new Error('the scenario names no instrument with fees');
  const rates = perUnit === undefined && fixed === undefined ? {} : { maker: '0', taker: '0' };
  const fees = { ...instrument.fees, ...rates, perUnit: String(perUnit ?? 0), fixed: String(fixed ?? 0) };
  return { ...instrument, fees, ...(contract === undefined ? {} : { contract: String(contract) }) };
}

function latencyOf(one: MeasuredCase, folder: string): Readonly<Record<'entry' | 'report', unknown>> {
  const { points, sinceMicros = 0, entryMicros = 0, reportMicros = 0 } = one;
  if (points === undefined) return { entry: `${entryMicros}us`, report: `${reportMicros}us` };
  const entries: string[] = [];
  const reports: string[] = [];
  for (let i = 0; i < points; i++) {
    const asked = sinceMicros + i * 1_000_000;
    const entry = 2_000 + ((i * 7_919) % 38_000);
    entries.push(`${asked},${entry}`);
    reports.push(`${asked + entry},${1_000 + ((i * 5_381) % 29_000)}`);
  }
  const written = (name: string, lines: readonly string[]) => {
    const file = join(folder, name);
    writeFileSync(file, `${lines.join('\n')}\n`);
    return { kind: 'interpolated', file };
  };
  return { entry: written('entry.csv', entries), report: written('report.csv', reports) };
}
