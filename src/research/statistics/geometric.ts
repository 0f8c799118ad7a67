import { mean, sampleCovariance, sampleVariance, sum } from 'simple-statistics';

/**
 * The other school of annualising, that of backtesting.py: compound the geometric mean of daily returns, and derive a
 * volatility of compounded growth. Its Sharpe and Sortino ratios set the compounded return against those.
 */
export interface GeometricFigures {
  /** Compounded over a year of trading days. */
  readonly annualReturn: number;
  readonly annualVolatility: number;
  readonly sharpe: number;
  readonly sortino: number;
}

/** From the simple returns of days (no missing ones), the trading days of a year, and a yearly rate without risk. */
export function geometricFigures(
  days: readonly number[],
  daysPerYear: number,
  riskFree = 0,
): GeometricFigures {
  const growth = geometricMean(days);
  const annualReturn = (1 + growth) ** daysPerYear - 1;
  const middle = mean(days);
  const variance = sum(days.map((one) => (one - middle) ** 2)) / (days.length - 1);
  const annualVolatility = Math.sqrt(
    (variance + (1 + growth) ** 2) ** daysPerYear - (1 + growth) ** (2 * daysPerYear),
  );
  const shortfall = Math.sqrt(mean(days.map((one) => Math.min(one, 0) ** 2))) * Math.sqrt(daysPerYear);
  return {
    annualReturn,
    annualVolatility,
    sharpe: (annualReturn - riskFree) / annualVolatility,
    sortino: (annualReturn - riskFree) / shortfall,
  };
}

/** The constant return that leads to the same growth; 0 when something was lost whole. */
export function geometricMean(returns: readonly number[]): number {
  if (returns.length === 0 || returns.some((one) => one <= -1)) return 0;
  return Math.exp(sum(returns.map((one) => Math.log(1 + one))) / returns.length) - 1;
}

/** Beta of the logarithmic returns of every sample, and what the whole return exceeds beta times the hold return by. */
export function alphaBetaOfGrowth(
  equity: ArrayLike<number>,
  benchmark: ArrayLike<number>,
  returns: { readonly own: number; readonly hold: number },
): { readonly alpha: number; readonly beta: number } {
  const own = logReturns(equity);
  const market = logReturns(benchmark);
  if (own.length < 2) return { alpha: Number.NaN, beta: Number.NaN };
  const beta = sampleCovariance(own, market) / sampleVariance(market);
  return { alpha: returns.own - beta * returns.hold, beta };
}

function logReturns(values: ArrayLike<number>): number[] {
  return Array.from({ length: Math.max(0, values.length - 1) }, (_, i) =>
    Math.log((values[i + 1] as number) / (values[i] as number)),
  );
}
