import type { NewOrderCommand, NewOrderListCommand } from '../model/command.ts';
import type { OrderRequest } from '../model/order.ts';

/**
 * Puts the orders of a list back together: they were recorded as pending one by one, one right after the other, and
 * leave in one message. A list of which one order was denied on the way never becomes whole.
 */
export class ListAssembly {
  #commandId = -1;
  #requests: OrderRequest[] = [];

  /** The whole list, once its last order has come. */
  add({ commandId, strategy, request }: NewOrderCommand): NewOrderListCommand | undefined {
    const { list } = request;
    if (list === undefined) return undefined;
    if (commandId !== this.#commandId) {
      this.#commandId = commandId;
      this.#requests = [];
    }
    this.#requests.push(request);
    if (this.#requests.length < list.orders.length) return undefined;
    const requests = this.#requests;
    this.#commandId = -1;
    return { kind: 'newOrderList', commandId, strategy, contingency: list.contingency, requests };
  }
}
