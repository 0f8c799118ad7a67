import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { run } from './cli/support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'untold-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);

const start = 1_672_531_200;
const head = 'exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount';
/** A book that falls by one a second, from 100.00 over 100.01 on. */
const levels = Array.from({ length: 60 }, (_, i) => {
  const time = (start + i) * 1_000_000;
  const level = (side: string, price: number, amount: number, whole = i === 0): string =>
    `binance,ABCUSD,${time},${time},${String(whole)},${side},${price.toFixed(2)},${amount}`;
  const now = [level('bid', 100 - i, 5), level('ask', 100.01 - i, 5)];
  return i === 0 ? now : [level('bid', 101 - i, 0), level('ask', 101.01 - i, 0), ...now];
}).flat();
writeFileSync(at('books.csv'), `${[head, ...levels].join('\n')}\n`);
writeFileSync(
  at('stopper.ts'),
  `import { defineStrategy, z } from 'godwit/strategy';
export default defineStrategy({
  name: 'stopper',
  params: z.strictObject({ symbol: z.string() }),
  feeds: ({ symbol }) => [{ symbol, book: true }],
  create: ({ params: { symbol }, orders }) => {
    let asked = false;
    return {
      onBook() {
        if (asked) return;
        asked = true;
        orders.place({
          symbol,
          side: 'sell',
          type: 'stopMarket',
          stopPrice: '95.00',
          quantity: '1',
        });
      },
    };
  },
});
`,
);
const scenario = (fills: string): string => `name: stops
data: [books.csv]
fills: ${fills}
balances: { ABC: "10", USD: "1000" }
strategy: { path: stopper.ts, params: { symbol: ABCUSD } }
config: { orders: { lastTradeNeeded: false, marketOrders: true } }
`;

const note =
  'the data have no trades of ABCUSD: its stop and take-profit orders (1) waited for executions of ours alone';

describe('stops on data without trades', () => {
  test.each(['{ model: shadow }', '{ model: queue }'])('are told with %s', async (fills) => {
    writeFileSync(at('stops.yaml'), scenario(fills));
    const { code, err, out } = await run(
      `backtest --scenario ${at('stops.yaml')} --no-save --no-band --json`,
    );
    expect([code, JSON.parse(out).orders]).toMatchObject([
      0,
      [{ states: [{ state: 'suspended' }, { state: 'canceled' }] }],
    ]);
    expect(err).toContain(`note: ${note}`);
    expect(out).toContain(note);
  });
});
