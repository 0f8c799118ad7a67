import type { Amount } from '../base/amount.ts';
import { parseAmount } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import { withoutExponent } from '../base/exponent.ts';
import { BadInput } from '../base/errors.ts';
import type { ClientOrderIds } from '../model/client-order-id.ts';
import type { Instrument, Lots, Ticks } from '../model/instrument.ts';
import type { Intent } from '../model/intent.ts';
import type { MarginMark } from '../model/margin.ts';
import type { ClientOrderId, Order, OrderRequest, OrderType, Side } from '../model/order.ts';
import { defaultTimeInForce, paidFrom } from '../model/order.ts';
import type { Product } from '../model/product.ts';
import type { StateView } from '../state/index.ts';
import { refuseUnknown } from './known-keys.ts';
import { deepFreeze } from './params.ts';
import type {
  AmountLike,
  Orders,
  PlaceListRequest,
  PlaceRequest,
  PriceLike,
  QuantityLike,
  ReplaceRequest,
} from './context.ts';

const placeKeys: ReadonlySet<string> = new Set<keyof PlaceRequest>([
  'symbol',
  'side',
  'quantity',
  'price',
  'type',
  'timeInForce',
  'stopPrice',
  'expireTime',
  'postOnly',
  'product',
  'marginMode',
  'reduceOnly',
  'marginAuto',
  'closePosition',
  'takeRate',
  'makeRate',
]);
const listKeys: ReadonlySet<string> = new Set<keyof PlaceListRequest>(['contingency', 'orders']);
const replaceKeys: ReadonlySet<string> = new Set<keyof ReplaceRequest>(['quantity', 'price', 'stopPrice']);

/** Needs of the order API of a strategy. */
export interface OrderApiDeps {
  readonly strategy: string;
  readonly state: StateView;
  readonly ids: ClientOrderIds;
  /** Whether the strategy may still ask for anything. */
  running(): boolean;
  /** Takes an intent; after the strategy stopped it drops it. */
  intend(intent: Intent): void;
  now(): Micros;
}

/**
 * Turns requests into intents. An order counts as open from the moment it was asked for, although the verdict is
 * still on its way: otherwise a strategy would ask twice.
 */
export class OrderApi implements Orders {
  readonly #parts: OrderApiDeps;

  constructor(parts: OrderApiDeps) {
    this.#parts = parts;
  }

  place(request: PlaceRequest): ClientOrderId {
    const { strategy } = this.#parts;
    const asked = this.#requestOf(request);
    this.#propose(asked, undefined);
    this.#parts.intend({ action: 'place', strategy, request: asked });
    return asked.clientOrderId;
  }

  placeList(request: PlaceListRequest): readonly ClientOrderId[] {
    refuseUnknown(request, listKeys, 'an order list');
    const { contingency, orders } = request;
    const { strategy } = this.#parts;
    const plain = orders.map((order) => this.#requestOf(order));
    const ids = plain.map(({ clientOrderId }) => clientOrderId);
    const list = deepFreeze({ contingency, orders: [...ids] });
    const requests = plain.map((one) => ({ ...one, list }));
    for (const one of requests) this.#propose(one, undefined);
    this.#parts.intend({ action: 'placeList', strategy, contingency, requests });
    return ids;
  }

  cancel(id: ClientOrderId): void {
    const { state, strategy } = this.#parts;
    if (!this.#parts.running() || !state.inFlight.proposeCancel(strategy, id)) return;
    this.#parts.intend({ action: 'cancel', strategy, clientOrderId: id });
  }

  replace(id: ClientOrderId, request: ReplaceRequest): ClientOrderId {
    refuseUnknown(request, replaceKeys, 'a replacement');
    const { strategy, state, ids } = this.#parts;
    const original = this.get(id);
    if (original === undefined) {
      throw new BadInput(`strategy ${strategy}: there is no order ${JSON.stringify(id)} to replace`);
    }
    const instrument = state.instruments.at(original.instrument);
    const newClientOrderId = ids.next();
    const { side } = original;
    const quantity = lotsOf(instrument, request.quantity);
    const price = ticksOf(instrument, request.price ?? original.price, 'price', side);
    const stopPrice = ticksOf(instrument, request.stopPrice ?? original.stopPrice, 'stop price', side);
    const asked = { ...requestOf(original), clientOrderId: newClientOrderId, quantity, price, stopPrice };
    this.#propose(asked, id);
    this.#parts.intend({
      action: 'replace',
      strategy,
      clientOrderId: id,
      newClientOrderId,
      quantity,
      price,
      stopPrice,
    });
    return newClientOrderId;
  }

  cancelAll(symbol?: string): void {
    const { strategy, state } = this.#parts;
    const instrument = symbol === undefined ? undefined : state.instruments.get(symbol).id;
    this.#parts.intend({ action: 'cancelAll', strategy, instrument });
  }

  open(symbol?: string): readonly Order[] {
    const { strategy, state } = this.#parts;
    const instrument = symbol === undefined ? undefined : state.instruments.get(symbol).id;
    const known = state.openOrders(strategy, instrument);
    return state.inFlight.proposed === 0
      ? known
      : [...known, ...state.inFlight.proposals(strategy, instrument)];
  }

  openCount(symbol?: string): number {
    const { state, strategy } = this.#parts;
    if (symbol === undefined && state.inFlight.proposed === 0) return state.openCountBy(strategy);
    return this.open(symbol).length;
  }

  get(id: ClientOrderId): Order | undefined {
    const { state } = this.#parts;
    const order = state.order(id) ?? state.inFlight.proposal(id);
    return order?.strategy === this.#parts.strategy ? order : undefined;
  }

  /** The order counts as open from now on, although its intent is no event yet. */
  #propose(request: OrderRequest, original: ClientOrderId | undefined): void {
    const { strategy, state } = this.#parts;
    if (this.#parts.running()) state.inFlight.propose(strategy, request, original, this.#parts.now());
  }

  /** Request in ticks and lots, under a new id. */
  #requestOf(request: PlaceRequest): OrderRequest {
    refuseUnknown(request, placeKeys, 'an order');
    const { state, ids } = this.#parts;
    const instrument = state.instruments.get(request.symbol);
    const type = request.type ?? plainType(request);
    const asked: OrderRequest = {
      clientOrderId: ids.next(),
      instrument: instrument.id,
      side: request.side,
      type,
      timeInForce: request.timeInForce ?? defaultTimeInForce(type),
      quantity:
        request.closePosition === true ? wholePosition(request) : lotsOf(instrument, request.quantity),
      price: ticksOf(instrument, request.price, 'price', request.side),
      stopPrice: ticksOf(instrument, request.stopPrice, 'stop price', request.side),
      expireTime: wholeTime(request.expireTime),
      postOnly: request.postOnly === true,
    };
    // Most orders by far.
    if (isPlain(request)) return asked;
    return { ...asked, ...paymentOf(request, instrument) };
  }
}

/** Whether a spot order says nothing that only some orders say. */
function isPlain(request: PlaceRequest): boolean {
  return (
    request.product === undefined &&
    request.takeRate === undefined &&
    request.makeRate === undefined &&
    request.marginMode === undefined &&
    request.reduceOnly === undefined &&
    request.marginAuto === undefined &&
    request.closePosition === undefined
  );
}

/** An order that closes a whole position takes what is open then. */
function wholePosition({ quantity }: { readonly quantity?: unknown }): Lots {
  if (quantity === undefined) return 0 as Lots;
  throw new BadInput(`expected no quantity of an order that closes the position, found ${shown(quantity)}`);
}

/** Where the order is paid from, and the fee rates it asks for. */
function paymentOf(request: PlaceRequest, instrument: Instrument): Partial<OrderRequest> {
  const { takeRate, makeRate } = request;
  return paidFrom({
    margin: marginMarkOf(request, instrument),
    takeRate: takeRate === undefined ? undefined : exactAmount(takeRate, 'takeRate'),
    makeRate: makeRate === undefined ? undefined : exactAmount(makeRate, 'makeRate'),
  });
}

function marginMarkOf(request: PlaceRequest, instrument: Instrument): MarginMark | undefined {
  const { product, marginMode, reduceOnly, marginAuto, closePosition } = request;
  if (product === undefined || product === 'spot') {
    refuseOnSpot({ marginMode, reduceOnly, marginAuto, closePosition });
    return undefined;
  }
  checkProduct(product, instrument);
  return Object.freeze({
    mode: marginMode ?? 'isolated',
    reduceOnly: reduceOnly === true,
    closePosition: closePosition === true,
    auto: marginAuto === true,
  });
}

/** Nothing stores the product of an order beside its symbol, so one that does not fit ends here. */
function checkProduct(product: Product, { symbol, spec }: Instrument): void {
  const sold = spec.type === 'futures' ? 'futures' : 'margin';
  if (product === sold) return;
  const what = spec.type === 'futures' ? 'a contract' : 'no contract';
  throw new BadInput(`${symbol} is ${what}: expected product ${sold}, found ${shown(product)}`);
}

function refuseOnSpot(given: Readonly<Record<string, unknown>>): void {
  const key = Object.keys(given).find((name) => given[name] !== undefined);
  if (key !== undefined)
    throw new BadInput(`expected product margin or futures of an order with ${key}, found spot`);
}

function plainType(request: PlaceRequest): OrderType {
  if (request.stopPrice !== undefined) {
    throw new BadInput(
      'an order with a stopPrice needs its type: stopLimit, stopMarket, takeProfitLimit or takeProfitMarket',
    );
  }
  return request.price === undefined ? 'market' : 'limit';
}

/** The fields of the request an order came from, without what became of it. */
function requestOf(order: Order): OrderRequest {
  const { clientOrderId, instrument, side, type, timeInForce } = order;
  const { quantity, price, stopPrice, expireTime, postOnly } = order;
  return {
    clientOrderId,
    instrument,
    side,
    type,
    timeInForce,
    quantity,
    price,
    stopPrice,
    expireTime,
    postOnly,
    ...paidFrom(order),
  };
}

function lotsOf(instrument: Instrument, quantity: QuantityLike): Lots {
  if (typeof quantity === 'string') return instrument.lots(quantity);
  const lots = whole(quantity, `quantity of ${instrument.symbol}`, 'lots');
  return (lots - (lots % instrument.lotStep)) as Lots;
}

/**
 * A price in ticks. Where the venue's grid became coarser than that of the run, whole ticks are moved to the next price that an order
 * may have, away from the other side: code that counts in ticks knows of no other step. A text is taken as it is written.
 */
function ticksOf(
  instrument: Instrument,
  price: PriceLike | undefined,
  what: string,
  side: Side,
): Ticks | undefined {
  if (price === undefined) return undefined;
  if (typeof price === 'string') return instrument.ticks(price);
  const ticks = whole(price, `${what} of ${instrument.symbol}`, 'ticks');
  const over = ticks % instrument.tickStep;
  if (over === 0) return ticks as Ticks;
  return (side === 'sell' ? ticks - over + instrument.tickStep : ticks - over) as Ticks;
}

/** An exact amount. Throws `BadInput` when it is neither decimal text nor an amount. */
export function exactAmount(value: AmountLike, what: string): Amount {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'string') return parseAmount(withoutExponent(value));
  throw new BadInput(`expected ${what} to be decimal text such as '0.5', found ${shown(value)}`);
}

function shown(value: unknown): string {
  return String(value).slice(0, 40);
}

function wholeTime(time: Micros | undefined): Micros | undefined {
  return time === undefined ? undefined : (whole(time, 'expireTime', 'microseconds') as Micros);
}

function whole(value: number, what: string, unit: string): number {
  if (!Number.isSafeInteger(value)) {
    throw new BadInput(`expected the ${what} to be a whole number of ${unit}, found ${String(value)}`);
  }
  return value;
}
