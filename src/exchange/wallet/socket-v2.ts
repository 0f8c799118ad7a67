import type { Balance } from '../../core/model/market.ts';
import { encodeRpcNotification } from '../../venues/hitbtc/wire/index.ts';
import type { WalletTransaction } from '../../venues/hitbtc/wire/resources/index.ts';
import { inV2Words, transaction, walletBalance } from '../../venues/hitbtc/wire/resources/index.ts';
import type { V2MethodParams } from '../../venues/hitbtc/wire/v2/index.ts';
import { memoizeLast, sessionAccount, v2Method } from '../sockets/index.ts';
import type { RpcCall, RpcMethod } from '../sockets/index.ts';
import { selectTransactions } from './transactions.ts';
import type { WalletService } from './wallet.ts';

/** The methods of the v2 account socket, but for `login`, which all v2 locations share. Source: v2-gaps, section 7. */
export function v2AccountSocketMethods({ context }: WalletService): ReadonlyMap<string, RpcMethod> {
  const notice = memoizeLast((changed: WalletTransaction) =>
    encodeRpcNotification('updateTransaction', transaction.v2.write(inV2Words(changed, false))),
  );
  const query = (params: V2MethodParams<'findTransactions'>, call: RpcCall) =>
    selectTransactions(context.log.all(sessionAccount(call)), params).map((found) =>
      transaction.v2.write(inV2Words(found, params.showSenders)),
    );
  return new Map<string, RpcMethod>([
    v2Method('findTransactions', query),
    v2Method('loadTransactions', query),
    v2Method('subscribeTransactions', (_params, call) => {
      const { session } = call;
      const ended = context.notices.watchTransactions(sessionAccount(call), (changed) =>
        session.connection.send(notice(changed)),
      );
      session.atEnd('transactions', ended);
      return 'true';
    }),
    v2Method('unsubscribeTransactions', ending('transactions')),
    v2Method(
      'subscribeBalance',
      (_params, call) => {
        const account = sessionAccount(call);
        const { session } = call;
        const ended = context.notices.watchBalances(account, (currencies) =>
          session.connection.send(
            balanceNotice(currencies.map((currency) => context.held.balance(account, currency))),
          ),
        );
        session.atEnd('wallet balances', ended);
        return 'true';
      },
      (call) => call.session.connection.send(balanceNotice(context.held.balances(sessionAccount(call)))),
    ),
    v2Method('unsubscribeBalance', ending('wallet balances')),
    v2Method('getBalance', (_params, call) =>
      context.held.balances(sessionAccount(call)).map((one) => walletBalance.v2.write(one)),
    ),
  ]);
}

function ending(what: string) {
  return (_params: object, call: RpcCall): string => {
    call.session.atEnd(what, () => {});
    return 'true';
  };
}

function balanceNotice(balances: readonly Balance[]): string {
  return encodeRpcNotification(
    'balance',
    balances.map((one) => walletBalance.v2.write(one)),
  );
}
