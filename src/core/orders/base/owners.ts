import { BadInput } from '../../base/errors.ts';
import { ownerOf } from '../../model/client-order-id.ts';
import type { InstrumentId } from '../../model/instrument.ts';
import type { ClientOrderId, Order } from '../../model/order.ts';
import type { Product } from '../../model/product.ts';
import { productOf } from '../../model/product.ts';
import { externalStrategy } from '../../ledger/index.ts';
import type { StateView } from '../../state/index.ts';
import type { OtherPolicy, OthersRow, SharedOptions } from './options.ts';

/** Settings that say whose an order is. */
export interface OwnerSettings {
  readonly options: Pick<SharedOptions, 'idPrefix' | 'others' | 'unknownRuns'>;
  /** Begin of every id of this run. */
  readonly runHead: string;
}

/** Owner of an order: this bot, or what the policy says of an order of others. */
export interface Ownership {
  readonly owner: 'own' | OtherPolicy;
  /** The row that says so; `undefined` of own orders, and where no row names the prefix. */
  readonly row: OthersRow | undefined;
  /** The id that decided: that of the order, or of one that it replaced. */
  readonly root: string;
}

/** An order as far as its owner depends on it. */
type Named = Pick<Order, 'clientOrderId' | 'originalClientOrderId'>;

/** Replacements that are followed back to the order whose id says whose it is. */
const chainMax = 100;

/**
 * Finds the owner of an order. Own are ids of this run, and of runs that the journal knows, whatever prefix these had. The longest prefix among
 * `orders.others` decides of any other. A replacement whose own id says nothing is of whoever the order was that it replaced: a person
 * or another program may have moved it.
 */
export function ownershipOf(order: Named, view: StateView, settings: OwnerSettings): Ownership {
  let id: string = order.clientOrderId;
  let original: ClientOrderId | undefined = order.originalClientOrderId;
  for (let step = 0; step < chainMax; step++) {
    if (isOwnId(id, view, settings)) return { owner: 'own', row: undefined, root: id };
    const row = rowOf(id, settings.options.others);
    if (row !== undefined) return { owner: row.policy, row, root: id };
    if (original === undefined) break;
    id = original;
    original = view.order(original)?.originalClientOrderId;
  }
  return { owner: 'leave', row: undefined, root: order.clientOrderId };
}

/** Whether halts, limits and cancels of all orders are for this one, too: it is own, adopted or claimed. */
export function isOurs(order: Named, view: StateView, settings: OwnerSettings): boolean {
  return (
    order.clientOrderId.startsWith(settings.runHead) || ownershipOf(order, view, settings).owner !== 'leave'
  );
}

/** Below so many each is looked at, which would take long of many that are cancelled at once. */
const countedBelow = 100;

/**
 * Counts the orders that may live and are ours. An order of no strategy is where it is claimed; one of a strategy is not where others
 * placed it to close what that strategy holds on margin.
 */
export function ourCount(view: StateView, settings: OwnerSettings): number {
  const external = view.openCountBy(externalStrategy);
  const count = view.openCount() - external;
  const { others, unknownRuns } = settings.options;
  const mayClaim = external > 0 && (others.length > 0 || unknownRuns === 'ours');
  if (!mayClaim && (count === 0 || count > countedBelow)) return count;
  return oursOf(view, settings).length;
}

/** The orders that may live and are ours, in order of creation. */
export function oursOf(view: StateView, settings: OwnerSettings): readonly Order[] {
  return view.openOrders().filter((order) => isOurs(order, view, settings));
}

/** Another Godwit, as ids tell it. */
export interface OtherGodwit {
  readonly prefix: string;
  readonly run: string;
  readonly tag: string;
}

/** A start in milliseconds to the base 36, from 1972 to 2059. Earlier versions wrote seconds, of fewer digits. */
const runShape = /^[0-9a-z]{8}$/;
/** A number of an order has five digits at least. */
const counterDigits = 5;

/** The Godwit that made an id which is not ours: its run is a start in milliseconds, and the number of the order has its digits. */
export function otherGodwitOf(id: string): OtherGodwit | undefined {
  const owner = ownerOf(id);
  if (owner === undefined || !runShape.test(owner.run)) return undefined;
  const { prefix, run, tag } = owner;
  return id.length - id.lastIndexOf('-') > counterDigits ? { prefix, run, tag } : undefined;
}

/** Strategies by name, with what each trades. */
interface Adopters {
  readonly strategies: ReadonlyMap<
    string,
    { readonly limits: { readonly declared: readonly boolean[]; readonly products: readonly Product[] } }
  >;
}

/** The strategy that an order is to be of, by its policy: the one that adopts it, where it trades the symbol; `undefined` otherwise. */
export function adopterOf(
  { owner, row }: Ownership,
  order: Pick<Order, 'instrument' | 'margin'>,
  { strategies }: Adopters,
  view: StateView,
): string | undefined {
  const strategy = owner === 'adopt' ? row?.strategy : undefined;
  if (strategy === undefined) return undefined;
  const limits = strategies.get(strategy)?.limits;
  const product = productOf(view.instruments.at(order.instrument), order.margin);
  const trades = isDeclared(limits?.declared, order.instrument) && limits?.products.includes(product);
  return trades === true ? strategy : undefined;
}

function isDeclared(declared: readonly boolean[] | undefined, instrument: InstrumentId): boolean {
  return declared?.[instrument] === true;
}

/** Throws `BadInput` where a row covers own ids, or names a strategy that there is not. */
export function checkOthers(
  { idPrefix, others }: Pick<SharedOptions, 'idPrefix' | 'others'>,
  strategies: { has(name: string): boolean; keys(): Iterable<string> },
): void {
  for (const [at, { prefix, strategy }] of others.entries()) {
    const path = `orders.others.${at}`;
    if (`${idPrefix}-`.startsWith(prefix))
      throw new BadInput(
        `${path}.prefix: expected a prefix of ids of others, found ${JSON.stringify(prefix)}, with which own ids begin (orders.idPrefix: ${idPrefix}); of runs under it that the journal does not know, orders.unknownRuns decides`,
      );
    if (strategy === undefined || strategies.has(strategy)) continue;
    const known = [...strategies.keys()];
    throw new BadInput(
      `${path}.strategy: expected a strategy of this configuration${known.length === 0 ? '' : ` (${known.join(', ')})`}, found ${JSON.stringify(strategy)}`,
    );
  }
}

function isOwnId(id: string, view: StateView, { options, runHead }: OwnerSettings): boolean {
  if (id.startsWith(runHead)) return true;
  const owner = ownerOf(id);
  if (owner === undefined) return false;
  if (view.knowsRun(owner.run)) return true;
  if (owner.prefix !== options.idPrefix) return false;
  // No Godwit of today makes such an id, so an earlier one did.
  if (options.unknownRuns === 'ours' || !runShape.test(owner.run)) return true;
  // Journals of before runs were carried know them by their orders.
  const order = view.order(id as ClientOrderId);
  return order !== undefined && order.strategy !== externalStrategy && order.adopted !== true;
}

function rowOf(id: string, rows: readonly OthersRow[]): OthersRow | undefined {
  let found: OthersRow | undefined;
  for (const row of rows)
    if (id.startsWith(row.prefix) && row.prefix.length > (found?.prefix.length ?? 0)) found = row;
  return found;
}
