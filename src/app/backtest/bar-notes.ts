import { formatAmount } from '../../core/base/amount.ts';
import type { LiveDenials } from '../../core/orders/live-denials.ts';
import type { BarUpkeep } from '../../sim/bars/upkeep.ts';
import { paidNotes } from '../run/funding-notes.ts';
import { liquidationNotes, liquidationsJson } from '../run/liquidation-notes.ts';

/** What a reader must know of liquidations and funding, one sentence each. */
export function upkeepNotes({ liquidation, funding }: BarUpkeep): readonly string[] {
  return [
    ...(liquidation === undefined ? [] : liquidationNotes(liquidation.log)),
    ...(funding === undefined ? [] : paidNotes(funding.paid)),
  ];
}

/** What live trading would have denied, in one sentence; nothing when it would have denied nothing. */
export function liveNotes({ orders, denied, denials }: LiveDenials): readonly string[] {
  if (denied === 0) return [];
  const codes = [...denials].map(([code, count]) => `${code} ${count}`).join(', ');
  return [
    `live trading with these settings would have denied ${denied} of ${orders} orders: ${codes} (docs/bars.md)`,
  ];
}

/** Liquidations and funding as plain JSON; nothing of what the rules do not ask for. */
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
