import type { HeldRow, StrategyProfit } from './schemas.ts';

/**
 * Profit of each strategy by quote currency, in doubles: realised and unrealised, fees and charges counted. Orders of others
 * count for `external`. What has no price is left out.
 */
export function profitsOf(positions: readonly HeldRow[], kind: StrategyProfit['kind']): StrategyProfit[] {
  const sums = new Map<string, { name: string; currency: string; profit: number }>();
  for (const row of positions) {
    if (row.unrealized === null) continue;
    const { strategy: name, currency } = row;
    const fees = Number(row.fees) * (row.feeCurrency === currency ? 1 : Number(row.price ?? 0));
    const profit = Number(row.realized) + Number(row.unrealized) - fees - Number(row.charges);
    const key = JSON.stringify([name, currency]);
    sums.set(key, { name, currency, profit: (sums.get(key)?.profit ?? 0) + profit });
  }
  return [...sums.values()].map((sum) => ({ ...sum, kind }));
}

/** What live strategies come to, by quote currency. */
export function accountProfits(rows: readonly StrategyProfit[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { kind, currency, profit } of rows)
    if (kind === 'live') sums.set(currency, (sums.get(currency) ?? 0) + profit);
  return sums;
}
