import { expect, test } from 'vitest';
import { later, seconds } from '../../src/core/base/clock.ts';
import { Random } from '../../src/core/base/random.ts';
import { Fundamental } from '../../src/exchange/market/fundamentals.ts';

const start = seconds(1_700_000_000);

function walk(seed: string, volatility: number, steps: number): number[] {
  const value = new Fundamental({ start: 100, volatility, lagMs: 0, random: new Random(seed), now: start });
  return Array.from({ length: steps }, (_, step) => value.at(later(start, seconds(step + 1))));
}

test('a fundamental value moves, stays sane for days, and is the same for the same seed', () => {
  const path = walk('a', 0.6, 3 * 86_400);
  expect(Math.min(...path.slice(0, 100_000))).toBeGreaterThan(70);
  expect(Math.max(...path.slice(0, 100_000))).toBeLessThan(140);
  expect(new Set(path.slice(0, 1_000)).size).toBeGreaterThan(900);
  expect(walk('a', 0.6, 500)).toEqual(walk('a', 0.6, 500));
  expect(walk('a', 0.6, 500)).not.toEqual(walk('b', 0.6, 500));
});

test('volatility clusters: squared steps are correlated with the ones a minute before', () => {
  const path = walk('c', 0.6, 40_000);
  const squares = path.slice(1).map((value, index) => Math.log(value / (path[index] as number)) ** 2);
  const mean = squares.reduce((sum, value) => sum + value, 0) / squares.length;
  let covariance = 0;
  let variance = 0;
  for (let i = 60; i < squares.length; i++) {
    covariance += ((squares[i] as number) - mean) * ((squares[i - 60] as number) - mean);
    variance += ((squares[i] as number) - mean) ** 2;
  }
  expect(covariance / variance).toBeGreaterThan(0.05);
});

test('without volatility the value stands still', () => {
  expect(new Set(walk('d', 0, 100))).toEqual(new Set([100]));
});
