import { Observable } from 'rxjs';
import { zero } from '../../src/core/base/amount.ts';
import type { Venue } from '../../src/core/bus/venue.ts';
import type { Event, OrderReport } from '../../src/core/model/event.ts';
import type { Lots } from '../../src/core/model/instrument.ts';
import type { ClientOrderId, VenueOrder } from '../../src/core/model/order.ts';
import type { TraderHooks } from './sim-trader.ts';

/** What an event of the venue becomes; an empty list swallows it. */
export type Change = (event: Event) => readonly Event[];

/** A trader that hears `change` of every event of its venue. `make` is called for each process. */
export function hears(make: () => Change): TraderHooks {
  return {
    venue: (venue) => {
      const change = make();
      return {
        ...withSend(venue),
        events: new Observable<Event>((subscriber) =>
          venue.events.subscribe((event) => {
            for (const received of change(event)) subscriber.next(received);
          }),
        ),
      };
    },
  };
}

export function withSend(venue: Venue): Venue {
  return {
    events: venue.events,
    send: (command) => venue.send(command),
    close: () => venue.close(),
  };
}

/** Defects of whoever makes sense of what the venue says. */
export const eventBugs: Readonly<Record<string, TraderHooks>> = {
  'fills are known by the executed sum': hears(() => (event) => {
    if (event.kind !== 'orderReport' || event.fill === undefined) return [event];
    const tradeId = `${event.order.clientOrderId}-${event.order.cumulative}`;
    return [{ ...event, fill: { ...event.fill, tradeId } }];
  }),
  'a trade is booked by report and again by read': hears(
    () => (event) =>
      event.kind === 'readAnswered'
        ? [{ ...event, fills: event.fills.map((fill) => ({ ...fill, tradeId: `r${fill.tradeId}` })) }]
        : [event],
  ),
  'fills after a cancel are ignored': hears(() => {
    const asked = new Set<string>();
    return (event) => {
      if (event.kind === 'commandSettled' && event.lane === 'cancel' && event.clientOrderId !== undefined)
        asked.add(event.clientOrderId);
      if (event.kind === 'orderReport' && event.fill !== undefined && asked.has(event.order.clientOrderId))
        return [];
      if (event.kind !== 'readAnswered') return [event];
      return [{ ...event, fills: event.fills.filter(({ clientOrderId }) => !asked.has(clientOrderId)) }];
    };
  }),
  'a refused cancel counts as done': hears(() => {
    const received = new Map<string, VenueOrder>();
    return (event) => {
      if (event.kind === 'orderReport') received.set(event.order.clientOrderId, event.order);
      if (event.kind !== 'commandSettled' || event.lane !== 'cancel') return [event];
      const order = received.get(event.clientOrderId ?? '');
      if (event.outcome === 'acknowledged' || order === undefined || isOver(order)) return [event];
      return [canceled(order, event), event];
    };
  }),
  'an order without an answer is dropped': hears(() => (event) => {
    if (event.kind !== 'commandSettled' || event.lane !== 'new' || event.outcome !== 'unanswered')
      return [event];
    return [rejected(event.clientOrderId, event), event];
  }),
  'an empty history proves an order dead': hears(() => (event) => {
    if (event.kind !== 'readAnswered' || event.what.of !== 'orderHistory' || event.orders.length > 0)
      return [event];
    return [event, rejected(event.what.clientOrderId, event)];
  }),
  'lost connections go unnoticed': hears(
    () => (event) => (event.kind === 'sessionDown' && event.session === 'trading' ? [] : [event]),
  ),
  'gaps of a book go unnoticed': hears(() => (event) => (event.kind === 'bookStale' ? [] : [event])),
  'trades of the history are not read': hears(
    () => (event) => (event.kind === 'readAnswered' ? [{ ...event, fills: [] }] : [event]),
  ),
  'a replacement forgets its original': hears(() => (event) => {
    if (event.kind !== 'orderReport') return [event];
    return [{ ...event, order: { ...event.order, originalClientOrderId: undefined } }];
  }),
  'fees are forgotten': hears(
    () => (event) =>
      event.kind === 'orderReport' && event.fill !== undefined
        ? [{ ...event, fill: { ...event.fill, fee: zero } }]
        : [event],
  ),
  'an expired order counts as filled': hears(() => (event) => {
    if (event.kind !== 'orderReport' || event.order.state !== 'expired') return [event];
    return [{ ...event, order: { ...event.order, state: 'filled' } }];
  }),
  'an order that no list shows is over': hears(
    () => (event) =>
      event.kind === 'readAnswered' && (event.what.of === 'activeOrders' || event.what.of === 'orderHistory')
        ? [{ ...event, orders: [] }]
        : [event],
  ),
  'a fill is booked one lot short': hears(() => (event) => {
    if (event.kind !== 'orderReport' || event.fill === undefined || event.fill.quantity < 2) return [event];
    const quantity = (event.fill.quantity - 1) as Lots;
    return [{ ...event, fill: { ...event.fill, quantity } }];
  }),
  'buys and sells are mixed up in reads': hears(
    () => (event) =>
      event.kind === 'readAnswered'
        ? [
            {
              ...event,
              fills: event.fills.map((fill) => ({
                ...fill,
                side: fill.side === 'buy' ? ('sell' as const) : ('buy' as const),
              })),
            },
          ]
        : [event],
  ),
  'balances of other currencies are lost': hears(() => (event) => {
    if (event.kind === 'balances') return [{ ...event, balances: event.balances.slice(0, 1) }];
    if (event.kind !== 'readAnswered' || event.what.of !== 'balances') return [event];
    return [{ ...event, balances: event.balances.slice(0, 1) }];
  }),
};

function isOver({ state }: VenueOrder): boolean {
  return state === 'filled' || state === 'canceled' || state === 'expired';
}

function canceled(order: VenueOrder, { exchangeTime, receiveTime }: Event): OrderReport {
  return {
    kind: 'orderReport',
    reportType: 'canceled',
    order: { ...order, state: 'canceled' },
    fill: undefined,
    exchangeTime,
    receiveTime,
  };
}

function rejected(clientOrderId: ClientOrderId | undefined, { exchangeTime, receiveTime }: Event): Event {
  return {
    kind: 'orderRejected',
    clientOrderId: clientOrderId ?? ('' as ClientOrderId),
    originalClientOrderId: undefined,
    code: 20_002,
    why: 'planted',
    exchangeTime,
    receiveTime,
  };
}
