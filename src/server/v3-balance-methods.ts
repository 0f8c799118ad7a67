import { encodeV3Balance } from '../wire/balances.ts';
import { encodeV3Fee } from '../wire/v3/fees.ts';
import { v3TradingMethods as table } from '../wire/v3/trading-methods.ts';
import { encodeV3BalanceNotice } from '../wire/v3/trading-notices.ts';
import type { Core } from './core.ts';
import { currencyNotFound, notSpot, symbolNotFound } from './refusal.ts';
import type { BalanceWatcher, Reports } from './reports.ts';
import type { RpcCall, RpcMethod, RpcSession } from './rpc-session.ts';
import { accountOf, withParams } from './rpc-session.ts';
import { feeRate, nonZeroBalances, tradingBalance } from './standing.ts';

interface BalanceSetup {
  readonly core: Core;
  readonly reports: Reports;
  readonly currencies: ReadonlySet<string>;
}

/** Balances and fees on the v3 trading socket. Source: v3-gaps, section 2.3. */
export function v3BalanceMethods(setup: BalanceSetup): [string, RpcMethod][] {
  return [...balanceMethods(setup), ...feeMethods(setup)];
}

function balanceMethods({ core, reports, currencies }: BalanceSetup): [string, RpcMethod][] {
  const notice = (call: RpcCall) => encodeV3BalanceNotice(nonZeroBalances(core, accountOf(call)));
  const watchers = new WeakMap<RpcSession, BalanceWatcher>();
  return [
    [
      'spot_balances',
      {
        right: table.spot_balances.right,
        run: (call) => JSON.stringify(nonZeroBalances(core, accountOf(call)).map(encodeV3Balance)),
      },
    ],
    [
      'spot_balance',
      {
        right: table.spot_balance.right,
        run: withParams(table.spot_balance.params, ({ currency }, call) =>
          currencies.has(currency)
            ? JSON.stringify(encodeV3Balance(tradingBalance(core, accountOf(call), currency)))
            : currencyNotFound(),
        ),
      },
    ],
    [
      'spot_balance_subscribe',
      {
        right: table.spot_balance_subscribe.right,
        run: withParams(table.spot_balance_subscribe.params, ({ mode }, call) => {
          const account = accountOf(call);
          const watcher = { onBalances: () => call.session.connection.send(notice(call)) };
          call.session.atEnd('balances', () => reports.unwatchBalances(account, watcher));
          watchers.set(call.session, watcher);
          reports.watchBalances(account, watcher, mode);
          return 'true';
        }),
        after: (call) => call.session.connection.send(notice(call)),
      },
    ],
    [
      'spot_balance_unsubscribe',
      {
        right: table.spot_balance_unsubscribe.right,
        run(call) {
          const watcher = watchers.get(call.session);
          if (watcher !== undefined) reports.unwatchBalances(accountOf(call), watcher);
          return 'true';
        },
      },
    ],
  ];
}

function feeMethods({ core }: BalanceSetup): [string, RpcMethod][] {
  return [
    [
      'spot_fees',
      {
        right: table.spot_fees.right,
        run: () =>
          JSON.stringify(
            core.instruments.all
              .filter(({ spec }) => spec.type === 'spot')
              .map((instrument) => encodeV3Fee(feeRate(instrument))),
          ),
      },
    ],
    [
      'spot_fee',
      {
        right: table.spot_fee.right,
        run: withParams(table.spot_fee.params, ({ symbol }) => {
          const instrument = core.instruments.find(symbol);
          if (instrument === undefined) return symbolNotFound(symbol);
          if (instrument.spec.type !== 'spot') return notSpot(symbol);
          return JSON.stringify(encodeV3Fee(feeRate(instrument)));
        }),
      },
    ],
  ];
}
