import { formatAmount } from '../base/amount.ts';
import { timeText } from '../base/clock.ts';
import type { BarUpkeep } from '../sim/bar-upkeep.ts';
import { paidNotes } from './funding-notes.ts';

/** What a reader must know of liquidations and funding, one sentence each. */
export function upkeepNotes({ liquidation, funding }: BarUpkeep): readonly string[] {
  const notes: string[] = [];
  const [first] = liquidation?.log ?? [];
  if (liquidation !== undefined && first !== undefined) {
    const times = liquidation.count === 1 ? 'once' : `${liquidation.count} times, first`;
    notes.push(`the account was liquidated ${times} at ${timeText(first.time)}`);
    for (const [currency, equity] of liquidation.lowest) {
      if (equity >= 0n) continue;
      const least = liquidation.count === 1 ? '' : 'at worst ';
      notes.push(
        `a liquidation came too late: it left ${least}${formatAmount(equity)} ${currency}, which a real account would owe`,
      );
    }
  }
  return [...notes, ...(funding === undefined ? [] : paidNotes(funding.paid))];
}

/** The same as plain JSON; nothing of what the rules do not ask for. */
export function upkeepJson({ liquidation, funding }: BarUpkeep): object {
  return {
    ...(liquidation === undefined
      ? {}
      : {
          liquidations: {
            count: liquidation.count,
            list: liquidation.log.map(({ time, currency, positions, equity }) => ({
              time,
              currency,
              positions,
              equity: formatAmount(equity),
            })),
          },
        }),
    ...(funding === undefined
      ? {}
      : {
          funding: {
            times: funding.count,
            paid: Object.fromEntries(
              [...funding.paid].map(([currency, paid]) => [currency, formatAmount(paid)]),
            ),
          },
        }),
  };
}
