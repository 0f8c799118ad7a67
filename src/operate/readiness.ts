import type { Lots } from '../core/model/instrument.ts';
import type { Trader } from '../core/trader/trader.ts';

/** Why orders cannot leave, one sentence each; none when they can. */
export function obstacles({ view, started }: Pick<Trader, 'view' | 'started'>): readonly string[] {
  return [
    ...(view.sessionUp('market') ? [] : ['the market session is down']),
    ...(view.sessionUp('trading') ? [] : ['the trading session is down']),
    ...(started ? [] : ['the account is not compared with the venue yet']),
    ...(view.mode === 'halted' ? [`trading is halted: ${view.modeWhy}`] : []),
  ];
}

/** What a strategy holds and has live, in words; `undefined` when there is nothing: it is flat. */
export function heldBy(
  { view, instruments }: Pick<Trader, 'view' | 'instruments'>,
  strategy: string,
): string | undefined {
  const positions = view
    .positions()
    .filter((one) => one.strategy === strategy && one.quantity !== 0)
    .map(({ instrument, quantity }) => {
      const { symbol, unit } = instruments.at(instrument);
      return `${instruments.at(instrument).quantityText(quantity as Lots)} ${unit} of ${symbol}`;
    });
  const open = view.openCountBy(strategy);
  const orders = open === 0 ? [] : [`${open} open ${open === 1 ? 'order' : 'orders'}`];
  const held = [...positions, ...orders];
  return held.length === 0 ? undefined : held.join(', ');
}
