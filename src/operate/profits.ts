import { add, amountToNumber, parseAmount, zero } from '../core/base/amount.ts';
import type { Amount } from '../core/base/amount.ts';
import type { StrategyProfit } from './schemas.ts';
import type { HeldRow } from './views/positions.ts';

/**
 * Profit of each strategy by quote currency, summed exactly and handed over in doubles: realised and unrealised, fees and charges
 * counted. Orders of others count for `external`. What has no price is left out.
 */
export function profitsOf(positions: readonly HeldRow[], kind: StrategyProfit['kind']): StrategyProfit[] {
  const sums = new Map<string, { name: string; currency: string; profit: Amount }>();
  for (const row of positions) {
    if (row.profit === null) continue;
    const { strategy: name, currency } = row;
    const key = JSON.stringify([name, currency]);
    sums.set(key, { name, currency, profit: add(sums.get(key)?.profit ?? zero, parseAmount(row.profit)) });
  }
  return [...sums.values()].map((sum) => ({ ...sum, profit: amountToNumber(sum.profit), kind }));
}

/** Sum of the rows of live strategies, by quote currency: summed before it is told as a double. */
export function accountProfits(positions: readonly HeldRow[]): ReadonlyMap<string, number> {
  const sums = new Map<string, Amount>();
  for (const { currency, profit } of positions)
    if (profit !== null) sums.set(currency, add(sums.get(currency) ?? zero, parseAmount(profit)));
  return new Map([...sums].map(([currency, sum]) => [currency, amountToNumber(sum)]));
}
