import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { BarRunResult } from '../../src/app/backtest/bar-run.ts';
import { runScenario } from '../../src/app/backtest/scenario-run.ts';
import { amountsOf } from '../../src/app/run/opening-balances.ts';
import { amountToNumber, zero } from '../../src/core/base/amount.ts';
import { scenarioSchema } from '../../src/research/scenario/scenario.ts';
import { configuredScenario } from '../../src/app/run/scenario-config.ts';

// Trials of a sweep on bars count in books of their own, because a summary costs more than half of the speed. What these come to is
// what the ledger comes to, on every scenario of bars.

const home = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'bar-books-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Tree = Record<string, unknown>;

/** Scenarios of the repository whose model is `bars`. */
const files = ['backtest/scenarios', 'test/conformance/scenarios'].flatMap((name) =>
  readdirSync(join(home, name))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => join(home, name, file))
    .filter((file) => /model: bars\b/.test(readFileSync(file, 'utf8'))),
);

/** Half a day of minutes that swing, with a fall in the middle that no margin bears. */
function bars(): string {
  const rows = ['time,open,high,low,close,volume'];
  let open = 100;
  for (let at = 0; at < 700; at++) {
    const fallen = at > 350 && at < 420 ? 0.6 : 1;
    const close = Number((fallen * (100 + 12 * Math.sin(at / 25) + 4 * Math.sin(at * 1.7))).toFixed(2));
    const [high, low] = [Math.max(open, close) + 0.5, Math.min(open, close) - 0.5];
    rows.push([1_600_000_020 + at * 60, open, high.toFixed(2), low.toFixed(2), close, 700].join(','));
    open = close;
  }
  const path = join(folder, 'bars.csv');
  writeFileSync(path, `${rows.join('\n')}\n`);
  return path;
}

async function run(tree: Tree, file: string): Promise<{ result: BarRunResult; balances: Tree }> {
  const scenario = scenarioSchema.parse(tree);
  const loaded = configuredScenario({ scenario, file, sha256: undefined }, home);
  const { barRun } = await runScenario({ loaded, details: true });
  if (barRun === undefined) throw new Error(`${file}: expected fills of the model bars`);
  return { result: barRun, balances: scenario.balances };
}

/** Books and summary of one run say the same: profit, capital, largest fall, and equity at the end of every bar. */
function expectEqual(result: BarRunResult, balances: Tree): void {
  const { books, summary, accounts } = result;
  const currency = accounts[0]?.currency ?? '';
  const own = books.outcome(amountsOf(balances as Record<string, string>));
  if (summary === undefined) throw new Error('expected a summary');
  expect(own.profit).toBe(amountToNumber(summary.profit(currency)));
  const capital = summary.opening.equity(currency, summary.markets());
  expect(own.capital).toBe(capital === undefined ? undefined : amountToNumber(capital));
  const curve = summary.curves().get(currency);
  const scale = 1e-12 * Math.max(1, own.capital ?? 0, ...own.line.values.map(Math.abs));
  expect(Math.abs(own.drawdown - amountToNumber(curve?.drawdownMax ?? zero))).toBeLessThan(scale);
  const values = new Map(own.line.times.map((time, at) => [time, own.line.values[at] ?? Number.NaN]));
  const ends = new Map(curve?.samples().map(({ time, equity }) => [time, amountToNumber(equity)]));
  for (const [time, equity] of ends) expect(Math.abs((values.get(time) ?? 0) - equity)).toBeLessThan(scale);
  expect(books.fills.length).toBe(summary.holdings().reduce((sum, one) => sum + one.position.fillCount, 0));
}

/** A strategy that a case gives its signals has some here: long every forty bars, out or short between. */
function withSignals(tree: Tree): void {
  const strategy = tree['strategy'] as { params: Tree };
  if (Object.keys(strategy.params).length > 0) return;
  const signals = Array.from({ length: 700 }, (_, at) => [
    at % 40 === 3,
    at % 40 === 19,
    at % 40 === 21,
    at % 40 === 37,
  ]);
  strategy.params = {
    symbol: 'UNITTEST',
    signals,
    stopLoss: -0.5,
    roi: [[0, 10]],
    quantity: '5',
    useExitSignal: true,
  };
}

test.for(files.map((file) => [file.slice(home.length), file] as const))(
  'what a run on bars came to is what its ledger came to: %s',
  async ([, file], { skip }) => {
    const tree = parse(readFileSync(file, 'utf8')) as Tree;
    const [data = ''] = tree['data'] as readonly string[];
    // Some scenarios are given their bars by a case, and some have recorded data beside the repository.
    const isGiven = data === 'bars.csv';
    if (!isGiven && !existsSync(resolve(dirname(file), data))) skip();
    if (isGiven) {
      tree['data'] = [bars()];
      withSignals(tree);
    }
    const { result, balances } = await run(tree, file);
    expectEqual(result, balances);
  },
);

test.each([
  "{ model: bars, market: open, slippage: { rate: '0.001' }, fees: { rate: '0.001' } }",
  "{ model: bars, market: nextOpen, fees: { fixed: '1', rate: '0.0003' } }",
  "{ model: bars, market: close, account: { kind: margin, leverage: '20', liquidation: { rate: '0.5' } } }",
  "{ model: bars, market: open, account: { kind: margin, funding: { rate: '0.001', every: 1h } } }",
])('the same with a strategy that trades often, holdings of the start, and %s', async (fills) => {
  const text = `
name: many
data: [${bars()}]
instrument: { symbol: ABC, base: ABC, quote: USD, tick: '0.01', lot: '1', fees: { maker: '0', taker: '0.001' } }
fills: ${fills}
balances: { USD: '5000'${fills.includes('margin') ? '' : ", ABC: '7'"} }
strategy: { path: ${join(home, 'test/conformance/strategies/ema-cross.ts')}, params: { symbol: ABC, quantity: '40' } }
`;
  const { result, balances } = await run(parse(text) as Tree, join(folder, 'many.yaml'));
  expect(result.books.fills.length).toBeGreaterThan(5);
  expectEqual(result, balances);
});
