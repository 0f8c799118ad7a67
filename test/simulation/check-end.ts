import { formatAmount, zero } from '../../src/core/base/amount.ts';
import type { Amount } from '../../src/core/base/amount.ts';
import type { OrderHistoryEntry } from '../../src/exchange/base/order-log.ts';
import { State } from '../../src/core/state/state.ts';
import type { StateView } from '../../src/core/state/view.ts';
import type { Instruments } from '../../src/core/model/instrument.ts';
import type { StampedEvent } from '../../src/core/model/stamped-event.ts';
import type { Breaches } from './breaches.ts';
import { checkMargin } from './check-margin.ts';
import type { SimExchange } from './sim-exchange.ts';

export interface EndCheckParts {
  readonly exchange: SimExchange;
  readonly view: StateView;
  readonly breaches: Breaches;
  /** What the account had in the beginning. */
  readonly opening: ReadonlyMap<string, Amount>;
  /** All there was of each currency in the beginning, wherever it lay. */
  readonly totals: ReadonlyMap<string, Amount>;
  readonly calledDead: ReadonlySet<string>;
}

/** So long an order may be on its way when everything else is quiet. */
const onTheWay = 1_000_000;

/** What must hold once everything is quiet: I1, I3, I4, I6, I18. */
export function checkEnd({ exchange, view, breaches, opening, totals, calledDead }: EndCheckParts): void {
  const { core } = exchange.world;
  const { records } = exchange;
  checkRecords(records, view, breaches);
  for (const { order } of records)
    if (calledDead.has(order.clientOrderId))
      breaches.add('I3', `order ${order.clientOrderId} was called dead, and the exchange has it`);
  // What was asked for a moment ago is on its way.
  const young = new Set(
    view
      .openOrders()
      .filter(({ state, createdAt }) => state === 'pending' && view.time - createdAt < onTheWay)
      .map(({ clientOrderId }) => clientOrderId),
  );
  const theirs = exchange.activeOrders
    .filter(({ clientOrderId }) => !young.has(clientOrderId))
    .map(({ clientOrderId, state, cumulative }) => [clientOrderId, state, cumulative].join(' '));
  const ours = view
    .openOrders()
    .filter(({ clientOrderId }) => !young.has(clientOrderId))
    .map(({ clientOrderId, state, cumulative }) => [clientOrderId, state, cumulative].join(' '));
  if (theirs.sort().join() !== ours.sort().join())
    breaches.add('I6', `live orders differ: ours ${ours.join(', ')}; theirs ${theirs.join(', ')}`);
  if (view.unknownCount() > 0) breaches.add('I6', `${view.unknownCount()} orders are still unknown`);
  for (const { currency, available, reserved } of core.exchange.balances(exchange.account)) {
    const known = view.balance(currency);
    if (known.available === available && known.reserved === reserved) continue;
    const shown = [known.available, known.reserved, available, reserved].map(formatAmount);
    breaches.add('I6', `${currency}: ours ${shown[0]} and ${shown[1]}, theirs ${shown[2]} and ${shown[3]}`);
  }
  checkMargin(exchange, view, breaches);
  checkTotals(exchange, totals, breaches);
  // What margin accounts take and give back is counted in the totals.
  if (exchange.accounts.length === 1) checkMoney(exchange, opening, breaches);
}

/** Every order became one order, and every trade one booking. */
function checkRecords(records: readonly OrderHistoryEntry[], view: StateView, breaches: Breaches): void {
  const ids = new Set<string>();
  const replaced = new Set(records.map(({ order }) => order.originalClientOrderId));
  for (const { order } of records) {
    if (ids.has(order.clientOrderId)) breaches.add('I1', `two orders have the id ${order.clientOrderId}`);
    ids.add(order.clientOrderId);
    if (order.cumulative > order.quantity) breaches.add('I1', `${order.clientOrderId} executed too much`);
    const shown = view.order(order.clientOrderId);
    if (shown !== undefined && shown.cumulative !== order.cumulative)
      breaches.add(
        'I4',
        `order ${order.clientOrderId} executed ${order.cumulative}, shown are ${shown.cumulative}`,
      );
    // One that was left alive beside its replacement, and ended by itself before that was found.
    const wasKept =
      replaced.has(order.clientOrderId) &&
      shown?.state === 'canceled' &&
      (order.state === 'filled' || order.state === 'expired');
    if (shown !== undefined && shown.state !== order.state && !wasKept)
      breaches.add('I6', `order ${order.clientOrderId} is ${order.state}, shown is ${shown.state}`);
  }
}

/** No money comes or goes: balances and margin of all participants, fees, and what the exchange has or lent, are as much as before. */
function checkTotals(exchange: SimExchange, totals: ReadonlyMap<string, Amount>, breaches: Breaches): void {
  const now = exchange.totals();
  for (const currency of new Set([...totals.keys(), ...now.keys()])) {
    const [before, after] = [totals.get(currency) ?? zero, now.get(currency) ?? zero];
    if (before !== after)
      breaches.add(
        'I18',
        `there were ${formatAmount(before)} ${currency} in all, and now ${formatAmount(after)}`,
      );
  }
}

/** Balances are what came in, plus trades, minus fees. */
function checkMoney(exchange: SimExchange, opening: ReadonlyMap<string, Amount>, breaches: Breaches): void {
  const { account } = exchange;
  const { core } = exchange.world;
  const money = new Map(opening);
  const add = (currency: string, amount: bigint): void => {
    money.set(currency, ((money.get(currency) ?? 0n) + amount) as Amount);
  };
  for (const { instrument: id, side, fill } of exchange.trades) {
    const instrument = core.instruments.at(id);
    const { baseCurrency, quoteCurrency, feeCurrency } = instrument.spec;
    const sign = side === 'buy' ? 1n : -1n;
    add(baseCurrency, sign * instrument.quantityAmount(fill.quantity));
    add(quoteCurrency, -sign * instrument.notional(fill.price, fill.quantity));
    add(feeCurrency, -fill.fee);
  }
  for (const { currency, available, reserved } of core.exchange.balances(account)) {
    if (available + reserved !== (money.get(currency) ?? 0n))
      breaches.add('I18', `${currency} is not what came in plus trades and fees`);
  }
}

/** I11: what the journal holds rebuilds what the trader knows. */
export function replayDiffers(
  instruments: Instruments,
  history: readonly StampedEvent[],
  view: StateView,
): string | undefined {
  const state = new State({ instruments });
  for (const { event } of history) state.fold(event);
  const [short] = state.missingFills();
  if (short !== undefined)
    return `order ${short.clientOrderId} executed ${short.cumulative}, and the trades booked do not come to that`;
  const received = (of: StateView): readonly unknown[] => [
    of.openOrders(),
    of.balances(),
    of.balances('futures'),
    of.positions(),
    of.marginAccounts(),
    of.mode,
    of.modeWhy,
    of.losses.latches,
  ];
  return firstDifference(received(state), received(view));
}

/** Where what was read back and what is live differ first, in words; `undefined` where they are the same. */
export function firstDifference(replayed: unknown, live: unknown): string | undefined {
  // Both as text take many times as long, and nearly all are the same.
  if (isSame(replayed, live)) return undefined;
  const [theirs, ours] = [replayed, live].map((one) =>
    JSON.stringify(one, (_key, value: unknown) => plainOf(value)),
  );
  if (ours === theirs || ours === undefined || theirs === undefined) return undefined;
  let at = 0;
  while (ours[at] === theirs[at]) at += 1;
  return `replayed ${theirs.slice(Math.max(0, at - 60), at + 60)}, live ${ours.slice(Math.max(0, at - 60), at + 60)}`;
}

/** Whether two values are the same as data: what is undefined is not there. */
function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one))
    return (
      Array.isArray(other) && one.length === other.length && one.every((item, at) => isSame(item, other[at]))
    );
  // Their text says where they differ.
  if (Object.getPrototypeOf(one) !== Object.prototype || 'toJSON' in one) return false;
  const known = other as Readonly<Record<string, unknown>>;
  for (const [key, value] of Object.entries(one)) if (!isSame(value, known[key])) return false;
  for (const key of Object.keys(known)) if (known[key] !== undefined && !(key in one)) return false;
  return true;
}

/** Texts for bigints, and keys in one order: what is read back has them sorted. */
function plainOf(value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
