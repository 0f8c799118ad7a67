import type { Amount } from '../../core/base/amount.ts';
import { add, formatAmount, zero } from '../../core/base/amount.ts';
import type { SessionHolding } from '../../research/report/index.ts';
import { timeText } from '../../core/base/clock.ts';
import type { Liquidation, LiquidationLog } from '../../sim/index.ts';

/** Funding that was paid, less what was received, by currency; nothing where none was. */
export function fundingPaid(holdings: readonly SessionHolding[]): ReadonlyMap<string, Amount> {
  const paid = new Map<string, Amount>();
  for (const { instrument, position } of holdings) {
    const { quoteCurrency } = instrument.spec;
    const { charges } = position;
    if (charges !== zero) paid.set(quoteCurrency, add(paid.get(quoteCurrency) ?? zero, charges));
  }
  return paid;
}

/** The same in a sentence each. */
export function paidNotes(paid: ReadonlyMap<string, Amount>): readonly string[] {
  return [...paid].map(([currency, amount]) => {
    const text = formatAmount((amount < 0n ? -amount : amount) as Amount);
    return `funding ${amount < 0n ? 'received' : 'paid'}, part of the profit: ${text} ${currency}`;
  });
}

/** Notes for a reader on liquidations, one sentence each; nothing where there was none. */
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
