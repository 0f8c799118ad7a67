import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { importData } from '../../../src/app/data/import-command.ts';
import type { ScenarioResult } from '../../../src/app/backtest/scenario-result.ts';
import { runScenario } from '../../../src/app/backtest/scenario-run.ts';
import { configuredScenario } from '../../../src/app/run/scenario-config.ts';
import { loadScenario } from '../../../src/research/scenario/load.ts';
import { hasShared, shared } from '../../data/formats/support/tables.ts';

const home = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');
const folder = mkdtempSync(join(tmpdir(), 'l3-scenario-'));

const joiner = `
import { defineStrategy, millis, z } from 'godwit/strategy';
export default defineStrategy({
  name: 'joiner',
  params: z.strictObject({}),
  feeds: () => [{ symbol: 'AAPL', book: true, trades: true }],
  create: ({ market, orders, timers }) => ({
    onStart() {
      timers.every(millis(5_000), 'join');
    },
    onTimer() {
      orders.cancelAll();
      const { bestBid, bestAsk } = market.book('AAPL');
      if (bestBid === undefined || bestAsk === undefined) return;
      orders.place({ symbol: 'AAPL', side: 'buy', quantity: '100', price: bestBid, postOnly: true });
      orders.place({ symbol: 'AAPL', side: 'sell', quantity: '100', price: bestAsk, postOnly: true });
    },
  }),
});
`;

async function run(data: string, fills: string, more = ''): Promise<ScenarioResult> {
  writeFileSync(join(folder, 'joiner.ts'), joiner);
  const file = join(folder, 'one.yaml');
  writeFileSync(
    file,
    `name: joining both best prices
data: ["${data}"]
instrument: { symbol: AAPL }
clock: { end: "2012-06-21T13:35:00Z"${more} }
latency: { entry: 1ms, report: 1ms }
fills: ${fills}
config: { orders: { duplicateMs: 0 } }
balances: { AAPL: "1000000", USD: "1000000000" }
strategy: { path: joiner.ts }
`,
  );
  return await runScenario({ loaded: configuredScenario(loadScenario(file), home) });
}

const lobster = shared('l3/lobster-aapl-20120621-message50.csv.gz');
const quiet = { data: () => {}, progress: () => {}, colour: false } as never;

describe.skipIf(!hasShared)('a backtest on orders of LOBSTER', () => {
  test.each(['shadow', 'queue'])('is the same each time, and from a pack (%s)', async (model) => {
    const fills = `{ model: ${model}, queue: l3-fifo }`;
    const first = await run(lobster, fills);
    expect(first.complete).toBe(true);
    expect(first.fills.length).toBeGreaterThan(50);
    const again = await run(lobster, fills);
    expect(again.identity['decisions']).toBe(first.identity['decisions']);
    expect(again.identity['fill model']).toContain('queue l3-fifo');
    const pack = join(folder, `${model}.pack`);
    await importData({ files: [lobster], options: {}, out: pack, force: true, json: false, output: quiet });
    const packed = await run(pack, fills);
    expect(packed.identity['decisions']).toBe(first.identity['decisions']);
  });

  test('begins in the middle of the data with the orders that stand there', async () => {
    const late = ', start: "2012-06-21T13:33:00Z"';
    const known = await run(lobster, '{ model: queue, queue: l3-fifo }', late);
    expect(known.fills.length).toBeGreaterThan(5);
    const among = await run(lobster, '{ model: shadow, queue: l3-fifo }', late);
    expect(among.fills.map(({ price, quantity }) => [price, quantity])).toEqual(
      known.fills.map(({ price, quantity }) => [price, quantity]),
    );
  });
});

test.each(['shadow', 'queue'])('orders from before the start stand ahead of ours (%s)', async (model) => {
  const name = join(folder, 'AAPL_2012-06-21_34200000_37800000_message_1.csv');
  const rows = [
    '34200.1,1,1,10,1000000,1',
    '34200.2,1,2,10,1010000,-1',
    '34201.5,1,3,10,990000,1',
    '34202,5,0,1,1000000,1',
    '34207,5,0,10,1000000,1',
    '34208,5,0,5,990000,1',
    '34210.5,4,3,1,990000,1',
  ];
  writeFileSync(name, rows.join('\n'));
  const { fills } = await run(name, `{ model: ${model}, queue: l3-fifo }`, ', start: "2012-06-21T13:30:01Z"');
  expect(fills.map(({ time, quantity }) => [new Date(time / 1_000).toISOString(), quantity])).toEqual([
    ['2012-06-21T13:30:08.000Z', 5],
    ['2012-06-21T13:30:10.500Z', 1],
  ]);
});

test.each(['shadow', 'queue'])('levels alone are refused in one sentence (%s)', async (model) => {
  const file = join(folder, 'levels.yaml');
  writeFileSync(
    file,
    `name: levels\ndata: ["${join(home, 'backtest/feeds/sample')}"]\nfills: { model: ${model}, queue: l3-fifo }\nstrategy: { path: market-maker, params: { symbol: ETHBTC } }\n`,
  );
  await expect(runScenario({ loaded: configuredScenario(loadScenario(file), home) })).rejects.toThrow(
    /^queue l3-fifo: expected data with single orders \(.*\), found levels only; take another queue model$/,
  );
});
