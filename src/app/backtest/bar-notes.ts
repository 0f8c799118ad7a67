import { formatAmount } from '../../base/amount.ts';
import type { BarUpkeep } from '../../sim/bars/bar-upkeep.ts';
import { paidNotes } from '../run/funding-notes.ts';
import { liquidationNotes, liquidationsJson } from '../run/liquidation-notes.ts';

/** What a reader must know of liquidations and funding, one sentence each. */
export function upkeepNotes({ liquidation, funding }: BarUpkeep): readonly string[] {
  return [
    ...(liquidation === undefined ? [] : liquidationNotes(liquidation.log)),
    ...(funding === undefined ? [] : paidNotes(funding.paid)),
  ];
}

/** The same as plain JSON; nothing of what the rules do not ask for. */
export function upkeepJson({ liquidation, funding }: BarUpkeep): object {
  return {
    ...(liquidation === undefined ? {} : { liquidations: liquidationsJson(liquidation.log) }),
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
