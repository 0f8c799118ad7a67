import type { Observable } from 'rxjs';
import type { V3Input, CallOptions } from '../calls/index.ts';
import type { OrderList } from '../api-v3/index.ts';
import { listFault } from '../api-v3/index.ts';
import type { V3TradingLine } from './trading-line.ts';
import { MethodSocket } from './trading-line.ts';
import { V3SocketFutures, V3SocketMargin } from './v3-derivatives.ts';
import { V3SocketOrders } from './v3-orders.ts';
import type { V3Report, FeeRate, V3SpotBalance } from '../../wire/resources/index.ts';

/** When balances are sent: after every change, or at intervals once there was one. */
export type BalanceMode = 'updates' | 'batches';

/**
 * The spot part of the v3 trading socket. Limits per account: orders 300 a second and 200 above, subscriptions 5,
 * queries 20 and 10. Rights: orders R2, everything else R1. Source: v3-gaps, section 2.3; API v3, "Limits".
 */
export class V3SocketSpot extends V3SocketOrders<V3Input<'spotNewOrder'>, OrderList> {
  /** Every balance that is not zero, as often as `subscribeBalances` asked for. */
  readonly balances$: Observable<readonly V3SpotBalance[]> = this.line.notices.of('spot_balance');

  constructor(line: V3TradingLine) {
    super(line, 'spot');
  }

  /** As `createOrderList` over REST, rules of the documents judged first; a report for each order. Right R2. */
  override async newOrderList(list: OrderList, options?: CallOptions): Promise<readonly V3Report[]> {
    const fault = listFault('spot_new_order_list', list);
    if (fault !== undefined) throw fault;
    return super.newOrderList(list, options);
  }

  /** Every trading balance that is not zero. */
  balances(options?: CallOptions): Promise<readonly V3SpotBalance[]> {
    return this.line.ask('spot_balances', {}, options);
  }

  /** The trading balance of one currency. Errors: 2002. */
  balance(params: { readonly currency: string }, options?: CallOptions): Promise<V3SpotBalance> {
    return this.line.ask('spot_balance', params, options);
  }

  /** Fee rates of every symbol. */
  fees(options?: CallOptions): Promise<readonly FeeRate[]> {
    return this.line.ask('spot_fees', {}, options);
  }

  /** Fee rates of one symbol. Errors: 2001. */
  fee(params: { readonly symbol: string }, options?: CallOptions): Promise<FeeRate> {
    return this.line.ask('spot_fee', params, options);
  }

  /** Turns `balances$` on. Kept up over losses of the connection. */
  subscribeBalances(mode: BalanceMode = 'updates', options?: CallOptions): Promise<void> {
    return this.line.subscribe('spot_balance_subscribe', { mode }, options);
  }

  unsubscribeBalances(mode: BalanceMode = 'updates', options?: CallOptions): Promise<void> {
    return this.line.unsubscribe('spot_balance_subscribe', 'spot_balance_unsubscribe', { mode }, options);
  }
}

/** Everything of the v3 trading socket, on one connection. */
export class V3TradingSocket extends MethodSocket<V3TradingLine> {
  readonly spot = new V3SocketSpot(this.line);
  readonly margin = new V3SocketMargin(this.line);
  readonly futures = new V3SocketFutures(this.line);
}
