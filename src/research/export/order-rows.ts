import type { Amount } from '../../core/base/amount.ts';
import { add, formatAmount, zero } from '../../core/base/amount.ts';
import type { Event } from '../../core/model/event.ts';
import type { Instrument, Instruments, Lots, Ticks } from '../../core/model/instrument.ts';
import { isTerminal } from '../../core/model/order-life.ts';
import type { ClientOrderId, Fill, OrderRequest, OrderState } from '../../core/model/order.ts';
import type { RunRow } from './columns.ts';

type Request = Pick<
  OrderRequest,
  'clientOrderId' | 'side' | 'type' | 'timeInForce' | 'postOnly' | 'price' | 'stopPrice' | 'quantity'
>;

interface Followed {
  readonly request: Request;
  readonly instrument: Instrument;
  readonly strategy: string;
  readonly placed: number;
  readonly replaces: ClientOrderId | undefined;
  acknowledged: number | undefined;
  ended: number | undefined;
  filled: number;
  worth: Amount;
  fees: Amount;
  state: OrderState | 'replaced';
  code: string | undefined;
  why: string | undefined;
}

/** Orders that ended are followed on, this many: a fill may be reported after the end. */
const endedMax = 50_000;

/** Follows every own order of a run from its verdict to its end, and hands over the row of each. */
export class OrderRows {
  readonly #takeRow: (row: RunRow<'orders'>) => void;
  readonly #orders = new Map<ClientOrderId, Followed>();
  /** What strategies asked for, until the verdict. */
  readonly #asked = new Map<ClientOrderId, OrderRequest>();
  readonly #ended: ClientOrderId[] = [];

  constructor(take: (row: RunRow<'orders'>) => void) {
    this.#takeRow = take;
  }

  observe(event: Event, instruments: Instruments): void {
    const { receiveTime: time } = event;
    switch (event.kind) {
      case 'intent':
        if (event.intent.action === 'place') this.#ask(event.intent.request);
        else if (event.intent.action === 'placeList')
          for (const request of event.intent.requests) this.#ask(request);
        return;
      case 'orderPending': {
        const { request, strategy } = event.command;
        this.#asked.delete(request.clientOrderId);
        this.#beginRow(request, { instrument: instruments.at(request.instrument), strategy, placed: time });
        return;
      }
      case 'replacePending': {
        const { newClientOrderId, clientOrderId: replaces, instrument, strategy, ...rest } = event.command;
        const old = this.#orders.get(replaces)?.request;
        const { type = 'limit', timeInForce = 'GTC', postOnly = false } = old ?? {};
        const request = { ...rest, clientOrderId: newClientOrderId, type, timeInForce, postOnly };
        this.#beginRow(request, { instrument: instruments.at(instrument), strategy, placed: time, replaces });
        return;
      }
      case 'orderDenied':
        if (event.action === 'cancel' || event.action === 'cancelAll') return;
        this.#deny(event, instruments);
        return;
      case 'orderRejected':
        this.#acknowledge(event.clientOrderId, time);
        this.#endRow(event.clientOrderId, {
          state: 'rejected',
          time,
          code: String(event.code),
          why: event.why,
        });
        return;
      case 'orderProvenAbsent':
        this.#endRow(event.clientOrderId, { state: 'rejected', time, why: 'the venue never had it' });
        return;
      case 'orderUnknown':
        this.#live(event.clientOrderId, 'unknown');
        return;
      case 'orderFoundAlive':
        this.#reopen(event.clientOrderId, event.state);
        return;
      case 'orderReport':
        this.#report(event.order, time);
        return;
      case 'readAnswered':
        for (const order of event.orders) this.#report(order, time);
    }
  }

  filled(id: ClientOrderId, { price, quantity, fee }: Fill): void {
    const order = this.#orders.get(id);
    if (order === undefined) return;
    order.filled += quantity;
    order.worth = add(order.worth, order.instrument.contract.worth(price, quantity));
    order.fees = add(order.fees, fee);
  }

  /** The run has ended: hands over the rows of all orders that are still followed. */
  endRows(): void {
    for (const order of this.#orders.values()) this.#takeRow(rowOf(order));
    this.#orders.clear();
  }

  #ask(request: OrderRequest): void {
    this.#asked.set(request.clientOrderId, request);
  }

  #beginRow(
    request: Request,
    of: Pick<Followed, 'instrument' | 'strategy' | 'placed'> & { readonly replaces?: ClientOrderId },
  ): void {
    if (this.#orders.has(request.clientOrderId)) return;
    this.#orders.set(request.clientOrderId, {
      replaces: undefined,
      ...of,
      request,
      acknowledged: undefined,
      ended: undefined,
      filled: 0,
      worth: zero,
      fees: zero,
      state: 'pending',
      code: undefined,
      why: undefined,
    });
  }

  #deny(event: Extract<Event, { kind: 'orderDenied' }>, instruments: Instruments): void {
    const { clientOrderId: id, strategy, denial, receiveTime: time } = event;
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    // An id that is used again is that of another order, whose row it must not change.
    if (asked !== undefined && this.#orders.has(id)) {
      const row = { ...(this.#orders.get(id) as Followed), request: asked, strategy, placed: time };
      this.#takeRow(
        rowOf({ ...row, ...untouched, ended: time, state: 'denied', code: denial.code, why: denial.why }),
      );
      return;
    }
    if (asked !== undefined)
      this.#beginRow(asked, { instrument: instruments.at(asked.instrument), strategy, placed: time });
    this.#endRow(id, { state: 'denied', time, code: denial.code, why: denial.why });
  }

  #report(
    {
      clientOrderId: id,
      originalClientOrderId: original,
      state,
    }: Pick<
      Extract<Event, { kind: 'orderReport' }>['order'],
      'clientOrderId' | 'originalClientOrderId' | 'state'
    >,
    time: number,
  ): void {
    if (original !== undefined && original !== id) this.#endRow(original, { state: 'replaced', time });
    this.#acknowledge(id, time);
    if (isTerminal(state)) this.#endRow(id, { state, time });
    else this.#live(id, state);
  }

  #acknowledge(id: ClientOrderId, time: number): void {
    const order = this.#orders.get(id);
    if (order !== undefined) order.acknowledged ??= time;
  }

  #live(id: ClientOrderId, state: OrderState): void {
    const order = this.#orders.get(id);
    if (order !== undefined && order.ended === undefined) order.state = state;
  }

  #reopen(id: ClientOrderId, state: OrderState): void {
    const order = this.#orders.get(id);
    if (order === undefined) return;
    order.ended = undefined;
    order.state = state;
  }

  #endRow(
    id: ClientOrderId,
    how: {
      readonly state: Followed['state'];
      readonly time: number;
      readonly code?: string;
      readonly why?: string;
    },
  ): void {
    const order = this.#orders.get(id);
    if (order === undefined || order.ended !== undefined) return;
    order.state = how.state;
    order.ended = how.time;
    order.code = how.code;
    order.why = how.why;
    this.#ended.push(id);
    if (this.#ended.length <= endedMax) return;
    for (const old of this.#ended.splice(0, endedMax / 2)) {
      const forgotten = this.#orders.get(old);
      if (forgotten?.ended === undefined) continue;
      this.#takeRow(rowOf(forgotten));
      this.#orders.delete(old);
    }
  }
}

const untouched = {
  acknowledged: undefined,
  replaces: undefined,
  filled: 0,
  worth: zero,
  fees: zero,
} as const;

function rowOf(order: Followed): RunRow<'orders'> {
  const { request, instrument, filled, worth } = order;
  const price = (ticks: Ticks | undefined): string | undefined =>
    ticks === undefined ? undefined : instrument.priceText(ticks);
  return {
    placed: order.placed,
    acknowledged: order.acknowledged,
    ended: order.ended,
    order_id: request.clientOrderId,
    replaces: order.replaces,
    symbol: instrument.symbol,
    strategy: order.strategy,
    side: request.side,
    type: request.type,
    time_in_force: request.timeInForce,
    post_only: request.postOnly,
    price: price(request.price),
    stop_price: price(request.stopPrice),
    quantity: instrument.quantityText(request.quantity),
    filled: instrument.quantityText(filled as Lots),
    average_price:
      filled === 0 ? undefined : formatAmount(instrument.contract.priceAt(worth, filled as Lots)),
    fees: formatAmount(order.fees),
    fee_currency: instrument.spec.feeCurrency,
    state: order.state,
    code: order.code,
    why: order.why,
  };
}
