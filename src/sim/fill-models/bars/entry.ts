import type { RefusalCode } from '../../../exchange/matching/outcome.ts';
import { needsPrice } from '../../../core/model/order.ts';
import type { BarAccount } from './account.ts';
import type { BarOrderManager } from './order-manager.ts';
import type { BarMarket } from './market.ts';
import type { BarOrder } from './order.ts';

export type BarRefusal = { readonly code: RefusalCode; readonly why: string };

/** The way of an order into its market: it executes, rests, expires at once, or is refused. */
export class BarEntry {
  readonly #account: BarAccount;
  readonly #manager: BarOrderManager;

  constructor(account: BarAccount, manager: BarOrderManager) {
    this.#account = account;
    this.#manager = manager;
  }

  /** Lets an order in, in the place of `replaced` if there is one. */
  enter(market: BarMarket, order: BarOrder, replaced: BarOrder | undefined): BarRefusal | undefined {
    const manager = this.#manager;
    const refusal = this.faultOf(market, order);
    if (refusal !== undefined) return refusal;
    if (!this.fund(market, order)) {
      if (replaced !== undefined) manager.report(replaced, 'canceled');
      return { code: 'INSUFFICIENT_FUNDS', why: 'the account cannot hold back what the order may take' };
    }
    this.begin(market, order, replaced);
    return undefined;
  }

  /** What is wrong with an order before its money is looked at. */
  faultOf(market: BarMarket, { request }: BarOrder): BarRefusal | undefined {
    if (!Number.isNaN(market.ticks) || request.type !== 'market') return undefined;
    return { code: 'SYMBOL_NOT_WORKING', why: `${market.instrument.symbol} has no price yet` };
  }

  /** Holds back what an order that is to rest may take; false when it is not there. */
  fund(market: BarMarket, order: BarOrder): boolean {
    const rests = !this.#acts(market, order) || !order.triggered;
    return !rests || order.request.type === 'market' || this.#account.hold(order);
  }

  /** A funded order goes to its market. */
  begin(market: BarMarket, order: BarOrder, replaced: BarOrder | undefined): void {
    const manager = this.#manager;
    const acts = this.#acts(market, order);
    const { timeInForce, postOnly, type } = order.request;
    if (replaced !== undefined) manager.report(order, 'replaced');
    else if (type !== 'market' || !acts) manager.report(order, order.triggered ? 'new' : 'suspended');
    const atOnce = needsPrice(type) && (timeInForce === 'IOC' || timeInForce === 'FOK');
    if (order.triggered && ((acts && postOnly) || (!acts && atOnce))) {
      manager.end(market, order, 'expired');
    } else if (acts && order.triggered) {
      manager.execute(market, order, true);
    } else {
      market.orders.add(order);
      if (acts) manager.act(market, order);
    }
  }

  #acts(market: BarMarket, order: BarOrder): boolean {
    return market.live && order.actsAt(market.price, false);
  }
}
