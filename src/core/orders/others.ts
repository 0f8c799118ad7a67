import type { Difference } from '../model/difference.ts';
import type { Lots } from '../model/instrument.ts';
import { isTerminal } from '../model/order-life.ts';
import { orderText } from '../model/order-text.ts';
import type { ClientOrderId, Order } from '../model/order.ts';
import { productOf } from '../model/product.ts';
import { externalStrategy } from '../ledger/index.ts';
import type { StateView } from '../state/index.ts';
import type { Differences } from './base/differences.ts';
import type { Memory } from './base/memory.ts';
import type { OtherGodwit, Ownership } from './base/owners.ts';
import { adopterOf, otherGodwitOf, ownershipOf } from './base/owners.ts';
import type { Outbox } from './base/outbox.ts';
import type { Findings } from './base/reads.ts';

/** Orders of others that have a row. */
const rowsMax = 100;
/** Other Godwits that were shown and are remembered: a further one forgets the first. */
const shownMax = 100;
/** Ids that the row of another Godwit names. */
const idsShown = 5;

interface OthersDeps {
  readonly view: StateView;
  readonly memory: Memory;
  readonly outbox: Outbox;
  readonly differences: Differences;
}

/**
 * Live orders on the account that none of ours placed: each is adopted, claimed or left by its policy. What is left has a row among the
 * differences, and so has another Godwit that trades on the account. Reports tell of them at once, complete looks of those that no
 * report brought. Source: faults, X20 and X21.
 */
export class Others {
  readonly #parts: OthersDeps;
  readonly #shown = new Set<string>();

  constructor(parts: OthersDeps) {
    this.#parts = parts;
  }

  /** The venue reports an order that is not of this run. */
  reported(id: ClientOrderId): void {
    const { view, memory } = this.#parts;
    const order = view.order(id);
    if (order === undefined || isTerminal(order.state)) return;
    const ownership = ownershipOf(order, view, memory);
    this.#assign(order, ownership);
    const godwit = ownership.owner === 'leave' ? otherGodwitOf(id) : undefined;
    if (godwit !== undefined && view.differences.find(keyOf(godwit)) === undefined)
      this.#seeGodwit([{ order, godwit }]);
  }

  /** A complete look is over. */
  settle({ active }: Findings): void {
    const { view, memory, differences } = this.#parts;
    const isListed = (id: ClientOrderId | undefined): boolean => id !== undefined && active.has(id);
    const left: Order[] = [];
    for (const id of active.keys()) {
      const order = id.startsWith(memory.runHead) ? undefined : view.order(id);
      if (order === undefined || isTerminal(order.state)) continue;
      const ownership = ownershipOf(order, view, memory);
      this.#assign(order, ownership);
      if (ownership.owner === 'leave') left.push(order);
    }
    differences.endOthers(
      'order',
      ({ clientOrderId }) => isListed(clientOrderId),
      'it is no longer listed as active',
    );
    left.slice(0, rowsMax).forEach((order) => this.#seeOrder(order));
    this.#settleGodwits(left);
  }

  #settleGodwits(left: readonly Order[]): void {
    const { differences } = this.#parts;
    const found = left.flatMap((order) => {
      const godwit = otherGodwitOf(order.clientOrderId);
      return godwit === undefined ? [] : [{ order, godwit }];
    });
    const byKey = Map.groupBy(found, ({ godwit }) => keyOf(godwit));
    differences.endOthers(
      'otherGodwit',
      ({ key }) => byKey.has(key),
      'none of its orders is listed as active any more',
    );
    for (const orders of byKey.values()) this.#seeGodwit(orders);
  }

  #seeOrder(order: Order): void {
    const { view, differences } = this.#parts;
    const { clientOrderId, instrument: id, margin } = order;
    const key = `order ${clientOrderId}`;
    if (view.differences.find(key) !== undefined) return;
    const instrument = view.instruments.at(id);
    differences.seen({
      key,
      kind: 'order',
      product: productOf(instrument, margin),
      instrument: id,
      clientOrderId,
      amount: instrument.quantityAmount((order.quantity - order.cumulative) as Lots),
      unit: instrument.unit,
      cause: `order ${clientOrderId} (${orderText(order, instrument)}) is live at the venue, and not of this bot`,
    });
  }

  /** `orders`: those that are known to live, one at least. A row that says the same already stays as it is. */
  #seeGodwit(orders: readonly { readonly order: Order; readonly godwit: OtherGodwit }[]): void {
    const { view, memory, differences } = this.#parts;
    const [first] = orders;
    if (first === undefined) return;
    const { order, godwit } = first;
    const key = keyOf(godwit);
    const cause = causeOf(godwit, orders, godwit.prefix === memory.options.idPrefix);
    if (view.differences.find(key)?.cause === cause) return;
    const product = productOf(view.instruments.at(order.instrument), order.margin);
    const wasShown = this.#shown.has(key);
    differences.seen({ key, kind: 'otherGodwit', product, cause, wasShown });
    if (wasShown) return;
    this.#shown.add(key);
    const [oldest] = this.#shown;
    if (this.#shown.size > shownMax && oldest !== undefined) this.#shown.delete(oldest);
  }

  /** Gives an order to the strategy that adopts it, and takes it from the one whose row is gone. */
  #assign(order: Order, ownership: Ownership): void {
    const { view, memory, outbox } = this.#parts;
    const { clientOrderId, strategy, adopted } = order;
    const adopter = adopterOf(ownership, order, memory, view);
    if (adopter !== undefined) {
      const why = `orders.others adopts ids that begin with ${ownership.row?.prefix ?? ''}`;
      if (strategy !== adopter || adopted !== true) outbox.assigned(clientOrderId, adopter, why);
    } else if (adopted === true) {
      outbox.assigned(clientOrderId, externalStrategy, 'no row of orders.others lets a strategy adopt it');
    }
  }
}

const keyStart = 'godwit ';

function keyOf({ prefix, run }: OtherGodwit): string {
  return `${keyStart}${prefix}-${run}`;
}

/** Begins of the ids of other Godwits that the rows tell of. */
export function otherHeads(rows: readonly Pick<Difference, 'kind' | 'key'>[]): readonly string[] {
  return rows.filter(({ kind }) => kind === 'otherGodwit').map(({ key }) => `${key.slice(keyStart.length)}-`);
}

function causeOf(
  { prefix, run }: OtherGodwit,
  orders: readonly { readonly order: Order; readonly godwit: OtherGodwit }[],
  mayBeEarlier: boolean,
): string {
  const strategies = [...new Set(orders.map(({ godwit }) => godwit.tag))].toSorted();
  const ids = orders.map(({ order }) => order.clientOrderId);
  const more = ids.length > idsShown ? ` and ${ids.length - idsShown} more` : '';
  const count = ids.length === 1 ? '1 order lives' : `${ids.length} orders live`;
  const earlier = mayBeEarlier
    ? '; where it was an earlier run of this one without its journal, see orders.unknownRuns'
    : '';
  return `another Godwit (run ${run}) trades on this account: ${count}, of ${strategies.slice(0, idsShown).join(', ')} (${ids.slice(0, idsShown).join(', ')}${more}); its ids begin with ${prefix}-${run}-${earlier}`;
}
