import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ScenarioResult } from '../../../src/app/backtest/scenario-result.ts';
import { program } from '../../../src/app/cli/program.ts';

const feed = fileURLToPath(new URL('../../../backtest/feeds/sample', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'scenario-instrument-'));

async function godwit(...argv: string[]): Promise<string> {
  const out: string[] = [];
  const output = { data: (line: string) => void out.push(line), progress: () => {}, colour: false };
  await program(output).run(['node', 'godwit', ...argv]);
  return out.join('\n');
}

async function run(text: string): Promise<ScenarioResult> {
  const file = join(folder, 'one.yaml');
  writeFileSync(file, `name: one\n${text}`);
  const said = await godwit('backtest', '--scenario', file, '--no-band', '--no-save', '--json');
  return JSON.parse(said) as ScenarioResult;
}

function onBooks(data: string, more: string): string {
  return `data: [${data}]
instrument: { symbol: ETHBTC${more === '' ? '' : `, ${more}`} }
fills: { model: queue }
strategy: { path: market-maker, params: { symbol: ETHBTC } }
sample: { every: 60s, columns: [fee, trades, volume, profit] }
`;
}

function onBars(data: string, grid: string): string {
  return `data: [${data}]
instrument: { symbol: ABC, base: ABC, quote: USD, ${grid} fees: { maker: "0.001", taker: "0.02" } }
fills: { model: bars }
balances: { USD: "100000" }
strategy: { path: trend, params: { symbol: ABC, period: M1, fast: 2, slow: 3, quantity: "1" } }
`;
}

describe('what a scenario says of its instrument', () => {
  beforeAll(async () => {
    await godwit('data', 'import', feed, '--out', join(folder, 'books.pack'));
    const rows = Array.from({ length: 60 }, (_, minute) => {
      const price = 100 + Math.round(20 * Math.sin(minute / 3)) / 10;
      return [1_700_000_000 - 20 + 60 * minute, price, price, price, price, 5].join(',');
    });
    const bars = join(folder, 'ABC.csv');
    writeFileSync(bars, ['time,open,high,low,close,volume', ...rows].join('\n'));
    await godwit('data', 'import', bars, '--out', join(folder, 'bars.pack'));
    for (const [data, table] of [
      ['books', 'books'],
      ['bars', 'bars'],
    ] as const) {
      const out = join(folder, `${data}.parquet`);
      await godwit(
        'data',
        'export',
        join(folder, `${data}.pack`),
        '--to',
        'parquet',
        '--table',
        table,
        '--out',
        out,
      );
    }
  });

  test.each([
    'kind: perpetual, contract: "50", fees: { maker: "0.0001", taker: "0.0002", fixed: "0.25" }',
    'kind: inverse, contract: "100", fees: { maker: "0", taker: "0.001" }',
    'quote: BTC, tick: "0.000001", lot: "0.00010", fees: { maker: "0.00002", taker: "0.00003" } }\nbalances: { ETH: "100", BTC: "10"',
  ])('counts for a pack as for what it was made of: %s', async (more) => {
    const [original, packed] = [
      await run(onBooks(feed, more)),
      await run(onBooks(join(folder, 'books.pack'), more)),
    ];
    expect(Number(original.rows.at(-1)?.[1])).toBeGreaterThan(3);
    expect(packed.rows).toEqual(original.rows);
  });

  test('fees that are given are not assumed, of packs either', async () => {
    const bars = await run(onBars(join(folder, 'bars.pack'), ''));
    expect(bars.notes.join()).toContain('inferred from the decimals seen');
    expect(bars.notes.join()).not.toContain('assumed');
    const untold = onBars(join(folder, 'bars.pack'), '').replace(/fees: \{.*?\} /, '');
    expect((await run(untold)).notes.join()).toContain('fee rates are assumed');
  });

  test.each([
    ['on a step', '01:00:40', 3],
    ['between two', '01:00:41', 4],
  ])('an end of the clock %s is one row', async (_where, end, count) => {
    const { rows } = await run(
      onBooks(feed, '')
        .replace('every: 60s', 'every: 10s, last: true')
        .concat(`clock: { start: "2026-11-21T01:00:10Z", end: "2026-11-21T${end}Z" }\n`),
    );
    expect(rows).toHaveLength(count);
  });

  test('counts for our own Parquet', async () => {
    const result = await run(
      onBooks(
        join(folder, 'books.parquet'),
        'kind: perpetual, fees: { maker: "0", taker: "0", fixed: "0.25", perUnit: "0" } }\nconfig: { orders: { lastTradeNeeded: false }',
      ),
    );
    const [fee = 0, trades = 0] = (result.rows.at(-1) ?? []).map(Number);
    expect(trades).toBeGreaterThan(3);
    expect(fee).toBeCloseTo(0.25 * trades, 12);
  });

  test.each(['books.pack', 'books.parquet'])('is refused where %s is kept on another grid', async (data) => {
    await expect(run(onBooks(join(folder, data), 'tick: "0.00001"'))).rejects.toThrow(
      `${data}: expected the tick 0.000001 and the increment 0.0001 in which ETHBTC is kept there, found 0.00001`,
    );
    await expect(
      run(
        onBooks(
          join(folder, data),
          'tick: "1", lot: "1", base: ETH, quote: BTC, fees: { maker: "0", taker: "0" }',
        ).replace('symbol: ETHBTC', 'symbol: NONE'),
      ),
    ).rejects.toThrow(
      `${data}: expected a symbol of the data (BTCUSDT, ETHUSDT, ETHBTC, LTCUSDT, LTCBTC, XRPUSDT), found NONE`,
    );
  });

  test.each([
    ['ABC.csv', 'tick: "0.1", lot: "0.5",'],
    ['bars.pack', 'tick: "0.1", lot: "0.5",'],
    ['bars.parquet', 'tick: "0.1", lot: "0.5",'],
    ['ABC.csv', ''],
    ['bars.pack', ''],
    ['bars.parquet', ''],
  ])('counts for bars: %s with %s', async (data, grid) => {
    const { fills } = await run(onBars(join(folder, data), grid));
    expect(fills.length).toBeGreaterThan(3);
    for (const { price, quantity, fee } of fills) expect(fee).toBeCloseTo(0.02 * price * quantity, 9);
  });
});
