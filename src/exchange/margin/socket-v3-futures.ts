import { futuresMethods as table } from '../../venues/hitbtc/wire/v3/margin-methods.ts';
import { encodeMarginAccountReport } from '../../venues/hitbtc/wire/v3/margin-rows.ts';
import type { DoorSetup } from '../door-setup.ts';
import { Refusal } from '../refusal.ts';
import type { RpcMethod } from '../sockets/rpc-session.ts';
import { accountOf, withParams } from '../sockets/rpc-session.ts';
import { v3BalanceMethods } from '../sockets/v3-balance-methods.ts';

/** Balances, fees and leverage of contracts on the v3 trading socket. Source: v3-gaps, section 2.5. */
export function v3FuturesMethods({ world, options }: DoorSetup): [string, RpcMethod][] {
  const { core, reports, marginDesk } = world;
  const { futures } = marginDesk;
  const currencies = new Set(options.currencies.map(({ code }) => code));
  return [
    ...v3BalanceMethods(
      { core, reports, currencies },
      {
        name: 'futures',
        of: (account) => futures.wing.of(account),
        trades: (instrument) => futures.wing.trades(instrument),
        instrument: (symbol) => futures.instrument(symbol),
      },
    ),
    leverageMethod(world),
  ];
}

function leverageMethod({ core, marginDesk }: DoorSetup['world']): [string, RpcMethod] {
  const { futures } = marginDesk;
  return [
    'futures_set_leverage',
    {
      right: table.futures_set_leverage.right,
      run: withParams(table.futures_set_leverage.params, ({ symbol, leverage }, call) => {
        const changed = futures.setLeverage(accountOf(call), symbol, leverage);
        if (changed instanceof Refusal) return changed;
        return JSON.stringify(encodeMarginAccountReport(changed, core.instruments, futures.wing.spelling));
      }),
    },
  ];
}
