import type { InstrumentId } from '../model/instrument.ts';
import type { Order } from '../model/order.ts';
import type { StateView } from '../state/view.ts';
import type { DeclaredFeeds } from './feed-request.ts';
import { deepFreeze } from './params.ts';

// A strategy may write to whatever it is handed, if only past the types: state, journal, controls and report must not see it.

/** An order of a strategy's own to keep. */
export function copyOfOrder(order: Order): Order {
  const { list } = order;
  return list === undefined ? { ...order } : { ...order, list: { ...list, orders: [...list.orders] } };
}

/** Freezes what is too often asked for, or too large, to be copied: instruments, and the books that are declared. */
export function freezeShared(state: StateView, feeds: DeclaredFeeds): void {
  for (const instrument of state.instruments.all) {
    deepFreeze(instrument);
    // Levels and times of a book are private fields, which go on changing; what is frozen are its name and its methods.
    if (feeds.books[instrument.id] === 1) Object.freeze(state.book(instrument.id as InstrumentId));
  }
}
