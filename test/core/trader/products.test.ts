import { expect, test } from 'vitest';
import type { Product } from '../../../src/core/strategy/index.ts';
import { defineStrategy, z } from '../../../src/core/strategy/index.ts';
import { Rig } from './support/rig.ts';

/** What is said to a margin order of a strategy that declares these products. */
function answerTo(products: readonly Product[] | undefined): string | undefined {
  const strategy = defineStrategy({
    name: 'borrower',
    params: z.strictObject({}),
    feeds: () => [{ symbol: 'AAABBB', book: true, trades: true }],
    ...(products !== undefined && { products: () => products }),
    create: ({ orders }) => ({
      onTrade: () =>
        void orders.place({ product: 'margin', symbol: 'AAABBB', side: 'buy', quantity: 3, price: 99 }),
    }),
  });
  const rig = new Rig({ strategies: [strategy] }).ready();
  rig.trade(100);
  return rig.all('orderDenied')[0]?.denial.code;
}

test('a strategy trades the products that it declares', () => {
  expect(answerTo(undefined)).toBe('PRODUCT_NOT_DECLARED');
  expect(answerTo(['spot', 'futures'])).toBe('PRODUCT_NOT_DECLARED');
  // Its symbol is not traded on margin: the next rule.
  expect(answerTo(['margin'])).toBe('PRODUCT_SYMBOL');
});
