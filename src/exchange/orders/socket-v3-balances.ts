import type { AccountId } from '../matching/index.ts';
import type { Instrument } from '../../core/model/instrument.ts';
import { encodeRpcNotification } from '../../venues/hitbtc/wire/index.ts';
import type { Core } from '../base/index.ts';
import { currencyNotFound, Refusal, feeRate, nonZeroBalances, tradingBalance } from '../base/index.ts';
import type { BalanceWatcher, Reports } from './reports.ts';
import type { RpcCall, RpcMethod, RpcSession } from '../sockets/index.ts';
import { sessionAccount, v3Method } from '../sockets/index.ts';
import { feeRates, spotBalance, withMargin } from '../../venues/hitbtc/wire/resources/index.ts';

/** Something with balances and fees of its own on the v3 trading socket; its name is the prefix of the methods. */
export interface BalancedProduct {
  readonly name: 'spot' | 'futures';
  /** The part of an account that holds its money. */
  of(account: AccountId): AccountId;
  trades(instrument: Instrument): boolean;
  /** The instrument of that symbol, if it is traded here. */
  instrument(symbol: string): Instrument | Refusal;
}

interface BalanceDeps {
  readonly core: Core;
  readonly reports: Reports;
  readonly currencyCodes: ReadonlySet<string>;
}

/** Balances and fees of a product. Source: v3-gaps, sections 2.3 and 2.5. */
export function v3BalanceMethods(deps: BalanceDeps, product: BalancedProduct): [string, RpcMethod][] {
  return [
    ...standingMethods(deps, product),
    ...feedMethods(deps, product),
    ...feeMethods(deps.core, product),
  ];
}

function standingMethods(
  { core, currencyCodes }: BalanceDeps,
  product: BalancedProduct,
): [string, RpcMethod][] {
  return [
    v3Method(`${product.name}_balances`, (_params, call) =>
      nonZeroBalances(core, product.of(sessionAccount(call))).map((one) =>
        spotBalance.v3.write(withMargin(one)),
      ),
    ),
    v3Method(`${product.name}_balance`, ({ currency }, call) =>
      currencyCodes.has(currency)
        ? spotBalance.v3.write(withMargin(tradingBalance(core, product.of(sessionAccount(call)), currency)))
        : currencyNotFound(),
    ),
  ];
}

function feedMethods({ core, reports }: BalanceDeps, product: BalancedProduct): [string, RpcMethod][] {
  const ownerOf = (call: RpcCall) => product.of(sessionAccount(call));
  const notice = (call: RpcCall) =>
    encodeRpcNotification(
      `${product.name}_balance`,
      nonZeroBalances(core, ownerOf(call)).map((one) => spotBalance.v3.write(withMargin(one))),
    );
  const watchers = new WeakMap<RpcSession, BalanceWatcher>();
  return [
    v3Method(
      `${product.name}_balance_subscribe`,
      ({ mode }, call) => {
        const owner = ownerOf(call);
        const watcher = { onBalances: () => call.session.connection.send(notice(call)) };
        call.session.atEnd(`${product.name} balances`, () => reports.unwatchBalances(owner, watcher));
        watchers.set(call.session, watcher);
        reports.watchBalances(owner, watcher, mode);
        return 'true';
      },
      (call) => call.session.connection.send(notice(call)),
    ),
    v3Method(`${product.name}_balance_unsubscribe`, (_params, call) => {
      const watcher = watchers.get(call.session);
      if (watcher !== undefined) reports.unwatchBalances(ownerOf(call), watcher);
      return 'true';
    }),
  ];
}

function feeMethods(core: Core, product: BalancedProduct): [string, RpcMethod][] {
  const feeOf = (instrument: Instrument) => feeRates.v3.write(feeRate(instrument));
  return [
    v3Method(`${product.name}_fees`, () =>
      core.instruments.all.filter((instrument) => product.trades(instrument)).map(feeOf),
    ),
    v3Method(`${product.name}_fee`, ({ symbol }) => {
      const instrument = product.instrument(symbol);
      return instrument instanceof Refusal ? instrument : feeOf(instrument);
    }),
  ];
}
