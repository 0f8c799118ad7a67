import type { Observable } from 'rxjs';
import type { Balance } from '../../../core/model/market.ts';
import type { V2Transaction } from '../wire/resources/wallet.ts';
import { transaction } from '../wire/resources/wallet.ts';
import type { V2Input } from './calls/table-caller.ts';
import type { V2TradingLine } from './sockets-trading-line.ts';
import type { CallOptions } from './calls/caller.ts';
import { walletBalance } from '../wire/resources/account.ts';

/** Balances and transactions on a v2 socket. Right R3. Source: v2-gaps, section 7. */
export class V2SocketAccount {
  /** A transaction as it is after a change. */
  readonly transaction$: Observable<V2Transaction>;
  /** Balances that changed; right after `subscribeBalance` all that are not zero. */
  readonly balances$: Observable<readonly Balance[]>;
  readonly #line: V2TradingLine;

  constructor(line: V2TradingLine) {
    this.#line = line;
    this.transaction$ = line.notices.of('updateTransaction', transaction.v2.read);
    this.balances$ = line.notices.of('balance', walletBalance.v3.decodeList);
  }

  /** Turns `transaction$` on. Kept up over losses of the connection. */
  subscribeTransactions(options?: CallOptions): Promise<void> {
    return this.#line.subscribe('subscribeTransactions', {}, options);
  }

  unsubscribeTransactions(options?: CallOptions): Promise<void> {
    return this.#line.unsubscribe('subscribeTransactions', 'unsubscribeTransactions', {}, options);
  }

  /** Turns `balances$` on. Kept up over losses of the connection. */
  subscribeBalance(options?: CallOptions): Promise<void> {
    return this.#line.subscribe('subscribeBalance', {}, options);
  }

  unsubscribeBalance(options?: CallOptions): Promise<void> {
    return this.#line.unsubscribe('subscribeBalance', 'unsubscribeBalance', {}, options);
  }

  /** Account balances. */
  balances(options?: CallOptions): Promise<readonly Balance[]> {
    return this.#line.ask('getBalance', {}, options);
  }

  /** Transactions; the sources know the names of these two methods alone, so parameters are those of REST. */
  findTransactions(
    params: V2Input<'accountTransactions'> = {},
    options?: CallOptions,
  ): Promise<readonly V2Transaction[]> {
    return this.#line.ask('findTransactions', params, options);
  }

  loadTransactions(
    params: V2Input<'accountTransactions'> = {},
    options?: CallOptions,
  ): Promise<readonly V2Transaction[]> {
    return this.#line.ask('loadTransactions', params, options);
  }
}
