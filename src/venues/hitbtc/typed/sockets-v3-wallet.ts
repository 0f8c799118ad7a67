import type { Observable } from 'rxjs';
import type { Balance } from '../../../core/model/market.ts';
import type { WalletTransaction } from '../wire/resources/wallet.ts';
import { transaction } from '../wire/resources/wallet.ts';
import type { V3Input } from './calls/table-caller.ts';
import type { SocketLine } from './sockets-line.ts';
import type { V3TradingLine } from './sockets-trading-line.ts';
import type { CallOptions } from './calls/caller.ts';
import { walletBalance } from '../wire/resources/account.ts';

/**
 * The v3 wallet socket. Right R3. Limits per account: 5 requests a second and 10 above, logins 2 and 10.
 * Source: v3-gaps, section 3; API v3, "Limits".
 */
export class V3WalletSocket {
  /** A transaction as it is after a change. */
  readonly transaction$: Observable<WalletTransaction>;
  /** Every balance that is not zero, right after `subscribeBalances`. */
  readonly balances$: Observable<readonly Balance[]>;
  /** A balance that changed, also to zero. */
  readonly balance$: Observable<Balance>;
  readonly #line: V3TradingLine;

  constructor(line: V3TradingLine) {
    this.#line = line;
    this.transaction$ = line.notices.of('transaction_update', transaction.v3.read);
    this.balances$ = line.notices.of('wallet_balances', walletBalance.v3.decodeList);
    this.balance$ = line.notices.of('wallet_balance_update', (params) => {
      const [balance] = walletBalance.v3.decodeList([params]);
      return balance as Balance;
    });
  }

  /** The connection: its state, and `ready()`. */
  get socket(): SocketLine {
    return this.#line.socket;
  }

  /** What was wrong with notifications that were passed over. */
  get faults$(): Observable<string> {
    return this.#line.notices.faults$;
  }

  /** Turns `transaction$` on. Kept up over losses of the connection. */
  subscribeTransactions(options?: CallOptions): Promise<void> {
    return this.#line.subscribe('subscribe_transactions', {}, options);
  }

  unsubscribeTransactions(options?: CallOptions): Promise<void> {
    return this.#line.unsubscribe('subscribe_transactions', 'unsubscribe_transactions', {}, options);
  }

  /** Turns `balances$` and `balance$` on. Kept up over losses of the connection. */
  subscribeBalances(options?: CallOptions): Promise<void> {
    return this.#line.subscribe('subscribe_wallet_balances', {}, options);
  }

  unsubscribeBalances(options?: CallOptions): Promise<void> {
    return this.#line.unsubscribe('subscribe_wallet_balances', 'unsubscribe_wallet_balances', {}, options);
  }

  /** Every wallet balance that is not zero. */
  balances(options?: CallOptions): Promise<readonly Balance[]> {
    return this.#line.ask('wallet_balances', {}, options);
  }

  /** The wallet balance of one currency. Errors: 2002. */
  balance(params: { readonly currency: string }, options?: CallOptions): Promise<Balance> {
    return this.#line.ask('wallet_balance', params, options);
  }

  /** Transactions, as over REST. */
  transactions(
    params: V3Input<'walletTransactions'> = {},
    options?: CallOptions,
  ): Promise<readonly WalletTransaction[]> {
    return this.#line.ask('get_transactions', params, options);
  }

  close(): Promise<void> {
    return this.#line.socket.close();
  }
}
