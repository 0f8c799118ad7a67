import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SweepResult } from '../../src/app/sweep/result.ts';
import { SweepStore } from '../../src/app/sweep/store.ts';
import type { WalkResult } from '../../src/app/sweep/walk-forward.ts';
import type { ReportSection } from '../../src/research/report/document/document.ts';
import { run } from './cli/support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'sweep-and-report-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);
const put = (name: string, lines: readonly string[]): void =>
  writeFileSync(at(name), `${lines.join('\n')}\n`);
const moody = fileURLToPath(new URL('fixtures/moody.ts', import.meta.url));
const kept = ['--ledger', at('trials.ndjson'), '--workers', '1', '--no-resume', '--store', at('s.ndjson')];
const begin = 1_672_531_200;

// Forty days of bars by the hour.
const price = (i: number): string => (100 + 20 * Math.sin(i / 9)).toFixed(2);
const bars = Array.from({ length: 40 * 24 }, (_, i) => {
  const [open, close] = [price(i), price(i + 1)];
  const [low, high] = [open, close].toSorted((a, b) => Number(a) - Number(b));
  return `${begin + i * 3_600},${open},${high},${low},${close},5`;
});
put('bars.csv', ['time,open,high,low,close,volume', ...bars]);

// As many days of books by the half hour as a ratio of days needs; nothing is filled before the third, and the last ends before midnight.
const books = Array.from({ length: 32 * 48 - 3 }, (_, i) => {
  const time = `${begin + i * 1_800 + 900}000000`;
  const mid = 100 + 10 * Math.sin(i / 150) + Math.sin(i / 3) / 4;
  return `binance,ABCUSD,${time},${time},${(mid + 0.01).toFixed(2)},3,${(mid - 0.01).toFixed(2)},3`;
});
const levels = 'asks[0].price,asks[0].amount,bids[0].price,bids[0].amount';
put('books.csv', [`exchange,symbol,timestamp,local_timestamp,${levels}`, ...books]);

const instrument =
  'instrument: { symbol: ABCUSD, base: ABC, quote: USD, tick: "0.01", lot: "0.001", fees: { maker: "0.001", taker: "0.0013" } }';
const onBars = (balances: string, fills = '{ model: bars }'): void =>
  put('scenario.yaml', [
    'name: bars',
    'data: [bars.csv]',
    instrument,
    `fills: ${fills}`,
    `balances: ${balances}`,
    'strategy: { path: trend, params: { symbol: ABCUSD, period: H1, fast: 5, quantity: "0.123" } }',
  ]);
const onTicks = (fills: string): void =>
  put('scenario.yaml', [
    'name: ticks',
    'data: [books.csv]',
    instrument,
    `fills: ${fills}`,
    'balances: { USD: "10000", ABC: "7" }',
    'config: { orders: { lastTradeNeeded: false } }',
    `strategy: { path: ${JSON.stringify(moody)}, params: { symbol: ABCUSD, every: 120, quantity: "0.123" } }`,
  ]);
put('bars.yaml', ['scenario: scenario.yaml', 'space: { fast: [5] }', 'walk: { train: 20d, test: 10d }']);
put('ticks.yaml', ['scenario: scenario.yaml', 'space: { every: [120] }']);

/** A figure of the report of the scenario, NaN where there is none. */
async function reported(): Promise<(key: string) => number> {
  const wishes = ['--no-save', '--no-band', '--json'];
  const { out } = await run(['backtest', '--scenario', at('scenario.yaml'), ...wishes]);
  const { sections } = JSON.parse(out) as { sections: readonly ReportSection[] };
  const figures = sections.flatMap((one) => one.figures);
  return (key) => figures.find((one) => one.key === key)?.number ?? Number.NaN;
}

async function expectSame(sweep: string): Promise<void> {
  const shown = await reported();
  const result = JSON.parse((await run(['sweep', at(sweep), ...kept, '--json'])).out) as SweepResult;
  const [best] = result.best;
  const figures = best?.figures ?? {};
  expect([result.currency, best?.currency]).toEqual(['USD', 'USD']);
  expect(figures['fills']).toBeGreaterThan(0);
  expect(figures['profit']).toBe(shown('return.profit'));
  expect(figures['drawdown']).toBe(shown('risk.drawdownMoney'));
  expect(figures['sharpeStep']).toBe(86_400);
  expect(figures['sharpe']).toBeCloseTo(shown('ratios.sharpe'), 9);
}

describe('a sweep says of a point what its report says', () => {
  test.each([
    ['{ USD: "10000" }', '{ model: bars }'],
    ['{ USD: "10000", ABC: "7.00049" }', '{ model: bars }'],
    ['{ USD: "10000" }', '{ model: bars, market: open }'],
    ['{ USD: "10000" }', '{ model: bars, account: { kind: margin } }'],
  ])('on bars with %s and %s', async (balances, fills) => {
    onBars(balances, fills);
    await expectSame('bars.yaml');
  });

  test.each(['{ model: shadow }', '{ model: queue, queue: risk-averse }'])(
    'on books with %s',
    async (fills) => {
      onTicks(fills);
      await expectSame('ticks.yaml');
    },
  );
});

test('a sweep names its currency in the table and in CSV', async () => {
  onBars('{ USD: "10000" }');
  const csv = at('trials.csv');
  const table = (await run(['sweep', at('bars.yaml'), ...kept, '--csv', csv])).out;
  expect(table).toContain('profit, USD');
  expect(table).toContain('drawdown, USD');
  expect(readFileSync(csv, 'utf8')).toMatch(/,failure,currency\n.*,USD\n/);
});

describe('a walk', () => {
  let result: WalkResult & { readonly sections: readonly ReportSection[] };
  const walk = async (...more: readonly string[]): Promise<string> =>
    (await run(['walk-forward', at('bars.yaml'), ...kept, '--no-save', ...more])).out;

  beforeAll(async () => {
    onBars('{ USD: "10000" }');
    result = JSON.parse(await walk('--json')) as typeof result;
  });

  test('names its currency, and reports days without a stray microsecond', async () => {
    const text = await walk();
    expect(text).toContain('tested profit, USD');
    expect(text).toMatch(/out of sample: profit \S+ USD in /);
    expect(result.currency).toBe('USD');
    expect(Math.abs(result.days * 24 - Math.round(result.days * 24))).toBeLessThan(1e-12);
    const money = result.sections
      .flatMap((one) => one.figures)
      .filter(({ key }) => key.startsWith('walk.profit'));
    expect(money.map(({ value }) => value?.split(' ')[1])).toEqual(['USD', 'USD']);
  });

  test('reports a profit a day on the basis of its efficiency, and money without noise', () => {
    const { windows, equity, profit } = result;
    const [window] = windows;
    const inside = window?.chosen?.figures ?? {};
    const outside = window?.chosen?.test?.figures ?? {};
    expect(outside['profitPerDay']).toBeCloseTo((outside['profit'] ?? 0) / 10, 12);
    const ratio = (outside['profitPerDay'] ?? 0) / (inside['profitPerDay'] ?? 0);
    expect(window?.efficiency).toBeCloseTo(ratio, 9);
    expect(equity.values.at(-1)).toBe(profit);
    for (const value of equity.values) expect(String(value)).toMatch(/^-?\d+(\.\d{1,9})?$/);
  });
});

test('a store of an earlier version, whose results name no currency, is read', () => {
  const line = { key: 'k', point: {}, figures: { profit: 1 }, digest: 'd' };
  put('old.ndjson', [JSON.stringify({ ...line, equity: { times: [], values: [] } })]);
  const store = new SweepStore(at('old.ndjson'), { fresh: false });
  expect(store.find('k')?.figures).toEqual({ profit: 1 });
  store.add('l', {}, { ...line, currency: 'USD', equity: { times: [], values: [] } });
  expect(new SweepStore(at('old.ndjson'), { fresh: false }).find('l')?.currency).toBe('USD');
});
