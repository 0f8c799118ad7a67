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
