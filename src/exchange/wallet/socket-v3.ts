import type { Cancel } from '../../core/base/clock.ts';
import { encodeRpcNotification } from '../../venues/hitbtc/wire/index.ts';
import type { WalletTransaction } from '../../venues/hitbtc/wire/resources/index.ts';
import { transaction, balanceOfCurrency, walletBalance } from '../../venues/hitbtc/wire/resources/index.ts';
import type { V3MethodParams } from '../../venues/hitbtc/wire/v3/index.ts';
import { currencyNotFound } from '../base/index.ts';
import { memoizeLast, sessionAccount, v3Method } from '../sockets/index.ts';
import type { RpcCall, RpcMethod, RpcSession } from '../sockets/index.ts';
import { selectTransactions } from './transactions.ts';
import type { WalletService } from './wallet.ts';

/** The methods of the v3 wallet socket, but for `login`. Source: v3-gaps, section 3; API v3, "Limits". */
export function v3WalletSocketMethods(wallet: WalletService): ReadonlyMap<string, RpcMethod> {
  return new Map<string, RpcMethod>([...transactionMethods(wallet), ...balanceMethods(wallet)]);
}

function transactionMethods({ context }: WalletService): [string, RpcMethod][] {
  const notice = memoizeLast((changed: WalletTransaction) =>
    encodeRpcNotification('transaction_update', transaction.v3.write(changed)),
  );
  const query = (params: V3MethodParams<'transactions'>, call: RpcCall) =>
    selectTransactions(context.log.all(sessionAccount(call)), params).map((found) =>
      transaction.v3.write(found),
    );
  return [
    v3Method('transactions', query),
    v3Method('get_transactions', query),
    ...subscription('transactions', (session, account) =>
      context.notices.watchTransactions(account, (changed) => session.connection.send(notice(changed))),
    ),
  ];
}

function balanceMethods({ context }: WalletService): [string, RpcMethod][] {
  const balancesOf = (call: RpcCall) =>
    context.held.balances(sessionAccount(call)).map((one) => walletBalance.v2.write(one));
  return [
    ...subscription(
      'wallet_balances',
      (session, account) =>
        context.notices.watchBalances(account, (currencies) => {
          for (const currency of currencies) {
            session.connection.send(
              encodeRpcNotification(
                'wallet_balance_update',
                walletBalance.v2.write(context.held.balance(account, currency)),
              ),
            );
          }
        }),
      (call) => call.session.connection.send(encodeRpcNotification('wallet_balances', balancesOf(call))),
    ),
    v3Method('wallet_balances', (_params, call) => balancesOf(call)),
    v3Method('wallet_balance', ({ currency }, call) =>
      context.currency(currency) === undefined
        ? currencyNotFound()
        : balanceOfCurrency.v3.write(context.held.balance(sessionAccount(call), currency)),
    ),
  ];
}

/** `subscribe_x` and `unsubscribe_x`. A second subscription replaces the first. */
function subscription(
  what: 'transactions' | 'wallet_balances',
  watch: (session: RpcSession, account: ReturnType<typeof sessionAccount>) => Cancel,
  after?: (call: RpcCall) => void,
): [string, RpcMethod][] {
  return [
    v3Method(
      `subscribe_${what}`,
      (_params, call) => {
        call.session.atEnd(what, watch(call.session, sessionAccount(call)));
        return 'true';
      },
      after,
    ),
    v3Method(`unsubscribe_${what}`, (_params, call) => {
      call.session.atEnd(what, () => {});
      return 'true';
    }),
  ];
}
