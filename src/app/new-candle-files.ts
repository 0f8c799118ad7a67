import { isAbsolute } from 'node:path';

/** A file to be written, its path from the project's folder. */
export interface NewFile {
  readonly path: string;
  readonly text: string;
}

/** Downloaded candles that a project begins with. */
export interface CandleData {
  readonly symbol: string;
  /** Period as a strategy declares it, such as `H1`. */
  readonly period: string;
  /** Folder of the data, from that of the project. */
  readonly folder: string;
  readonly baseCurrency: string;
  readonly quoteCurrency: string;
  /** Money in the quote currency that the account of the backtest begins with. */
  readonly balance: string;
  /** Size of an order in the base currency. */
  readonly quantity: string;
}

/** Strategies are the only files that export by default; this file is none. */
const exported = 'default';

/** A strategy on candles, its README, a scenario on downloaded data, and a test that runs it. */
export function candleFiles(name: string, data: CandleData, schemas: string): readonly NewFile[] {
  return [
    { path: `strategies/${name}/index.ts`, text: strategyText(name, data) },
    { path: `strategies/${name}/README.md`, text: readmeText(name, data) },
    { path: scenarioPath(name), text: scenarioText(name, data, schemas) },
    { path: `test/${name}.test.ts`, text: testText(name) },
  ];
}

/** Path of the scenario from the folder of the project. */
export function scenarioPath(name: string): string {
  return `backtest/${name}.yaml`;
}

function strategyText(name: string, { symbol, period, quantity }: CandleData): string {
  return `import { amountToNumber, defineStrategy, z } from 'godwit/strategy';

export ${exported} defineStrategy({
  name: '${name}',
  params: z
    .strictObject({
      symbol: z.string().default('${symbol}').describe('what is traded'),
      period: z.string().default('${period}').describe('candle period'),
      fast: z.int().min(1).max(1_000).default(10).describe('candles in the fast average'),
      slow: z.int().min(2).max(10_000).default(30).describe('candles in the slow average'),
      quantity: z.string().default('${quantity}').describe('position held in a rise, base currency'),
      slippage: z.number().min(0).max(0.02).default(0.002).describe('how far beyond the touch an order may fill, as a share'),
    })
    .refine(({ fast, slow }) => fast < slow, { path: ['fast'], message: 'expected fewer candles than slow' }),
  feeds: ({ symbol, period }) => [{ symbol, book: true, candles: [period] }],
  create({ params, market, orders, position, log }) {
    const { symbol, fast, slow, quantity, slippage } = params;
    const closes: number[] = [];
    const average = (count: number) => closes.slice(-count).reduce((sum, close) => sum + close, 0) / count;
    return {
      onCandle({ close }) {
        closes.push(amountToNumber(close));
        if (closes.length > slow) closes.shift();
        if (closes.length < slow || orders.openCount(symbol) > 0) return;
        const { bestBid, bestAsk } = market.book(symbol);
        if (bestBid === undefined || bestAsk === undefined) return;
        const held = position(symbol).quantity;
        const isRise = average(fast) > average(slow);
        // A limit that fills at once or ends: what did not fill is asked for again with the next candle.
        const once = { symbol, timeInForce: 'IOC' } as const;
        if (isRise && held === 0)
          orders.place({ ...once, side: 'buy', quantity, price: Math.ceil(bestAsk * (1 + slippage)) });
        if (!isRise && held > 0)
          orders.place({ ...once, side: 'sell', quantity: held, price: Math.floor(bestBid * (1 - slippage)) });
      },
      onOrder(order, denial) {
        if (denial !== undefined) log.warn('refused by us', { side: order.side, ...denial });
      },
    };
  },
});
`;
}

function readmeText(name: string, { symbol, period, quantity }: CandleData): string {
  return `# ${name}

Holds ${symbol} while its fast average is above its slow one.

| Param      | Default  | Meaning                                |
| ---------- | -------- | -------------------------------------- |
| \`symbol\`   | \`${symbol}\` | what is traded                         |
| \`period\`   | \`${period}\` | candle period                          |
| \`fast\`     | 10       | candles in the fast average            |
| \`slow\`     | 30       | candles in the slow average            |
| \`quantity\` | \`${quantity}\` | position held in a rise, base currency |
| \`slippage\` | 0.002    | how far beyond the touch an order may fill |

What it does not do, and when it loses.

\`\`\`
npx godwit backtest --scenario ${scenarioPath(name)}
\`\`\`
`;
}

function scenarioText(
  name: string,
  { symbol, folder, quoteCurrency, balance }: CandleData,
  schemas: string,
): string {
  // As other paths of a scenario: from its folder.
  const beside = isAbsolute(schemas) ? schemas : `../${schemas}`;
  return `# yaml-language-server: $schema=${beside}/scenario.json
# npx godwit backtest --scenario ${scenarioPath(name)}

name: ${name} on ${symbol}
data: [../${folder}]
fills: { model: bars }
balances: { ${quoteCurrency}: '${balance}' }
strategy: { path: ../strategies/${name} }
`;
}

/** It needs the test runner of Node alone. */
function testText(name: string): string {
  return `import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

test('${name} runs on the downloaded data, and no order is refused', () => {
  const args = ['backtest', '--scenario', '${scenarioPath(name)}', '--no-save', '--no-band', '--json'];
  const { complete, report } = JSON.parse(execFileSync('npx', ['--no-install', 'godwit', ...args], { encoding: 'utf8' }));
  assert.equal(complete, true);
  assert.equal(report.orders.denied + report.orders.rejected, 0);
});
`;
}
