import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as strategy from '../../../src/core/strategy/index.ts';
import { Scene } from '../../core/strategy/scene.ts';
import { referencePage } from './page.ts';

const page = referencePage();

/** Names of the fields and calls below a heading of the page. */
function namesBelow(heading: string): readonly string[] {
  const part = page.slice(page.indexOf(`\n### ${heading}\n`) + 1).split('\n###')[0] ?? '';
  return [...part.matchAll(/^\| `(\w+\$?)/gm)].map(([, name = '']) => name);
}

/** Those of them that are always there. */
function requiredBelow(heading: string): readonly string[] {
  return namesBelow(heading).filter((name) => !page.includes(`\`${name}?: `));
}

test('docs/reference.md is what the types of this checkout say', () => {
  const written = readFileSync(new URL('../../../docs/reference.md', import.meta.url), 'utf8');
  expect(written, 'run: npx node test/strategies/reference/generate.ts --write').toBe(page);
});

test('what a strategy is handed has the fields and calls of the page, and no others', () => {
  const seen = new Map<string, readonly string[]>();
  const see = (name: string, value: object): void => void seen.set(name, Object.keys(value));
  const { defineStrategy, z } = strategy;
  const watcher = defineStrategy({
    name: 'watcher',
    params: z.strictObject({}),
    feeds: () => [{ symbol: 'ETHBTC', book: true, trades: true }],
    create: (context) => {
      see('StrategyContext', context);
      return {
        onBook: (book) => {
          for (const name of namesBelow('BookView')) expect(Reflect.has(book, name), name).toBe(true);
          if (context.orders.openCount() === 0)
            context.orders.place({ symbol: 'ETHBTC', side: 'buy', quantity: 1, price: 99 });
        },
        onTrade: (trade) => see('MarketTrade', trade),
        onOrder: (order) => see('Order', order),
        onFill: (fill) => see('Fill', fill),
        onPosition: (position) => see('Position', position),
      };
    },
  });
  const scene = new Scene();
  scene.add(watcher, {}).start();
  scene.book([[99, 50]], [[102, 50]]);
  scene.trade(100, 1);
  for (const order of scene.open()) scene.fill(order.clientOrderId, order.quantity);
  expect(seen.get('StrategyContext')?.toSorted()).toEqual(namesBelow('StrategyContext').toSorted());
  for (const name of ['MarketTrade', 'Fill', 'Position']) {
    const handed = seen.get(name) ?? [];
    expect([name, requiredBelow(name).filter((one) => !handed.includes(one))]).toEqual([name, []]);
    expect([name, handed.filter((one) => !namesBelow(name).includes(one))]).toEqual([name, []]);
  }
  const ofOrder = new Set([...namesBelow('Order'), ...namesBelow('OrderRequest')]);
  expect((seen.get('Order') ?? []).filter((name) => !ofOrder.has(name))).toEqual([]);
});
