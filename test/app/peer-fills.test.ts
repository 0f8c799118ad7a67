import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { run } from './cli/support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'peer-fills-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * The fills of backtesting.py 0.6.6 on the bars below: `cash=100000, commission=0, trade_on_close=False`; long of 10 while the
 * average of 10 closes is above that of 20 (`self.buy(size=10)`, `self.position.close()`). Its first decision is on the 21st bar.
 */
const expected = [
  ['2024-02-09', 98.8],
  ['2024-02-23', 95.17],
  ['2024-03-19', 95.77],
  ['2024-03-26', 91.74],
  ['2024-04-14', 92.92],
  ['2024-04-23', 91.75],
  ['2024-05-01', 93.22],
  ['2024-06-15', 98.6],
  ['2024-06-16', 99.99],
  ['2024-06-18', 99.78],
  ['2024-06-21', 103.71],
  ['2024-07-25', 105.64],
  ['2024-08-08', 106.43],
  ['2024-08-20', 104.43],
  ['2024-09-04', 108.02],
  ['2024-09-30', 112.66],
  ['2024-10-13', 112.14],
  ['2024-10-17', 113.21],
  ['2024-10-23', 113.85],
];
const equity = 100_077.5;

/** Days from 2024-01-01 on; prices in cents from a linear congruential generator, which both sides have. */
function bars(count: number): string {
  let [seed, last] = [12_345n, 10_000];
  const drawn = (): number => {
    seed = (seed * 1_103_515_245n + 12_345n) % 2_147_483_648n;
    return Number(seed / 65_536n);
  };
  const rows = Array.from({ length: count }, (_, at) => {
    const open = last + (drawn() % 101) - 50;
    const close = open + (drawn() % 401) - 200;
    const high = Math.max(open, close) + (drawn() % 100);
    const low = Math.min(open, close) - (drawn() % 100);
    last = close;
    const prices = [open, high, low, close].map((cents) => (cents / 100).toFixed(2));
    return [new Date(Date.UTC(2024, 0, 1 + at)).toISOString(), ...prices, 1_000].join(',');
  });
  return `${['time,open,high,low,close,volume', ...rows].join('\n')}\n`;
}

test('a cross of averages fills at the bars and prices of backtesting.py, by default', async () => {
  writeFileSync(join(folder, 'bars.csv'), bars(300));
  writeFileSync(
    join(folder, 'cross.ts'),
    `import { defineStrategy, z } from 'godwit/strategy';
const mean = (values, count) => values.slice(-count).reduce((sum, one) => sum + one, 0) / count;
export default defineStrategy({
  name: 'cross',
  params: z.strictObject({}),
  feeds: () => [{ symbol: 'ABC', candles: ['D1'] }],
  create: ({ orders }) => {
    const closes = [];
    let held = false;
    return {
      onCandle({ close }) {
        closes.push(Number(close));
        if (closes.length < 21) return;
        const isUp = mean(closes, 10) > mean(closes, 20);
        const side = isUp ? 'buy' : 'sell';
        if (isUp !== held) orders.place({ symbol: 'ABC', side, type: 'market', quantity: '10' });
        held = isUp;
      },
    };
  },
});
`,
  );
  const scenario = join(folder, 'cross.yaml');
  writeFileSync(
    scenario,
    `name: cross
data: [bars.csv]
instrument: { symbol: ABC, base: ABC, quote: USD, tick: '0.01', lot: '1', fees: { maker: '0', taker: '0' } }
fills: { model: bars, account: { kind: margin } }
balances: { USD: '100000' }
strategy: { path: cross.ts }
`,
  );
  const { out } = await run(['backtest', '--scenario', scenario, '--no-save', '--no-band', '--json']);
  const {
    fills,
    bars: result,
    doubts,
  } = JSON.parse(out) as {
    fills: readonly { readonly time: number; readonly price: number }[];
    bars: { readonly accounts: readonly { readonly equity: string }[] };
    doubts: readonly unknown[];
  };
  const days = fills.map(({ time, price }) => [new Date(time / 1_000).toISOString().slice(0, 10), price]);
  expect(days).toEqual(expected);
  expect(Number(result.accounts[0]?.equity)).toBe(equity);
  expect(doubts).toEqual([]);
});
