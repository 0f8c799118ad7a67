import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import type { ScenarioResult } from '../../../src/app/backtest/scenario-result.ts';
import { runScenario } from '../../../src/app/backtest/scenario-run.ts';
import { configuredScenario } from '../../../src/app/run/scenario-config.ts';
import { makeDocument } from '../../../src/research/report/make-documents.ts';
import type { Statistics } from '../../../src/research/statistics/statistics.ts';
import type { Summary } from '../../../src/research/report/fold/summary.ts';
import { loadScenario } from '../../../src/research/scenario/load.ts';

const home = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');
const folder = mkdtempSync(join(tmpdir(), 'scenario-margin-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Buys 50 on the first bar, and tells what it hears; buys one again once it holds nothing. */
const holder = `
import { defineStrategy, z } from 'godwit/strategy';
export default defineStrategy({
  name: 'holder',
  params: z.strictObject({}),
  feeds: () => [{ symbol: 'ABC', candles: ['H1'] }],
  create: ({ orders, position, balances, log }) => {
    let bought = 0;
    const buy = (quantity) => {
      bought += 1;
      orders.place({ symbol: 'ABC', side: 'buy', quantity });
    };
    return {
      onCandle() {
        if (bought === 0) buy('50');
        else if (bought === 1 && position('ABC').quantity === 0) buy('1');
      },
      onFill(fill, order) {
        log.warn('fill ' + order.clientOrderId.slice(0, 11) + ' ' + order.side + ' ' + fill.quantity + ' holds ' + position('ABC').quantity);
      },
      onPosition({ quantity }) {
        log.warn('position ' + quantity);
      },
    };
  },
});
`;

/** Bars of an hour from 2020-09-13T00:00:00Z on. */
const rows = [
  '100,100,100,100',
  '100,101,99,100',
  ...Array.from({ length: 8 }, () => '100,101,99,100'),
  '100,101,80,95',
  '95,96,94,95',
  '95,97,94,96',
  '96,97,95,96',
];

interface Ran {
  readonly result: ScenarioResult;
  readonly summary: Summary;
  readonly bars: {
    readonly accounts: readonly { readonly equity: string }[];
    readonly positions: Readonly<Record<string, string>>;
    readonly liquidations?: { readonly count: number; readonly list: readonly object[] };
    readonly funding?: { readonly times: number; readonly paid: Readonly<Record<string, string>> };
    readonly statistics: Statistics;
  };
}

const grid = "tick: '0.1', lot: '1'";

async function run(
  name: string,
  account: string,
  bars: readonly string[] = rows,
  { instrument = grid, more = '' } = {},
): Promise<Ran> {
  const data = join(folder, `${name}.csv`);
  const fees = instrument.includes('fees') ? '' : ", fees: { maker: '0', taker: '0.001' }";
  const lines = bars.map((row, at) => `${1_599_955_200 + at * 3_600},${row},1`);
  writeFileSync(data, `time,open,high,low,close,volume\n${lines.join('\n')}\n`);
  writeFileSync(join(folder, 'holder.ts'), holder);
  const file = join(folder, `${name}.yaml`);
  writeFileSync(
    file,
    [
      'name: a holder',
      `data: [${data}]`,
      `instrument: { symbol: ABC, base: ABC, quote: USD, ${instrument}${fees} }`,
      `fills: { model: bars, account: { kind: margin, leverage: '10'${account} } }`,
      "balances: { USD: '1000' }",
      `strategy: { path: ${join(folder, 'holder.ts')} }`,
      'config: { orders: { marketOrders: true } }',
      more,
    ].join('\n'),
  );
  const result = await runScenario({
    loaded: configuredScenario(loadScenario(file), home),
    details: true,
  });
  const { summary } = result;
  if (summary === undefined) throw new Error('expected a summary');
  return { result, summary, bars: result.bars as Ran['bars'] };
}

describe('contracts on bars', () => {
  test.each([
    [`${grid}, kind: inverse, contract: '10'`, /instrument\.kind: inverse: expected data with books/],
    ["lot: '1', kind: perpetual, contract: '10'", /instrument\.contract: expected tick and lot with it/],
    [`${grid}, kind: perpetual, leverage: 3`, /instrument\.leverage: expected it in fills\.account/],
    [
      `${grid}, kind: perpetual, funding: { rate: '0.0001', every: 8h }`,
      /instrument\.funding: expected it in fills\.account/,
    ],
  ])('%s is refused in one sentence', async (instrument, sentence) => {
    await expect(run('refused', '', rows, { instrument })).rejects.toThrow(sentence);
  });

  test.each(['perUnit: "2"', 'fixed: "2"', 'tiers: [{ volume: "1", maker: "0", taker: "0" }]'])(
    'fees with %s are refused in one sentence',
    async (more) => {
      const instrument = `${grid}, kind: perpetual, fees: { maker: '0', taker: '0', ${more} }`;
      await expect(run('refused', '', rows, { instrument })).rejects.toThrow(
        /instrument\.fees: expected maker and taker only, because a run on bars has the rest in fills\.fees/,
      );
    },
  );

  test('a latency is refused in one sentence', async () => {
    await expect(run('refused', '', rows, { more: 'latency: { entry: 3s }' })).rejects.toThrow(
      /expected no latency, because a bar says nothing of milliseconds/,
    );
  });

  test('a leverage of what is bought for money is refused in one sentence', async () => {
    await expect(run('refused', '', rows, { instrument: `${grid}, leverage: 3` })).rejects.toThrow(
      /instrument\.leverage: expected kind: perpetual or kind: inverse with it/,
    );
  });

  test('of one and a half units gain and cost so much more', async () => {
    const each = await run('each', '', rows.slice(0, 5), {
      instrument: `${grid}, kind: perpetual, contract: '1.5'`,
    });
    const plain = await run('plain', '', rows.slice(0, 5));
    const gained = ({ bars }: Ran) => Number(bars.accounts[0]?.equity) - 1_000;
    expect(gained(plain)).not.toBe(0);
    expect(gained(each)).toBeCloseTo(1.5 * gained(plain), 9);
  });
});

describe('a scenario with liquidation and funding', () => {
  const both = ", liquidation: { rate: '0.5' }, funding: { rate: '0.0001', every: 8h }";

  test('has them in account, positions, trips, notes and profit alike', async () => {
    const { result, summary, bars } = await run('both', both);
    expect([result.complete, result.problems]).toEqual([true, []]);
    expect(result.identity['fill model']).toContain(
      'margin account, liquidation at 0.5 of the margin, funding 0.0001 every 480 min',
    );
    // Bought at the open of the second bar for 5 of fee; at 08:00 0.5 of funding; 994.5 + 50 x (85.1 - 100) = 249.5.
    expect(result.fills.map(({ order, side, price }) => [order.slice(0, 11), side, String(price)])).toEqual([
      [expect.any(String), 'buy', '100'],
      ['liquidation', 'sell', '85.1'],
      [expect.any(String), 'buy', '95'],
    ]);
    expect(bars.positions).toEqual({ ABC: '1' });
    expect(bars.funding).toEqual({ times: 1, paid: { USD: '0.5' } });
    // 1000 - 5 - 0.5 - 745 - 4.255; then one at 95 (a fee of 0.095), which is worth 96 in the end.
    expect(bars.liquidations).toEqual({
      count: 1,
      list: [
        {
          time: 1_599_955_200_000_000 + 10 * 3_600_000_000 + 2_400_000_000,
          currency: 'USD',
          positions: 1,
          equity: '245.245',
        },
      ],
    });
    const equity = 245.245 - 0.095 + 1;
    expect(Number(bars.accounts[0]?.equity)).toBeCloseTo(equity, 9);
    expect(bars.statistics.end.value).toBeCloseTo(equity, 9);
    expect(bars.statistics.trades.count).toBe(1);
    // The report counts fills by itself: it comes to the same.
    const { results, instruments, notes } = result.report ?? { results: [], instruments: [], notes: [] };
    expect(Number(results[0]?.profit)).toBeCloseTo(equity - 1_000, 9);
    expect(instruments[0]).toMatchObject({ fills: 3, position: '1' });
    expect(notes).toEqual([
      'the account was liquidated once at 2020-09-13T10:40:00.000Z',
      'funding paid, part of the profit: 0.5 USD',
    ]);
    expect(summary.details?.trades.trips).toMatchObject([
      { strategy: 'holder', side: 'long', exitReason: 'liquidation, taker' },
    ]);
    const document = makeDocument(summary, { title: '', identity: {}, band: 'none' });
    expect(document.notes).toContain('the account was liquidated once at 2020-09-13T10:40:00.000Z');
  });

  test('reports to the strategy what it holds afterwards', async () => {
    const { summary } = await run('told', both);
    const said = summary.details?.notes.lines.filter((line) => /fill|position/.test(line)) ?? [];
    expect(said.join('\n')).toMatch(
      /position 50[^]*fill liquidation sell 50 holds 0[^]*position 0[^]*fill [^]*buy 1 holds 1/,
    );
  });

  test('says so when a liquidation leaves a debt', async () => {
    const gap = ['100,100,100,100', '100,101,99,100', '100,101,99,100', '70,71,69,70', '70,71,69,70'];
    const { result, bars } = await run('gap', both, gap);
    // 995 - 1500 - 3.5.
    expect(bars.accounts[0]?.equity).toBe('-508.5');
    expect(bars.positions).toEqual({ ABC: '0' });
    expect(result.report?.notes).toEqual([
      'the account was liquidated once at 2020-09-13T03:00:00.000Z',
      'a liquidation came too late: it left -508.5 USD, which a real account would owe',
    ]);
  });

  test('reports nothing of either when both are off', async () => {
    const { result, bars } = await run('off', '');
    expect(Object.keys(bars)).not.toContain('liquidations');
    expect(Object.keys(bars)).not.toContain('funding');
    expect(result.report?.notes).toEqual([]);
    expect(bars.positions).toEqual({ ABC: '50' });
  });
});
