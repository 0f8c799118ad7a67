import type { Capabilities } from '../../model/capabilities.ts';
import type { Denial } from '../../model/denial.ts';
import type { Instruments } from '../../model/instrument.ts';
import type { PlaceListIntent } from '../../model/intent.ts';
import { contingencyTypes } from '../../model/order-list.ts';
import type { OrderRequest } from '../../model/order.ts';
import type { Product } from '../../model/product.ts';
import { productOf } from '../../model/product.ts';
import { deny, shownValue } from '../base/candidate.ts';

const ordersMax = 3;

/**
 * The rule of its kind that a list breaks, before its orders are judged one by one; the first that says no wins.
 * Source: API v3, "POST /api/3/spot/order/list".
 */
export function listDenial(
  { contingency, requests }: PlaceListIntent,
  capabilities: Pick<Capabilities, 'orderLists'>,
  instruments: Instruments,
): Denial | undefined {
  return (
    shapeDenial(contingency, requests) ??
    offerDenial(contingency, capabilities) ??
    productsDenial(requests, instruments) ??
    kindDenial(contingency, requests)
  );
}

/** A list goes to one product: each has its own. An unknown instrument is denied with the order that names it. */
function productsDenial(requests: readonly OrderRequest[], { all }: Instruments): Denial | undefined {
  let first: Product | undefined;
  for (const { instrument, margin } of requests) {
    const known = all[instrument];
    if (known === undefined) continue;
    const product = productOf(known, margin);
    first ??= product;
    if (product !== first)
      return deny(
        'LIST_PRODUCTS',
        `expected the orders of a list to trade one product, found ${first} and ${product}`,
      );
  }
  return undefined;
}

function offerDenial(
  contingency: PlaceListIntent['contingency'],
  { orderLists }: Pick<Capabilities, 'orderLists'>,
): Denial | undefined {
  if (orderLists.includes(contingency)) return undefined;
  const offered = orderLists.length === 0 ? 'no order lists' : `${orderLists.join(', ')} alone`;
  return deny('LIST_NOT_OFFERED', `the venue takes ${offered}, found ${contingency}`);
}

function shapeDenial(
  contingency: PlaceListIntent['contingency'],
  requests: readonly OrderRequest[],
): Denial | undefined {
  if (!contingencyTypes.includes(contingency)) {
    return deny(
      'LIST_CONTINGENCY',
      `expected one of ${contingencyTypes.join(', ')}, found ${shownValue(contingency)}`,
    );
  }
  const exact = contingency === 'oneTriggerOneCancelOther';
  if (requests.length > ordersMax || requests.length < (exact ? ordersMax : 2)) {
    return deny('LIST_COUNT', `expected ${exact ? 'exactly 3' : '2 or 3'} orders, found ${requests.length}`);
  }
  const ids = requests.map(({ clientOrderId }) => clientOrderId);
  if (new Set(ids).size < ids.length)
    return deny('LIST_IDS_NOT_DISTINCT', 'expected client order ids that differ');
  const isNamed = requests.every(
    ({ list }) =>
      list?.contingency === contingency &&
      list.orders.length === ids.length &&
      list.orders.every((id, at) => id === ids[at]),
  );
  return isNamed
    ? undefined
    : deny('LIST_ID_NOT_FIRST', 'expected every order to name the list as it is, its first order in front');
}

function kindDenial(
  contingency: PlaceListIntent['contingency'],
  requests: readonly OrderRequest[],
): Denial | undefined {
  const symbols = new Set(requests.map(({ instrument }) => instrument)).size;
  switch (contingency) {
    case 'allOrNone':
      return symbols < requests.length
        ? deny('LIST_SYMBOLS_NOT_DISTINCT', 'expected symbols that differ in an allOrNone list')
        : allOrNoneDenial(requests);
    case 'oneCancelOther':
      return exclusiveDenial(requests);
    case 'oneTriggerOther':
      return undefined;
    case 'oneTriggerOneCancelOther':
      return symbols > 1
        ? deny('LIST_SYMBOLS_NOT_EQUAL', 'expected all orders on the same symbol')
        : exclusiveDenial(requests.slice(1));
  }
}

function allOrNoneDenial(requests: readonly OrderRequest[]): Denial | undefined {
  for (const { type, timeInForce } of requests) {
    if (type !== 'limit' && type !== 'market') {
      return deny('LIST_TYPE', `expected limit or market in an allOrNone list, found ${shownValue(type)}`);
    }
    if (timeInForce !== 'FOK')
      return deny('LIST_NOT_FOK', `expected FOK in an allOrNone list, found ${shownValue(timeInForce)}`);
  }
  return undefined;
}

/** Orders of which one cancels the others must be able to wait for each other. */
function exclusiveDenial(requests: readonly OrderRequest[]): Denial | undefined {
  for (const { type, timeInForce } of requests) {
    if (type === 'market') return deny('LIST_TYPE', 'a market order cannot wait for another');
    if (type === 'limit' && (timeInForce === 'IOC' || timeInForce === 'FOK')) {
      return deny(
        'LIST_TIME_IN_FORCE',
        `expected limit orders that may rest where one cancels the others, found ${timeInForce}`,
      );
    }
  }
  return undefined;
}
