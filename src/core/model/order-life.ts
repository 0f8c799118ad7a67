import type { OrderState } from './order.ts';

/** Event in the life of an order. Venue market data, and our own `denied`, `rejected` and `unanswered`. */
export type OrderHappening =
  | 'new'
  | 'suspended'
  | 'partiallyFilled'
  | 'filled'
  | 'canceled'
  | 'expired'
  | 'denied'
  | 'rejected'
  | 'unanswered'
  | 'provenAbsent';

/** Effect of a happening in a state: move to another, stay (a repetition or an older fact), or break a promise. */
export type Transition = OrderState | 'stay' | 'violation';

/**
 * Every state of the documents, plus ours, against everything that can happen.
 *
 * Terminal states never revert (invariant I5). A fill that arrives after `canceled` or `expired` is booked by
 * trade id all the same; the state stays, because the venue's cancel report already carried the final quantity. Once
 * the whole quantity has executed the order is filled: its end was supposed, or reported wrongly.
 * A fact about an order we believed denied or rejected is a violation: an order lives that we called dead.
 *
 * Source: API v3, "Order status"; faults, section 1 and section 2 (I3, I5).
 */
export const orderLife: Readonly<Record<OrderState, Readonly<Record<OrderHappening, Transition>>>> = {
  pending: {
    new: 'new',
    suspended: 'suspended',
    partiallyFilled: 'partiallyFilled',
    filled: 'filled',
    canceled: 'canceled',
    expired: 'expired',
    denied: 'denied',
    rejected: 'rejected',
    unanswered: 'unknown',
    provenAbsent: 'rejected',
  },
  unknown: {
    new: 'new',
    suspended: 'suspended',
    partiallyFilled: 'partiallyFilled',
    filled: 'filled',
    canceled: 'canceled',
    expired: 'expired',
    denied: 'violation',
    rejected: 'rejected',
    unanswered: 'stay',
    provenAbsent: 'rejected',
  },
  suspended: {
    new: 'new',
    suspended: 'stay',
    partiallyFilled: 'partiallyFilled',
    filled: 'filled',
    canceled: 'canceled',
    expired: 'expired',
    denied: 'violation',
    rejected: 'stay',
    unanswered: 'stay',
    provenAbsent: 'stay',
  },
  new: {
    new: 'stay',
    suspended: 'stay',
    partiallyFilled: 'partiallyFilled',
    filled: 'filled',
    canceled: 'canceled',
    expired: 'expired',
    denied: 'violation',
    rejected: 'stay',
    unanswered: 'stay',
    provenAbsent: 'stay',
  },
  partiallyFilled: {
    new: 'stay',
    suspended: 'stay',
    partiallyFilled: 'stay',
    filled: 'filled',
    canceled: 'canceled',
    expired: 'expired',
    denied: 'violation',
    rejected: 'stay',
    unanswered: 'stay',
    provenAbsent: 'stay',
  },
  filled: terminal(),
  canceled: terminal(),
  expired: terminal(),
  denied: ours('denied'),
  rejected: ours('rejected'),
};

/** Whether nothing more can come of an order in this state. */
export function isTerminal(state: OrderState): boolean {
  return (
    state === 'filled' ||
    state === 'canceled' ||
    state === 'expired' ||
    state === 'denied' ||
    state === 'rejected'
  );
}

/** Whether an order was called ended with something left to execute. */
export function isWithdrawn(state: OrderState | undefined): boolean {
  return state === 'canceled' || state === 'expired';
}

/** Whether an order in this state may rest at the venue: it counts in every limit. */
export function mayBeLive(state: OrderState): boolean {
  return !isTerminal(state);
}

function terminal(): Readonly<Record<OrderHappening, Transition>> {
  return {
    new: 'stay',
    suspended: 'stay',
    partiallyFilled: 'stay',
    filled: 'stay',
    canceled: 'stay',
    expired: 'stay',
    denied: 'violation',
    rejected: 'stay',
    unanswered: 'stay',
    provenAbsent: 'stay',
  };
}

function ours(state: 'denied' | 'rejected'): Readonly<Record<OrderHappening, Transition>> {
  return {
    new: 'violation',
    suspended: 'violation',
    partiallyFilled: 'violation',
    filled: 'violation',
    canceled: 'violation',
    expired: 'violation',
    denied: state === 'denied' ? 'stay' : 'violation',
    rejected: state === 'rejected' ? 'stay' : 'violation',
    unanswered: 'stay',
    provenAbsent: 'stay',
  };
}
