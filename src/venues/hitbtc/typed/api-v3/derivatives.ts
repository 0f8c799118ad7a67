import type { CallOptions, V3Caller, V3Input } from '../calls/index.ts';
import type { OrderList } from './order-list.ts';

/** Accounts, positions, orders and history, which margin and futures have alike: rows of the two differ in their prefix alone. */
class V3Derivatives {
  readonly #api: V3Caller;
  readonly #product: 'margin' | 'futures';

  constructor(api: V3Caller, product: 'margin' | 'futures') {
    this.#api = api;
    this.#product = product;
  }

  /** Every account, isolated and cross, with its positions. */
  accounts(options?: CallOptions) {
    return this.#api.call(`${this.#product}Accounts`, {}, options);
  }

  /** The isolated account of a symbol. Errors: 2001. */
  isolatedAccount(params: V3Input<'marginIsolatedAccount'>, options?: CallOptions) {
    return this.#api.call(`${this.#product}IsolatedAccount`, params, options);
  }

  /** The cross account of a currency. Errors: 2002. */
  crossAccount(params: V3Input<'marginCrossAccount'>, options?: CallOptions) {
    return this.#api.call(`${this.#product}CrossAccount`, params, options);
  }

  /**
   * Sets the margin of an account, made if need be; `marginBalance` 0 closes it and returns the funds. `instrument` is
   * a symbol (isolated) or a currency (cross). Errors: 20001 funds, 20033 not changed.
   */
  setAccount(params: V3Input<'marginSetAccount'>, options?: CallOptions) {
    return this.#api.call(`${this.#product}SetAccount`, params, options);
  }

  /** Closes every position at the market; the closed ones. */
  closePositions(options?: CallOptions) {
    return this.#api.call(`${this.#product}ClosePositions`, {}, options);
  }

  /** Closes a position at the market, or by a limit order at `price`. Errors: 20034 close only. */
  closePosition(params: V3Input<'marginClosePosition'>, options?: CallOptions) {
    return this.#api.call(`${this.#product}ClosePosition`, params, options);
  }

  /** Active and suspended orders, all or of one symbol. */
  orders(params: V3Input<'marginActiveOrders'> = {}, options?: CallOptions) {
    return this.#api.call(`${this.#product}ActiveOrders`, params, options);
  }

  /** One active order. Errors: 20002. */
  order(params: V3Input<'marginActiveOrder'>, options?: CallOptions) {
    return this.#api.call(`${this.#product}ActiveOrder`, params, options);
  }

  /**
   * Places an order and gives it back. `reduceOnly`: never flips the position; `closePosition`: a stop market order
   * without quantity; `marginAuto`: account and position are made by the order. Errors: as spot orders.
   */
  createOrder(params: V3Input<'marginNewOrder'>, options?: CallOptions) {
    return this.#api.call(`${this.#product}NewOrder`, params, options);
  }

  /** Places two or three orders as one; each comes back in the order given. */
  createOrderList(list: OrderList<V3Input<'marginNewOrder'>>, options?: CallOptions) {
    return this.#api.call(`${this.#product}NewOrderList`, list, options);
  }

  /** Replaces an order by one with `newClientOrderId`. Errors: 20002, 20009. */
  replaceOrder(params: V3Input<'marginReplaceOrder'>, options?: CallOptions) {
    return this.#api.call(`${this.#product}ReplaceOrder`, params, options);
  }

  /** Cancels all orders, or those of one symbol. */
  cancelOrders(params: V3Input<'marginCancelOrders'> = {}, options?: CallOptions) {
    return this.#api.call(`${this.#product}CancelOrders`, params, options);
  }

  /** Cancels an order and gives it back. Errors: 20002. */
  cancelOrder(params: V3Input<'marginCancelOrder'>, options?: CallOptions) {
    return this.#api.call(`${this.#product}CancelOrder`, params, options);
  }

  /** Terms of each symbol: leverage, and the multipliers of margin call and liquidation. */
  config(options?: CallOptions) {
    return this.#api.call(`${this.#product}Config`, {}, options);
  }

  /** Turns the replenishing of margin on or off for a `symbol` (isolated) or `currency` (cross). Errors: 10025 no account. */
  setAmr(params: V3Input<'marginAmr'>, options?: CallOptions) {
    return this.#api.call(`${this.#product}Amr`, params, options);
  }

  /** Orders that were, newest first: `by` id, `limit` 100 (to 1000), `offset` to 100000. */
  orderHistory(params: V3Input<'marginOrderHistory'> = {}, options?: CallOptions) {
    return this.#api.call(`${this.#product}OrderHistory`, params, options);
  }

  /** Own executions with their position, newest first: `by` id, `limit` 100 (to 1000), `offset` to 100000. */
  tradeHistory(params: V3Input<'marginTradeHistory'> = {}, options?: CallOptions) {
    return this.#api.call(`${this.#product}TradeHistory`, params, options);
  }

  /** Positions that were; no source describes the rows. */
  positionHistory(params: V3Input<'marginPositionHistory'> = {}, options?: CallOptions) {
    return this.#api.call(`${this.#product}PositionHistory`, params, options);
  }

  /** Positions that the exchange has closed: by liquidation, and contracts by settlement. No source describes the rows. */
  clearingHistory(params: V3Input<'marginClearingHistory'> = {}, options?: CallOptions) {
    return this.#api.call(`${this.#product}ClearingHistory`, params, options);
  }
}

/**
 * Margin trading of v3. Orders as in spot, and accounts with their positions; amounts in the account's currency.
 * Per address 300 requests a second and 450 above on orders, accounts and positions, 20 and 30 on the rest. Rights: reads
 * R1, changes R2. Errors of every call: 1002, 1003, 10001, 2024 margin mode, 20032 no such account or position, 20040
 * forbidden, 429. Writes are never repeated. Source: API v3, "Margin"; v3-gaps, section 8.
 */
export class V3Margin extends V3Derivatives {
  readonly #api: V3Caller;

  constructor(api: V3Caller) {
    super(api, 'margin');
    this.#api = api;
  }

  /** Settings of what each account does by itself: `amr` replenishes margin, `amm` manages it. */
  settings(options?: CallOptions) {
    return this.#api.call('marginSettings', {}, options);
  }

  /**
   * Turns automatic margin management on or off for a `symbol` (isolated) or `currency` (cross): what orders need is
   * taken from the trading balance, and comes back when nothing is open. Errors: 10025 no account.
   */
  setAmm(params: V3Input<'marginAmm'>, options?: CallOptions) {
    return this.#api.call('marginAmm', params, options);
  }
}

/**
 * Futures trading of v3. Orders as in spot, and accounts with their positions; amounts in the account's currency.
 * Per address 300 requests a second and 450 above on orders, accounts and positions, 20 and 30 on the rest. Rights: reads
 * R1, changes R2. Errors of every call: 1002, 1003, 10001, 2024 margin mode, 20032 no such account or position, 20040
 * forbidden, 429. Writes are never repeated. Source: API v3, "Margin"; v3-gaps, section 8.
 */
export class V3Futures extends V3Derivatives {
  readonly #api: V3Caller;

  constructor(api: V3Caller) {
    super(api, 'futures');
    this.#api = api;
  }

  /** Every derivatives balance that is not zero. */
  balances(options?: CallOptions) {
    return this.#api.call('futuresBalances', {}, options);
  }

  /** The derivatives balance of one currency. Errors: 2002. */
  balance(params: V3Input<'futuresBalance'>, options?: CallOptions) {
    return this.#api.call('futuresBalance', params, options);
  }

  /** Fee rates of every contract, as fractions; a negative one is a rebate. */
  fees(options?: CallOptions) {
    return this.#api.call('futuresFees', {}, options);
  }

  /** Fee rates of one contract. Errors: 2001. */
  fee(params: V3Input<'futuresFee'>, options?: CallOptions) {
    return this.#api.call('futuresFee', params, options);
  }
}
