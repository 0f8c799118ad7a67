import { formatAmount } from '../../core/base/amount.ts';
import { listed } from '../../core/base/listed.ts';
import type { Instrument } from '../../core/model/instrument.ts';
import type { StateView } from '../../core/state/index.ts';
import type { Config } from '../config/schema.ts';
import type { AccountWatch } from '../virtual/account-watch.ts';
import type { VirtualScene } from '../virtual/scene.ts';

export interface ChaosEnd {
  readonly scene: VirtualScene;
  readonly account: AccountWatch;
  readonly config: Config;
}

/** Longest wait for messages that are on their way. */
const settleMs = 5_000;
const namedMost = 3;

/** Sentences on what does not hold once troubles are over: nothing lost or doubled, all as at the exchange, limits kept, and trading on. */
export async function brokenAtEnd({ scene, account, config }: ChaosEnd): Promise<readonly string[]> {
  // An order may be on its way at any time: one look at which all agree is enough.
  let differing: readonly string[] = [];
  await scene.until(() => (differing = differencesOf(scene, account)).length === 0, settleMs);
  return [
    ...lostOrDoubled(scene),
    ...differing,
    ...beyondLimits(scene, account, config),
    ...notBack(scene, config),
  ];
}

/** Every order at the exchange is one that was asked for, once, with no more than was asked for. */
function lostOrDoubled({ exchange, trader: { view } }: VirtualScene): readonly string[] {
  const ids = new Map<string, number>();
  const found: string[] = [];
  for (const { order } of exchange.records) {
    const { clientOrderId: id, quantity } = order;
    ids.set(id, (ids.get(id) ?? 0) + 1);
    const known = view.order(id);
    if (known === undefined && !view.knows(id))
      found.push(`order ${id} is at the exchange and not known here`);
    else if (known !== undefined && quantity > known.quantity)
      found.push(`order ${id} is larger at the exchange than it was asked for`);
    if (known?.state === 'rejected' || known?.state === 'denied')
      found.push(`order ${id} is taken for ${known.state}, and the exchange has it`);
  }
  const doubled = [...ids].filter(([, count]) => count > 1).map(([id]) => id);
  if (doubled.length > 0) found.push(`sent twice: ${listed(doubled, namedMost)}`);
  return found;
}

/** Orders, executions, balances, positions and books here that are not those of the exchange. */
function differencesOf(
  { exchange, trader: { view } }: VirtualScene,
  account: AccountWatch,
): readonly string[] {
  const { core } = exchange.world;
  const found: string[] = [];
  const theirs = exchange.activeOrders.map((one) => `${one.clientOrderId} ${one.cumulative}`).toSorted();
  const ours = view
    .openOrders()
    .map((one) => `${one.clientOrderId} ${one.cumulative}`)
    .toSorted();
  if (theirs.join() !== ours.join())
    found.push(
      `live orders differ: here ${listed(ours, namedMost) || 'none'}; at the exchange ${listed(theirs, namedMost) || 'none'}`,
    );
  const unknown = view.openOrders().filter(({ state }) => state === 'unknown');
  if (unknown.length > 0) found.push(`${unknown.length} orders are still unknown`);
  for (const { order } of exchange.records) {
    const known = view.order(order.clientOrderId);
    if (known !== undefined && known.cumulative !== order.cumulative)
      found.push(
        `order ${order.clientOrderId} executed ${order.cumulative} lots, and ${known.cumulative} here`,
      );
  }
  for (const { currency, available, reserved } of core.exchange.balances(exchange.account)) {
    const known = view.balance(currency);
    if (known.available !== available || known.reserved !== reserved)
      found.push(
        `${currency}: ${formatAmount(known.available)} and ${formatAmount(known.reserved)} reserved here, ${formatAmount(available)} and ${formatAmount(reserved)} at the exchange`,
      );
  }
  for (const { id, symbol, spec } of core.instruments.all) {
    const [here, there] = [view.netPosition(id), account.positionOf(id)];
    if (spec.type === 'spot' && here !== there)
      found.push(
        `the position in ${symbol} is ${here} lots here, and ${there} by the trades of the exchange`,
      );
  }
  return [...found, ...booksOf(view, core.instruments.all).filter((one) => one !== undefined)];
}

/** Books that strategies follow and that may not be traded on. */
function booksOf(view: StateView, instruments: readonly Instrument[]): readonly (string | undefined)[] {
  return instruments.map(({ id, symbol }) => {
    const { unfit, bestAsk, bestBid } = view.book(id);
    if (bestAsk === undefined && bestBid === undefined) return undefined;
    return unfit === undefined ? undefined : `the book of ${symbol} is not live: ${unfit}`;
  });
}

function beyondLimits(
  { exchange }: VirtualScene,
  account: AccountWatch,
  { orders, strategies }: Config,
): readonly string[] {
  return exchange.world.core.instruments.all.flatMap((instrument) => {
    const own = strategies.flatMap(({ limits }) => limits.positionMax[instrument.symbol] ?? []);
    const sum =
      own.length === strategies.length ? own.reduce((most, one) => most + Number(one), 0) : Infinity;
    const most = Math.min(sum, Number(orders.limits[instrument.symbol]?.positionMax ?? Infinity));
    const held = Number(instrument.quantityText(account.positionMost(instrument.id) as never));
    return held > most
      ? [`${held} ${instrument.symbol} were held, and the limit is ${most} (positionMax)`]
      : [];
  });
}

/** Reasons why it does not trade on by itself. */
function notBack({ trader: { view } }: VirtualScene, { strategies }: Config): readonly string[] {
  return [
    ...(view.mode === 'active' ? [] : [`trading is ${view.mode}: it waits for its operator`]),
    ...strategies.flatMap(({ name }) => {
      const why = view.stopped(name);
      return why === undefined ? [] : [`the strategy ${name} was stopped: ${why}`];
    }),
    ...(['market', 'trading'] as const).flatMap((session) =>
      view.sessionUp(session) ? [] : [`the session ${session} is not up`],
    ),
  ];
}
