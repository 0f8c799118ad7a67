import type { CancelGroup } from '../../model/command.ts';
import type { InstrumentId } from '../../model/instrument.ts';
import type { Order } from '../../model/order.ts';
import type { Product } from '../../model/product.ts';
import { productOf } from '../../model/product.ts';
import type { StateView } from '../../state/index.ts';
import type { SharedOptions } from './options.ts';
import type { OwnerSettings } from './owners.ts';
import { isOurs } from './owners.ts';

/** Orders that one request cancels, and no other of ours. */
interface WholeScope {
  readonly scope: CancelGroup['scope'];
  readonly orders: readonly Order[];
}

interface Setting extends OwnerSettings {
  readonly options: OwnerSettings['options'] & Pick<SharedOptions, 'cancelTogether'>;
}

/**
 * Those of the orders that are to go which are all there are of a symbol or of a product, so that one request cancels them. Orders
 * of others on symbols that the run does not know are not seen: a whole product goes at once only where orders of others may. One
 * symbol is looked at after the other, so that the first request need not wait for all.
 */
export function* wholeScopes(
  isGoing: (order: Order) => boolean,
  view: StateView,
  setting: Setting,
): Generator<WholeScope> {
  const { others } = setting.options.cancelTogether;
  if (others === 'cancel') {
    yield* scopesAmong(view.openOrders(), isGoing, view, setting);
    return;
  }
  // What another Godwit has just placed may not be known yet.
  if (view.differences.all.some(({ kind }) => kind === 'otherGodwit')) return;
  for (const { id } of view.instruments.all)
    if (view.openCountOf(id) > 1) yield* scopesAmong(view.openOrders(undefined, id), isGoing, view, setting);
}

function scopesAmong(
  open: readonly Order[],
  isGoing: (order: Order) => boolean,
  view: StateView,
  setting: Setting,
): WholeScope[] {
  const { others } = setting.options.cancelTogether;
  const going: Order[] = [];
  const keptProducts = new Set<Product>();
  const keptSymbols = new Set<string>();
  for (const order of open) {
    if (isGoing(order)) going.push(order);
    else if (others === 'keep' || isOurs(order, view, setting)) {
      keptProducts.add(productIn(view, order));
      keptSymbols.add(symbolKey(view, order));
    }
  }
  const found: WholeScope[] = [];
  for (const [product, orders] of Map.groupBy(going, (order) => productIn(view, order))) {
    const bySymbol = Map.groupBy(orders, (order) => symbolKey(view, order));
    if (others === 'cancel' && bySymbol.size > 1 && !keptProducts.has(product)) {
      found.push({ scope: 'product', orders });
      continue;
    }
    for (const [key, ofSymbol] of bySymbol) {
      if (ofSymbol.length > 1 && !keptSymbols.has(key)) found.push({ scope: 'symbol', orders: ofSymbol });
    }
  }
  return found;
}

function productIn(view: StateView, { instrument, margin }: Order): Product {
  return productOf(view.instruments.at(instrument), margin);
}

function symbolKey(view: StateView, order: Order): `${Product} ${InstrumentId}` {
  return `${productIn(view, order)} ${order.instrument}`;
}
