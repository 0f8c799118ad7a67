import type { Difference } from '../model/difference.ts';
import type { SlicedWork } from '../base/slices.ts';
import { eachInSlices } from '../base/slices.ts';
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
      this.#seeGodwit(new GodwitOrders(godwit, order));
  }

  /** A complete look is over: takes what it shows, in slices. */
  *settle({ active }: Findings): SlicedWork {
    const { view, memory, differences } = this.#parts;
    const isListed = (id: ClientOrderId | undefined): boolean => id !== undefined && active.has(id);
    const left: ClientOrderId[] = [];
    const godwits = new Map<string, GodwitOrders>();
    yield* eachInSlices(active.keys(), (id) => {
      const order = id.startsWith(memory.runHead) ? undefined : view.order(id);
      if (order === undefined || isTerminal(order.state)) return;
      const ownership = ownershipOf(order, view, memory);
      this.#assign(order, ownership);
      if (ownership.owner !== 'leave') return;
      if (left.length < rowsMax) left.push(id);
      const godwit = otherGodwitOf(id);
      if (godwit !== undefined) addOrder(godwits, godwit, order);
    });
    differences.endOthers(
      'order',
      ({ clientOrderId }) => isListed(clientOrderId),
      'it is no longer listed as active',
    );
    for (const id of left) {
      const order = view.order(id);
      // It may have ended since its slice.
      if (order !== undefined && !isTerminal(order.state)) this.#seeOrder(order);
    }
    differences.endOthers(
      'otherGodwit',
      ({ key }) => godwits.has(key),
      'none of its orders is listed as active any more',
    );
    for (const orders of godwits.values()) this.#seeGodwit(orders);
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

  /** A row that says the same already stays as it is. */
  #seeGodwit(orders: GodwitOrders): void {
    const { view, memory, differences } = this.#parts;
    const { godwit, first: order } = orders;
    const key = keyOf(godwit);
    const cause = causeOf(orders, godwit.prefix === memory.options.idPrefix);
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

/** Orders of another Godwit that are known to live. */
class GodwitOrders {
  readonly godwit: OtherGodwit;
  readonly first: Order;
  readonly tags = new Set<string>();
  /** Those that the row names. */
  readonly ids: ClientOrderId[] = [];
  count = 0;

  constructor(godwit: OtherGodwit, first: Order) {
    this.godwit = godwit;
    this.first = first;
    this.add(godwit, first);
  }

  add({ tag }: OtherGodwit, { clientOrderId }: Order): void {
    this.count += 1;
    this.tags.add(tag);
    if (this.ids.length < idsShown) this.ids.push(clientOrderId);
  }
}

function addOrder(godwits: Map<string, GodwitOrders>, godwit: OtherGodwit, order: Order): void {
  const known = godwits.get(keyOf(godwit));
  if (known === undefined) godwits.set(keyOf(godwit), new GodwitOrders(godwit, order));
  else known.add(godwit, order);
}

function causeOf({ godwit, tags, ids, count }: GodwitOrders, mayBeEarlier: boolean): string {
  const { prefix, run } = godwit;
  const strategies = [...tags].toSorted();
  const more = count > ids.length ? ` and ${count - ids.length} more` : '';
  const live = count === 1 ? '1 order lives' : `${count} orders live`;
  const earlier = mayBeEarlier
    ? '; where it was an earlier run of this one without its journal, see orders.unknownRuns'
    : '';
  return `another Godwit (run ${run}) trades on this account: ${live}, of ${strategies.slice(0, idsShown).join(', ')} (${ids.join(', ')}${more}); its ids begin with ${prefix}-${run}-${earlier}`;
}
