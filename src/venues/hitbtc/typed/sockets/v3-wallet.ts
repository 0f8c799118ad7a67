import type { Observable } from 'rxjs';
import type { Balance } from '../../../../core/model/market.ts';
import type { WalletTransaction } from '../../wire/resources/index.ts';
import type { V3Input, CallOptions } from '../calls/index.ts';
import type { V3TradingLine } from './trading-line.ts';
import { MethodSocket } from './trading-line.ts';

/**
 * The v3 wallet socket. Right R3. Limits per account: 5 requests a second and 10 above, logins 2 and 10.
 * Source: v3-gaps, section 3; API v3, "Limits".
 */
export class V3WalletSocket extends MethodSocket<V3TradingLine> {
  /** A transaction as it is after a change. */
  readonly transaction$: Observable<WalletTransaction> = this.line.notices.of('transaction_update');
  /** Every balance that is not zero, right after `subscribeBalances`. */
  readonly balances$: Observable<readonly Balance[]> = this.line.notices.of('wallet_balances');
  /** A balance that changed, also to zero. */
  readonly balance$: Observable<Balance> = this.line.notices.of('wallet_balance_update');

  /** Turns `transaction$` on. Kept up over losses of the connection. */
  subscribeTransactions(options?: CallOptions): Promise<void> {
    return this.line.subscribe('subscribe_transactions', {}, options);
  }

  unsubscribeTransactions(options?: CallOptions): Promise<void> {
    return this.line.unsubscribe('subscribe_transactions', 'unsubscribe_transactions', {}, options);
  }

  /** Turns `balances$` and `balance$` on. Kept up over losses of the connection. */
  subscribeBalances(options?: CallOptions): Promise<void> {
    return this.line.subscribe('subscribe_wallet_balances', {}, options);
  }

  unsubscribeBalances(options?: CallOptions): Promise<void> {
    return this.line.unsubscribe('subscribe_wallet_balances', 'unsubscribe_wallet_balances', {}, options);
  }

  /** Every wallet balance that is not zero. */
  balances(options?: CallOptions): Promise<readonly Balance[]> {
    return this.line.ask('wallet_balances', {}, options);
  }

  /** The wallet balance of one currency. Errors: 2002. */
  balance(params: { readonly currency: string }, options?: CallOptions): Promise<Balance> {
    return this.line.ask('wallet_balance', params, options);
  }

  /** Transactions, as over REST. */
  transactions(
    params: V3Input<'walletTransactions'> = {},
    options?: CallOptions,
  ): Promise<readonly WalletTransaction[]> {
    return this.line.ask('get_transactions', params, options);
  }
}
