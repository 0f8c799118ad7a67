import type { SafeStateKind } from '../core/model/safe-state.ts';
import type { Trader } from '../core/trader/index.ts';

/** Those of the whole run; what holds back one symbol or strategy leaves the others. */
const ofAll: ReadonlySet<SafeStateKind> = new Set([
  'sessionDown',
  'comparing',
  'unread',
  'manyUnknown',
  'unwritten',
  'forbidden',
  'halted',
  'moneyHalts',
]);

/** Why orders cannot leave, one sentence each; none when they can. */
export function obstacles({ safeStates }: Pick<Trader, 'safeStates'>): readonly string[] {
  return safeStates.filter(({ kind }) => ofAll.has(kind)).map(({ cause }) => cause);
}

/** Holding and live orders of a strategy, in words; `undefined` when there is nothing: it is flat. */
export function heldBy(
  { view, instruments }: Pick<Trader, 'view' | 'instruments'>,
  strategy: string,
): string | undefined {
  const positions = view
    .positions()
    .filter((one) => one.strategy === strategy && one.quantity !== 0)
    .map(({ instrument: id, held: amount }) => {
      const instrument = instruments.at(id);
      return `${instrument.heldText(amount)} ${instrument.unit} of ${instrument.symbol}`;
    });
  const open = view.openCountBy(strategy);
  const orders = open === 0 ? [] : [`${open} open ${open === 1 ? 'order' : 'orders'}`];
  const held = [...positions, ...orders];
  return held.length === 0 ? undefined : held.join(', ');
}
