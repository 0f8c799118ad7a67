import { max, mean, median, min, sampleStandardDeviation, standardDeviation, sum } from 'simple-statistics';
import type { Figure } from './figure.ts';
import { figure } from './figure.ts';
import { geometricMean } from './geometric.ts';
import type { RoundTrip } from './round-trips.ts';

/** Statistics of round trips. Shares are fractions of the entry value; times in microseconds. */
export interface TradeStatistics {
  readonly count: number;
  readonly winRate: Figure;
  readonly winAverage: Figure;
  readonly winMedian: Figure;
  readonly lossAverage: Figure;
  readonly lossMedian: Figure;
  /** Average win over average loss. */
  readonly payoff: Figure;
  /** Gains over losses, in money. */
  readonly profitFactor: Figure;
  /** The same of the shares: every trade counts alike, however large. */
  readonly profitFactorOfShares: Figure;
  /** Mean net profit of a trade, in money and as a share. */
  readonly expectancy: Figure;
  readonly expectancyShare: Figure;
  readonly bestShare: Figure;
  readonly worstShare: Figure;
  /** Geometric mean of the shares. */
  readonly averageShare: Figure;
  /** Root of the count times mean over deviation of net profits: by the sample's deviation, and the population's. */
  readonly sqn: Figure;
  readonly sqnOfPopulation: Figure;
  /** Win rate less loss rate over payoff. */
  readonly kelly: Figure;
  readonly winsInARowMax: number;
  readonly lossesInARowMax: number;
  readonly spanAverage: Figure;
  readonly spanMax: Figure;
}

/** From at least `needed` round trips; counts and streaks are always measured. */
export function tradeStatistics(trips: readonly RoundTrip[], needed = 30): TradeStatistics {
  const nets = trips.map(({ net }) => net);
  const shares = trips.map(({ share }) => share);
  const spans = trips.map(({ from, to }) => to - from);
  const wins = nets.filter((net) => net > 0);
  const losses = nets.filter((net) => net < 0);
  const gate = { have: trips.length, needed: Math.max(1, needed), what: 'closed trades' };
  const ofAll = (compute: () => number): Figure => figure(gate, compute);
  const ofWins = (compute: () => number): Figure =>
    figure(gate, () => (wins.length === 0 ? Number.NaN : compute()), 'nothing was won');
  const ofLosses = (compute: () => number): Figure =>
    figure(gate, () => (losses.length === 0 ? Number.NaN : compute()), 'nothing was lost');
  const winRate = wins.length / trips.length;
  const payoff = (): number => (wins.length === 0 ? Number.NaN : mean(wins) / -mean(losses));
  return {
    count: trips.length,
    winRate: ofAll(() => winRate),
    winAverage: ofWins(() => mean(wins)),
    winMedian: ofWins(() => median(wins)),
    lossAverage: ofLosses(() => mean(losses)),
    lossMedian: ofLosses(() => median(losses)),
    payoff: ofLosses(payoff),
    profitFactor: ofLosses(() => sum(wins) / -sum(losses)),
    profitFactorOfShares: ofLosses(() => gains(shares) / gains(shares.map((one) => -one))),
    expectancy: ofAll(() => mean(nets)),
    expectancyShare: ofAll(() => mean(shares)),
    bestShare: ofAll(() => max(shares)),
    worstShare: ofAll(() => min(shares)),
    averageShare: ofAll(() => geometricMean(shares)),
    sqn: ofAll(() =>
      nets.length < 2 ? Number.NaN : (Math.sqrt(nets.length) * mean(nets)) / sampleStandardDeviation(nets),
    ),
    sqnOfPopulation: ofAll(() => (Math.sqrt(nets.length) * mean(nets)) / standardDeviation(nets)),
    kelly: ofLosses(() => winRate - (1 - winRate) / payoff()),
    winsInARowMax: longestRun(nets, (net) => net > 0),
    lossesInARowMax: longestRun(nets, (net) => net < 0),
    spanAverage: ofAll(() => mean(spans)),
    spanMax: ofAll(() => max(spans)),
  };
}

function gains(values: readonly number[]): number {
  return sum(values.filter((value) => value > 0));
}

function longestRun(values: readonly number[], holds: (value: number) => boolean): number {
  let longest = 0;
  let run = 0;
  for (const value of values) {
    run = holds(value) ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}
