import {
  encodeV2BalanceNotice,
  encodeV2TransactionUpdate,
} from '../../venues/hitbtc/wire/v2/account-frames.ts';
import { v2AccountMethods as table } from '../../venues/hitbtc/wire/v2/account-methods.ts';
import { encodeV2Transaction } from '../../venues/hitbtc/wire/v2/account-transactions.ts';
import type { AppSetup } from '../app-setup.ts';
import { memoizeLast } from '../sockets/memoize-last.ts';
import type { RpcMethod } from '../sockets/rpc-session.ts';
import { accountOf, withParams } from '../sockets/rpc-session.ts';
import { encodeWalletBalance } from './encode.ts';
import { selectTransactions } from './transactions.ts';

/** The methods of the v2 account socket, but for `login`, which all v2 locations share. Source: v2-gaps, section 7. */
export function v2AccountSocketMethods({ world: { wallet } }: AppSetup): ReadonlyMap<string, RpcMethod> {
  const { context } = wallet;
  const notice = memoizeLast(encodeV2TransactionUpdate);
  const query: RpcMethod = {
    right: table.findTransactions.right,
    run: withParams(table.findTransactions.params, (params, call) =>
      JSON.stringify(
        selectTransactions(context.log.all(accountOf(call)), params).map((transaction) =>
          encodeV2Transaction(transaction, params.showSenders),
        ),
      ),
    ),
  };
  return new Map<string, RpcMethod>([
    ['findTransactions', query],
    ['loadTransactions', query],
    [
      'subscribeTransactions',
      {
        right: table.subscribeTransactions.right,
        run: withParams(table.subscribeTransactions.params, (_params, call) => {
          const { session } = call;
          const ended = context.notices.watchTransactions(accountOf(call), (transaction) =>
            session.connection.send(notice(transaction)),
          );
          session.atEnd('transactions', ended);
          return 'true';
        }),
      },
    ],
    ['unsubscribeTransactions', ending('transactions')],
    [
      'subscribeBalance',
      {
        right: table.subscribeBalance.right,
        run: withParams(table.subscribeBalance.params, (_params, call) => {
          const account = accountOf(call);
          const { session } = call;
          const ended = context.notices.watchBalances(account, (currencies) =>
            session.connection.send(
              encodeV2BalanceNotice(currencies.map((currency) => context.ledger.balance(account, currency))),
            ),
          );
          session.atEnd('wallet balances', ended);
          return 'true';
        }),
        after: (call) =>
          call.session.connection.send(encodeV2BalanceNotice(context.ledger.balances(accountOf(call)))),
      },
    ],
    ['unsubscribeBalance', ending('wallet balances')],
    [
      'getBalance',
      {
        right: table.getBalance.right,
        run: (call) => JSON.stringify(context.ledger.balances(accountOf(call)).map(encodeWalletBalance)),
      },
    ],
  ]);
}

function ending(what: string): RpcMethod {
  return {
    right: table.unsubscribeBalance.right,
    run(call) {
      call.session.atEnd(what, () => {});
      return 'true';
    },
  };
}
