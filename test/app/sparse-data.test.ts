import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import type { ReportDocument } from '../../src/research/report/document/document.ts';
import { run } from './cli/support/run.ts';

const buyer = fileURLToPath(new URL('./fixtures/buyer.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sparse-data-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const put = (name: string, lines: readonly string[]): string => {
  writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
  return join(folder, name);
};

const hour = 1_672_534_800;
const level = (second: number, side: string, price: string, amount: number): string => {
  const time = (hour + second) * 1_000_000;
  return `x,INV,${time},${time},${String(second < 0)},${side},${price},${amount}`;
};
// Ten seconds before the hour 100.0 over 100.5; twenty behind it, in one message, 110.0 over 110.5.
put('books.csv', [
  'exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount',
  level(-10, 'bid', '100.0', 50),
  level(-10, 'ask', '100.5', 50),
  level(20, 'bid', '100.0', 0),
  level(20, 'ask', '100.5', 0),
  level(20, 'bid', '110.0', 50),
  level(20, 'ask', '110.5', 50),
  level(40, 'bid', '109.0', 7),
]);
const scenario = put('sparse.yaml', [
  'name: sparse',
  'data: [books.csv]',
  'instrument:',
  '  { symbol: INV, kind: inverse, contract: "100", base: BTC, quote: USD, tick: "0.5", lot: "1",',
  '    fees: { maker: "0", taker: "0.001" }, funding: { rate: "0.01", every: 1h } }',
  'fills: { model: queue }',
  'balances: { BTC: "1" }',
  `strategy: { path: ${buyer} }`,
  'config: { orders: { lastTradeNeeded: false } }',
]);

test('equity is that of the end of each second, however late the next message comes', async () => {
  const { code, out } = await run(['backtest', '--scenario', scenario, '--no-save', '--no-band', '--json']);
  expect(code).toBe(0);
  const { report, sections } = JSON.parse(out) as {
    report: { results: readonly { profit: string; drawdownMax: string; samples: number }[]; span: object };
    sections: ReportDocument['sections'];
  };
  const [result] = report.results;
  const entry = 1_000 / 100.5;
  const fee = entry / 1_000;
  const funding = (1_000 / 100.25) * 0.01;
  // Down by half the spread, the fee and the funding of the hour until the price rises; then up.
  expect(Number(result?.drawdownMax)).toBeCloseTo(1_000 / 100.25 - entry + fee + funding, 14);
  expect(Number(result?.profit)).toBeCloseTo(entry - 1_000 / 110.25 - fee - funding, 14);
  const hold = sections.flatMap(({ figures }) => figures).find(({ key }) => key === 'return.hold');
  expect(hold?.value).toBe('9.98 %');
  expect(report.span).toMatchObject({ seconds: 50 });
});
