import type { Amount } from '../../src/core/base/amount.ts';
import { formatAmount } from '../../src/core/base/amount.ts';
import type { Balance } from '../../src/core/model/market.ts';
import type { OrderRequest, VenueOrder } from '../../src/core/model/order.ts';
import { isFuturesAccount, isProductAccount } from '../../src/exchange/matching/accounts/command.ts';
import type { SimExchange } from './sim-exchange.ts';

/**
 * Record of every state that an order of the account and a balance of its wallets had at the exchange, report by report. Nothing in it comes
 * from the trader or from what was reported to it.
 */
export class ExchangeOrders {
  readonly #exchange: SimExchange;
  /** Texts of the states of an order, by client id. */
  readonly #states = new Map<string, Set<string>>();
  readonly #balances = new Set<string>();

  constructor(exchange: SimExchange) {
    this.#exchange = exchange;
    const { core } = exchange.world;
    for (const account of exchange.accounts)
      for (const balance of core.exchange.balances(account)) this.#noteBalance(account, balance);
    core.listen({
      onReport: ({ account, order, margin }) => {
        if (exchange.accounts.includes(account)) this.#note({ ...order, margin });
      },
      onBalance: (balance) => {
        if (exchange.accounts.includes(balance.account)) this.#noteBalance(balance.account, balance);
      },
      onSettled() {},
    });
  }

  /** What of a reported order the exchange never had, in words; `undefined`: it was so once. */
  never(order: VenueOrder): string | undefined {
    const text = textOfOrder(order);
    const states = this.#states.get(order.clientOrderId);
    if (states?.has(text) === true) return undefined;
    // What ends an order beside the one that replaces it is in the history alone.
    for (const { order: one, margin } of this.#exchange.records)
      if (one.clientOrderId === order.clientOrderId && textOfOrder({ ...one, margin }) === text)
        return undefined;
    return `${text}; had were ${[...(states ?? [])].slice(-3).join(' | ')}`;
  }

  /** Whether a wallet had this balance once. */
  hadBalance(wallet: 'spot' | 'futures', balance: Balance): boolean {
    return this.#balances.has(textOfBalance(wallet, balance));
  }

  #note(order: VenueOrder): void {
    const known = this.#states.get(order.clientOrderId);
    const text = textOfOrder(order);
    if (known === undefined) this.#states.set(order.clientOrderId, new Set([text]));
    else known.add(text);
  }

  #noteBalance(account: SimExchange['account'], balance: Balance): void {
    // What lies in accounts of margin is no wallet's.
    if (isProductAccount(account) && !isFuturesAccount(account)) return;
    this.#balances.add(textOfBalance(isFuturesAccount(account) ? 'futures' : 'spot', balance));
  }
}

/** What is reported of an order and asked for with it. */
export function termsOf({
  instrument,
  side,
  type,
  timeInForce,
  quantity,
  price,
  stopPrice,
  expireTime,
  postOnly,
  margin,
}: OrderRequest): string {
  const account =
    margin === undefined ? 'spot' : `${margin.mode} ${margin.reduceOnly} ${margin.closePosition}`;
  return [
    instrument,
    side,
    type,
    timeInForce,
    quantity,
    price,
    stopPrice,
    toMillis(expireTime ?? 0),
    postOnly,
    account,
  ].join(' ');
}

function textOfOrder(order: VenueOrder): string {
  const { venueOrderId, state, cumulative, originalClientOrderId, createdAt, updatedAt } = order;
  return `${venueOrderId} ${state} ${cumulative} ${originalClientOrderId} ${toMillis(createdAt)} ${toMillis(updatedAt)} ${termsOf(order)}`;
}

function textOfBalance(wallet: string, { currency, available, reserved }: Balance): string {
  return `${wallet} ${currency} ${cut(available)} ${cut(reserved)}`;
}

/** The interface shows whole milliseconds. */
export function toMillis(time: number): number {
  return Math.floor(time / 1_000);
}

/** The interface cuts amounts after twelve decimals. */
function cut(amount: Amount): string {
  return formatAmount((amount - (amount % 10n ** 12n)) as Amount);
}
