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
writeFileSync(
  at('buyer.ts'),
  `import { defineStrategy, z } from 'godwit/strategy';
export default defineStrategy({
  name: 'buyer',
  params: z.strictObject({ symbol: z.string() }),
  feeds: ({ symbol }) => [{ symbol, book: true }],
  create: ({ params: { symbol }, orders }) => {
    let books = 0;
    return {
      onBook() {
        books += 1;
        if (books === 3) orders.place({ symbol, side: 'buy', price: '99.50', quantity: '7', timeInForce: 'IOC' });
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
  test.each(['{ model: shadow }', '{ model: queue }'])('are reported with %s', async (fills) => {
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

test('tables of books are run on as other books are: a row a book, a row a level, and as the pack of either', async () => {
  const times = Array.from({ length: 30 }, (_, i) => ({ time: (start + i) * 1_000, price: 100 - i }));
  const price = (value: number): string => value.toFixed(2);
  const wide = times.map(
    ({ time, price: p }) => `${time},${price(p)},5,${price(p - 1)},9,${price(p + 0.01)},5,${price(p + 1)},9`,
  );
  writeFileSync(
    at('ABCUSD-wide.csv'),
    `timestamp,bid_0_price,bid_0_size,bid_1_price,bid_1_size,ask_0_price,ask_0_size,ask_1_price,ask_1_size\n${wide.join('\n')}\n`,
  );
  const long = times.flatMap(({ time, price: p }) => [
    `${time},b,${price(p)},5`,
    `${time},b,${price(p - 1)},9`,
    `${time},a,${price(p + 0.01)},5`,
    `${time},a,${price(p + 1)},9`,
  ]);
  writeFileSync(at('ABCUSD-long.csv'), `date,type,price,amount\n${long.join('\n')}\n`);
  expect((await run(`data import ${at('ABCUSD-long.csv')} --out ${at('long.pack')}`)).code).toBe(0);
  const results = [];
  for (const name of ['ABCUSD-wide.csv', 'ABCUSD-long.csv', 'long.pack']) {
    writeFileSync(
      at('buyer.yaml'),
      `name: buyer
data: [${name}]
fills: { model: queue }
balances: { ABC: "10", USD: "1000" }
strategy: { path: buyer.ts, params: { symbol: ABCUSD } }
config: { orders: { lastTradeNeeded: false } }
`,
    );
    const { code, out } = await run(`backtest --scenario ${at('buyer.yaml')} --no-save --no-band --json`);
    results.push([code, JSON.parse(out).orders]);
  }
  const filled = ['new', 'partiallyFilled', 'filled'].map((state) => ({ state }));
  expect(results).toMatchObject([0, 0, 0].map((code) => [code, [{ quantity: 7, states: filled }]]));
});
