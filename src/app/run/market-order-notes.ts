import type { Config } from '../config/schema.ts';
import { typesAsked } from '../../research/report/figures/trials.ts';
import { hashStrategy } from '../../core/strategy/loader.ts';
import { isProgram } from './programs.ts';
import { trialLogIn, runsDirectory } from './kept-files.ts';

/**
 * A sentence for each strategy that is known to send market orders, where these are off: known from its backtests, which the
 * trial log keeps by the hash of its files. Nothing is known of one that was never run, or was changed since.
 */
export function marketOrderNotes({ orders, strategies }: Config, runs = runsDirectory): readonly string[] {
  if (orders.marketOrders) return [];
  return strategies
    .filter((one) => !isProgram(one))
    .flatMap(({ name, path }) => {
      const types = typesAsked(trialLogIn(runs), hashStrategy(path).slice(0, 16));
      const market = types.filter((type) => type === 'market' || type.endsWith('Market'));
      if (market.length === 0) return [];
      return [
        `strategy ${name} sent orders of type ${market.join(', ')} in a backtest, and orders.marketOrders is off: each of them will be denied (MARKET_ORDERS_OFF)`,
      ];
    });
}
