import { describe, expect, test } from 'vitest';
import { normalProbability, normalQuantile } from '../../../src/research/statistics/normal.ts';
import {
  deflatedSharpe,
  expectedMaximumSharpe,
  probabilisticSharpe,
  sharpeEvidence,
  sharpeInterval,
} from '../../../src/research/statistics/sharpe.ts';

describe('the normal distribution', () => {
  test('agrees with published digits', () => {
    expect(normalProbability(0)).toBe(0.5);
    expect(normalProbability(1)).toBeCloseTo(0.841344746068543, 14);
    expect(normalProbability(-3)).toBeCloseTo(0.00134989803163009, 15);
    expect(normalProbability(-8) / 6.22096057427178e-16).toBeCloseTo(1, 10);
    expect(normalQuantile(0.975)).toBeCloseTo(1.95996398454005, 13);
    expect(normalQuantile(1e-6)).toBeCloseTo(-4.753424308822899, 10);
    expect(normalQuantile(0)).toBeNaN();
  });

  test('goes there and back', () => {
    for (let p = 0.001; p < 1; p += 0.013) expect(normalProbability(normalQuantile(p))).toBeCloseTo(p, 13);
  });
});

describe('the probabilistic Sharpe ratio', () => {
  // Bailey, Lopez de Prado 2012: two years of monthly returns with a ratio of 0.458 a month.
  test('is what its authors print for normal and for skewed returns', () => {
    const evidence = { ratio: 0.458, samples: 24 };
    expect(probabilisticSharpe({ ...evidence, skewness: 0, kurtosis: 3 })).toBeCloseTo(0.982, 3);
    expect(probabilisticSharpe({ ...evidence, skewness: -2.448, kurtosis: 10.164 })).toBeCloseTo(0.913, 3);
  });
});

describe('the deflated Sharpe ratio', () => {
  // Bailey, Lopez de Prado 2014: a yearly ratio of 2.5 over five years of days, the best of 100 and of 46 trials.
  const evidence = { ratio: 2.5 / Math.sqrt(250), samples: 1_250, skewness: -3, kurtosis: 10 };
  const variance = 0.5 / 250;

  test('is what its authors print', () => {
    expect(expectedMaximumSharpe(100, variance)).toBeCloseTo(0.1132, 4);
    expect(deflatedSharpe(evidence, { trials: 100, variance })).toBeCloseTo(0.9004, 4);
    expect(deflatedSharpe(evidence, { trials: 46, variance })).toBeCloseTo(0.9505, 4);
  });

  test('of one trial is the probabilistic one', () => {
    expect(deflatedSharpe(evidence, { trials: 1, variance })).toBe(probabilisticSharpe(evidence));
  });
});

test('evidence is made of the moments of the returns, and the interval is around the ratio', () => {
  const evidence = sharpeEvidence([1, 2, 3, 4, 10]);
  expect(evidence.samples).toBe(5);
  expect(evidence.ratio).toBeCloseTo(4 / Math.sqrt(12.5), 12);
  expect(evidence.skewness).toBeCloseTo(36 / 10 ** 1.5, 12);
  expect(evidence.kurtosis).toBeCloseTo(278.8 / 100, 12);
  const [low, high] = sharpeInterval(evidence);
  expect((low + high) / 2).toBeCloseTo(evidence.ratio, 12);
});
