import type { Observable } from 'rxjs';
import type { V3MarginAccount, V3Position, FeeRate, V3SpotBalance } from '../../wire/resources/index.ts';
import type { V3Input, CallOptions, Exact } from '../calls/index.ts';
import type { OrderList } from '../api-v3/index.ts';
import type { V3TradingLine } from './trading-line.ts';
import { V3SocketOrders } from './v3-orders.ts';

/** An order on margin or of futures: a spot order and what they add. Source: API v3, POST /api/3/margin/order. */
export type DerivativeOrder = V3Input<'spotNewOrder'> & {
  /** A fill never flips the position. */
  readonly reduceOnly?: boolean;
  /** A stop market order that closes the position, or is canceled; leave out `quantity`. */
  readonly closePosition?: boolean;
  readonly marginMode?: 'isolated' | 'cross';
  /** Account and position are made by the order. */
  readonly marginAuto?: boolean;
};

/** Which position to close: at the market, or by a limit order at `price`. */
export interface PositionClosing {
  readonly symbol: string;
  readonly marginMode?: 'isolated' | 'cross';
  readonly price?: Exact;
  readonly strictValidate?: boolean;
}

/**
 * Methods that margin and futures add: accounts with their positions. Rights: reads R1, changes R2. Errors: 20032 no such
 * account or position, 20033 not changed, 20034 close only, 20040 forbidden. Source: v3-gaps, sections 2.4 and 2.5.
 */
class SocketDerivatives extends V3SocketOrders<DerivativeOrder, OrderList<DerivativeOrder>> {
  /** Every account, right after `subscribe`. */
  readonly accounts$: Observable<readonly V3MarginAccount[]>;
  /** Every change of an account, with its reason. */
  readonly account$: Observable<V3MarginAccount>;
  /** Positions of isolated accounts whose AMR was switched. */
  readonly position$: Observable<V3Position>;
  readonly #name: 'margin' | 'futures';

  constructor(line: V3TradingLine, product: 'margin' | 'futures') {
    super(line, product);
    this.#name = product;
    this.accounts$ = line.notices.of(`${product}_accounts`);
    this.account$ = line.notices.of(`${product}_account`);
    this.position$ = line.notices.of(`${product}_position`);
  }

  /** Every account. Right R1. */
  accounts(options?: CallOptions): Promise<readonly V3MarginAccount[]> {
    return this.line.ask(`${this.#name}_get_accounts`, {}, options);
  }

  /** Closes a position; its account as it was before. `account$` emits what comes of it. Right R2. */
  closePosition(params: PositionClosing, options?: CallOptions): Promise<V3MarginAccount> {
    return this.line.ask(`${this.#name}_close_position`, params, options);
  }
}

/** The margin part of the v3 trading socket. */
export class V3SocketMargin extends SocketDerivatives {
  constructor(line: V3TradingLine) {
    super(line, 'margin');
  }

  /**
   * Sets the margin of an isolated account, made if need be; 0 closes it. Right R2. The socket has no cross form; over
   * REST there is one (`v3.margin.setAccount`). Source: v3-gaps, section 2.4; API v3, "Margin".
   */
  setAccount(
    params: { readonly symbol: string; readonly marginBalance: Exact; readonly strictValidate?: boolean },
    options?: CallOptions,
  ): Promise<V3MarginAccount> {
    return this.line.ask('margin_set_account', params, options);
  }
}

/** The futures part of the v3 trading socket. */
export class V3SocketFutures extends SocketDerivatives {
  /** Changes of the cross account. */
  readonly crossAccount$: Observable<V3MarginAccount> = this.line.notices.of('futures_account_cross');
  /** Changes of positions of the cross account. */
  readonly crossPosition$: Observable<V3Position> = this.line.notices.of('futures_position_cross');
  /** Balances, as often as `subscribeBalances` asked for. */
  readonly balances$: Observable<readonly V3SpotBalance[]> = this.line.notices.of('futures_balance');

  constructor(line: V3TradingLine) {
    super(line, 'futures');
  }

  /** Sets margin and leverage of an isolated account, made if need be; 0 closes it. Right R2. */
  setAccount(
    params: {
      readonly symbol: string;
      readonly marginBalance: Exact;
      readonly leverage: Exact;
      readonly strictValidate?: boolean;
    },
    options?: CallOptions,
  ): Promise<V3MarginAccount> {
    return this.line.ask('futures_set_account', params, options);
  }

  /**
   * Sets the leverage of an isolated account without position and orders. Right R2. Errors: 20032 no account, 20033 not
   * changed, 20034 a position or an order stands. The documents only name it (docs/assumptions.md, "Order lists and margin").
   */
  setLeverage(
    params: { readonly symbol: string; readonly leverage: Exact },
    options?: CallOptions,
  ): Promise<V3MarginAccount> {
    return this.line.ask('futures_set_leverage', params, options);
  }

  /** Every derivatives balance that is not zero. Right R1. */
  balances(options?: CallOptions): Promise<readonly V3SpotBalance[]> {
    return this.line.ask('futures_balances', {}, options);
  }

  /** The derivatives balance of one currency. Right R1. Errors: 2002. */
  balance(params: { readonly currency: string }, options?: CallOptions): Promise<V3SpotBalance> {
    return this.line.ask('futures_balance', params, options);
  }

  /** Fee rates of every contract. Right R1. */
  fees(options?: CallOptions): Promise<readonly FeeRate[]> {
    return this.line.ask('futures_fees', {}, options);
  }

  /** Fee rates of one contract. Right R1. Errors: 2001. */
  fee(params: { readonly symbol: string }, options?: CallOptions): Promise<FeeRate> {
    return this.line.ask('futures_fee', params, options);
  }

  /** Turns `balances$` on. Kept up over losses of the connection. Right R1. */
  subscribeBalances(mode: 'updates' | 'batches' = 'updates', options?: CallOptions): Promise<void> {
    return this.line.subscribe('futures_balance_subscribe', { mode }, options);
  }

  unsubscribeBalances(mode: 'updates' | 'batches' = 'updates', options?: CallOptions): Promise<void> {
    return this.line.unsubscribe(
      'futures_balance_subscribe',
      'futures_balance_unsubscribe',
      { mode },
      options,
    );
  }
}
