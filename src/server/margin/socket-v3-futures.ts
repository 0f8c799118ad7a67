import { encodeV3Balance } from '../../wire/balances.ts';
import { encodeV3Fee } from '../../wire/v3/fees.ts';
import { encodeRpcNotification } from '../../wire/socket-request.ts';
import { futuresMethods as table } from '../../wire/v3/margin-methods.ts';
import { encodeMarginAccountReport } from '../../wire/v3/margin-rows.ts';
import type { DoorSetup } from '../door-setup.ts';
import { currencyNotFound, Refusal } from '../refusal.ts';
import type { BalanceWatcher } from '../reports.ts';
import type { RpcCall, RpcMethod, RpcSession } from '../rpc-session.ts';
import { accountOf, withParams } from '../rpc-session.ts';
import { feeRate, nonZeroBalances, tradingBalance } from '../standing.ts';

/** Balances, fees and leverage of contracts on the v3 trading socket. Source: v3-gaps, section 2.5. */
export function v3FuturesMethods(door: DoorSetup): [string, RpcMethod][] {
  return [...balanceMethods(door), ...feeMethods(door), leverageMethod(door), ...balanceFeed(door)];
}

function balanceMethods({ world, options }: DoorSetup): [string, RpcMethod][] {
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
                encodeV3Balance(tradingBalance(core, futures.wing.of(accountOf(call)), currency)),
              )
            : currencyNotFound(),
        ),
      },
    ],
  ];
}

function feeMethods({ world: { core, marginDesk } }: DoorSetup): [string, RpcMethod][] {
  const { futures } = marginDesk;
  return [
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

function leverageMethod({ world: { core, marginDesk } }: DoorSetup): [string, RpcMethod] {
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

/** As the balances of spot are told. Source: v3-gaps, sections 2.3 and 2.5. */
function balanceFeed({ world: { core, marginDesk, reports } }: DoorSetup): [string, RpcMethod][] {
  const wingOf = (call: RpcCall) => marginDesk.futures.wing.of(accountOf(call));
  const notice = (call: RpcCall) =>
    encodeRpcNotification('futures_balance', nonZeroBalances(core, wingOf(call)).map(encodeV3Balance));
  const watchers = new WeakMap<RpcSession, BalanceWatcher>();
  return [
    [
      'futures_balance_subscribe',
      {
        right: table.futures_balance_subscribe.right,
        run: withParams(table.futures_balance_subscribe.params, ({ mode }, call) => {
          const wing = wingOf(call);
          const watcher = { onBalances: () => call.session.connection.send(notice(call)) };
          call.session.atEnd('futures balances', () => reports.unwatchBalances(wing, watcher));
          watchers.set(call.session, watcher);
          reports.watchBalances(wing, watcher, mode);
          return 'true';
        }),
        after: (call) => call.session.connection.send(notice(call)),
      },
    ],
    [
      'futures_balance_unsubscribe',
      {
        right: table.futures_balance_unsubscribe.right,
        run: withParams(table.futures_balance_unsubscribe.params, (_params, call) => {
          const watcher = watchers.get(call.session);
          if (watcher !== undefined) reports.unwatchBalances(wingOf(call), watcher);
          return 'true';
        }),
      },
    ],
  ];
}
