import type { CandleData, NewFile } from './new-candle-files.ts';
import { candleFiles, scenarioPath } from './new-candle-files.ts';

/** Strategies are the only files that export by default; this file is none. */
const exported = 'default';

/** A strategy to begin with: it buys at the bid, sells what it holds at the ask, and moves its order with the touch. */
export function newStrategyFiles(name: string, sample: string): readonly NewFile[] {
  return [
    { path: `strategies/${name}/index.ts`, text: strategyText(name) },
    { path: `strategies/${name}/README.md`, text: readmeText(name, sample) },
    { path: `test/strategies/${name}.test.ts`, text: testText(name) },
  ];
}

/** Paths within the package, from the folder of the project. */
export interface PackageFiles {
  readonly sample: string;
  /** Folder with the schemas of YAML files. */
  readonly schemas: string;
}

/** What a project has around its first strategy. */
export function projectFiles(
  name: string,
  { sample, schemas }: PackageFiles,
  candles?: CandleData,
): readonly NewFile[] {
  const scripts = {
    test: 'node --test',
    backtest:
      candles === undefined
        ? `godwit backtest ${sample}`
        : `godwit backtest --scenario ${scenarioPath(name)}`,
    paper: 'godwit trade --mode paper',
  };
  const manifest = { name: `${name}-project`, private: true, type: 'module', scripts };
  return [
    { path: 'package.json', text: `${JSON.stringify(manifest, undefined, 2)}\n` },
    { path: 'godwit.yaml', text: configText(name, schemas, candles) },
    ...(candles === undefined
      ? [{ path: `test/${name}.test.ts`, text: backtestTestText(name, sample) }]
      : candleFiles(name, candles, schemas)),
  ];
}

const ofSample = { symbol: 'ETHBTC', baseCurrency: 'ETH', quoteCurrency: 'BTC', balance: '1', held: '20' };

function configText(name: string, schemas: string, candles: CandleData | undefined): string {
  const { symbol, baseCurrency, quoteCurrency, balance, held } =
    candles === undefined ? ofSample : { ...candles, held: candles.quantity };
  return `# yaml-language-server: $schema=${schemas}/configuration.json
# Live market data of a public host, fills from the simulated venue. No keys.
#   npx godwit trade --mode paper

venue:
  preset: hitbtc

run:
  directory: runs/paper

strategies:
  - name: ${name}
    path: strategies/${name}
    params:
      symbol: ${symbol}

backtest:
  balances:
    ${quoteCurrency}: "${balance}"
    ${baseCurrency}: "${held}"
`;
}

/** It needs the test runner of Node alone. */
function backtestTestText(name: string, sample: string): string {
  return `import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

test('${name} trades on the sample, and no order is refused', () => {
  const args = ['backtest', '${sample}', '--no-save', '--no-band', '--json'];
  const { orders } = JSON.parse(execFileSync('npx', ['--no-install', 'godwit', ...args], { encoding: 'utf8' }));
  assert.ok(orders.filled > 0, 'expected orders that were filled');
  assert.equal(orders.denied + orders.rejected, 0);
});
`;
}

function strategyText(name: string): string {
  return `import { defineStrategy, later, seconds, z } from 'godwit/strategy';

export ${exported} defineStrategy({
  name: '${name}',
  params: z.strictObject({
    symbol: z.string().default('ETHBTC').describe('what is traded'),
    quantity: z.string().default('0.05').describe('size of the order in base currency'),
    requoteTicks: z.int().min(1).max(1_000).default(3).describe('move the order when the touch moved so far'),
  }),
  feeds: ({ symbol }) => [{ symbol, book: true, trades: true }],
  create({ params, market, orders, position, clock, log }) {
    const { symbol, quantity, requoteTicks } = params;
    let placeFrom = 0;
    return {
      onBook({ status, bestBid, bestAsk }) {
        if (status !== 'live' || bestBid === undefined || bestAsk === undefined) return;
        const [order] = orders.open(symbol);
        if (order?.price !== undefined) {
          const touch = order.side === 'buy' ? bestBid : bestAsk;
          if (Math.abs(touch - order.price) >= requoteTicks) orders.cancel(order.clientOrderId);
          return;
        }
        // An order is refused before the first trade, and when it repeats one of the last second.
        if (market.lastTrade(symbol) === undefined || clock.now() < placeFrom) return;
        placeFrom = later(clock.now(), seconds(1));
        const held = position(symbol).quantity;
        if (held > 0) orders.place({ symbol, side: 'sell', quantity: held, price: bestAsk, postOnly: true });
        else orders.place({ symbol, side: 'buy', quantity, price: bestBid, postOnly: true });
      },
      onOrder(order, denial) {
        if (denial !== undefined) log.warn('refused by us', { side: order.side, ...denial });
      },
      onStop: () => orders.cancelAll(symbol),
    };
  },
});
`;
}

function readmeText(name: string, sample: string): string {
  return `# ${name}

What it does, in one sentence.

| Param          | Default  | Meaning                                    |
| -------------- | -------- | ------------------------------------------ |
| \`symbol\`       | \`ETHBTC\` | what is traded                             |
| \`quantity\`     | \`0.05\`   | size of the order, base currency           |
| \`requoteTicks\` | 3        | move the order when the touch moved so far |

What it does not do, and when it loses.

\`\`\`
npx godwit backtest ${sample} --strategy strategies/${name}
\`\`\`
`;
}

function testText(name: string): string {
  return `import { expect, test } from 'vitest';
import strategy from '../../strategies/${name}/index.ts';
import { Scene } from '../core/strategy/scene.ts';

test('buys at the bid, moves its order with the touch, and sells what it holds at the ask', () => {
  const scene = new Scene();
  scene.add(strategy, { quantity: '0.0010' }).start();
  scene.book([[998, 40]], [[1_002, 50]]);
  expect(scene.open()).toEqual([]);
  scene.trade(1_000, 1);
  scene.book([[998, 50]], [[1_002, 50]]);
  scene.book([[999, 50]], [[1_002, 50]]);
  expect(scene.open()).toMatchObject([{ side: 'buy', price: 998, quantity: 10, postOnly: true }]);
  scene.book([[1_001, 50]], [[1_002, 50]]);
  expect(scene.open()).toEqual([]);
  scene.wait(1_000);
  scene.book([[1_001, 51]], [[1_002, 50]]);
  expect(scene.open()).toMatchObject([{ side: 'buy', price: 1_001 }]);
  for (const order of scene.open()) scene.fill(order.clientOrderId, 10);
  scene.wait(1_000);
  scene.book([[1_001, 40]], [[1_002, 50]]);
  expect(scene.open()).toMatchObject([{ side: 'sell', price: 1_002, quantity: 10 }]);
});
`;
}
