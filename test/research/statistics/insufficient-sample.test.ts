import { expect, test } from 'vitest';
import { insufficientSample } from '../../../src/research/statistics/figure.ts';

test('what is needed once is said in the singular', () => {
  expect(insufficientSample(1, 'drawdowns', 0)).toBe('needs 1 drawdown, has 0');
  expect(insufficientSample(1, 'fills with a mid price so long after', 0)).toBe(
    'needs 1 fill with a mid price so long after, has 0',
  );
  expect(insufficientSample(30, 'daily returns', 1)).toBe('needs 30 daily returns, has 1');
});
