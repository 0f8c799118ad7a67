import type { Observable } from 'rxjs';
import type { Balance } from '../../../../core/model/market.ts';
import type { V2Transaction } from '../../wire/resources/index.ts';
import type { V2Input, CallOptions } from '../calls/index.ts';
import type { V2TradingLine } from './trading-line.ts';
import { MethodSocket } from './trading-line.ts';
import { V2SocketMarketData } from './v2-public.ts';
import { V2SocketTrading } from './v2-trading.ts';

/** Balances and transactions on a v2 socket. Right R3. Source: v2-gaps, section 7. */
export class V2SocketAccount {
  /** A transaction as it is after a change. */
  readonly transaction$: Observable<V2Transaction>;
  /** Balances that changed; right after `subscribeBalance` all that are not zero. */
  readonly balances$: Observable<readonly Balance[]>;
  readonly #line: V2TradingLine;

  constructor(line: V2TradingLine) {
    this.#line = line;
    this.transaction$ = line.notices.of('updateTransaction');
    this.balances$ = line.notices.of('balance');
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

// One v2 connection each, with the parts its location serves. Source: API v2, "What the service does"; v2-gaps, section 4.

/** `/api/2/ws/public`. */
export class V2PublicSocket extends MethodSocket<V2TradingLine> {
  readonly market = new V2SocketMarketData(this.line);
}

/** `/api/2/ws/trading`. */
export class V2TradingSocket extends MethodSocket<V2TradingLine> {
  readonly trading = new V2SocketTrading(this.line);
}

/** `/api/2/ws/account`. */
export class V2AccountSocket extends MethodSocket<V2TradingLine> {
  readonly account = new V2SocketAccount(this.line);
}

/** `/api/2/ws`, the combined location; deprecated by the document. */
export class V2CombinedSocket extends MethodSocket<V2TradingLine> {
  readonly market = new V2SocketMarketData(this.line);
  readonly trading = new V2SocketTrading(this.line);
  readonly account = new V2SocketAccount(this.line);
}
