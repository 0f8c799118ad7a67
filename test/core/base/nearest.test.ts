import { expect, test } from 'vitest';
import { nearest } from '../../../src/core/base/nearest.ts';

const known = ['period', 'quantity', 'distance', 'fast', 'slow'];

test.each([
  ['periods', 'period'],
  ['Quantity', 'quantity'],
  ['distnace', 'distance'],
  ['slows', 'slow'],
  ['fats', undefined],
  ['colour', undefined],
  ['x'.repeat(400), undefined],
])('the known name nearest to %s', (word, found) => {
  expect(nearest(word, known)).toBe(found);
});
