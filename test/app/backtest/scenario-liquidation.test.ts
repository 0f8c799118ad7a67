import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import type { ScenarioResult } from '../../../src/app/backtest/scenario-result.ts';
import { runScenario } from '../../../src/app/backtest/scenario-run.ts';
import { configuredScenario } from '../../../src/app/run/scenario-config.ts';
import type { Summary } from '../../../src/research/report/fold/summary.ts';
import { loadScenario } from '../../../src/research/scenario/load.ts';

const home = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');
const folder = mkdtempSync(join(tmpdir(), 'scenario-liquidation-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Buys, offers one above, and tells what it hears. */
const holder = `
import { defineStrategy, z } from 'godwit/strategy';
export default defineStrategy({
  name: 'holder',
  params: z.strictObject({}),
  feeds: () => [{ symbol: 'ABC', book: true }],
  create: ({ orders, log }) => {
    let books = 0;
    return {
    onBook() {
      books += 1;
      if (books !== 2) return;
      orders.place({ symbol: 'ABC', side: 'buy', quantity: '50', price: '100', timeInForce: 'IOC' });
      orders.place({ symbol: 'ABC', side: 'sell', quantity: '1', price: '101' });
    },
    onOrder(order) { log.warn(order.state); },
    onFill(fill, order) { log.warn('fill ' + order.side + ' ' + fill.quantity); },
    onPosition({ quantity }) { log.warn('position ' + quantity); },
    };
  },
});
`;

/** 2020-09-13T00:00:00Z. */
const start = 1_599_955_200_000_000;
/** Of a book a second, the best bid; the best ask stands one above. */
const bids = [99, 99, 99, 92, 86, 82, 82, 120];

async function run(
  name: string,
  more: string,
): Promise<{ readonly result: ScenarioResult; readonly summary: Summary }> {
  const head = 'exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount';
  const rows = bids.flatMap((bid, at) => {
    const time = start + at * 1_000_000;
    const before = bids[at - 1] ?? bid;
    const left = before === bid ? [] : [`bid,${before},0`, `ask,${before + 1},0`];
    const levels = [...left, `bid,${bid},100`, `ask,${bid + 1},100`];
    return levels.map((level) => `some,ABC,${time},${time},${at === 0},${level}`);
  });
  const data = join(folder, 'some_incremental_book_L2_2020-09-13_ABC.csv');
  writeFileSync(data, `${[head, ...rows].join('\n')}\n`);
  writeFileSync(join(folder, 'holder.ts'), holder);
  const file = join(folder, `${name}.yaml`);
  writeFileSync(
    file,
    [
      'name: a holder',
      `data: [${data}]`,
      `instrument: { symbol: ABC, base: ABC, quote: USD, tick: '1', lot: '1', fees: { maker: '0', taker: '0' }, ${more} }`,
      'fills: { model: queue }',
      "balances: { USD: '1000' }",
      `strategy: { path: ${join(folder, 'holder.ts')} }`,
      'config: { orders: { lastTradeNeeded: false } }',
      'sample: { every: 1s, columns: [mid, position, profit] }',
    ].join('\n'),
  );
  const result = await runScenario({
    loaded: configuredScenario(loadScenario(file), home),
    details: true,
  });
  const { summary } = result;
  if (summary === undefined) throw new Error('expected a summary');
  return { result, summary };
}

const terms = 'kind: perpetual, leverage: 10';

describe('a scenario on books with liquidation', () => {
  test('has it in fills, profit, trips, notes and what its strategy hears', async () => {
    const { result, summary } = await run('closed', `${terms}, liquidation: { rate: '0.5' }`);
    expect([result.complete, result.problems]).toEqual([true, []]);
    expect(result.identity['fill model']).toContain('liquidation at 0.5 of the margin');
    // At the mid 86.5 equity is 325 of 216.25 needed, at 82.5 it is 125 of 206.25.
    expect(result.fills.map(({ side, quantity, price }) => [side, quantity, price])).toEqual([
      ['buy', 50, 100],
      ['sell', 50, 82],
    ]);
    expect(result.fills[1]).toMatchObject({
      order: 'liquidation-000001',
      time: start + 5_000_000,
      taker: true,
    });
    expect(result.rows.map(([, position, profit]) => [position, profit])).toEqual([
      [0, 0],
      [50, -25],
      [50, -375],
      [50, -675],
      [50, -875],
      [0, -900],
      [0, -900],
    ]);
    expect(result.liquidations).toEqual({
      count: 1,
      list: [{ time: start + 5_000_000, currency: 'USD', positions: 1, equity: '100' }],
    });
    expect(result.report?.notes).toContain('the account was liquidated once at 2020-09-13T00:00:05.000Z');
    expect(result.report?.results[0]).toMatchObject({
      profit: '-900',
      returnOnCapital: { value: '-90.00 %' },
    });
    // Its own two orders alone are counted; the one that rested expired.
    expect(result.report?.orders).toMatchObject({ placed: 2, filled: 1, expired: 1 });
    expect(summary.details?.trades.trips.map(({ strategy, exitReason }) => [strategy, exitReason])).toEqual([
      ['holder', 'liquidation, taker'],
    ]);
    expect(summary.details?.notes.lines.join('\n')).toMatch(
      /fill buy 50[^]*position 50[^]*expired[^]*fill sell 50[^]*position 0/,
    );
  });

  test('goes on to its end without', async () => {
    const { result } = await run('open', terms);
    expect(result.liquidations).toBeUndefined();
    expect(result.rows.at(-1)?.slice(1)).toEqual([50, 1_025]);
  });

  test.each([
    ["kind: perpetual, liquidation: { rate: '0.5' }", /instrument\.liquidation: expected a leverage with it/],
    [
      `${terms}, liquidation: { rate: '1.5' }`,
      /instrument\.liquidation\.rate: expected a decimal from "0" to "1"/,
    ],
    [
      `${terms}, liquidation: { rate: 0.5 }`,
      /instrument\.liquidation\.rate: expected text in quotes, found 0\.5/,
    ],
    ["leverage: 10, liquidation: { rate: '0.5' }", /instrument\.leverage: expected kind: perpetual/],
  ])('%s is refused in one sentence', async (more, sentence) => {
    await expect(run('refused', more)).rejects.toThrow(sentence);
  });
});
