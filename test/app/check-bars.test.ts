import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { run } from './cli/support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'check-bars-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a look-ahead check on bars runs what the backtest runs: candles of one kind, and one digest', async () => {
  const rows = Array.from({ length: 40 }, (_, i) => {
    const price = 100 + (i % 7);
    const time = new Date(Date.UTC(2024, 0, 1, i)).toISOString();
    return `${time},${price},${price + 1},${price - 1},${price},10`;
  });
  writeFileSync(join(folder, 'bars.csv'), `${['time,open,high,low,close,volume', ...rows].join('\n')}\n`);
  // It trades on whatever tells one kind of candle from another.
  writeFileSync(
    join(folder, 'kind.ts'),
    `import { defineStrategy, z } from 'godwit/strategy';
export default defineStrategy({
  name: 'kind',
  params: z.strictObject({}),
  feeds: () => [{ symbol: 'ABC', candles: ['H1'] }],
  create: ({ orders }) => ({
    onCandle(candle) {
      const side = candle.constructor === Object ? 'buy' : 'sell';
      orders.place({ symbol: 'ABC', side, type: 'market', quantity: '1' });
    },
  }),
});
`,
  );
  const path = join(folder, 'run.yaml');
  writeFileSync(
    path,
    `name: kinds of candles
data: [bars.csv]
instrument: { symbol: ABC, base: ABC, quote: USD, tick: '0.01', lot: '1', fees: { maker: '0', taker: '0' } }
fills: { model: bars, account: { kind: margin } }
balances: { USD: '100000' }
strategy: { path: kind.ts }
`,
  );
  const backtest = await run(['backtest', '--scenario', path, '--no-save', '--no-band', '--json']);
  const check = await run(['check', 'lookahead', '--scenario', path, '--cuts', '1', '--json']);
  expect([backtest.code, check.code], backtest.err + check.err).toEqual([0, 0]);
  const { identity } = JSON.parse(backtest.out) as { identity: { decisions: string } };
  expect(JSON.parse(check.out)).toMatchObject({ holds: true, digest: identity.decisions });
});
