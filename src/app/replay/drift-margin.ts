import type { Amount } from '../../core/base/amount.ts';
import { add, subtract, zero } from '../../core/base/amount.ts';
import type { InstrumentId, Lots } from '../../core/model/instrument.ts';
import type { PositionAccount } from '../../core/model/margin.ts';
import type { Position } from '../../core/ledger/index.ts';

/** Result of the margin accounts of an instrument in one run, all strategies together. */
export interface RunMargin {
  readonly instrument: InstrumentId;
  readonly account: PositionAccount;
  /** Change of the position, liquidations counted. */
  readonly quantity: Lots;
  /** Funding and interest, in the currency of the margin; negative was received. */
  readonly charges: Amount;
}

/** A row of the comparison; a side that held nothing there is `undefined`. */
export interface MarginDriftRow {
  readonly instrument: InstrumentId;
  readonly account: PositionAccount;
  readonly live: RunMargin | undefined;
  readonly simulated: RunMargin | undefined;
}

/** Results of margin accounts, by the positions that are held or were. */
export function marginOf(positions: readonly Position[]): readonly RunMargin[] {
  const held = new Map<string, RunMargin>();
  for (const { instrument, account, quantity, charges } of positions) {
    if (account === 'spot') continue;
    const key = keyOf({ instrument, account });
    const known = held.get(key);
    held.set(key, {
      instrument,
      account,
      quantity: ((known?.quantity ?? 0) + quantity) as Lots,
      charges: add(known?.charges ?? zero, charges),
    });
  }
  return [...held.values()];
}

/** Results of margin accounts since an earlier look at them: what was held before is not counted. */
export function marginSince(
  earlier: readonly RunMargin[],
  positions: readonly Position[],
): readonly RunMargin[] {
  const opening = byKey(earlier);
  return marginOf(positions).map((held) => {
    const before = opening.get(keyOf(held));
    return {
      ...held,
      quantity: (held.quantity - (before?.quantity ?? 0)) as Lots,
      charges: subtract(held.charges, before?.charges ?? zero),
    };
  });
}

/** Lays the margin accounts of a session beside those of its backtest. */
export function compareMargin(
  live: readonly RunMargin[],
  simulated: readonly RunMargin[],
): readonly MarginDriftRow[] {
  const [ours, theirs] = [byKey(live), byKey(simulated)];
  return [...new Map([...ours, ...theirs]).values()].map(({ instrument, account }) => {
    const key = keyOf({ instrument, account });
    return { instrument, account, live: ours.get(key), simulated: theirs.get(key) };
  });
}

function byKey(side: readonly RunMargin[]): ReadonlyMap<string, RunMargin> {
  return new Map(side.map((one) => [keyOf(one), one]));
}

function keyOf({ instrument, account }: Pick<RunMargin, 'instrument' | 'account'>): string {
  return `${instrument} ${account}`;
}
