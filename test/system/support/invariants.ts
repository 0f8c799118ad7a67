import { expect } from 'vitest';
import type { OrderHistoryEntry } from '../../../src/exchange/base/order-log.ts';
import type { Stage } from './stage.ts';
import { until } from './until.ts';

/** Everything the exchange ever knew of the daemon's account. */
export function venueOrders(stage: Stage): readonly OrderHistoryEntry[] {
  const { core, accounts } = stage.exchange;
  return core.log(accounts.get('demo').id).records;
}

/** I1: an intent became at most one order, of at most what was intended. */
export function expectSentOnce(stage: Stage): void {
  const records = venueOrders(stage);
  const ids = records.map(({ order }) => order.clientOrderId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { order } of records) {
    const pending = stage
      .all('orderPending')
      .find(({ command }) => command.request.clientOrderId === order.clientOrderId);
    if (pending === undefined) continue;
    expect(order.quantity).toBe(pending.command.request.quantity);
    expect(order.cumulative).toBeLessThanOrEqual(order.quantity);
  }
}

/** I4: every trade is booked once, and what is booked is what the exchange executed. */
export function expectBookedOnce(stage: Stage): void {
  const { view } = stage.daemon.trader;
  const net = new Map<number, number>();
  for (const { order, fills } of venueOrders(stage)) {
    const sum = fills.reduce((total, fill) => total + fill.quantity, 0);
    expect(order.cumulative).toBe(sum);
    expect(view.order(order.clientOrderId)?.cumulative ?? 0).toBe(sum);
    net.set(order.instrument, (net.get(order.instrument) ?? 0) + (order.side === 'buy' ? sum : -sum));
  }
  for (const [instrument, lots] of net) expect(view.netPosition(instrument as never)).toBe(lots);
}

/** I6: soon the daemon's orders and balances are the exchange's, decimal for decimal. */
export async function expectSameAccount(stage: Stage): Promise<void> {
  const { core, accounts } = stage.exchange;
  const account = accounts.get('demo').id;
  const { view } = stage.daemon.trader;
  const venue = () => core.exchange.activeOrders(account).map(({ clientOrderId }) => clientOrderId);
  const ours = () => view.openOrders().map(({ clientOrderId }) => clientOrderId);
  await until(`equal orders, ours ${ours().join()}, theirs ${venue().join()}`, () => {
    return [...ours()].sort().join() === [...venue()].sort().join() && view.unknownCount() === 0;
  });
  await until('equal balances', () =>
    core.exchange.balances(account).every((theirs) => {
      const known = view.balance(theirs.currency);
      return known.available === theirs.available && known.reserved === theirs.reserved;
    }),
  );
}

/** I8: soon the live book is the exchange's, level for level, and not crossed. */
export async function expectSameBook(stage: Stage, symbol = 'ETHUSDT'): Promise<void> {
  const { core } = stage.exchange;
  const { id } = core.instruments.get(symbol);
  const ours = stage.daemon.trader.instruments.get(symbol).id;
  const book = stage.daemon.trader.view.book(ours);
  await until(
    'equal books',
    () =>
      book.status === 'live' &&
      (['buy', 'sell'] as const).every((side) => {
        const theirs = core.exchange.levels(id, side).map(({ price, quantity }) => `${price}:${quantity}`);
        const known = book.levels(side, 100_000).map(({ price, quantity }) => `${price}:${quantity}`);
        return theirs.join() === known.join();
      }),
  );
  expect(book.crossed).toBe(false);
}
