import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { run } from './cli/support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'scenario-import-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const put = (name: string, lines: readonly string[]): string => {
  writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
  return join(folder, name);
};

// Prices as yfinance prints them, without a header, the close before the open.
const table = put(
  'SPY.csv',
  Array.from({ length: 30 }, (_, i) => {
    const date = new Date(Date.UTC(2023, 0, 3 + i)).toISOString().slice(0, 10);
    return `${date};${Math.fround(134.516021728) + i};${Math.fround(134.016021728) + i};${136.25 + i};${133.5 + i};1000`;
  }),
);
put('buyer.ts', [
  `import { defineStrategy, z } from 'godwit/strategy';
export default defineStrategy({
  name: 'buyer',
  params: z.strictObject({}),
  feeds: () => [{ symbol: 'SPY', candles: ['D1'] }],
  create: ({ orders }) => ({
    onCandle() {
      orders.place({ symbol: 'SPY', side: 'buy', type: 'market', quantity: '1' });
    },
  }),
});`,
]);
const scenario = (name: string, reading: string): string =>
  put(name, [
    'name: adjusted',
    'data: [SPY.csv]',
    reading,
    'instrument: { symbol: SPY, base: SPY, quote: USD, tick: "0.01", lot: "1", fees: { maker: "0", taker: "0" } }',
    'fills: { model: bars }',
    'balances: { USD: "100000" }',
    'strategy: { path: buyer.ts }',
  ]);
const columns = 'columns: { time: 0, close: 1, open: 2, high: 3, low: 4, volume: 5 }';

interface Reported {
  readonly complete: boolean;
  readonly identity: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
  readonly fills: readonly { readonly price: number }[];
}

test('a scenario names the columns of its table and rounds adjusted prices to the tick, and says so', async () => {
  const { code, out, err } = await run([
    'backtest',
    '--scenario',
    scenario('rounded.yaml', `import: { ${columns}, round: tick }`),
    '--json',
    '--no-save',
    '--no-band',
  ]);
  expect([code, err]).toEqual([
    0,
    expect.stringContaining('data: prices are rounded to the tick 0.01, as asked'),
  ]);
  const received = JSON.parse(out) as Reported;
  expect(received.complete).toBe(true);
  expect(received.identity['data grade']).toBe('B');
  expect(received.notes).toContain('data: 60 prices rounded to the tick, by 0.004 at most');
  // The first bar opens at 134.02, the order of its end fills at the open of the second.
  expect(received.fills[0]?.price).toBe(135.02);
  expect(received.fills.length).toBe(29);
});

test('the same without the option is refused, with or without a tick', async () => {
  const looked = await run(['data', 'inspect', table, '--columns', 'time=0,close=1,open=2,high=3,low=4']);
  expect([looked.code, looked.err]).toEqual([
    1,
    expect.stringMatching(/SPY\.csv:1: expected prices of at most 2\^53/),
  ]);
  const rounded = await run([
    'data',
    'import',
    table,
    '--out',
    join(folder, 'spy.pack'),
    '--tick',
    '0.01',
    '--round',
    'tick',
    '--columns',
    'time=0,close=1,open=2,high=3,low=4',
  ]);
  expect(rounded.out).toMatch(/^ +60 prices rounded to the tick, by 0\.004 at most$/m);
  const unrounded = await run([
    'backtest',
    '--scenario',
    scenario('off.yaml', `import: { ${columns} }`),
    '--no-save',
    '--no-band',
  ]);
  expect([unrounded.code, unrounded.err]).toEqual([
    1,
    'godwit: SPY: expected prices above 0 on a tick size of 0.01, found 134.01602172851562; name a finer tick size, or round to this one by import: { round: tick }',
  ]);
});
