import { expect, test } from 'vitest';
import { later, seconds } from '../../../src/core/base/clock.ts';
import { Random } from '../../../src/core/base/random.ts';
import { Basis, Fundamental } from '../../../src/exchange/market/fundamentals.ts';

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

/** The basis once a second, in 1/10000 of the price of what is worth 100. */
function basis(seed: string, bps: number, steps: number, expiry?: number): number[] {
  const underlying = { at: () => 100, known: () => 100, agitation: 1 };
  const value = new Basis({
    underlying,
    bps,
    expiry: expiry === undefined ? undefined : later(start, seconds(expiry)),
    random: new Random(seed),
    now: start,
  });
  return Array.from(
    { length: steps },
    (_, step) => (value.at(later(start, seconds(step + 1))) / 100 - 1) * 10_000,
  );
}

test('a basis is away from its underlying by tens of basis points for minutes, and comes back', () => {
  const path = basis('a', 20, 2 * 86_400);
  const deviation = Math.sqrt(path.reduce((sum, value) => sum + value * value, 0) / path.length);
  expect(deviation).toBeGreaterThan(14);
  expect(deviation).toBeLessThan(26);
  const far = path.filter((value) => Math.abs(value) > 30).length / path.length;
  expect(far).toBeGreaterThan(0.05);
  expect(far).toBeLessThan(0.3);
  // How much of it is left after ten minutes, and after an hour.
  const left = (lag: number) =>
    path.slice(lag).reduce((sum, value, index) => sum + value * (path[index] as number), 0) /
    deviation ** 2 /
    path.length;
  expect(left(600)).toBeGreaterThan(0.3);
  expect(left(600)).toBeLessThan(0.7);
  expect(Math.abs(left(3_600))).toBeLessThan(0.2);
  expect(basis('a', 20, 300)).toEqual(basis('a', 20, 300));
  expect(new Set(basis('a', 0, 300))).toEqual(new Set([0]));
});

test('the basis of a contract that expires is the same until half an hour before, then it fades, and is gone at the end', () => {
  const [lasting, fading] = [basis('f', 20, 4_000), basis('f', 20, 4_000, 3_600)];
  expect(fading.slice(0, 1_800)).toEqual(lasting.slice(0, 1_800));
  const half = fading[2_699] as number;
  expect(Math.log1p(half / 10_000)).toBeCloseTo(Math.log1p((lasting[2_699] as number) / 10_000) / 2, 8);
  expect(half).not.toBe(0);
  expect(new Set(fading.slice(3_599))).toEqual(new Set([0]));
});

test('what is seen of a value is what was last asked for, and seeing it moves nothing', () => {
  const open = () =>
    new Fundamental({ start: 100, volatility: 0.6, lagMs: 10_000, random: new Random('e'), now: start });
  const [watched, alone] = [open(), open()];
  for (let second = 1; second < 100; second++) {
    const now = later(start, seconds(second));
    const value = watched.at(now);
    expect(watched.seen.at(later(now, seconds(500)))).toBe(value);
    expect(watched.seen.known(now)).toBe(watched.known(now));
    expect(watched.seen.agitation).toBe(watched.agitation);
    expect(alone.at(now)).toBe(value);
  }
});
