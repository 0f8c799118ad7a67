import { encodeV3Balance } from '../../wire/balances.ts';
import { encodeV3Fee } from '../../wire/v3/fees.ts';
import { futuresMethods as table } from '../../wire/v3/margin-methods.ts';
import type { DoorSetup } from '../door-setup.ts';
import { currencyNotFound, Refusal } from '../refusal.ts';
import type { RpcMethod } from '../rpc-session.ts';
import { accountOf, withParams } from '../rpc-session.ts';
import { feeRate, nonZeroBalances } from '../standing.ts';

/** Balances and fees of contracts on the v3 trading socket. Source: v3-gaps, section 2.5. */
export function v3FuturesBalanceMethods({ world, options }: DoorSetup): [string, RpcMethod][] {
  const { core, marginDesk } = world;
  const { futures } = marginDesk;
  const currencies = new Set(options.currencies.map(({ code }) => code));
  return [
    [
      'futures_balances',
      {
        right: table.futures_balances.right,
        run: (call) =>
          JSON.stringify(nonZeroBalances(core, futures.wing.of(accountOf(call))).map(encodeV3Balance)),
      },
    ],
    [
      'futures_balance',
      {
        right: table.futures_balance.right,
        run: withParams(table.futures_balance.params, ({ currency }, call) =>
          currencies.has(currency)
            ? JSON.stringify(
                encodeV3Balance(core.exchange.balance(futures.wing.of(accountOf(call)), currency)),
              )
            : currencyNotFound(),
        ),
      },
    ],
    [
      'futures_fees',
      {
        right: table.futures_fees.right,
        run: () =>
          JSON.stringify(
            core.instruments.all
              .filter((instrument) => futures.wing.trades(instrument))
              .map((instrument) => encodeV3Fee(feeRate(instrument))),
          ),
      },
    ],
    [
      'futures_fee',
      {
        right: table.futures_fee.right,
        run: withParams(table.futures_fee.params, ({ symbol }) => {
          const instrument = futures.instrument(symbol);
          return instrument instanceof Refusal
            ? instrument
            : JSON.stringify(encodeV3Fee(feeRate(instrument)));
        }),
      },
    ],
  ];
}
