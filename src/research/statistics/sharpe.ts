import { mean } from 'simple-statistics';
import { normalProbability, normalQuantile } from './normal.ts';

/** Evidence that a Sharpe ratio rests on. Ratio per period (not annualised); kurtosis of a normal distribution is 3. */
export interface SharpeEvidence {
  readonly ratio: number;
  readonly samples: number;
  readonly skewness: number;
  readonly kurtosis: number;
}

/** Ratio, skewness and kurtosis (population moments) of simple returns. */
export function sharpeEvidence(returns: readonly number[]): SharpeEvidence {
  const samples = returns.length;
  const middle = mean(returns);
  let second = 0;
  let third = 0;
  let fourth = 0;
  for (const one of returns) {
    const away = one - middle;
    const square = away * away;
    second += square;
    third += square * away;
    fourth += square * square;
  }
  const variance = second / samples;
  return {
    ratio: middle / Math.sqrt(second / (samples - 1)),
    samples,
    skewness: third / samples / variance ** 1.5,
    kurtosis: fourth / samples / variance ** 2,
  };
}

/** The deviation of an estimated Sharpe ratio, per period. Source: Mertens 2002; Bailey, Lopez de Prado 2012. */
export function sharpeDeviation({ ratio, samples, skewness, kurtosis }: SharpeEvidence): number {
  return Math.sqrt((1 - skewness * ratio + ((kurtosis - 1) / 4) * ratio ** 2) / (samples - 1));
}

/**
 * The probability that the true ratio exceeds `benchmark` (per period). Source: Bailey, Lopez de Prado, "The Sharpe
 * ratio efficient frontier", 2012.
 */
export function probabilisticSharpe(evidence: SharpeEvidence, benchmark = 0): number {
  return normalProbability((evidence.ratio - benchmark) / sharpeDeviation(evidence));
}

const eulerMascheroni = 0.577_215_664_901_532_9;

/** The largest ratio to be expected of `trials` worthless strategies whose ratios vary by `variance` (per period). */
export function expectedMaximumSharpe(trials: number, variance: number): number {
  if (trials <= 1) return 0;
  return (
    Math.sqrt(variance) *
    ((1 - eulerMascheroni) * normalQuantile(1 - 1 / trials) +
      eulerMascheroni * normalQuantile(1 - 1 / (trials * Math.E)))
  );
}

/**
 * The probability that the true ratio is above 0, given that it is the best of `trials`. Source: Bailey, Lopez de
 * Prado, "The deflated Sharpe ratio", 2014.
 */
export function deflatedSharpe(
  evidence: SharpeEvidence,
  { trials, variance }: { readonly trials: number; readonly variance: number },
): number {
  return probabilisticSharpe(evidence, expectedMaximumSharpe(trials, variance));
}

/** The interval that holds the true ratio with this confidence, per period. */
export function sharpeInterval(evidence: SharpeEvidence, confidence = 0.95): readonly [number, number] {
  const reach = normalQuantile(0.5 + confidence / 2) * sharpeDeviation(evidence);
  return [evidence.ratio - reach, evidence.ratio + reach];
}
