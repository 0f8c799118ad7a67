import { encodeV3Balance, encodeV3SingleBalance } from '../../venues/hitbtc/wire/balances.ts';
import { encodeV3Fee } from '../../venues/hitbtc/wire/v3/fees.ts';
import type { DoorSetup } from '../door-setup.ts';
import { currencyNotFound, Refusal } from '../refusal.ts';
import type { RestRoute } from '../http/rest-route.ts';
import { accountOf, v3Route } from '../http/rest-route.ts';
import { feeRate, nonZeroBalances, tradingBalance } from '../standing.ts';

/** Balances and fees of contracts. Source: v3-gaps, section 8. */
export function v3FuturesBalanceRoutes({ world, options }: DoorSetup): RestRoute[] {
  const { core, marginDesk } = world;
  const { futures } = marginDesk;
  const currencies = new Set(options.currencies.map(({ code }) => code));
  return [
    v3Route('futuresBalances', (_params, call) =>
      nonZeroBalances(core, futures.wing.of(accountOf(call))).map(encodeV3Balance),
    ),
    v3Route('futuresBalance', ({ currency }, call) =>
      currencies.has(currency)
        ? encodeV3SingleBalance(tradingBalance(core, futures.wing.of(accountOf(call)), currency))
        : currencyNotFound(),
    ),
    v3Route('futuresFees', () =>
      core.instruments.all
        .filter((instrument) => futures.wing.trades(instrument))
        .map((instrument) => encodeV3Fee(feeRate(instrument))),
    ),
    v3Route('futuresFee', ({ symbol }) => {
      const instrument = futures.instrument(symbol);
      return instrument instanceof Refusal ? instrument : encodeV3Fee(feeRate(instrument));
    }),
  ];
}
