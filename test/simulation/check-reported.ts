import type { Event, OwnTrade } from '../../src/core/model/event.ts';
import { isTerminal } from '../../src/core/model/order-life.ts';
import type { ClientOrderId, Fill, Order, VenueOrder } from '../../src/core/model/order.ts';
import { needsPrice } from '../../src/core/model/order.ts';
import type { Balance } from '../../src/core/model/market.ts';
import type { StampedEvent } from '../../src/core/model/stamped-event.ts';
import type { StateView } from '../../src/core/state/view.ts';
import type { Breaches } from './breaches.ts';
import type { ExchangeMoney } from './exchange-money.ts';
import { keyOfTrade } from './exchange-money.ts';
import type { ExchangeOrders } from './exchange-orders.ts';
import { termsOf, toMillis } from './exchange-orders.ts';
import type { Lies } from './reported-orders.ts';
import { printed } from './reported-orders.ts';

export interface ReportParts {
  readonly breaches: Breaches;
  readonly truth: ExchangeOrders;
  readonly money: ExchangeMoney;
  readonly lies: Lies;
}

interface ReportRow {
  readonly client_order_id: string;
  readonly status: string;
  readonly trade_id?: number;
}

/**
 * What reached the trader of orders, executions and balances, event by event: it is what the exchange had at some time, each report that
 * arrived is taken in within its step, and the trader shows each order as it was reported last. I4, I5, I6.
 */
export class ReportCheck {
  readonly #parts: ReportParts;
  /** Reports that arrived in this step and that no event tells of yet. */
  #arrived: string[] = [];
  #orders = new Map<string, VenueOrder>();

  constructor(parts: ReportParts) {
    this.#parts = parts;
  }

  restart(history: readonly StampedEvent[]): void {
    this.#arrived = [];
    this.#orders = new Map();
    for (const { event } of history) this.#fold(event);
  }

  /** A frame of the trading socket is about to reach the trader. */
  arrives(text: string): void {
    const named = /^\{"jsonrpc":"2.0","method":"(?:spot|margin|futures)_order"/.exec(text) ?? undefined;
    if (named === undefined || text.includes('"quantitee"')) return;
    const { params } = JSON.parse(text) as { params: ReportRow };
    this.#arrived.push(keyOfReport(params.client_order_id, params.status, params.trade_id));
  }

  /** The trader has taken this event in. */
  after(event: Event, view: StateView): void {
    this.#judge(event);
    for (const id of this.#fold(event)) this.#compare(id as ClientOrderId, view, event.kind);
  }

  /** A step is over: a process that runs has taken in what arrived. */
  afterStep(): void {
    if (this.#arrived.length === 0) return;
    for (const report of this.#arrived)
      this.#parts.breaches.add('I4', `a report arrived, and no event tells of it: ${report}`);
    this.#arrived = [];
  }

  /** What is reported was so at the exchange. */
  #judge(event: Event): void {
    switch (event.kind) {
      case 'orderReport': {
        const { order, fill } = event;
        const key = keyOfReport(order.clientOrderId, order.state, fill?.tradeId);
        const at = this.#arrived.indexOf(key);
        if (at >= 0) this.#arrived.splice(at, 1);
        this.#judgeOrder(order);
        if (fill !== undefined) this.#judgeFill({ ...fill, ...pick(order) });
        return;
      }
      case 'balances':
        this.#judgeBalances(event.wallet ?? 'spot', event.balances);
        return;
      case 'readAnswered': {
        for (const order of event.orders) this.#judgeOrder(order);
        for (const fill of event.fills) this.#judgeFill(fill);
        const { what } = event;
        if (what.of === 'balances') this.#judgeBalances(what.product ?? 'spot', event.balances);
        return;
      }
      default:
    }
  }

  #judgeOrder(order: VenueOrder): void {
    const { truth, breaches, lies } = this.#parts;
    const why = truth.never(order);
    if (why !== undefined && !isInvented(order, lies))
      breaches.add('I6', `the exchange never had order ${order.clientOrderId} like this: ${why}`);
  }

  #judgeFill(fill: Pick<OwnTrade, 'instrument' | 'side' | 'clientOrderId'> & Fill): void {
    const { money, lies, breaches } = this.#parts;
    const key = keyOfTrade(fill);
    if (lies.invented.has(key)) return;
    const known = money.trades.get(key);
    const reported = textOfFill(fill);
    if (known === undefined) breaches.add('I4', `the exchange never had this execution: ${key} ${reported}`);
    else if (textOfFill(known.fill) !== reported || known.clientOrderId !== fill.clientOrderId)
      breaches.add('I4', `execution ${key} was reported as ${reported}, it is ${textOfFill(known.fill)}`);
    else if (lies.factors.size === 0 && printed(known.fill.fee) !== printed(fill.fee))
      breaches.add('I4', `the fee of execution ${key} was reported as ${fill.fee}, it is ${known.fill.fee}`);
  }

  #judgeBalances(wallet: string, balances: readonly Balance[]): void {
    for (const balance of balances)
      if (!this.#parts.truth.hadBalance(wallet === 'futures' ? wallet : 'spot', balance))
        this.#parts.breaches.add(
          'I6',
          `the ${wallet} wallet never had ${balance.available} and ${balance.reserved} ${balance.currency}`,
        );
  }

  /** Returns the orders that it tells of. */
  #fold(event: Event): readonly string[] {
    switch (event.kind) {
      case 'orderReport':
        this.#note(event.order);
        return [event.order.clientOrderId];
      case 'readAnswered':
        for (const order of event.orders) this.#note(order);
        return event.orders.map(({ clientOrderId }) => clientOrderId);
      default:
        return [];
    }
  }

  #note(order: VenueOrder): void {
    const known = this.#orders.get(order.clientOrderId);
    const isNewer =
      known === undefined ||
      order.updatedAt > known.updatedAt ||
      (order.updatedAt === known.updatedAt && order.cumulative >= known.cumulative);
    if (isNewer) this.#orders.set(order.clientOrderId, { ...order, price: order.price ?? known?.price });
  }

  #compare(id: ClientOrderId, view: StateView, kind: string): void {
    const reported = this.#orders.get(id);
    const order = view.order(id);
    if (reported === undefined || order === undefined) return;
    const { breaches } = this.#parts;
    const [shown, wanted] = [shownTerms(order), shownTerms(reported)];
    if (shown !== wanted) breaches.add('I5', `after ${kind} order ${id} is ${shown}, reported was ${wanted}`);
    if (isTerminal(order.state)) return;
    const state = order.cumulative > 0 ? 'partiallyFilled' : reported.state;
    if (order.state !== state && !isTerminal(reported.state) && reported.state !== 'suspended')
      breaches.add('I5', `after ${kind} order ${id} is ${order.state}, reported was ${reported.state}`);
  }
}

function shownTerms(order: Order | VenueOrder): string {
  const price = needsPrice(order.type) ? order.price : undefined;
  return `${order.venueOrderId} ${termsOf({ ...order, price })}`;
}

function pick({
  instrument,
  side,
  clientOrderId,
}: VenueOrder): Pick<OwnTrade, 'instrument' | 'side' | 'clientOrderId'> {
  return { instrument, side, clientOrderId };
}

function textOfFill({ price, quantity, taker, time, positionId }: Fill): string {
  return [price, quantity, taker, toMillis(time), positionId].join(' ');
}

function isInvented({ clientOrderId }: VenueOrder, { invented }: Lies): boolean {
  for (const one of invented.values()) if (one.clientOrderId === clientOrderId) return true;
  return false;
}

function keyOfReport(id: string, status: string, trade: string | number = '-'): string {
  return `${id} ${status} ${trade}`;
}
