import { mean, sampleCovariance, sampleStandardDeviation, sampleVariance, sum } from 'simple-statistics';

/**
 * Statistics of a series of simple returns, by the conventions of empyrical. A missing return is `null`: it is left
 * out, except that `annualReturn` counts its period. `periods` are those of a year: 252, 365, 52, 12.
 */
export type Returns = readonly (number | null)[];

/** The deepest fall from a peak as a share of it: 0 or negative. The beginning is the first peak. */
export function maxDrawdown(returns: Returns): number {
  let growth = 1;
  let peak = 1;
  let deepest = 0;
  for (const one of present(returns)) {
    growth *= 1 + one;
    if (growth > peak) peak = growth;
    deepest = Math.min(deepest, growth / peak - 1);
  }
  return deepest;
}

/** The yearly growth that leads to the same end; a missing period counts as time. */
export function annualReturn(returns: Returns, periods: number): number {
  let growth = 1;
  for (const one of present(returns)) growth *= 1 + one;
  return growth ** (periods / returns.length) - 1;
}

export function annualVolatility(returns: Returns, periods: number): number {
  const known = present(returns);
  return known.length < 2 ? Number.NaN : sampleStandardDeviation(known) * Math.sqrt(periods);
}

/** Mean over deviation of what exceeds the risk-free return of each period. NaN when nothing varied. */
export function sharpeRatio(returns: Returns, periods: number, riskFree: number | Returns = 0): number {
  const excess = exceeding(returns, riskFree);
  if (excess.length < 2) return Number.NaN;
  return (mean(excess) / sampleStandardDeviation(excess)) * Math.sqrt(periods);
}

/** Root mean square of what falls short of the required return, a year. */
export function downsideRisk(returns: Returns, periods: number, required: number | Returns = 0): number {
  const excess = exceeding(returns, required);
  return Math.sqrt(mean(excess.map((one) => Math.min(one, 0) ** 2))) * Math.sqrt(periods);
}

export function sortinoRatio(returns: Returns, periods: number, required: number | Returns = 0): number {
  const excess = exceeding(returns, required);
  if (excess.length === 0) return Number.NaN;
  return (mean(excess) * periods) / downsideRisk(returns, periods, required);
}

/** Yearly return over the deepest drawdown; NaN when there was none. */
export function calmarRatio(returns: Returns, periods: number): number {
  const deepest = maxDrawdown(returns);
  return deepest === 0 ? Number.NaN : annualReturn(returns, periods) / Math.abs(deepest);
}

/** Gains over losses around a threshold: the risk-free return of a period and a required yearly return. */
export function omegaRatio(returns: Returns, periods: number, riskFree = 0, requiredAnnual = 0): number {
  const threshold = requiredAnnual === 0 ? 0 : (1 + requiredAnnual) ** (1 / periods) - 1;
  const excess = exceeding(returns, riskFree + threshold);
  const lost = -sum(excess.filter((one) => one < 0));
  return lost === 0 ? Number.NaN : sum(excess.filter((one) => one > 0)) / lost;
}

/**
 * The mean of the worst `share` of all returns (5 % leaves the 95 % conditional value at risk): negative is a loss. As
 * empyrical, the return at the quantile counts too: of 30 returns the worst two.
 */
export function conditionalValueAtRisk(returns: Returns, share = 0.05): number {
  const known = present(returns).toSorted((a, b) => a - b);
  return mean(known.slice(0, Math.floor((known.length - 1) * share) + 1));
}

/** Yearly alpha and beta against the returns of a benchmark, pairs with a missing side left out; `riskFree` of a period. */
export function alphaBeta(
  returns: Returns,
  benchmark: Returns,
  periods: number,
  riskFree = 0,
): { readonly alpha: number; readonly beta: number } {
  const own: number[] = [];
  const other: number[] = [];
  for (let i = 0; i < Math.min(returns.length, benchmark.length); i++) {
    const [a, b] = [returns[i], benchmark[i]];
    if (typeof a !== 'number' || typeof b !== 'number') continue;
    own.push(a);
    other.push(b);
  }
  if (own.length < 2) return { alpha: Number.NaN, beta: Number.NaN };
  const beta = sampleCovariance(own, other) / sampleVariance(other);
  const rest = mean(own.map((one, i) => one - riskFree - beta * ((other[i] ?? 0) - riskFree)));
  return { alpha: (1 + rest) ** periods - 1, beta };
}

/** The returns that are there. */
export function present(returns: Returns): number[] {
  return returns.filter((one): one is number => one !== null);
}

function exceeding(returns: Returns, threshold: number | Returns): number[] {
  const excess: number[] = [];
  for (let i = 0; i < returns.length; i++) {
    const one = returns[i];
    const least = typeof threshold === 'number' ? threshold : threshold[i];
    if (typeof one === 'number' && typeof least === 'number') excess.push(one - least);
  }
  return excess;
}
