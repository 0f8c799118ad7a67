import { formatAmount } from '../../core/base/amount.ts';
import { timeText } from '../../core/base/clock.ts';
import type { Liquidation, LiquidationLog } from '../../sim/liquidation-log.ts';

/** What a reader must know of liquidations, one sentence each; nothing where there was none. */
export function liquidationNotes({ count, list, lowest }: LiquidationLog): readonly string[] {
  const [first] = list;
  if (first === undefined) return [];
  const times = count === 1 ? 'once' : `${count} times, first`;
  const owed = [...lowest].filter(([, equity]) => equity < 0n);
  const least = count === 1 ? '' : 'at worst ';
  return [
    `the account was liquidated ${times} at ${timeText(first.time)}`,
    ...owed.map(
      ([currency, equity]) =>
        `a liquidation came too late: it left ${least}${formatAmount(equity)} ${currency}, which a real account would owe`,
    ),
  ];
}

/** A liquidation as plain JSON. */
export type LiquidationJson = Omit<Liquidation, 'equity'> & { readonly equity: string };

/** How many there were, and the first thousand. */
export interface LiquidationsJson {
  readonly count: number;
  readonly list: readonly LiquidationJson[];
}

/** The same as plain JSON. */
export function liquidationsJson({ count, list }: LiquidationLog): LiquidationsJson {
  return {
    count,
    list: list.map(({ time, currency, positions, equity }) => ({
      time,
      currency,
      positions,
      equity: formatAmount(equity),
    })),
  };
}
