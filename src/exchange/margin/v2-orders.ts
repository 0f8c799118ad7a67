import type { Micros } from '../../core/base/clock.ts';
import { seconds } from '../../core/base/clock.ts';
import type {
  MarginOrderParams,
  OrderParams,
  ReplaceParams,
} from '../../venues/hitbtc/wire/resources/index.ts';
import { onV2Margin } from '../../venues/hitbtc/wire/resources/index.ts';
import type { Core, Refusal } from '../base/index.ts';
import type { AccountId, ReportOutcome } from '../matching/index.ts';
import { futuresAccountOf, marginAccountOf, spotAccountOf } from '../matching/index.ts';
import { isEnded, refuse } from '../base/index.ts';
import type { OrderService } from '../orders/index.ts';
import type { MarginProductService } from './product-service.ts';

interface V2OrdersDeps {
  readonly core: Core;
  readonly orders: OrderService;
  readonly margin: MarginProductService;
}

/**
 * Places and replaces orders as version 2 does: beyond the ids of active orders, those of orders that were active in the same
 * trading day are taken. That is a day of UTC, and an order is known as long as the history keeps it. Source: API v2, "Socket
 * methods" (newOrder params, clientOrderId).
 */
export class V2Orders {
  readonly #setup: V2OrdersDeps;

  constructor(setup: V2OrdersDeps) {
    this.#setup = setup;
  }

  /** A spot order; one that closes a position is an order on margin. */
  place(
    account: AccountId,
    params: OrderParams & { readonly closePosition: boolean },
  ): ReportOutcome | Refusal {
    if (params.closePosition) return this.placeOnMargin(account, onV2Margin(params));
    if (this.#wasUsedToday(account, params.clientOrderId)) return refuse(20_008);
    return this.#setup.orders.place(account, params);
  }

  placeOnMargin(account: AccountId, params: MarginOrderParams): ReportOutcome | Refusal {
    if (this.#wasUsedToday(account, params.clientOrderId)) return refuse(20_008);
    return this.#setup.margin.place(account, params);
  }

  /** `owner`: the account of the product. */
  replace(owner: AccountId, params: ReplaceParams): ReportOutcome | Refusal {
    const { core, orders } = this.#setup;
    const isActive = core.exchange.order(owner, params.clientOrderId) !== undefined;
    if (isActive && this.#wasUsedToday(owner, params.newClientOrderId)) return refuse(20_008);
    return orders.replace(owner, params);
  }

  #wasUsedToday(account: AccountId, clientOrderId: string | undefined): boolean {
    if (clientOrderId === undefined) return false;
    const { core } = this.#setup;
    const now = core.now();
    const dayStart = (now - (now % seconds(86_400))) as Micros;
    const user = spotAccountOf(account);
    return [user, marginAccountOf(user), futuresAccountOf(user)].some((one) => {
      const order = core.log(one).last(clientOrderId)?.order;
      return order !== undefined && isEnded(order) && order.updatedAt >= dayStart;
    });
  }
}
