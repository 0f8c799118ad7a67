import type { Amount } from '../../core/base/amount.ts';
import { zero } from '../../core/base/amount.ts';
import { Recent } from '../../core/base/recent.ts';
import type { Instrument, Lots } from '../../core/model/instrument.ts';
import { isTerminal } from '../../core/model/order-life.ts';
import type { ClientOrderId, Order, OrderRequest } from '../../core/model/order.ts';
import { paidFrom } from '../../core/model/order.ts';
import type { Product } from '../../core/model/product.ts';
import { productOf } from '../../core/model/product.ts';
import type { StateView } from '../../core/state/index.ts';
import type { ProgramHost } from '../../core/strategy/framework.ts';
import { instrumentOf, Refusal, refusalOf, refuse } from '../../exchange/base/index.ts';
import type {
  MarginOrderParams,
  OrderListParams,
  OrderParams,
  ReplaceParams,
} from '../../venues/hitbtc/wire/resources/index.ts';
import {
  listedIds,
  toMarginMark,
  toOrderRequest,
  toReplacement,
} from '../../venues/hitbtc/wire/resources/index.ts';
import type { OrderAnswer, OrderRequestKind, VenueKnownOrder, Waits } from './waits.ts';

export interface ProgramOrdersDeps {
  readonly program: string;
  readonly waits: Waits;
  /** The host of the program, or why it may ask for nothing of that product now. */
  readonly running: (product: Product) => ProgramHost | Refusal;
}

/** A new order of any product, as either version asks for it. */
export type AskedOrder = OrderParams &
  Partial<Pick<MarginOrderParams, 'marginMode' | 'reduceOnly' | 'closePosition' | 'marginAuto'>>;

/** Ids without a verdict that are remembered, at least; an intent of more is forgotten by the run, too. */
const askedLeast = 10_000;
/** Our code for an order that another of its list took with it. */
const takenAlong = 'LIST_ORDER_DENIED';

/** Requests of one program about its orders: each becomes an intent, and resolves with its answer. */
export class ProgramOrders {
  readonly #setup: ProgramOrdersDeps;
  /** Our id for an id of the program, from before the run has a verdict on it. */
  readonly #asked = new Recent<string, ClientOrderId>(askedLeast);

  constructor(setup: ProgramOrdersDeps) {
    this.#setup = setup;
  }

  /** Asks for an order. A second one with an id of the program that is in use is refused, whatever became of the first. */
  async place(product: Product, params: AskedOrder): Promise<OrderAnswer> {
    const host = this.#setup.running(product);
    if (host instanceof Refusal) return host;
    const request = this.#requestOf(host, { product, params, alias: params.clientOrderId });
    if (request instanceof Refusal) return request;
    return this.#ask('place', request.clientOrderId, request.alias, () => host.place(request));
  }

  /** Asks for orders that depend on each other: all of them leave, or none. Answers them in the order of the request. */
  async placeList(
    product: Product,
    params: OrderListParams<AskedOrder>,
  ): Promise<readonly VenueKnownOrder[] | Refusal> {
    const host = this.#setup.running(product);
    if (host instanceof Refusal) return host;
    const aliases = listedIds(params);
    const given = aliases.filter((alias) => alias !== undefined);
    if (new Set(given).size < given.length) return refusalOf('DUPLICATE_CLIENT_ORDER_ID', '');
    if (params.orderListId !== undefined && params.orderListId !== aliases[0])
      return refusalOf('LIST_INVALID', 'the list must have the client order id of its first order');
    const plain: OrderRequest[] = [];
    for (const [at, order] of params.orders.entries()) {
      const request = this.#requestOf(host, { product, params: order, alias: aliases[at] });
      if (request instanceof Refusal) return request;
      plain.push(request);
    }
    const contingency = params.contingencyType;
    const list = { contingency, orders: plain.map(({ clientOrderId }) => clientOrderId) };
    const requests = plain.map((request) => ({ ...request, list }));
    const waiting = requests.map(({ clientOrderId, alias }) => this.#open('place', clientOrderId, alias));
    host.placeList(contingency, requests);
    return listAnswer(await Promise.all(waiting), list.orders, host.state);
  }

  async replace(product: Product, params: ReplaceParams): Promise<OrderAnswer> {
    const host = this.#setup.running(product);
    if (host instanceof Refusal) return host;
    const order = this.find(host.state, product, params.clientOrderId);
    if (order === undefined || isTerminal(order.state)) return refuse(20_002);
    const alias = params.newClientOrderId;
    if (alias !== undefined && this.#isTaken(host, alias)) return refuse(20_008);
    const instrument = host.state.instruments.at(order.instrument);
    const change = toReplacement(params, instrument, order.type);
    if (!change.ok) return new Refusal(change.error);
    const id = host.nextId();
    const { stopPrice = order.stopPrice, ...rest } = change.value;
    return this.#ask('replace', id, alias, () =>
      host.replace({
        clientOrderId: order.clientOrderId,
        newClientOrderId: id,
        ...rest,
        stopPrice,
        ...(alias !== undefined && { alias }),
      }),
    );
  }

  async cancel(product: Product, name: string): Promise<OrderAnswer> {
    const host = this.#setup.running(product);
    if (host instanceof Refusal) return host;
    const order = this.find(host.state, product, name);
    if (order === undefined || isTerminal(order.state)) return refuse(20_002);
    return this.#cancel(host, order);
  }

  /** Asks for the cancel of every order, or of those of one symbol. Answers those that were canceled; 504 where one has no answer. */
  async cancelAll(
    product: Product,
    instrument: Instrument | undefined,
  ): Promise<readonly VenueKnownOrder[] | Refusal> {
    const host = this.#setup.running(product);
    if (host instanceof Refusal) return host;
    const open = host.state.openOrders(this.#setup.program, instrument?.id);
    const asked = open.filter((order) => isOrderOf(host.state, product, order));
    const answers = await Promise.all(asked.map((order) => this.#cancel(host, order)));
    const silent = answers.find((answer) => answer instanceof Refusal && answer.error.code === 504);
    if (silent instanceof Refusal) return silent;
    return answers.flatMap((answer) => (answer instanceof Refusal ? [] : [answer]));
  }

  /** The order of a product that the program knows by that name: its own id, or ours where it gave none. */
  find(state: StateView, product: Product, name: string): Order | undefined {
    const order = this.#named(state, name);
    return order !== undefined && isOrderOf(state, product, order) ? order : undefined;
  }

  /** An order under an id of ours. */
  #requestOf(
    host: ProgramHost,
    {
      product,
      params,
      alias,
    }: { readonly product: Product; readonly params: AskedOrder; readonly alias: string | undefined },
  ): OrderRequest | Refusal {
    const instrument = instrumentOf(host.state.instruments, product, params.symbol);
    if (instrument instanceof Refusal) return instrument;
    const margin = product === 'spot' ? undefined : toMarginMark(params);
    if (product !== 'spot' && margin === undefined) return refuse(2_024);
    if (alias !== undefined && this.#isTaken(host, alias)) return refuse(20_008);
    const closes = margin?.closePosition === true;
    // The venue closes what it finds open: the order has no quantity of its own.
    const sized = closes ? { ...params, quantity: instrument.quantityText(1 as Lots) } : params;
    const request = toOrderRequest(sized, instrument, host.nextId());
    if (!request.ok) return new Refusal(request.error);
    const rates = { takeRate: raised(params.takeMarkup), makeRate: raised(params.makeMarkup) };
    return {
      ...request.value,
      ...(closes && { quantity: 0 as Lots }),
      ...paidFrom({ margin, ...rates }),
      ...(alias !== undefined && { alias }),
    };
  }

  #named(state: StateView, name: string): Order | undefined {
    const { program } = this.#setup;
    const named = state.orderNamed(program, name);
    if (named !== undefined) return named;
    const order = state.order(name as ClientOrderId);
    return order?.strategy === program && order.alias === undefined ? order : undefined;
  }

  #cancel(host: ProgramHost, { clientOrderId }: Order): Promise<OrderAnswer> {
    return this.#ask('cancel', clientOrderId, undefined, () => host.cancel(clientOrderId));
  }

  /** Whether an order of that id may have left; one that was refused leaves its id free, as at the venue. */
  #isTaken(host: ProgramHost, alias: string): boolean {
    const asked = this.#asked.get(alias);
    // An exit may wait until it may leave, and has no verdict until then.
    if (asked !== undefined && host.state.inFlight.find(asked) !== undefined) return true;
    const order = this.#named(host.state, alias);
    if (order === undefined || order.state === 'denied') return false;
    // An order that two reads did not find may land late all the same: it was sent.
    return order.state !== 'rejected' || order.code === 'ABSENT';
  }

  #ask(
    kind: OrderRequestKind,
    id: ClientOrderId,
    alias: string | undefined,
    ask: () => void,
  ): Promise<OrderAnswer> {
    const answer = this.#open(kind, id, alias);
    ask();
    return answer;
  }

  #open(kind: OrderRequestKind, id: ClientOrderId, alias: string | undefined): Promise<OrderAnswer> {
    if (alias !== undefined) this.#asked.set(alias, id);
    return this.#setup.waits.open(kind, id);
  }
}

function raised(markup: Amount): Amount | undefined {
  return markup > zero ? markup : undefined;
}

/** Whether an order is one of that product. */
export function isOrderOf(state: StateView, product: Product, { instrument, margin }: Order): boolean {
  return productOf(state.instruments.at(instrument), margin) === product;
}

/** Answer to a list: every order, or the refusal that says most. */
function listAnswer(
  answers: readonly OrderAnswer[],
  ids: readonly ClientOrderId[],
  state: StateView,
): readonly VenueKnownOrder[] | Refusal {
  const refusals = answers.flatMap((answer, at) =>
    answer instanceof Refusal ? [{ answer, code: state.order(ids[at] as ClientOrderId)?.code }] : [],
  );
  const worst =
    refusals.find(({ answer }) => answer.error.code === 504) ??
    refusals.find(({ code }) => code !== takenAlong) ??
    refusals[0];
  return worst?.answer ?? answers.flatMap((answer) => (answer instanceof Refusal ? [] : [answer]));
}
