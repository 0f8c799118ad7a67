import type { Amount } from '../../src/core/base/amount.ts';
import { formatAmount, parseAmount } from '../../src/core/base/amount.ts';
import type { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import type { CancelOrderCommand } from '../../src/core/model/command.ts';
import type { Event } from '../../src/core/model/event.ts';
import type { Instrument, Instruments, Lots, Ticks } from '../../src/core/model/instrument.ts';
import type { MarginMark } from '../../src/core/model/margin.ts';
import { accountOf, marginKeyOf } from '../../src/core/model/margin.ts';
import type { ClientOrderId, ListPlace, OrderRequest, Side } from '../../src/core/model/order.ts';
import { firesRising } from '../../src/core/model/order.ts';
import type { StateView } from '../../src/core/state/view.ts';
import type { Breaches } from './breaches.ts';
import type { BookTruth } from './check-books.ts';
import type { StateCheck } from './check-state.ts';
import type { SimDisk } from './sim-disk.ts';
import type { SimExchange } from './sim-exchange.ts';
import type { SeedLimits } from './seed-limits.ts';
import { leftOf } from './reported-orders.ts';
import { limits, simGateOptions } from './sim-trader.ts';
import { placeOf, pricedFrom } from './traded.ts';

/** So long the gate may hold an order or a replacement back, and a moment for clocks that run apart. */
const heldMax = Math.max(simGateOptions.newDeadlineMs, simGateOptions.replaceDeadlineMs) * 1_000 + 5_000;
/** A second, by a clock that may run a little too fast. */
const throttleSpan = 999_900;
/** How far from the market a price may stand: the collar, and what the market moves meanwhile. */
const awayMax = 0.06;

const orderFrame = /^\{"method":"(?:spot|margin|futures)_(new_order|replace_order|new_order_list)"/;
const plain = /^(0|[1-9]\d*)(\.\d+)?$/;

interface Wish {
  readonly strategy: string;
  readonly instrument: number;
  readonly side: Side;
  readonly quantity: number;
  readonly price: number | undefined;
  readonly margin: MarginMark | undefined;
}

export interface WireCheckParts {
  readonly time: VirtualClock;
  readonly breaches: Breaches;
  readonly instruments: Instruments;
  readonly disk: SimDisk;
  readonly exchange: SimExchange;
  readonly state: StateCheck;
  readonly books: BookTruth;
  readonly view: () => StateView | undefined;
  /** Symbols of spot that a strategy trades. */
  readonly symbolsOf: (strategy: string) => readonly string[];
  readonly seedLimits: SeedLimits;
}

interface ChangedLimits {
  readonly messagesPerSecondMax: number;
  readonly openOrdersSymbolMax: number;
}

interface OrderParams {
  readonly client_order_id: string;
  readonly new_client_order_id?: string;
  readonly symbol?: string;
  /** Not there of an order that closes a position. */
  readonly quantity?: string;
  readonly price?: string;
  readonly strict_validate: boolean;
}

/** Which orders a request cancels. */
export class CancelRequests {
  /** Cancels that leave together, by the first of them: the path of their request, and their orders. */
  readonly #groups = new Map<number, { readonly path: string; readonly ids: string[]; hasLeft: boolean }>();
  /** How many requests of a path left before the events of their step named their cancels. */
  readonly #early = new Map<string, number>();

  /** A new process numbers its commands anew. */
  restart(): void {
    this.#groups.clear();
    this.#early.clear();
  }

  /** Returns whether its request has left already, together with others. */
  pending({ clientOrderId, product = 'spot', together }: CancelOrderCommand): boolean {
    if (together === undefined) return false;
    const path = `DELETE /api/3/${product}/order`;
    let group = this.#groups.get(together.first);
    if (group === undefined) {
      const early = this.#early.get(path) ?? 0;
      if (early > 0) this.#early.set(path, early - 1);
      this.#groups.set(together.first, (group = { path, ids: [], hasLeft: early > 0 }));
    }
    group.ids.push(clientOrderId);
    return group.hasLeft;
  }

  /** The orders that a request (`METHOD path`) cancels; its symbol stands in its body, and cancels leave in their order. */
  by(request: string): readonly string[] {
    const id = cancelledBy(request);
    if (id !== undefined) return [id];
    for (const group of this.#groups.values()) {
      if (group.path !== request || group.hasLeft) continue;
      group.hasLeft = true;
      return group.ids;
    }
    if (/^DELETE \/api\/3\/\w+\/order$/.test(request))
      this.#early.set(request, (this.#early.get(request) ?? 0) + 1);
    return [];
  }
}

/** The one order that a request (`METHOD path`) cancels. */
export function cancelledBy(request: string): string | undefined {
  return /^DELETE \/api\/3\/(?:spot|margin|futures)\/order\/([^?/]+)$/.exec(request)?.[1];
}

/** Whether an order of a list waits for no other. */
function isFirstOf({ contingency, orders }: ListPlace, id: ClientOrderId): boolean {
  return !contingency.startsWith('oneTrigger') || orders[0] === id;
}

/** Looks at every order as its bytes leave: I1, I2, I7, I9, I15, I16, I17, I19. */
export class WireCheck {
  readonly #parts: WireCheckParts;
  readonly #sent = new Map<string, number>();
  readonly #wishes = new Map<string, Wish>();
  /** The orders of each list, by each of them. */
  readonly #lists = new Map<string, readonly string[]>();
  readonly #cancels = new Map<string, number>();
  readonly cancelled = new Set<string>();
  readonly #requests = new CancelRequests();
  #admitted: number[] = [];
  /** As the operator set them last in the present process. */
  #limits: Pick<typeof limits, 'messagesPerSecondMax' | 'openOrdersSymbolMax'> | ChangedLimits = limits;
  /** Reads of the active orders on their way, by command. */
  readonly #asked = new Map<number, number>();
  /** Reads of a look that was begun since the trading socket connected, and are open: their commands by what they ask. */
  readonly #looks = new Map<string, number>();
  /** The active orders were listed since then. */
  #listed = false;
  #connectedAt = 0;
  readonly #admittedAt = new Map<string, number>();
  /** Orders whose cancel was asked for before they left. */
  readonly #unwanted = new Set<string>();
  /** Instruments that were reported to the trader as suspended. */
  readonly #closed = new Set<number>();
  #compared = false;
  /** The exchange refuses requests for their rate whatever the budget says: cancels are slower for a while, too. */
  isLimited = false;
  /** Orders accepted by our controls in this process. */
  orders = 0;

  constructor(parts: WireCheckParts) {
    this.#parts = parts;
  }

  sentAt(id: string): number | undefined {
    return this.#sent.get(id);
  }

  /** The messages of an earlier process do not count in the throttle of the next. */
  restart(): void {
    this.#asked.clear();
    this.#notCompared();
    this.#admitted = [];
    this.#limits = limits;
    this.#cancels.clear();
    this.#requests.restart();
  }

  /** The trading socket connects: what was compared before does not count. */
  connects(): void {
    this.#connectedAt = this.#parts.time.now();
    this.#notCompared();
  }

  #read(command: number): void {
    for (const [what, commandId] of this.#looks) if (commandId === command) this.#looks.delete(what);
  }

  #notCompared(): void {
    this.#compared = false;
    this.#listed = false;
    this.#looks.clear();
  }

  /** The trader has taken this event in. */
  after(event: Event): void {
    const { time } = this.#parts;
    switch (event.kind) {
      case 'intent':
        this.#wish(event.intent);
        return;
      case 'orderPending': {
        const { request } = event.command;
        const { clientOrderId, instrument, side, quantity, price } = request;
        this.#admittedAt.set(clientOrderId, time.now());
        // What waits for the first order of its list finds other orders and another position when it comes to work.
        const isFirst = request.list === undefined || isFirstOf(request.list, clientOrderId);
        this.#judged(instrument, side, isFirst);
        // An order of a margin account takes nothing of a balance on spot, which an execution that is reported late may have lowered.
        if (isFirst && request.margin === undefined)
          this.#checkFunds(this.#parts.instruments.at(instrument), side);
        this.#checkSize(instrument, quantity, price);
        if (isFirst) this.#checkPlace(instrument, side, price, this.#waits(request));
        if (isFirst) this.#checkReducing(request);
        return;
      }
      case 'replacePending': {
        const { newClientOrderId, instrument, side, quantity, price } = event.command;
        this.#admittedAt.set(newClientOrderId, time.now());
        this.#judged(instrument, side, false);
        this.#checkLarger(newClientOrderId, instrument, side);
        if (this.#wishes.get(newClientOrderId)?.margin === undefined)
          this.#checkFunds(this.#parts.instruments.at(instrument), side);
        this.#checkSize(instrument, quantity, price);
        this.#checkPlace(instrument, side, price);
        return;
      }
      case 'operatorActed':
        if (event.act.act === 'reload')
          this.#limits = (JSON.parse(event.act.limits) as { readonly orders: ChangedLimits }).orders;
        return;
      case 'runStarted':
        this.#closed.clear();
        return;
      case 'instrumentChanged':
        if (event.status === 'working') this.#closed.delete(event.instrument);
        else this.#closed.add(event.instrument);
        return;
      case 'readPending':
        if (event.command.what.of === 'activeOrders') this.#asked.set(event.command.commandId, time.now());
        if (event.command.what.of !== 'book' && !this.#compared)
          this.#looks.set(JSON.stringify(event.command.what), event.command.commandId);
        return;
      case 'readAnswered':
        if ((this.#asked.get(event.commandId) ?? 0) > this.#connectedAt) this.#listed = true;
        this.#asked.delete(event.commandId);
        this.#read(event.commandId);
        // All that the first look asked for has come.
        if (this.#listed && this.#looks.size === 0) this.#compared = true;
        return;
      case 'cancelPending': {
        const { clientOrderId } = event.command;
        this.#cancels.set(clientOrderId, time.now());
        if (this.#requests.pending(event.command)) this.#cancelLeaves(clientOrderId);
        if (this.#wishes.has(clientOrderId) && !this.#sent.has(clientOrderId))
          this.#unwanted.add(clientOrderId);
        return;
      }
      case 'commandSettled':
        // A read that failed otherwise is asked again.
        if (event.outcome === 'refused') this.#read(event.commandId);
        if (event.lane === 'cancel' && event.clientOrderId !== undefined)
          this.#cancels.delete(event.clientOrderId);
        return;
      case 'orderRejected':
        // So the client answers what it was given without a session: no such order passes the gate.
        if (event.why === 'the trading session is down')
          this.#parts.breaches.add(
            'I9',
            `order ${event.clientOrderId} was to leave while the session was down`,
          );
        return;
      case 'orderDenied':
        // Of a denied order no cancel has to leave either.
        this.#cancels.delete(event.clientOrderId);
        // From here on nobody wants it: should it leave all the same, that is a breach.
        if (event.action === 'place') this.#wishes.delete(event.clientOrderId);
        return;
      default:
    }
  }

  /** A text frame leaves on the trading socket. Returns the ids of the orders in it. */
  frame(text: string): readonly string[] {
    const kind = orderFrame.exec(text)?.[1];
    if (kind === undefined) return [];
    const { params } = JSON.parse(text) as { params: OrderParams & { orders?: readonly OrderParams[] } };
    const isNew = kind !== 'replace_order';
    const orders = kind === 'new_order_list' ? (params.orders ?? []) : [params];
    const whole = kind === 'new_order_list' && this.#lists.get(orders[0]?.client_order_id ?? '');
    if (whole && whole.length !== orders.length)
      this.#parts.breaches.add('I1', `a list left with ${orders.length} of its ${whole.length} orders`);
    return orders.map((order) => this.#order(order, isNew));
  }

  #order(params: OrderParams, isNew: boolean): string {
    const id = isNew ? params.client_order_id : (params.new_client_order_id ?? '');
    const { breaches, time, disk } = this.#parts;
    if (this.#sent.has(id)) breaches.add('I1', `order ${id} was sent a second time`);
    this.#sent.set(id, time.now());
    this.orders += 1;
    if (!disk.intents.has(id)) breaches.add('I2', `order ${id} left before its record was durable`);
    this.#checkForm(id, params);
    const waited = time.now() - (this.#admittedAt.get(id) ?? 0);
    if (waited > heldMax) breaches.add('I3', `order ${id} left ${waited / 1_000} ms after it was admitted`);
    if (isNew && this.#unwanted.has(id))
      breaches.add('I7', `order ${id} left, and its cancel had been asked for`);
    this.#checkGate(id);
    return id;
  }

  /** A request leaves: `METHOD path`. */
  request(text: string): void {
    for (const id of this.#requests.by(text)) this.#cancelLeaves(id);
  }

  #cancelLeaves(id: string): void {
    this.cancelled.add(id);
    const asked = this.#cancels.get(id);
    this.#cancels.delete(id);
    const waited = asked === undefined ? 0 : this.#parts.time.now() - asked;
    if (waited > 100_000 && !this.isLimited)
      this.#parts.breaches.add('I16', `the cancel of ${id} left ${waited / 1_000} ms after it was asked for`);
  }

  #wish(intent: Extract<Event, { kind: 'intent' }>['intent']): void {
    const { strategy } = intent;
    if (intent.action === 'place') {
      const { clientOrderId, instrument, side, quantity, price, margin } = intent.request;
      this.#wishes.set(clientOrderId, { strategy, instrument, side, quantity, price, margin });
    } else if (intent.action === 'placeList') {
      const ids = intent.requests.map(({ clientOrderId }) => clientOrderId);
      for (const id of ids) this.#lists.set(id, ids);
      for (const { clientOrderId, instrument, side, quantity, price, margin } of intent.requests)
        this.#wishes.set(clientOrderId, { strategy, instrument, side, quantity, price, margin });
    } else if (intent.action === 'replace') {
      const original = this.#wishes.get(intent.clientOrderId);
      if (original === undefined) return;
      this.#wishes.set(intent.newClientOrderId, {
        ...original,
        quantity: intent.quantity,
        price: intent.price,
      });
    }
  }

  #checkForm(id: string, params: OrderParams): void {
    const { breaches, instruments } = this.#parts;
    const wish = this.#wishes.get(id);
    if (wish === undefined) {
      breaches.add('I1', `order ${id} left, and nobody wanted it`);
      return;
    }
    const instrument = instruments.at(wish.instrument as never);
    const quantity = wish.quantity === 0 ? undefined : instrument.quantityText(wish.quantity as Lots);
    if (params.quantity !== quantity)
      breaches.add('I1', `order ${id} left with ${params.quantity}, wanted were ${wish.quantity} lots`);
    if (wish.price !== undefined && params.price !== instrument.priceText(wish.price as Ticks))
      breaches.add('I1', `order ${id} left at ${params.price}, wanted were ${wish.price} ticks`);
    const numbers = [params.quantity, params.price].filter((text) => text !== undefined);
    if (!numbers.every((text) => plain.test(text)) || !params.strict_validate)
      breaches.add('I17', `order ${id} left with numbers ${numbers.join(' and ')}`);
  }

  /** What must hold at the gate, at the moment the bytes leave. */
  #checkGate(id: string): void {
    const { breaches, view: viewOf, books, instruments, time } = this.#parts;
    const view = viewOf();
    if (view === undefined) return;
    if (view.mode === 'halted') breaches.add('I7', `order ${id} left after the halt (${view.modeWhy})`);
    if (!this.#compared) breaches.add('I19', `order ${id} left before the account was compared`);
    if (!view.sessionUp('trading')) breaches.add('I9', `order ${id} left while the session was down`);
    if (books.isBehind) breaches.add('I9', `order ${id} left although market data come too late`);
    const wish = this.#wishes.get(id);
    for (const instrument of instruments.all) {
      if (wish === undefined || !this.#isNeeded(instrument, wish)) continue;
      const book = view.book(instrument.id);
      if (book.status !== 'live' || book.crossed || books.isGapped(instrument.symbol))
        breaches.add('I9', `order ${id} left on a book of ${instrument.symbol} that was not fit to trade on`);
      if (books.isLate(instrument.symbol, time.now()))
        breaches.add('I9', `order ${id} left on a book of ${instrument.symbol} that had long been silent`);
    }
  }

  /** An order needs its own book, and those that it is priced from, unless it may reduce what is held. */
  #isNeeded({ id, symbol }: Instrument, wish: Wish): boolean {
    if (id === wish.instrument) return true;
    const { state, instruments, symbolsOf } = this.#parts;
    const own = instruments.at(wish.instrument as never).symbol;
    if (pricedFrom[own]?.includes(symbol) !== true || !symbolsOf(wish.strategy).includes(symbol))
      return false;
    const place = placeOf(wish.instrument, accountOf(wish));
    const net = state.orders.profits.lotsOf(wish.strategy, place);
    return wish.side === 'sell' ? net <= 0 : net >= 0;
  }

  #judged(instrument: number, side: Side, isNew: boolean): void {
    const { state, breaches, time, instruments } = this.#parts;
    const now = time.now();
    this.#admitted = this.#admitted.filter((at) => at > now - throttleSpan);
    this.#admitted.push(now);
    if (this.#admitted.length > this.#limits.messagesPerSecondMax)
      breaches.add('I19', `${this.#admitted.length} orders were admitted within a second`);
    const { count, lots } = state.orders.worst(instrument, side);
    if (isNew && count > this.#limits.openOrdersSymbolMax)
      breaches.add('I15', `${count} orders may be open on instrument ${instrument}`);
    const grid = instruments.at(instrument as never);
    if (!isNew) return;
    const worst = (side === 'buy' ? 1 : -1) * state.orders.net(instrument) + lots;
    const most = grid.lots(limits.positionMax[grid.symbol as keyof typeof limits.positionMax]);
    if (worst > most)
      breaches.add('I19', `a ${side} order was admitted that may lead to ${worst} of ${most} lots`);
  }

  /** A replacement that may execute more than its original leads to no larger position than allowed. */
  #checkLarger(id: string, instrument: number, side: Side): void {
    const { state, breaches, instruments } = this.#parts;
    const known = state.orders.order(id);
    const original = known?.replaces;
    if (known === undefined || original?.open !== true || leftOf(known) <= leftOf(original)) return;
    const grid = instruments.at(instrument as never);
    const { lots } = state.orders.worst(instrument, side);
    const worst = (side === 'buy' ? 1 : -1) * state.orders.net(instrument) + lots;
    const most = grid.lots(limits.positionMax[grid.symbol as keyof typeof limits.positionMax]);
    if (worst > most)
      breaches.add('I19', `replacement ${id} was admitted that may lead to ${worst} of ${most} lots`);
  }

  /** All orders that may be live, the one just admitted included, are paid for: fees are left out here. */
  #checkFunds(grid: Instrument, side: Side): void {
    const { state, breaches, instruments, view } = this.#parts;
    const currency = side === 'buy' ? grid.spec.quoteCurrency : grid.spec.baseCurrency;
    const balance = view()?.balance(currency);
    if (balance === undefined) return;
    let amount = 0n;
    for (const one of instruments.all) {
      const cost = state.orders.cost(one.id, side) as Lots;
      if (side === 'buy' && one.spec.quoteCurrency === currency) amount += one.notional(1 as Ticks, cost);
      if (side === 'sell' && one.spec.baseCurrency === currency) amount += one.quantityAmount(cost);
    }
    if (amount > balance.available + balance.reserved)
      breaches.add(
        'I19',
        `${side} orders may take ${formatAmount(amount as Amount)} ${currency}, more than there is`,
      );
  }

  /** A reduce-only order finds a position that is larger; while a margin call stands nothing else is admitted. */
  #checkReducing({ clientOrderId: id, instrument, side, quantity, margin }: OrderRequest): void {
    const { breaches, state, view, instruments } = this.#parts;
    if (margin === undefined || margin.closePosition) return;
    const account = accountOf({ margin });
    const held = state.orders.netOf(instrument, account) * (side === 'sell' ? 1 : -1);
    if (margin.reduceOnly && quantity > held)
      breaches.add('I19', `reduce-only order ${id} of ${quantity} lots was admitted, and ${held} are open`);
    const key = marginKeyOf(instruments.at(instrument), margin.mode);
    if (view()?.marginAccount(key)?.called === true && quantity > held)
      breaches.add('I19', `order ${id} was admitted although margin is called for on its account`);
  }

  /** Whether an order is a stop whose price the market has not reached: it meets nothing yet. */
  #waits({ type, side, stopPrice, instrument }: OrderRequest): boolean {
    const last = this.#parts.view()?.lastTrade(instrument)?.price;
    if (stopPrice === undefined || last === undefined) return false;
    return firesRising(type, side) ? last < stopPrice : last > stopPrice;
  }

  /** Where an order would stand: near the market, apart from own orders, on a symbol that works. */
  #checkPlace(instrument: number, side: Side, price: number | undefined, waits = false): void {
    const { breaches, exchange, instruments, state } = this.#parts;
    const { symbol } = instruments.at(instrument as never);
    if (this.#closed.has(instrument))
      breaches.add('I19', `an order was admitted on ${symbol}, which is suspended`);
    if (price === undefined) return;
    const other = waits ? undefined : state.orders.opposite(instrument, side, price);
    if (other !== undefined)
      breaches.add('I19', `a ${side} order at ${price} was admitted that would meet ${other}, which is ours`);
    const { book } = exchange.world.core.market(instrument as never);
    const bid = book.best('buy')?.price ?? price;
    const ask = book.best('sell')?.price ?? price;
    // By the nearer side: a liquidation may just have emptied the other one.
    if (Math.min(Math.abs(price / bid - 1), Math.abs(price / ask - 1)) > awayMax)
      breaches.add('I19', `an order on ${symbol} was admitted at ${price}, far from ${bid} and ${ask}`);
  }

  #checkSize(instrument: number, quantity: number, price: number | undefined): void {
    const { breaches, instruments } = this.#parts;
    const grid = instruments.at(instrument as never);
    const { seedLimits } = this.#parts;
    if (quantity > grid.lots(seedLimits.quantityMax?.[grid.symbol] ?? limits.quantityMax))
      breaches.add('I19', `an order of ${quantity} lots was admitted`);
    const notional = grid.notional((price ?? 0) as Ticks, quantity as Lots);
    if (notional > parseAmount(seedLimits.notionalMax ?? limits.notionalMax))
      breaches.add('I19', `an order worth ${String(notional)} was admitted`);
  }
}
