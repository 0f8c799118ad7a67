import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backtestCommand } from '../../src/app/backtest/command.ts';
import { sweepCommand } from '../../src/app/sweep/command.ts';
import { loadSweepOf } from '../../src/app/sweep/load.ts';
import { configSchema } from '../../src/app/config/schema.ts';
import { add, formatAmount, parseAmount, subtract, zero } from '../../src/core/base/amount.ts';
import type { RunReport } from '../../src/research/report/sections/run.ts';
import type { LoggedFill } from '../../src/research/scenario/fill-log.ts';

const home = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');
const folder = mkdtempSync(join(tmpdir(), 'godwit-export-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Row = Readonly<Record<string, string>>;

const rowsOf = (directory: string, table: string): Row[] =>
  parse(readFileSync(join(directory, `${table}.csv`), 'utf8'), { columns: true });

async function parquetOf(directory: string, table: string): Promise<Record<string, unknown>[]> {
  const bytes = readFileSync(join(directory, `${table}.parquet`));
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  return await parquetReadObjects({ file, compressors });
}

const sumOf = (rows: readonly Row[], column: string): string =>
  formatAmount(rows.reduce((sum, row) => add(sum, parseAmount(row[column] ?? '')), zero));

interface Exported {
  readonly code: number;
  readonly report: RunReport;
  readonly fills: readonly LoggedFill[];
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly noted: readonly string[];
  readonly directory: string;
}

async function exported(name: string, file: string): Promise<Exported> {
  const directory = join(folder, name);
  const [lines, noted]: [string[], string[]] = [[], []];
  const output = {
    data: (line: string) => void lines.push(line),
    progress: (line: string) => void noted.push(line),
    colour: false,
  };
  const report = { save: false, band: false, export: directory };
  const code = await backtestCommand({ scenario: { file, home }, output, json: true, report });
  const result = JSON.parse(lines.join('\n')) as Pick<Exported, 'report' | 'fills' | 'columns' | 'rows'>;
  return { code, noted, directory, ...result };
}

const tables = ['charges', 'equity', 'fills', 'orders', 'positions', 'round_trips'];

describe('the export of a scenario on books', () => {
  let run: Exported;
  beforeAll(async () => {
    run = await exported('books', join(home, 'backtest/scenarios/sample.yaml'));
  });

  test('is six tables in two formats, and nothing else', () => {
    const files = tables.flatMap((name) => [`${name}.csv`, `${name}.parquet`]);
    expect(readdirSync(run.directory).toSorted()).toEqual(files.toSorted());
    expect([run.code, run.noted.includes(`export: ${run.directory}`)]).toEqual([0, true]);
  });

  test('has every fill, whose sums are the exact figures of the report', () => {
    const fills = rowsOf(run.directory, 'fills');
    const [result] = run.report.results;
    const [instrument] = run.report.instruments;
    expect(fills.length).toBe(run.fills.length);
    expect(fills.length).toBeGreaterThan(20);
    expect(fills.map(({ price, quantity, fee }) => [Number(price), Number(quantity), Number(fee)])).toEqual(
      run.fills.map(({ price, quantity, fee }) => [price, quantity, fee]),
    );
    expect(sumOf(fills, 'value')).toBe(result?.turnover);
    expect(sumOf(fills, 'fee')).toBe(result?.fees);
    expect(Number(fills.at(-1)?.['position'])).toBe(Number(instrument?.position));
  });

  test('has every order once, and its fills add up to it', () => {
    const orders = rowsOf(run.directory, 'orders');
    const fills = rowsOf(run.directory, 'fills');
    const { placed, denied, canceled, expired, filled, rejected, replaced, open } = run.report.orders;
    const count = (...states: string[]): number =>
      orders.filter(({ state }) => states.includes(state ?? '')).length;
    expect(new Set(orders.map(({ order_id: id }) => id)).size).toBe(orders.length);
    expect(count('denied')).toBe(denied);
    expect([
      count('canceled'),
      count('expired'),
      count('filled'),
      count('rejected'),
      count('replaced'),
    ]).toEqual([canceled, expired, filled, rejected, replaced]);
    expect(count('new', 'partiallyFilled', 'suspended', 'pending', 'unknown')).toBe(open);
    expect(orders.length - denied).toBe(placed);
    for (const order of orders.filter(({ filled: lots }) => Number(lots) > 0)) {
      const own = fills.filter(({ order_id: id }) => id === order['order_id']);
      expect(Number(order['filled'])).toBe(Number(sumOf(own, 'quantity')));
      expect(order['fees']).toBe(sumOf(own, 'fee'));
    }
  });

  test('has every sample of equity, ends at the net profit, and falls by the drawdown of the report', () => {
    const equity = rowsOf(run.directory, 'equity');
    const [result] = run.report.results;
    expect(equity.at(-1)?.['profit']).toBe(result?.profit);
    expect(new Set(equity.map(({ time }) => time)).size).toBe(equity.length);
    const deepest = equity.reduce((most, { drawdown }) => {
      const one = parseAmount(drawdown ?? '');
      return one < most ? one : most;
    }, zero);
    expect(formatAmount(subtract(zero, deepest))).toBe(result?.drawdownMax);
    const starts = equity.map(({ equity: worth, profit }) =>
      formatAmount(subtract(parseAmount(worth ?? ''), parseAmount(profit ?? ''))),
    );
    expect(new Set(starts).size).toBe(1);
  });

  test('values positions so that cash, value, fees and profit agree', () => {
    const positions = rowsOf(run.directory, 'positions');
    const equity = new Map(rowsOf(run.directory, 'equity').map((row) => [row['time'], row]));
    for (const { time, unrealized, realized, fees } of positions) {
      const made = Number(unrealized) + Number(realized) - Number(fees);
      expect(made).toBeCloseTo(Number(equity.get(time)?.['profit']), 12);
    }
  });

  test('is the same in Parquet', async () => {
    for (const table of tables) {
      const csv = rowsOf(run.directory, table);
      const parquet = await parquetOf(run.directory, table);
      expect(parquet.length).toBe(csv.length);
      const [first] = csv;
      for (const column of Object.keys(first ?? {})) {
        const texts = csv.map((row) => row[column]);
        const cells = parquet.map((row) => row[column]);
        expect(cells.map((cell, i) => isSame(cell, texts[i] ?? ''))).not.toContain(false);
      }
    }
  });
});

test('a run on spot and contracts names the account of each fill and position', async () => {
  const run = await exported('carry', join(home, 'backtest/scenarios/carry.yaml'));
  const accountsOf = (table: 'fills' | 'positions', type: RegExp): readonly (string | undefined)[] => [
    ...new Set(
      rowsOf(run.directory, table).flatMap(({ symbol, account }) =>
        type.test(symbol ?? '') ? [account] : [],
      ),
    ),
  ];
  for (const table of ['fills', 'positions'] as const) {
    expect(accountsOf(table, /_PERP$/)).toEqual(['cross']);
    expect(accountsOf(table, /USDT$/)).toEqual(['spot']);
  }
});

test('a run on contracts has the funding of its report', async () => {
  const run = await exported('funded', join(home, 'backtest/scenarios/trend-futures.yaml'));
  const [instrument] = run.report.instruments;
  const funding = rowsOf(run.directory, 'positions').at(-1)?.['funding'];
  expect(funding).not.toBe('0');
  expect(funding).toBe(instrument?.charges);
  const charges = rowsOf(run.directory, 'charges');
  expect(sumOf(charges, 'amount')).toBe(funding);
  expect(charges.map(({ time: _time, amount: _amount, ...row }) => JSON.stringify(row))).toEqual(
    charges.map(() =>
      JSON.stringify({
        symbol: 'BTCUSDT_PERP',
        strategy: 'trend',
        account: 'isolated',
        kind: 'funding',
        currency: 'USDT',
      }),
    ),
  );
  const trips = rowsOf(run.directory, 'round_trips');
  expect(trips.length).toBeGreaterThan(0);
  expect(new Set(trips.map(({ account }) => account))).toEqual(new Set(['isolated']));
  const inParquet = await parquetOf(run.directory, 'charges');
  expect(inParquet.map(({ amount }) => amount)).toEqual(charges.map(({ amount }) => Number(amount)));
});

function isSame(cell: unknown, text: string): boolean {
  if (cell === undefined || cell === null) return text === '';
  if (cell instanceof Date) return cell.toISOString().slice(0, 23) === text.slice(0, 23);
  if (typeof cell === 'number') return cell === Number(text);
  return (typeof cell === 'boolean' ? String(cell) : cell) === text;
}

/** Bars of a minute whose closes are given; each opens at the close before. */
function writeBars(name: string, closes: readonly number[]): void {
  const rows = closes.map((close, i) => {
    const open = closes[i - 1] ?? close;
    return [1_600_000_020 + i * 60, open, Math.max(open, close), Math.min(open, close), close, 9].join(',');
  });
  writeFileSync(join(folder, name), `time,open,high,low,close,volume\n${rows.join('\n')}\n`);
}

/** Buys 2 when one bar has closed, and sells them when three have. */
function writePlan(name: string, more: readonly string[]): string {
  const steps = [
    { after: 1, side: 'buy', quantity: '2' },
    { after: 3, side: 'sell', quantity: '2' },
  ];
  const plan = JSON.stringify({ symbol: 'ABC', period: 'M1', steps });
  const file = join(folder, name);
  writeFileSync(
    file,
    [
      'name: two orders',
      'data: [bars.csv]',
      "instrument: { symbol: ABC, base: ABC, quote: USD, tick: '1', lot: '1', fees: { maker: '0', taker: '0.01' } }",
      'fills: { model: bars, account: { kind: margin } }',
      "balances: { USD: '1000' }",
      `strategy: { path: ${join(home, 'test/conformance/strategies/plan.ts')}, params: ${plan} }`,
      ...more,
    ].join('\n'),
  );
  return file;
}

test('the export of a run on bars has a sample for each bar, and round trips as reckoned by hand', async () => {
  writeBars('bars.csv', [100, 110, 120, 90, 80, 100]);
  const file = writePlan('bars.yaml', []);
  const run = await exported('bars', file);
  expect(run.code).toBe(0);
  const equity = rowsOf(run.directory, 'equity');
  const fills = rowsOf(run.directory, 'fills');
  expect(fills.map(({ side, price, fee, liquidity }) => [side, price, fee, liquidity])).toEqual([
    ['buy', '100', '2', 'taker'],
    ['sell', '120', '2.4', 'taker'],
  ]);
  expect(equity.map(({ profit, equity: worth, drawdown }) => [profit, worth, drawdown])).toEqual([
    ['0', '1000', '0'],
    // Bought at the open of the second bar, 100, for a fee of 2.
    ['18', '1018', '0'],
    ['38', '1038', '0'],
    // Sold at the open of the fourth, 120, for a fee of 2.4.
    ['35.6', '1035.6', '-2.4'],
    ['35.6', '1035.6', '-2.4'],
    ['35.6', '1035.6', '-2.4'],
  ]);
  const [trip, ...more] = rowsOf(run.directory, 'round_trips');
  expect(more).toEqual([]);
  expect(trip).toMatchObject({
    side: 'long',
    quantity: '2',
    entry_price: '100',
    exit_price: '120',
    gross: '40',
    fees: '4.4',
    net: '35.6',
  });
  expect(Number(trip?.['return'])).toBeCloseTo(0.178, 14);
});

test('a scenario on bars samples: a row at the end of a bar, valued at its close', async () => {
  writeBars('bars.csv', [100, 110, 120, 90, 80, 100]);
  const columns = 'columns: [time, mid, position, balance, fee, trades, profit]';
  const everyTwo = writePlan('two.yaml', [`sample: { every: 2m, ${columns} }`]);
  const start = 1_600_000_020_000_000;
  const minute = 60_000_000;
  const two = await exported('two', everyTwo);
  expect(two.columns).toEqual(['time', 'mid', 'position', 'balance', 'fee', 'trades', 'profit']);
  expect(two.rows).toEqual([
    [start + 2 * minute, 110, 2, -200, 2, 1, 18],
    [start + 4 * minute, 90, 0, 40, 4.4, 2, 35.6],
    [start + 6 * minute, 100, 0, 40, 4.4, 2, 35.6],
  ]);
  // Between two bars nothing is known: the step of 90 s is taken at the end of the bar it falls into.
  const between = writePlan('between.yaml', [`sample: { every: 90s, columns: [time, profit] }`]);
  const { rows } = await exported('between', between);
  expect(rows.map(([time]) => (Number(time) - start) / minute)).toEqual([2, 3, 5, 6]);
});

test('the export of a recording without balances leaves equity empty: its start was assumed', async () => {
  const directory = join(folder, 'recording');
  const config = configSchema.parse({
    strategies: [
      { name: 'maker', path: join(home, 'strategies/market-maker'), params: { symbol: 'ETHBTC' } },
    ],
  });
  const output = { data: () => {}, progress: () => {}, colour: false };
  const scenario = { config, recordings: [join(home, 'backtest/feeds/sample')] };
  const report = { save: false, band: false, export: directory };
  expect(await backtestCommand({ scenario, output, json: true, report })).toBe(0);
  const equity = rowsOf(directory, 'equity');
  expect(new Set(equity.map(({ equity: worth }) => worth))).toEqual(new Set(['']));
  expect(equity.length).toBeGreaterThan(60);
});

test('a place where no folder can be is refused before the run', async () => {
  writeFileSync(join(folder, 'file'), '');
  const file = join(home, 'backtest/scenarios/sample.yaml');
  await expect(exported('file/below', file)).rejects.toThrow('expected a file that can be written');
  expect(existsSync(join(folder, 'file/below'))).toBe(false);
});

test('a run that cannot begin leaves no file in the folder, and no folder where its data are missing', async () => {
  const file = writePlan('nothing.yaml', []);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, `${text}\nclock: { start: '2100-01-01T00:00:00Z' }\n`);
  await expect(exported('nothing', file)).rejects.toThrow('expected bars or trades in the data, found none');
  expect(readdirSync(join(folder, 'nothing'))).toEqual([]);
  writeFileSync(file, text.replace('bars.csv', 'none.csv'));
  await expect(exported('missing', file)).rejects.toThrow('none.csv');
  expect(existsSync(join(folder, 'missing'))).toBe(false);
});

test('a sweep exports its trials, and the run of the best point', async () => {
  const directory = join(folder, 'sweep');
  const output = { data: () => {}, progress: () => {}, colour: false };
  const loaded = loadSweepOf([join(home, 'backtest/sweeps/sample.yaml')], {
    search: { method: 'random', trials: 3 },
  });
  const code = await sweepCommand({
    loaded,
    output,
    json: true,
    csv: undefined,
    exportTo: directory,
    html: join(folder, 'sweep.html'),
    home,
    configure: (base) => configSchema.parse(base),
    workers: 1,
    store: join(folder, 'store.ndjson'),
    trialLog: join(folder, 'trials.ndjson'),
    resume: false,
    queue: undefined,
    timeoutMs: undefined,
  });
  expect(code).toBe(0);
  const trials = rowsOf(directory, 'trials');
  expect(trials.map(({ trial }) => trial)).toEqual(['0', '1', '2']);
  expect(await parquetOf(directory, 'trials')).toHaveLength(3);
  expect(readdirSync(join(directory, 'best')).length).toBe(12);
  expect(rowsOf(join(directory, 'best'), 'fills').length).toBeGreaterThan(0);
  const page = readFileSync(join(folder, 'sweep.html'), 'utf8');
  const all = /<section id="all">(.*?)<\/section>/s.exec(page)?.[1] ?? '';
  expect(all.match(/<tr><td/g)).toHaveLength(3);
  expect(page).toContain('<table class="w1 heat"');
  expect(page).toContain('data-chart="objective"');
  expect(page.indexOf('id="sweep"')).toBeLessThan(page.indexOf('id="identity"'));
});
