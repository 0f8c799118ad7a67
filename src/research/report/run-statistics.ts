import type { CurrencyMeasures } from './measures.ts';
import { dailyReturns } from './measures.ts';
import type { Figure } from '../statistics/figure.ts';
import { figure } from '../statistics/figure.ts';
import type { TradeStatistics } from '../statistics/trades.ts';
import { tradeStatistics } from '../statistics/trades.ts';
import type { StatisticsOptions } from '../statistics/statistics.ts';
import { dailyStatistics } from '../statistics/statistics.ts';

/** What a report says of the money of a run, from every sample of it. */
export interface RunStatistics extends ReturnType<typeof dailyStatistics> {
  readonly holdReturn: Figure;
  readonly exposure: Figure;
  readonly drawdownMax: Figure;
  readonly drawdownAverage: Figure;
  readonly drawdownSpanMax: Figure;
  readonly trades: TradeStatistics;
}

/** `trials`: of how many tried strategies this is the best. */
export function runStatistics(
  measures: CurrencyMeasures,
  trials: StatisticsOptions['trials'] | undefined,
): RunStatistics {
  const { samples, exposed, falls, hold, trips } = measures;
  const sampled = { have: samples, needed: 1, what: 'equity samples' };
  const fallen = { have: falls.count, needed: 1, what: 'drawdowns' };
  return {
    ...dailyStatistics(dailyReturns(measures), trials === undefined ? {} : { trials }),
    holdReturn:
      hold === undefined
        ? { value: undefined, reason: 'nothing to compare with' }
        : figure(sampled, () => hold.last / hold.first - 1),
    exposure: figure(sampled, () => exposed / samples),
    drawdownMax: figure(sampled, () => falls.deepest),
    drawdownAverage: figure(fallen, () => falls.average),
    drawdownSpanMax: figure(fallen, () => falls.longest),
    trades: tradeStatistics(trips),
  };
}
