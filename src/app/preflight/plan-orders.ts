import { timeText } from '../../core/base/clock.ts';
import type { ReadAnswered } from '../../core/model/event.ts';
import type { Instruments, Lots } from '../../core/model/instrument.ts';
import { isTerminal } from '../../core/model/order-life.ts';
import type { Order, OrderRequest } from '../../core/model/order.ts';
import { onlyReduces } from '../../core/orders/controls/index.ts';
import { protectionText, protects, fateAtStart } from '../../core/orders/index.ts';
import { foundOrder } from '../../core/state/index.ts';
import type { StartFate, OrderOptions } from '../../core/orders/index.ts';
import { externalStrategy } from '../../core/ledger/index.ts';
import { isReduceOnly } from '../../core/orders/margin/index.ts';
import type { PositionAccount } from '../../core/model/margin.ts';
import { accountOf } from '../../core/model/margin.ts';
import { priceText } from '../../operate/views/view.ts';
import type { KeptRun } from './kept-run.ts';

/** What becomes of an order when trading begins. */
export interface PlannedOrder {
  readonly id: string;
  readonly symbol: string;
  readonly side: string;
  /** What is left of it. */
  readonly quantity: string;
  readonly price: string | null;
  readonly type: string;
  readonly stopPrice: string | null;
  /** Where it trades: on spot, or in a margin account of that mode. */
  readonly account: PositionAccount;
  /** Whether it may only make a position smaller. */
  readonly reduceOnly: boolean;
  readonly strategy: string;
  /** Whether it protects a position that is held. */
  readonly protects: boolean;
  readonly fate: StartFate | 'look' | 'gone';
  readonly why: string;
}

interface OrdersSetting {
  readonly options: Pick<OrderOptions, 'idPrefix' | 'onStart'>;
  readonly instruments: Instruments;
  readonly kept: Pick<KeptRun, 'state' | 'orders'>;
  readonly strategies: readonly string[];
  /** Of the account; `undefined` where it is a simulated one. */
  readonly answers: readonly ReadAnswered[] | undefined;
}

/** No run is called so: the ids of all runs that were are of an earlier one. */
const runToCome = '';

/** Every order of the account, and every one that the journal has as live. */
export function plannedOrders(setting: OrdersSetting): readonly PlannedOrder[] {
  const { answers, kept, instruments } = setting;
  const rowOf = (order: OrderRequest & { readonly cumulative: Lots }, strategy: string) => {
    const instrument = instruments.at(order.instrument);
    return {
      id: order.clientOrderId,
      symbol: instrument.symbol,
      side: order.side,
      quantity: instrument.quantityText((order.quantity - order.cumulative) as Lots),
      price: priceText(instrument, order.price),
      type: order.type,
      stopPrice: priceText(instrument, order.stopPrice),
      account: accountOf(order),
      reduceOnly: isReduceOnly(order),
      strategy,
    };
  };
  if (answers === undefined)
    return kept.orders.map((order) => ({
      ...rowOf(order, order.strategy),
      protects: protects(order, kept.state),
      fate: 'gone',
      why: 'an order at the simulated venue ends with its run',
    }));
  const listed = answers.filter(({ what }) => what.of === 'activeOrders').flatMap(({ orders }) => orders);
  const ids = new Set<string>(listed.map(({ clientOrderId }) => clientOrderId));
  const found = listed.map((order): PlannedOrder => {
    const known = kept.state.order(order.clientOrderId);
    const strategy = known?.strategy ?? externalStrategy;
    const row = rowOf(order, strategy);
    const shown = known ?? foundOrder(order, strategy);
    return { ...row, protects: protects(shown, kept.state), ...fateOf(shown, known, setting) };
  });
  const missing = kept.orders
    .filter(({ clientOrderId }) => !ids.has(clientOrderId))
    .map((order): PlannedOrder => ({
      ...rowOf(order, order.strategy),
      protects: protects(order, kept.state),
      fate: 'look',
      why: lookText(order),
    }));
  return [...found, ...missing];
}

function fateOf(
  order: Order,
  known: Order | undefined,
  { options, strategies, kept }: OrdersSetting,
): Pick<PlannedOrder, 'fate' | 'why'> {
  const isExit = onlyReduces(order, kept.state);
  const fate = fateAtStart(order.clientOrderId, options, runToCome, () => isExit);
  const { idPrefix, onStart } = options;
  if (fate === 'leave')
    return { fate, why: `its id does not begin with ${idPrefix}- (orders.idPrefix): it is not of this bot` };
  const isKnown = known !== undefined && known.strategy !== externalStrategy;
  const origin = isKnown ? `of strategy ${known.strategy}` : 'the journal does not know it';
  const since = `placed ${timeText(order.createdAt)}`;
  if (known !== undefined && isTerminal(known.state))
    return {
      fate: 'cancel',
      why: `the journal has it as ${known.state}, and the venue lists it: canceled if a second list shows it, too`,
    };
  const what = `an order of an earlier run, ${origin}, ${since} (orders.onStart: ${onStart})`;
  if (fate === 'cancel')
    return {
      fate,
      why: protects(order, kept.state)
        ? `${protectionText(order, kept.state)}, which it loses: ${what}`
        : what,
    };
  const who =
    isKnown && strategies.includes(known.strategy)
      ? ''
      : '; no strategy of this configuration steers it: cancel it by hand';
  return { fate, why: `${isExit ? `${protectionText(order, kept.state)}: ` : ''}${what}${who}` };
}

function lookText({ state }: Order): string {
  const had =
    state === 'unknown' || state === 'pending'
      ? `it is ${state} in the journal`
      : 'the journal has it as live';
  return `${had}, and the venue does not list it: its history is read before anything is sent`;
}
