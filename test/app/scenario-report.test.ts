import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import type { ReportOptions } from '../../src/app/backtest/report.ts';
import { backtestCommand } from '../../src/app/backtest/command.ts';
import type { ScenarioResult } from '../../src/app/backtest/scenario-result.ts';
import { configSchema } from '../../src/app/config/schema.ts';
import { figureOf } from '../../src/research/report/document/document.ts';
import type { ReportDocument, ReportFigure } from '../../src/research/report/document/document.ts';
import type { Statistics } from '../../src/research/statistics/statistics.ts';
import { readReport } from '../../src/research/report/stored.ts';

const home = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');
const folder = mkdtempSync(join(tmpdir(), 'godwit-scenario-report-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const runs = join(folder, 'runs');

interface Said {
  readonly code: number;
  readonly result: ScenarioResult & Pick<ReportDocument, 'sections' | 'title' | 'warning'>;
  readonly noted: readonly string[];
  readonly document: ReportDocument;
}

async function backtest(file: string, options: Partial<ReportOptions> = {}): Promise<Said> {
  const lines: string[] = [];
  const noted: string[] = [];
  const output = {
    data: (line: string) => void lines.push(line),
    progress: (line: string) => void noted.push(line),
    colour: false,
  };
  const report = { save: true, directory: runs, name: 'kept', ...options };
  const code = await backtestCommand({ scenario: { file, home }, output, json: true, report });
  const result = JSON.parse(lines.join('\n')) as Said['result'];
  return { code, result, noted, document: readReport(join(runs, 'backtests', 'kept')) };
}

/** Bars of `minutes`, swinging; those of `missing` are left out. */
function writeBars(name: string, minutes: number, missing: (at: number) => boolean): void {
  const rows = ['time,open,high,low,close,volume'];
  let open = 1_000;
  for (let at = 0; at < minutes; at++) {
    const close = Math.round(1_000 + 80 * Math.sin(at / 25) + 15 * Math.sin(at * 1.7));
    const time = 1_600_000_020 + at * 60;
    if (!missing(at))
      rows.push([time, open, Math.max(open, close) + 3, Math.min(open, close) - 3, close, 7].join(','));
    open = close;
  }
  writeFileSync(join(folder, name), `${rows.join('\n')}\n`);
}

function writeScenario(name: string, lines: readonly string[]): string {
  const file = join(folder, name);
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

const bars = (data: string, fills = '{ model: bars, account: { kind: margin } }'): readonly string[] => [
  'name: a cross on bars',
  `data: [${data}]`,
  "instrument: { symbol: ABC, base: ABC, quote: USD, tick: '1', lot: '1', fees: { maker: '0', taker: '0.001' } }",
  `fills: ${fills}`,
  "balances: { USD: '100000' }",
  `strategy: { path: ${join(home, 'test/conformance/strategies/ema-cross.ts')}, params: { symbol: ABC, quantity: '3' } }`,
];

describe('a scenario on bars', () => {
  writeBars('good.csv', 3_000, () => false);
  const file = writeScenario('bars.yaml', bars('good.csv'));

  test('has the whole report, whose numbers are those of its statistics', async () => {
    const { code, result, document, noted } = await backtest(file, { band: false });
    expect([code, result.complete, document.warning]).toEqual([0, true, '']);
    expect(noted).toContain(`report: ${join(runs, 'backtests', 'kept', 'report.html')}`);
    const { statistics, accounts } = result.bars as {
      statistics: Statistics;
      accounts: { equity: string }[];
    };
    const number = (key: string): number => figureOf(document, key)?.number ?? Number.NaN;
    expect(number('return.start')).toBe(100_000);
    expect(number('return.end')).toBeCloseTo(Number(accounts[0]?.equity), 6);
    expect(number('return.share')).toBeCloseTo(statistics.totalReturn.value ?? 0, 9);
    expect(number('return.hold')).toBeCloseTo(statistics.holdReturn.value ?? 0, 9);
    expect(number('risk.drawdown')).toBeCloseTo(statistics.drawdownMax.value ?? 0, 9);
    expect(number('trades.count')).toBe(statistics.trades.count);
    expect(number('ratios.profitFactor')).toBeCloseTo(statistics.trades.profitFactor.value ?? 0, 9);
    expect(number('execution.fills')).toBe(result.fills.length);
    expect(document.sections.map(({ key }) => key)).toEqual([
      'identity',
      'parameters',
      'settings',
      'return',
      'risk',
      'ratios',
      'trades',
      'execution',
      'robustness',
    ]);
    expect(document.charts.map(({ id }) => id)).toEqual([
      'price-ABC',
      'profit-USD',
      'equity-USD',
      'underwater-USD',
      'inventory-ABC',
      'results-USD',
      'holding-USD',
    ]);
    expect(figureOf(document, 'execution.queueAhead')?.reason).toContain('bars have no book');
    expect(result.identity).toMatchObject({ 'data format': 'bars-csv', 'data grade': 'B' });
    expect(readFileSync(join(runs, 'backtests', 'kept', 'report.html'), 'utf8')).toContain('a cross on bars');
  });

  test('has a band: the way through a bar, and worse and worse prices', async () => {
    const { document } = await backtest(file, { save: true });
    const table = document.sections.at(-1)?.tables.find(({ title }) => title === 'Band');
    expect(table?.rows.slice(0, 4).map(([belief, model]) => [belief, model])).toEqual([
      ['pessimistic', 'pessimistic path, limits through'],
      ['fitted', 'nearest path, limits reach'],
      ['optimistic', 'highFirst path, limits reach'],
      ['optimistic', 'lowFirst path, limits reach'],
    ]);
    expect(table?.rows[1]?.[3]).toBe(shortNumber(figureOf(document, 'return.profit')));
    expect(figureOf(document, 'robustness.band')?.value).toContain(' to ');
    const edge = figureOf(document, 'robustness.slippage');
    expect(edge?.value ?? edge?.reason).toBeDefined();
    expect(figureOf(document, 'robustness.latency')).toBeUndefined();
  });

  test('says in its title that the data are poor, and reports what slipping to the tick cost', async () => {
    writeBars('poor.csv', 1_500, (at) => at % 9 === 0);
    const poor = writeScenario(
      'poor.yaml',
      bars('poor.csv', "{ model: bars, slippage: { rate: '0.0001' }, account: { kind: margin } }"),
    );
    const { result, document } = await backtest(poor, { band: false });
    expect(document.warning).toMatch(/^poor data \(D\): .*missing/);
    expect(result.warning).toBe(document.warning);
    expect(result.identity['data grade']).toBe('D');
    const page = readFileSync(join(runs, 'backtests', 'kept', 'report.html'), 'utf8');
    expect(page).toContain('<title>a cross on bars (poor data (D)');
    // A price of about 1000 slips by 0.1 and goes on to the next whole tick: 0.9 of 3 units at every fill.
    const loss = figureOf(document, 'execution.rounding')?.number ?? 0;
    expect(loss / (result.fills.length * 3)).toBeGreaterThan(0.85);
    expect(loss / (result.fills.length * 3)).toBeLessThan(0.95);
  });
});

describe('a scenario on bars of a month', () => {
  writeBars('month.csv', 45_200, () => false);

  test.each([1, 2, 3])('misses no bar with a position, wherever they lie (%i)', async (offset) => {
    const file = writeScenario('seldom.yaml', [
      ...bars('month.csv', '{ model: bars, account: { kind: margin } }').slice(0, -2),
      "balances: { USD: '20000' }",
      `strategy: { path: ${join(home, 'test/app/fixtures/seldom.ts')}, params: { symbol: ABC, offset: ${offset} } }`,
    ]);
    const { result, document } = await backtest(file, { band: false });
    const { statistics } = result.bars as { statistics: Statistics };
    const number = (key: string): number => figureOf(document, key)?.number ?? Number.NaN;
    expect(result.fills.length).toBe(226);
    expect(statistics.exposure.value).toBeCloseTo(226 / 45_200, 6);
    expect(number('return.exposure')).toBeCloseTo(statistics.exposure.value ?? 0, 6);
    expect(number('risk.drawdown')).toBeCloseTo(statistics.drawdownMax.value ?? 0, 9);
    expect(number('risk.drawdownAverage')).toBeCloseTo(statistics.drawdownAverage.value ?? 0, 9);
    expect(number('risk.drawdownLongest')).toBe(statistics.drawdownSpanMax.value);
    expect(number('risk.leverage')).toBeGreaterThan(0.23);
    expect(number('risk.inventoryMax')).toBe(5);
    expect(number('risk.inventoryMean')).toBeCloseTo((5 * 113) / 45_200, 4);
    const held = document.charts.find(({ id }) => id === 'inventory-ABC');
    expect(held?.series[0]?.values.filter((value) => value === 5).length).toBeGreaterThan(100);
  });
});

describe('a scenario on books', () => {
  const sample = join(home, 'backtest/scenarios/sample.yaml');

  test('has the band of its own latency and fills, unless it is not wanted', async () => {
    const { result, document } = await backtest(sample);
    const rows = document.sections.at(-1)?.tables[0]?.rows ?? [];
    expect(rows.length).toBeGreaterThanOrEqual(6);
    expect(rows[0]?.slice(0, 3)).toEqual(['pessimistic', 'conservative', 'p50: 15 ms, back 15 ms']);
    // The scenario is its own pessimistic run.
    expect(rows[0]?.[3]).toBe(shortNumber(figureOf(document, 'return.profit')));
    expect(rows[0]?.[4]).toBe(String(result.fills.length));
    const without = await backtest(sample, { band: false });
    expect(figureOf(without.document, 'robustness.band')?.reason).toBe('not run: --no-band');
    expect(figureOf(without.document, 'execution.rounding')?.number).toBe(0);
  });

  test('says in its title that the data are poor, and so does a backtest of the same data', async () => {
    writeCapture('gaps.txt');
    const maker = join(home, 'test/app/fixtures/moody.ts');
    const file = writeScenario('gaps.yaml', [
      'name: a maker on a bad day',
      'data: [gaps.txt]',
      "instrument: { symbol: AAAUSDT, base: AAA, quote: USDT, tick: '0.1', lot: '0.1', fees: { maker: '0', taker: '0' } }",
      'fills: { model: queue }',
      "balances: { USDT: '100000' }",
      `strategy: { path: ${maker}, params: { symbol: AAAUSDT } }`,
    ]);
    const { document, result } = await backtest(file, { band: false });
    expect(document.warning).toMatch(/^poor data \(C\): .*gap/);
    expect(result.warning).toBe(document.warning);
    expect(result.identity['data grade']).toBe('C');
    const config = configSchema.parse({
      strategies: [{ name: 'moody', path: maker, params: { symbol: 'AAAUSDT', quantity: '1' } }],
    });
    const titles: string[] = [];
    for (let again = 0; again < 2; again++) {
      await backtestCommand({
        scenario: { config, recordings: [join(folder, 'gaps.txt')] },
        output: { data: () => {}, progress: () => {}, colour: false },
        json: false,
        report: { save: true, directory: runs, name: 'kept', band: false },
      });
      titles.push(readReport(join(runs, 'backtests', 'kept')).warning);
    }
    // Graded in the run, and then known.
    expect(titles[0]).toMatch(/^poor data \(C\): .*gap/);
    expect(titles[1]).toBe(titles[0]);
  });
});

/** A Binance futures capture whose changes are numbered with holes: the book is lost now and then. */
function writeCapture(name: string): void {
  const begin = 1_700_000_000_000;
  const book = {
    lastUpdateId: 1,
    T: begin,
    symbol: 'AAAUSDT',
    bids: [['10.0', '3.0']],
    asks: [['10.1', '4.0']],
  };
  const lines = [`${begin + 5}000000 ${JSON.stringify(book)}`];
  for (let n = 0; n < 100; n++) {
    const E = begin + n * 100;
    const hole = n > 50 ? 7 : 0;
    const numbers = { U: n + 2 + hole, u: n + 2 + hole, pu: n === 51 ? n + 4 : n + 1 + hole };
    const depth = {
      e: 'depthUpdate',
      E,
      T: E,
      s: 'AAAUSDT',
      ...numbers,
      b: [['9.9', String(5 + (n % 3))]],
      a: [],
    };
    lines.push(`${E + 5}000000 ${JSON.stringify({ stream: 'aaausdt@depth@0ms', data: depth })}`);
  }
  writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
}

function shortNumber(figure: ReportFigure | undefined): string {
  return String(Number((figure?.number ?? Number.NaN).toPrecision(7)));
}
